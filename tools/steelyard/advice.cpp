// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "units.hpp"

namespace steelyard::tool {
namespace {

/// Intervals of fewer rounds say nothing.
constexpr std::size_t least_rounds = 3;

/// The best of the schedules; as written is none.
const row_result& best_schedule(const table_result& table) {
  return *std::min_element(table.rows.begin() + 1, table.rows.end(),
                           [](const auto& a, const auto& b) { return a.median < b.median; });
}

std::string interval_text(const row_result& row) {
  return fmt::format("95 % interval {:.2f} to {:.2f}", row.ratio_interval.low, row.ratio_interval.high);
}

loop_advice advise_loop(const loop_result& loop) {
  const auto& best = best_schedule(loop.table);
  return {loop.key.text(), best.name, loop.name(), surely_gains(best), best.ratio};
}

std::string sentence_to_change(const row_result& best) {
  return fmt::format("Use `{}`: the program takes {:.2f} of its time as written ({}), {:.2f} times as fast.", best.name,
                     best.ratio, interval_text(best), 1 / best.ratio);
}

std::string sentence_for_loop(const row_result& best, const loop_advice& loop) {
  return fmt::format(
      "Keep the program's schedules or use the lines below: `{}` makes the loop at {} {:.2f} times as "
      "fast, but the whole program's gain is within the noise ({:.2f} of the time, {}).",
      loop.schedule, loop.place, 1 / loop.ratio, best.ratio, interval_text(best));
}

std::string sentence_to_keep(const row_result& best) {
  if (best.times.size() < least_rounds) {
    return fmt::format("Keep it as written: {} round{} cannot tell a gain from noise; use --rounds 5 or more.",
                       best.times.size(), best.times.size() == 1 ? "" : "s");
  }
  return fmt::format("Keep it as written: no schedule gains more than the noise (best: `{}`, {:.2f} of the time, {}).",
                     best.name, best.ratio, interval_text(best));
}

}  // namespace

bool surely_gains(const row_result& candidate) {
  return candidate.times.size() >= least_rounds && candidate.ratio < least_gain_ratio &&
         candidate.ratio_interval.high < 1;
}

advice advise(const comparison& found) {
  advice given;
  for (const auto& loop : found.loops) {
    if (loop.facts.taken && loop.share >= share_that_matters) given.loops.push_back(advise_loop(loop));
  }
  const auto& best = best_schedule(found.program);
  const auto helped = std::find_if(given.loops.begin(), given.loops.end(), [](const auto& one) { return one.gains; });
  if (surely_gains(best)) {
    given.schedule = best.name;
    given.sentence = sentence_to_change(best);
  } else if (helped != given.loops.end()) {
    given.sentence = sentence_for_loop(best, *helped);
  } else {
    given.sentence = sentence_to_keep(best);
  }
  return given;
}

}  // namespace steelyard::tool
