// SPDX-License-Identifier: Apache-2.0
#include "present/advice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "text/units.hpp"

namespace steelyard::tool {
namespace {

constexpr std::size_t most_rounds = 1000;
/// Less is not promised.
constexpr double least_promise = 0.01;

std::string interval_text(const row_result& row) {
  if (!row.ratio_interval) return "no interval";
  return fmt::format("95 % interval {} to {}", bound_text(row.ratio_interval->low),
                     bound_text(row.ratio_interval->high));
}

/// Rounded down: it is promised.
double whole_percent(double share) { return std::floor(share * 100 + 1e-9); }

double median_believed(const row_result& row) {
  auto met = row.believed;
  std::erase_if(met, [](double ratio) { return !(ratio > 0); });
  return met.empty() ? 1 : median(met);
}

bool surely_faster(const row_result& candidate, const row_result& than) {
  const auto ratios = paired_ratios(candidate.times, than.times);
  return median(ratios) < least_gain_ratio && chance_of_gain(ratios) < largest_chance;
}

bool surely_loses(const row_result& row) {
  return row.ratio_interval && row.ratio * least_gain_ratio > 1 && row.ratio_interval->low > 1;
}

/// The best of those that surely gain, by what is believed of them; nullptr: none does.
const row_result* sure_gain(const table_result& table) {
  const row_result* best = nullptr;
  for (const auto& row : table.rows) {
    if (surely_gains(row) && (best == nullptr || median_believed(row) < median_believed(*best))) best = &row;
  }
  return best;
}

/// The row of a schedule that took the loop; nullptr: it did not.
const row_result* taken_by(const table_result& table, const std::string& schedule) {
  const auto found = std::find_if(table.rows.begin() + 1, table.rows.end(),
                                  [&](const auto& row) { return row.name == schedule && row.usable(); });
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
          surely_gains(chosen), chosen.ratio, why_no_gain(chosen, loop.table).text()};
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
  if (chosen.rest_varied) {
    text += fmt::format("; its loops account for {:.3f} only, the rest of the program varied", chosen.explained);
  }
  const auto& least = *table.best_schedule();
  if (&least != &chosen) {
    text +=
        fmt::format("; `{}` takes {:.3f}, but that is {}", least.name, least.ratio, why_no_gain(least, table).text());
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
      "`{}` takes {:.3f} of the time ({}), {}.",
      loop.schedule, loop.place, 1 / loop.ratio, best.name, best.ratio, interval_text(best),
      why_no_gain(best, table).text());
}

std::string sentence_without_gain(const verdict& decided, const row_result* best) {
  if (decided.what == verdict::kind::none) {
    return fmt::format("Keep it as written: no schedule was measured to gain {:.0f} % or more.",
                       (1 - least_gain_ratio) * 100);
  }
  if (best == nullptr || best->pairs < least_rounds || best->ratio >= 1) return "Nothing is advised.";
  return fmt::format("Nothing is advised: `{}` takes {:.3f} of the time as written ({}), but that may be luck.",
                     best->name, best->ratio, interval_text(*best));
}

/// The row whose interval reaches furthest below 1, if a gain that matters to everybody lies in it; nullptr: there is none.
const row_result* may_gain_much(const table_result& table) {
  constexpr double much = 0.9;
  const row_result* found = nullptr;
  for (auto row = table.rows.begin() + 1; row != table.rows.end(); ++row) {
    if (!row->usable() || !row->ratio_interval || row->ratio_interval->low >= much) continue;
    if (found == nullptr || row->ratio_interval->low < found->ratio_interval->low) found = &*row;
  }
  return found;
}

/// Of the whole program, by its own times: a gain of some loops alone is none yet.
verdict decide(const comparison& found, const advice& given) {
  using kind = verdict::kind;
  const auto& table = found.program;
  if (const auto* chosen = sure_gain(table)) return {kind::gain, chosen->promised, "", ""};
  const auto* best = table.best_schedule();
  if (best == nullptr) return {kind::not_sure, 0, "no schedule ran as the program as written does", "see the notes"};
  const auto doubts = why_no_gain(*best, table);
  if (given.any_loop_gains()) {
    return {kind::not_sure, 0, "a loop surely gains, but of the whole program: " + doubts.reason, doubts.remedy};
  }
  const bool measured = best->pairs >= least_rounds && !best->was_disturbed();
  if (!measured || best->ratio < least_gain_ratio) return {kind::not_sure, 0, doubts.reason, doubts.remedy};
  if (const auto* wide = may_gain_much(table)) {
    return {kind::not_sure, 0,
            fmt::format("the times vary: `{}` may take {:.2f}", wide->name, wide->ratio_interval->low),
            "use more rounds, or an idle machine"};
  }
  return {};
}

/// Which numbers the sure ones were chosen from.
std::string basis_of(const comparison& found, const advice& given) {
  if (given.decided.what != verdict::kind::gain) return found.corrected.text();
  return fmt::format("at least {:.0f} % with 95 % confidence, {}", whole_percent(given.decided.gain),
                     found.corrected.text());
}

std::string sentence_of(const comparison& found, const advice& given) {
  const auto& table = found.program;
  const auto* best = table.best_schedule();
  switch (given.use) {
    case advice::means::schedule:
      return sentence_for_schedule(*sure_gain(table), table);
    case advice::means::loops: {
      if (const auto* chosen = sure_gain(table)) return sentence_for_loops_that_differ(*chosen);
      const auto gains = [](const auto& one) { return one.gains; };
      return sentence_for_loop(*best, table, *std::find_if(given.loops.begin(), given.loops.end(), gains));
    }
    case advice::means::nothing:
      return sentence_without_gain(given.decided, best);
  }
  return {};
}

}  // namespace

bool advice::any_loop_gains() const {
  return std::any_of(loops.begin(), loops.end(), [](const auto& one) { return one.gains; });
}

bool surely_gains(const row_result& candidate) {
  return candidate.usable() && candidate.pairs >= least_rounds && median_believed(candidate) < least_gain_ratio &&
         candidate.chance < largest_chance && candidate.promised >= least_promise && !candidate.was_disturbed();
}

std::string doubt::text() const { return remedy.empty() ? reason : fmt::format("{}: {}", reason, remedy); }

doubt why_no_gain(const row_result& candidate, const table_result& table) {
  if (surely_gains(candidate)) return {};
  if (!candidate.passed.empty()) return {"not taken: " + candidate.passed, ""};
  if (candidate.fault) return {candidate.fault->mark + ": " + candidate.fault->detail, ""};
  if (candidate.pairs < least_rounds) {
    return {counted(candidate.pairs, "round") + " cannot tell a gain from noise", "use --rounds 5 or more"};
  }
  if (candidate.was_disturbed()) {
    return {fmt::format("the machine was busy in {} of {}, which lost up to {:.0f} % of their time",
                        candidate.disturbed, counted(candidate.pairs, "round"), candidate.lost * 100),
            "measure on an idle machine"};
  }
  if (candidate.ratio >= 1) return {"not faster than as written", ""};
  if (candidate.ratio >= least_gain_ratio)
    return {fmt::format("gain below {:.0f} %", (1 - least_gain_ratio) * 100), ""};
  if (median_believed(candidate) >= least_gain_ratio) {
    return {fmt::format("the rest of the program varied, its loops account for {:.3f}", candidate.explained),
            "use more rounds, or an idle machine"};
  }
  const auto rounds = candidate.times.size();
  const auto reason =
      fmt::format("not certain after {} over {}", counted(rounds, "round"), counted(table.rows.size() - 1, "schedule"));
  if (rounds >= most_rounds) return {reason, ""};
  return {reason, fmt::format("use --rounds {}", std::min(most_rounds, std::max<std::size_t>(20, 2 * rounds)))};
}

std::string verdict::text() const {
  switch (what) {
    case kind::gain:
      return fmt::format("gain {:.0f} %, sure", whole_percent(gain));
    case kind::not_sure:
      return fmt::format("not sure: {}{}{}", reason, remedy.empty() ? "" : "; ", remedy);
    case kind::none:
      break;
  }
  return "none";
}

bool surely_none(const comparison& found) {
  const double chance = largest_chance / found.corrected.of_program();
  const auto& table = found.program;
  return std::all_of(table.rows.begin() + 1, table.rows.end(), [&](const auto& row) {
    if (!row.usable()) return true;
    // How much more than the most that counts as a gain: were that surely below 1, there would be none.
    auto over = paired_ratios(table.as_written().times, row.times);
    for (double& ratio : over) ratio *= least_gain_ratio;
    return chance_of_gain(over) < chance && !row.was_disturbed();
  });
}

advice advise(const comparison& found) {
  advice given;
  if (const auto* best = sure_gain(found.program)) given.schedule = best->name;
  for (const auto& loop : found.loops) {
    if (!loop.facts.taken || loop.share < share_that_matters || loop.table.best_schedule() == nullptr) continue;
    given.loops.push_back(advise_loop(loop, given.schedule));
  }
  given.use = better_means(found, given);
  given.decided = decide(found, given);
  if (given.use != advice::means::nothing) given.basis = basis_of(found, given);
  given.sentence = sentence_of(found, given);
  return given;
}

}  // namespace steelyard::tool
