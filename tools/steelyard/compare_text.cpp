// SPDX-License-Identifier: Apache-2.0
#include "compare_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "coverage.hpp"
#include "loops_file.hpp"
#include "schedule_text.hpp"
#include "table.hpp"
#include "units.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* overestimated_mark = " *";

std::string joined(const command_line& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string limit_text(const table_result& shown) {
  if (!shown.limit) return "limit n/a";
  if (shown.limit_unusable()) return "limit unusable on this run";
  const auto& limit = *shown.limit;
  const double above = limit.high / limit.value - 1;
  const double below = 1 - limit.low / limit.value;
  return fmt::format("limit {} (-{:.1f} % +{:.1f} %)", time_text(limit.value), below * 100, above * 100);
}

/// What is marked is rounded down, so that it reads below the bound too.
std::string over_limit_text(const row_result& row) {
  if (!row.over_limit) return "n/a";
  if (!row.limit_overestimated()) return fmt::format("{:.2f}", *row.over_limit);
  return fmt::format("{:.2f}{}", std::floor(*row.over_limit * 100) / 100, overestimated_mark);
}

std::string regret_text(const row_result& row) { return row.median <= 0 ? "n/a" : percent_text(row.regret); }

std::string ratio_text(const row_result& row) {
  if (row.pairs == 0) return "n/a";
  if (row.pairs == 1) return fmt::format("{:.3f} [n/a]", row.ratio);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", row.ratio, row.ratio_interval.low, row.ratio_interval.high);
}

std::string row_name(const row_result& row) {
  return row.passed.empty() ? row.name : fmt::format("{} (not taken: {})", row.name, row.passed);
}

/// The table of the program or of one loop; `baseline` names the first row.
std::string rows_text(const table_result& shown, const std::string& baseline) {
  table lines({{"  schedule", table::left},
               {"median"},
               {"min - max"},
               {"time/limit"},
               {"regret"},
               {"imbalance"},
               {"steals"},
               {"time/written [95 %]"}});
  const bool unusable = shown.limit_unusable();
  bool overestimated = false;
  for (const auto& row : shown.rows) {
    const bool first = &row == &shown.rows.front();
    overestimated = overestimated || row.limit_overestimated();
    lines.add({"  " + (first ? baseline : row_name(row)), time_text(row.median),
               fmt::format("{} - {}", time_text(row.spread.low), time_text(row.spread.high)),
               unusable ? "n/a" : over_limit_text(row), regret_text(row), percent_text(row.imbalance),
               count_text(row.steals), first ? "1" : ratio_text(row)});
  }
  auto text = lines.text();
  if (overestimated && !unusable) {
    text += fmt::format("  * limit overestimated (time/limit below {}): says nothing about the schedule\n",
                        least_over_limit);
  }
  return text;
}

std::string short_baseline(const site_facts& facts) { return fmt::format("as written ({})", clause_text(facts)); }

std::string header_text(const compare_outcome& all) {
  const auto& options = *all.options;
  auto text = fmt::format("{}\n{} in a loop, {} allowed, {} after a warm-up, {:.0f} s\n", joined(options.program),
                          counted(all.measured.threads, "thread"), counted(all.cores, "core"),
                          counted(options.rounds, "round"), all.seconds_taken);
  if (all.measured.threads == 1) {
    text += "Note: one thread: no schedule can matter, only what it costs to hand iterations out.\n";
  }
  if (all.measured.threads > all.cores) {
    text += "Note: more threads than cores: times are doubtful, and limits are not given.\n";
  }
  if (!all.measured.dropped.empty()) {
    std::string names;
    for (const auto& [name, value] : all.measured.dropped) {
      names += fmt::format("{}{}={}", names.empty() ? "" : ", ", name, shell_word(value));
    }
    text += fmt::format("Note: dropped for every run, as it would change what is compared: {}\n", names);
  }
  if (all.load_before > 0.5 * all.cores) {
    text += fmt::format("Note: the machine was busy before (load {:.1f}); use more rounds, or an idle machine.\n",
                        all.load_before);
  }
  return text;
}

std::string program_text(const compare_outcome& all) {
  const auto& table = all.found.program;
  const auto why = table.limit_missing.empty() ? "" : ": " + table.limit_missing;
  return fmt::format("\nWhole program, {}{}\n{}", limit_text(table), why, rows_text(table, "as written"));
}

std::string loop_text(const loop_result& loop, const experiment_result& measured) {
  auto heading = fmt::format("\nLoop {}, {} of the time", loop.name(), percent_text(loop.share));
  if (!loop.place.inlined_into.empty()) heading += fmt::format(", inlined into {}", loop.place.inlined_into);
  if (loop.processes > 1) heading += fmt::format(", summed over {} processes", loop.processes);
  heading += ", " + limit_text(loop.table);
  if (loop.facts.clause == "runtime") heading += "\n  " + baseline_text(loop.facts, measured);
  return heading + "\n" + rows_text(loop.table, short_baseline(loop.facts));
}

std::string loops_text(const compare_outcome& all) {
  std::string text;
  std::size_t others = 0;
  double share = 0;
  bool through_runtime = false;
  for (const auto& loop : all.found.loops) {
    if (!loop.facts.taken) continue;
    if (loop.share < share_that_matters) {
      ++others;
      share += loop.share;
      continue;
    }
    through_runtime = through_runtime || (loop.facts.clause == "runtime" && loop.facts.abi == "gomp");
    text += loop_text(loop, all.measured);
  }
  if (others > 0) {
    text += fmt::format("\n{}, together {} of the time\n", counted(others, "other loop"), percent_text(share));
  }
  if (through_runtime) {
    text +=
        "\nNote: a static schedule through schedule(runtime) is slower in libgomp than a static clause in the "
        "source.\n";
  }
  return text;
}

std::string loops_file_text(const advice& given) {
  std::string text;
  for (const auto& loop : given.loops) {
    text += (loop.gains ? "" : "# ") +
            loops_file_line(loop.site, loop.schedule, loop.place + (loop.gains ? "" : ": " + loop.why_not));
  }
  return text;
}

/// A command that runs the program as it was run here: what compare set or dropped, this shell still has to.
std::string command_text(const compare_outcome& all, const std::string& options) {
  std::string changes;
  for (const auto& [name, value] : all.measured.dropped) changes += fmt::format(" -u {}", name);
  if (!changes.empty()) changes = "env" + changes + " ";
  if (all.options->threads != 0) changes += fmt::format("OMP_NUM_THREADS={} ", all.options->threads);
  return fmt::format("\n  {}steelyard run {} -- {}\n", changes, options, joined(all.options->program));
}

std::string schedule_advice_text(const compare_outcome& all) {
  return command_text(all, "--schedule " + all.given.schedule);
}

std::string loops_advice_text(const compare_outcome& all) {
  return fmt::format("put into a file `loops.txt`:\n\n{}{}", loops_file_text(all.given),
                     command_text(all, "--loops loops.txt"));
}

/// What to use comes first. Nothing that would be refused or change nothing is printed.
std::string advice_text(const compare_outcome& all) {
  const auto& given = all.given;
  const auto text = fmt::format("\n{}\n", given.sentence);
  if (given.use == advice::means::nothing) return text;
  if (given.use == advice::means::loops) {
    const auto lines = text + "\nLoop by loop, " + loops_advice_text(all);
    if (given.schedule.empty()) return lines;
    return lines + "\nOr, simpler and not as good, one schedule for all of them:\n" + schedule_advice_text(all);
  }
  const auto command = text + schedule_advice_text(all);
  if (!given.any_loop_gains()) return command;
  return command + "\nOr, to change these loops only, " + loops_advice_text(all);
}

}  // namespace

std::string compare_text(const compare_outcome& all) {
  return header_text(all) + program_text(all) + loops_text(all) + "\n" + coverage_text(all.found, all.measured) +
         advice_text(all);
}

}  // namespace steelyard::tool
