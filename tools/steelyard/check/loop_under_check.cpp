// SPDX-License-Identifier: Apache-2.0
#include "check/loop_under_check.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace steelyard::tool::check {
namespace {

/// Iterations first … last of a step, both included.
struct interval {
  std::uint64_t first;
  std::uint64_t last;
};

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

}  // namespace steelyard::tool::check
