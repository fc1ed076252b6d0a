// SPDX-License-Identifier: Apache-2.0
#include "check/loop_under_check.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "check/progressions.hpp"

namespace steelyard::tool::check {
namespace {

/// Iterations first … last of a step, both included.
struct interval {
  std::uint64_t first;
  std::uint64_t last;
};

/// So many pieces are written out one by one.
constexpr unsigned __int128 most_pieces = std::size_t{1} << 22;

/// With these steps as they are.
unsigned __int128 pieces_of(const std::vector<handed_out>& all) noexcept {
  unsigned __int128 pieces = 0;
  for (const auto& each : all) pieces += each.what.stride == 1 ? 1 : each.what.count;
  return pieces;
}

/// Of those that hold all numbers but some; none below `tries` is missing: nullopt.
std::optional<std::uint64_t> missing_in(const std::vector<progression>& all, std::uint64_t tries) {
  for (std::uint64_t value = 0; value < tries; ++value) {
    if (std::none_of(all.begin(), all.end(), [=](const auto& each) { return each.has(value); })) return value;
  }
  return std::nullopt;
}

/// Of many each is compared with the next ones only: it takes a microsecond.
std::optional<std::uint64_t> twice_in(const std::vector<progression>& all) {
  constexpr std::size_t most = 200;
  for (std::size_t one = 0; one < all.size(); ++one) {
    const std::size_t end = std::min(all.size(), one + 1 + most);
    for (std::size_t other = one + 1; other < end; ++other) {
      if (const auto found = first_common(all[one], all[other])) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

loop_under_check::loop_under_check(const steelyard_schedule& schedule, const steelyard_shape& loop,
                                   unsigned char rubbish)
    : schedule_(schedule), loop_(loop), bytes_(schedule.bytes(&loop)),
      memory_(static_cast<unsigned char*>(::operator new(bytes_ + 2 * wall, line))) {
  std::memset(memory_.get(), untouched, bytes_ + 2 * wall);
  std::memset(state(), rubbish, bytes_);
  schedule_.open(state(), &loop_);
}

std::string loop_under_check::told(const std::string& what) const {
  return fmt::format("N {}, {} members, chunk {}: {}", loop_.iterations, loop_.members, loop_.chunk, what);
}

std::optional<std::string> loop_under_check::fault_in(const std::vector<handed_out>& all) const {
  const auto* const end = memory_.get() + wall + bytes_;
  const auto touched = [](unsigned char each) { return each != untouched; };
  if (std::any_of(memory_.get(), memory_.get() + wall, touched) || std::any_of(end, end + wall, touched))
    return told("it writes beside its memory");
  if (all.size() > most_chunks) return told("it hands out chunks for ever");
  if (pieces_of(all) > most_pieces) return fault_in_long(all);
  std::vector<interval> ran;
  for (const auto& [who, what] : all) {
    if (what.stride == 0) return told("a step has stride 0");
    const auto steps = what.stride == 1 ? 1 : what.count;
    const auto length = what.stride == 1 ? what.count : 1;
    for (std::uint64_t k = 0; k < steps; ++k) {
      const auto first = what.first + k * what.stride;
      if (first >= loop_.iterations || length > loop_.iterations - first)
        return told(
            fmt::format("member {} gets iterations from {} on, {} of them, beyond the loop", who, first, length));
      ran.push_back({first, first + (length - 1)});
    }
  }
  std::sort(ran.begin(), ran.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::uint64_t next = 0;
  for (const auto& each : ran) {
    if (each.first < next) return told(fmt::format("iteration {} is handed out twice", each.first));
    if (each.first > next) return told(fmt::format("iteration {} is lost", next));
    next = each.last + 1;
  }
  if (next != loop_.iterations) return told(fmt::format("iteration {} is lost", next));
  return std::nullopt;
}

/// No step beyond the loop, no iteration twice, and as many as the loop has: then each is there. Of steps that are handed out far from each
/// other only the numbers are compared.
std::optional<std::string> loop_under_check::fault_in_long(const std::vector<handed_out>& all) const {
  using wide = unsigned __int128;
  std::vector<progression> ran;
  wide iterations = 0;
  for (const auto& [who, what] : all) {
    if (what.stride == 0) return told("a step has stride 0");
    if (what.first + wide{what.count - 1} * what.stride >= loop_.iterations)
      return told(fmt::format("member {} gets iterations from {} on, {} of them, {} apart, beyond the loop", who,
                              what.first, what.count, what.stride));
    ran.push_back({what.first, what.stride, what.count});
    iterations += what.count;
  }
  if (const auto twice = twice_in(ran)) return told(fmt::format("iteration {} is handed out twice", *twice));
  if (iterations == loop_.iterations) return std::nullopt;
  if (iterations > loop_.iterations) return told("some iteration is handed out twice");
  const auto missing = missing_in(ran, std::min<std::uint64_t>(loop_.iterations, 4096));
  return told(missing ? fmt::format("iteration {} is lost", *missing) : "some iteration is lost");
}

}  // namespace steelyard::tool::check
