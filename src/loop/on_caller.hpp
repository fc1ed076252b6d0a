// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/serial_costs.hpp"
#include "learn/work_clock.hpp"
#include "loop/progress.hpp"
#include "loop/team.hpp"

#include <steelyard/steelyard.h>

/// A loop, or what is left of it, on its caller alone.
namespace steelyard::loop {

/// In how many, where it may be stopped, or has a progress.
inline constexpr std::uint64_t parts_alone = 1024;

/// All iterations from `first` on, on the caller. False: stopped.
[[nodiscard]] inline bool run_here(const steelyard_loop& asked, steelyard_member& self, std::uint64_t first) {
  const auto n = asked.iterations;
  const auto most = is_in_parts(asked) ? std::max<std::uint64_t>(n / parts_alone, 1) : n;
  progress so_far(asked);
  while (first != n && !self.stopped_alone && !is_to_stop(asked)) {
    const auto part = std::min(most, n - first);
    asked.run(asked.body, &self, first, part, 1);
    first += part;
    if (so_far.is_due()) so_far.say(first);
  }
  return first == n && !self.stopped_alone;
}

/// Whatever they take.
inline steelyard_result run_on_caller(const steelyard_loop& asked, std::uint64_t first) {
  steelyard_member self{nullptr, 0};
  return run_here(asked, self, first) ? STEELYARD_DONE : STEELYARD_STOPPED;
}

/// All of them, with the clock read behind each iteration.
[[nodiscard]] inline bool run_one_by_one(const steelyard_loop& asked, steelyard_member& self,
                                         learn::serial_costs& costs) {
  progress so_far(asked);
  std::uint64_t i = 0;
  for (auto before = learn::work.now(); i != asked.iterations && !self.stopped_alone && !is_to_stop(asked); ++i) {
    asked.run(asked.body, &self, i, 1, 1);
    const auto now = learn::work.now();
    costs.took_next(now - before);
    before = now;
    if (so_far.is_due()) so_far.say(i + 1);
  }
  return i == asked.iterations && !self.stopped_alone;
}

}  // namespace steelyard::loop
