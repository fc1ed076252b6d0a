// SPDX-License-Identifier: Apache-2.0
#include "loop_run.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <ostream>
#include <utility>

#include "schedules/work_sums.hpp"

namespace steelyard::schedules::testing {

loop_run::loop_run(const operations& schedule, const shape& loop)
    : schedule_(schedule), memory_(static_cast<std::byte*>(::operator new(schedule.bytes(loop), line))) {
  std::memset(memory_.get(), 0xa5, schedule.bytes(loop));
  schedule.open(memory_.get(), loop);
}

loop_run::loop_run(const operations& schedule, const shape& loop, std::span<const double> costs)
    : schedule_(schedule), sums_(work_sums::size_for(loop)),
      memory_(static_cast<std::byte*>(::operator new(schedule.bytes(loop), line))) {
  work_sums sums(sums_);
  auto dealt = loop;
  dealt.front_end.contiguous = loop.front_end.contiguous && !schedule.about.as_published;
  std::memset(memory_.get(), 0xa5, schedule.bytes(loop));
  schedule.open(memory_.get(), sums.apply(dealt, {cost::source::of(costs.data())}));
}

void PrintTo(const handed_out& chunk, std::ostream* out) {
  *out << chunk.who << ":" << chunk.what.first << "," << chunk.what.count << "," << chunk.what.stride;
}

std::vector<handed_out> in_turn(loop_run& run, std::vector<member> callers) {
  std::vector<handed_out> chunks;
  while (!callers.empty()) {
    std::erase_if(callers, [&](member m) {
      const auto what = run.next(m);
      if (!what.done()) chunks.push_back({m, what});
      return what.done();
    });
  }
  return chunks;
}

std::vector<handed_out> in_random_order(loop_run& run, std::vector<member> callers, std::mt19937_64& draw) {
  std::vector<handed_out> chunks;
  while (!callers.empty()) {
    const auto i = callers.begin() + static_cast<std::ptrdiff_t>(draw() % callers.size());
    const auto what = run.next(*i);
    if (what.done()) {
      callers.erase(i);
    } else {
      chunks.push_back({*i, what});
    }
  }
  return chunks;
}

std::vector<member> everybody(std::uint32_t members) {
  std::vector<member> all(members);
  std::iota(all.begin(), all.end(), member{0});
  return all;
}

namespace {

/// Half-open intervals of x in the progression residue + x·stride.
using intervals = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Whether they make up 0 … length-1, each once.
::testing::AssertionResult tile(intervals parts, std::uint64_t length) {
  std::sort(parts.begin(), parts.end());
  std::uint64_t at = 0;
  for (const auto& [begin, end] : parts) {
    if (begin != at)
      return ::testing::AssertionFailure() << (begin < at ? "again: " : "left out: ") << std::min(begin, at);
    at = end;
  }
  if (at != length) return ::testing::AssertionFailure() << "ends at " << at << ", not " << length;
  return ::testing::AssertionSuccess();
}

}  // namespace

::testing::AssertionResult covers(std::span<const handed_out> chunks, std::uint64_t iterations) {
  // One stride for all chunks of more than one iteration; single ones fit any.
  std::uint64_t stride = 1;
  for (const auto& chunk : chunks) {
    if (chunk.what.count > 1) stride = std::max(stride, chunk.what.stride);
  }
  std::map<std::uint64_t, intervals> by_residue;
  for (const auto& [who, what] : chunks) {
    if (what.count > 1 && what.stride != stride) return ::testing::AssertionFailure() << "strides differ";
    if (what.first >= iterations || what.count - 1 > (iterations - 1 - what.first) / stride) {
      return ::testing::AssertionFailure() << "outside: " << what.first << " + " << what.count << " x " << what.stride;
    }
    by_residue[what.first % stride].emplace_back(what.first / stride, what.first / stride + what.count);
  }
  for (std::uint64_t residue = 0; residue < std::min(stride, iterations); ++residue) {
    const auto length = (iterations - residue - 1) / stride + 1;
    if (const auto whole = tile(by_residue[residue], length); !whole) {
      return ::testing::AssertionFailure() << whole.message() << " in residue " << residue << " of " << stride;
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace steelyard::schedules::testing
