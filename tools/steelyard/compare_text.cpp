// SPDX-License-Identifier: Apache-2.0
#include "compare_text.hpp"

#include <algorithm>

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

std::string limit_text(const limit_estimate& limit) {
  const double above = limit.high / limit.value - 1;
  const double below = 1 - limit.low / limit.value;
  return fmt::format("limit {} (-{:.1f} % +{:.1f} %)", time_text(limit.value), below * 100, above * 100);
}

std::string over_limit_text(const row_result& row) {
  if (!row.over_limit) return "n/a";
  return fmt::format("{:.2f}{}", *row.over_limit, row.limit_overestimated() ? overestimated_mark : "");
}

std::string regret_text(const row_result& row) {
  if (row.median <= 0) return "n/a";
  return row.regret <= 0 ? "best" : percent_text(row.regret);
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
  bool overestimated = false;
  for (const auto& row : shown.rows) {
    const bool first = &row == &shown.rows.front();
    overestimated = overestimated || row.limit_overestimated();
    lines.add(
        {"  " + (first ? baseline : row_name(row)), time_text(row.median),
         fmt::format("{} - {}", time_text(row.spread.low), time_text(row.spread.high)), over_limit_text(row),
         regret_text(row), percent_text(row.imbalance), count_text(row.steals),
         first ? "1"
               : fmt::format("{:.3f} [{:.3f}, {:.3f}]", row.ratio, row.ratio_interval.low, row.ratio_interval.high)});
  }
  auto text = lines.text();
  if (overestimated) {
    text += fmt::format("  * limit overestimated (time/limit below {}): says nothing about the schedule\n",
                        least_over_limit);
  }
  return text;
}

std::string short_baseline(const site_facts& facts) { return fmt::format("as written ({})", clause_text(facts)); }

/// The program's baseline, with the clause when all loops that matter share it.
std::string program_baseline(const comparison& found) {
  std::string common;
  for (const auto& loop : found.loops) {
    if (loop.share < share_that_matters || !loop.facts.taken) continue;
    const auto text = short_baseline(loop.facts);
    if (!common.empty() && common != text) return "as written";
    common = text;
  }
  return common.empty() ? "as written" : common;
}

std::string header_text(const compare_outcome& all) {
  const auto& options = *all.options;
  auto text = fmt::format("{}\n{} threads in a loop, {} cores allowed, {} round{} after a warm-up, {:.0f} s\n",
                          joined(options.program), all.measured.threads, all.cores, options.rounds,
                          options.rounds == 1 ? "" : "s", all.seconds_taken);
  if (all.measured.threads > all.cores) text += "Note: more threads than cores; times are doubtful.\n";
  if (all.load_before > 0.5 * all.cores) {
    text += fmt::format("Note: the machine was busy before (load {:.1f}); use more rounds, or an idle machine.\n",
                        all.load_before);
  }
  return text;
}

std::string program_text(const compare_outcome& all) {
  const auto& table = all.found.program;
  std::string limit = all.found.concurrent ? "limit n/a: its processes run side by side" : "limit n/a";
  if (table.limit) limit = limit_text(*table.limit);
  return fmt::format("\nWhole program, {}\n{}", limit, rows_text(table, program_baseline(all.found)));
}

std::string loop_text(const loop_result& loop, const experiment_result& measured) {
  auto heading = fmt::format("\nLoop {}, {} of the time", loop.name(), percent_text(loop.share));
  if (!loop.place.inlined_into.empty()) heading += fmt::format(", inlined into {}", loop.place.inlined_into);
  if (loop.table.limit) heading += ", " + limit_text(*loop.table.limit);
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
  if (others > 0) text += fmt::format("\n{} other loops, together {} of the time\n", others, percent_text(share));
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
            loops_file_line(loop.site, loop.schedule, loop.place + (loop.gains ? "" : ": no gain beyond the noise"));
  }
  return text;
}

std::string advice_text(const compare_outcome& all) {
  const auto& given = all.given;
  const auto program = joined(all.options->program);
  auto text = fmt::format("\n{}\n", given.sentence);
  if (!given.schedule.empty()) {
    text += fmt::format("\n  steelyard run --schedule {} -- {}\n", given.schedule, program);
  }
  if (given.loops.empty()) return text;
  return text +
         fmt::format("\nLoop by loop, put into a file `loops.txt`:\n\n{}\n  steelyard run --loops loops.txt -- {}\n",
                     loops_file_text(given), program);
}

}  // namespace

std::string compare_text(const compare_outcome& all) {
  return header_text(all) + program_text(all) + loops_text(all) + "\n" + coverage_text(all.found, all.measured) +
         advice_text(all);
}

}  // namespace steelyard::tool
