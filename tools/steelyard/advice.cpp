// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "units.hpp"

namespace steelyard::tool {
namespace {

/// Intervals of fewer rounds say nothing.
constexpr std::size_t least_rounds = 3;

std::string interval_text(const row_result& row) {
  return fmt::format("95 % interval {:.2f} to {:.2f}", row.ratio_interval.low, row.ratio_interval.high);
}

bool surely_faster(const row_result& candidate, const row_result& than) {
  const auto ratios = paired_ratios(candidate.times, than.times);
  return median(ratios) < least_gain_ratio && chance_of_gain(ratios) < largest_chance;
}

/// A loop's own best, unless the program's choice is as good for it.
const row_result& schedule_for(const loop_result& loop, const row_result& best, const std::string& programs_choice) {
  for (const auto& row : loop.table.rows) {
    if (row.name == programs_choice && surely_gains(row) && !surely_faster(best, row)) return row;
  }
  return best;
}

loop_advice advise_loop(const loop_result& loop, const row_result& best, const std::string& programs_choice) {
  const auto& chosen = schedule_for(loop, best, programs_choice);
  return {loop.key.text(), chosen.name, loop.name(), surely_gains(chosen), chosen.ratio};
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
  return candidate.passed.empty() && candidate.times.size() >= least_rounds && candidate.ratio < least_gain_ratio &&
         candidate.ratio_interval.high < 1 && candidate.chance < largest_chance;
}

advice advise(const comparison& found) {
  advice given;
  const auto& best = *found.program.best_schedule();
  if (surely_gains(best)) given.schedule = best.name;
  for (const auto& loop : found.loops) {
    const auto* loops_best = loop.table.best_schedule();
    if (!loop.facts.taken || loop.share < share_that_matters || loops_best == nullptr) continue;
    given.loops.push_back(advise_loop(loop, *loops_best, given.schedule));
  }
  const auto helped = std::find_if(given.loops.begin(), given.loops.end(), [](const auto& one) { return one.gains; });
  if (!given.schedule.empty()) {
    given.sentence = sentence_to_change(best);
  } else if (helped != given.loops.end()) {
    given.sentence = sentence_for_loop(best, *helped);
  } else {
    given.sentence = sentence_to_keep(best);
  }
  return given;
}

}  // namespace steelyard::tool
