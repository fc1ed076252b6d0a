// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "units.hpp"

namespace steelyard::tool {
namespace {

/// Intervals of fewer rounds say nothing.
constexpr std::size_t least_rounds = 3;
constexpr std::size_t most_rounds = 1000;

std::string interval_text(const row_result& row) {
  return fmt::format("95 % interval {:.3f} to {:.3f}", row.ratio_interval.low, row.ratio_interval.high);
}

bool surely_faster(const row_result& candidate, const row_result& than) {
  const auto ratios = paired_ratios(candidate.times, than.times);
  return median(ratios) < least_gain_ratio && chance_of_gain(ratios) < largest_chance;
}

bool surely_loses(const row_result& row) {
  return row.pairs >= least_rounds && row.ratio * least_gain_ratio > 1 && row.ratio_interval.low > 1;
}

/// The best of those that surely gain; nullptr: none does.
const row_result* sure_gain(const table_result& table) {
  const row_result* best = nullptr;
  for (const auto& row : table.rows) {
    if (surely_gains(row) && (best == nullptr || row.ratio < best->ratio)) best = &row;
  }
  return best;
}

/// The row of a schedule that took the loop; nullptr: it did not.
const row_result* taken_by(const table_result& table, const std::string& schedule) {
  const auto found = std::find_if(table.rows.begin() + 1, table.rows.end(),
                                  [&](const auto& row) { return row.name == schedule && row.passed.empty(); });
  return found == table.rows.end() ? nullptr : &*found;
}

/// A loop's own best, unless the program's choice is as good for it or the loop is nearly all of the program. Some
/// schedule took the loop.
const row_result& schedule_for(const loop_result& loop, const std::string& programs_choice) {
  const auto* own = sure_gain(loop.table);
  const auto* programs = taken_by(loop.table, programs_choice);
  if (programs != nullptr) {
    const bool as_good = surely_gains(*programs) && !surely_faster(*own, *programs);
    if (as_good || loop.share >= share_that_decides) return *programs;
  }
  return own != nullptr ? *own : *loop.table.best_schedule();
}

loop_advice advise_loop(const loop_result& loop, const std::string& programs_choice) {
  const auto& chosen = schedule_for(loop, programs_choice);
  return {loop.key.text(),      chosen.name,  loop.name(),
          surely_gains(chosen), chosen.ratio, why_no_gain(chosen, loop.table)};
}

/// Would the loops' own lines do better than the program's choice for all? Where one loop is nearly all of the program
/// they would not.
bool loops_differ(const comparison& found, const advice& given) {
  const auto decides = [](const auto& loop) { return loop.facts.taken && loop.share >= share_that_decides; };
  if (std::any_of(found.loops.begin(), found.loops.end(), decides)) return false;
  const auto own = [&](const auto& line) { return line.gains && line.schedule != given.schedule; };
  if (std::any_of(given.loops.begin(), given.loops.end(), own)) return true;
  return std::any_of(found.loops.begin(), found.loops.end(), [&](const auto& loop) {
    const auto* programs = taken_by(loop.table, given.schedule);
    return programs != nullptr && loop.share >= share_that_matters && surely_loses(*programs);
  });
}

advice::means better_means(const comparison& found, const advice& given) {
  if (given.schedule.empty()) return given.any_loop_gains() ? advice::means::loops : advice::means::nothing;
  return given.any_loop_gains() && loops_differ(found, given) ? advice::means::loops : advice::means::schedule;
}

std::string sentence_for_schedule(const row_result& chosen, const table_result& table) {
  auto text = fmt::format("Use `{}`: the program takes {:.3f} of its time as written ({}), {:.2f} times as fast",
                          chosen.name, chosen.ratio, interval_text(chosen), 1 / chosen.ratio);
  const auto& least = *table.best_schedule();
  if (&least != &chosen) {
    text += fmt::format("; `{}` takes {:.3f}, but that is {}", least.name, least.ratio, why_no_gain(least, table));
  }
  return text + ".";
}

std::string sentence_for_loops_that_differ(const row_result& chosen) {
  return fmt::format(
      "Use the lines below: no one schedule is best for every loop; `{}` for all of them takes {:.3f} of the program's "
      "time as written ({}).",
      chosen.name, chosen.ratio, interval_text(chosen));
}

std::string sentence_for_loop(const row_result& best, const table_result& table, const loop_advice& loop) {
  return fmt::format(
      "Use the lines below: `{}` makes the loop at {} {:.2f} times as fast; of the whole program no gain is sure: "
      "`{}`, its best, takes {:.3f} of the time ({}), {}.",
      loop.schedule, loop.place, 1 / loop.ratio, best.name, best.ratio, interval_text(best), why_no_gain(best, table));
}

std::string sentence_to_keep(const row_result& best, const table_result& table) {
  if (best.pairs < least_rounds) return fmt::format("Keep it as written: {}.", why_no_gain(best, table));
  if (best.ratio >= 1) {
    return fmt::format(
        "Keep it as written: no schedule is faster than as written (nearest: `{}`, {:.3f} of the time, {}).", best.name,
        best.ratio, interval_text(best));
  }
  return fmt::format("Keep it as written: `{}`, the best, takes {:.3f} of the time ({}), {}.", best.name, best.ratio,
                     interval_text(best), why_no_gain(best, table));
}

std::string sentence_of(const comparison& found, const advice& given) {
  const auto& table = found.program;
  const auto& best = *table.best_schedule();
  switch (given.use) {
    case advice::means::schedule:
      return sentence_for_schedule(*sure_gain(table), table);
    case advice::means::loops: {
      if (const auto* chosen = sure_gain(table)) return sentence_for_loops_that_differ(*chosen);
      const auto gains = [](const auto& one) { return one.gains; };
      return sentence_for_loop(best, table, *std::find_if(given.loops.begin(), given.loops.end(), gains));
    }
    case advice::means::nothing:
      return sentence_to_keep(best, table);
  }
  return {};
}

}  // namespace

bool advice::any_loop_gains() const {
  return std::any_of(loops.begin(), loops.end(), [](const auto& one) { return one.gains; });
}

bool surely_gains(const row_result& candidate) {
  return candidate.passed.empty() && candidate.pairs >= least_rounds && candidate.ratio < least_gain_ratio &&
         candidate.ratio_interval.high < 1 && candidate.chance < largest_chance;
}

std::string why_no_gain(const row_result& candidate, const table_result& table) {
  if (surely_gains(candidate)) return {};
  if (!candidate.passed.empty()) return fmt::format("not taken: {}", candidate.passed);
  if (candidate.pairs < least_rounds) {
    return fmt::format("{} cannot tell a gain from noise: use --rounds 5 or more", counted(candidate.pairs, "round"));
  }
  if (candidate.ratio >= 1) return "not faster than as written";
  if (candidate.ratio >= least_gain_ratio) return fmt::format("gain below {:.0f} %", (1 - least_gain_ratio) * 100);
  const auto rounds = candidate.times.size();
  auto text =
      fmt::format("not certain after {} over {}", counted(rounds, "round"), counted(table.rows.size() - 1, "schedule"));
  if (rounds >= most_rounds) return text;
  return text + fmt::format(": use --rounds {}", std::min(most_rounds, std::max<std::size_t>(20, 2 * rounds)));
}

advice advise(const comparison& found) {
  advice given;
  if (const auto* best = sure_gain(found.program)) given.schedule = best->name;
  for (const auto& loop : found.loops) {
    if (!loop.facts.taken || loop.share < share_that_matters || loop.table.best_schedule() == nullptr) continue;
    given.loops.push_back(advise_loop(loop, given.schedule));
  }
  given.use = better_means(found, given);
  given.sentence = sentence_of(found, given);
  return given;
}

}  // namespace steelyard::tool
