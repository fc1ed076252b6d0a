// SPDX-License-Identifier: Apache-2.0
#include "present/compare_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "present/coverage.hpp"
#include "read/loops_file.hpp"
#include "read/schedule_text.hpp"
#include "text/display.hpp"
#include "text/table.hpp"
#include "text/units.hpp"

namespace steelyard::tool {
namespace {

std::string joined(const command_line& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

/// A name that leaves room beside it.
std::string short_name(const std::string& name, const page& paper) {
  return paper.width == 0 ? name : elided(name, paper.width / 2);
}

/// As many digits as the uncertainty leaves, two at least.
int limit_digits(const limit_estimate& limit) {
  const double doubt = std::clamp(limit.uncertainty(), 1e-4, 1.0);
  return std::clamp(static_cast<int>(std::floor(-std::log10(doubt))) + 1, 2, 4);
}

/// A share rounded up to a tenth of a percent, one at least: no measured bound is exact.
std::string doubt_text(double share) { return fmt::format("{:.1f} %", std::max(0.1, std::ceil(share * 1000) / 10)); }

std::string limit_text(const table_result& shown) {
  if (!shown.limit) return "limit n/a" + (shown.limit_missing.empty() ? "" : ": " + shown.limit_missing);
  const auto& limit = *shown.limit;
  if (limit.runs < 2) return fmt::format("limit about {} (measured once)", time_text(limit.value, 2));
  return fmt::format("limit {} (-{} +{})", time_text(limit.value, limit_digits(limit)),
                     doubt_text(1 - limit.low / limit.value), doubt_text(limit.high / limit.value - 1));
}

std::string over_limit_text(const row_result& row) {
  return row.over_limit ? fmt::format("{:.2f}", *row.over_limit) : "n/a";
}

std::string regret_text(const row_result& row) { return row.median <= 0 ? "n/a" : percent_text(row.regret); }

std::string ratio_text(const row_result& row) {
  if (row.pairs == 0) return "n/a";
  if (!row.ratio_interval) return fmt::format("{:.3f} [n/a]", row.ratio);
  return fmt::format("{:.3f} [{}, {}]", row.ratio, bound_text(row.ratio_interval->low),
                     bound_text(row.ratio_interval->high));
}

std::string row_name(const row_result& row) {
  if (row.fault) return fmt::format("{} ({})", row.name, row.fault->mark);
  if (row.rest_varied) return fmt::format("{} (rest varied)", row.name);
  return row.passed.empty() ? row.name : fmt::format("{} (not taken: {})", row.name, row.passed);
}

/// The table of the program or of one loop; `baseline` names the first row, `winner` the one that stands out.
std::string rows_text(const table_result& shown, const std::string& baseline, const std::string& winner,
                      const page& paper) {
  table lines({{"  schedule", table::left, 0, true},
               {"median"},
               {"min - max", table::right, 2},
               {"time/limit", table::right, 5},
               {"regret", table::right, 3},
               {"imbalance", table::right, 4},
               {"steals", table::right, 1},
               {"time/written [95 %]"}});
  for (const auto& row : shown.rows) {
    const bool first = &row == &shown.rows.front();
    lines.add({"  " + (first ? baseline : row_name(row)), time_text(row.median),
               fmt::format("{} - {}", time_text(row.spread.low), time_text(row.spread.high)), over_limit_text(row),
               regret_text(row), percent_text(row.imbalance), count_text(row.steals), first ? "1" : ratio_text(row)},
              !first && row.name == winner);
  }
  return lines.text("", paper);
}

std::string short_baseline(const site_facts& facts) { return fmt::format("as written ({})", clause_text(facts)); }

/// What happened to the runs: interrupted, disturbed, failed.
std::string runs_text(const experiment_result& measured, const table_result& program) {
  std::string text;
  if (measured.interrupted)
    text += fmt::format("Note: interrupted; this is of {}.\n", counted(measured.rounds, "round"));
  if (measured.repeated > 0) {
    text += fmt::format("Note: {} made once more: others took more than {:.0f} % of their time.\n",
                        measured.repeated == 1 ? "1 run was" : fmt::format("{} runs were", measured.repeated),
                        most_lost * 100);
  }
  for (std::size_t i = 1; i < program.rows.size(); ++i) {
    const auto& row = program.rows[i];
    if (!row.fault) continue;
    const bool differs = row.fault->mark == output_differs;
    text += fmt::format("Note: `{}` is not advised: {}, {}{}.\n", row.name,
                        differs ? "its output differs from that as written" : "it failed", row.fault->detail,
                        differs ? "; if that may be so, use --ignore-output" : "");
  }
  for (const auto& [row, fault] : measured.faults) {
    if (row >= program.rows.size()) text += fmt::format("Note: no limit from a measuring run: {}.\n", fault.detail);
  }
  if (!measured.output_remark.empty()) text += fmt::format("Note: {}.\n", measured.output_remark);
  return text;
}

std::string header_text(const compare_outcome& all) {
  const auto& options = *all.options;
  const auto threads = all.measured.threads == 0 ? "" : counted(all.measured.threads, "thread") + " in a loop, ";
  auto text = fmt::format("{}\n{}{} allowed, {} after a warm-up, {:.0f} s\n", joined(options.program), threads,
                          counted(all.cores, "core"), counted(all.measured.rounds, "round"), all.seconds_taken);
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
  if (options.split_chunks) {
    text += "Note: schedules split the chunks that the program has written; check that its results do not need them.\n";
  }
  if (all.load_before > 0.5 * all.cores) {
    text += fmt::format("Note: the machine was busy before (load {:.1f}); use more rounds, or an idle machine.\n",
                        all.load_before);
  }
  return text + runs_text(all.measured, all.found.program);
}

std::string program_text(const compare_outcome& all) {
  const auto& table = all.found.program;
  return fmt::format("\nWhole program, {}\n{}", limit_text(table),
                     rows_text(table, "as written", all.given.schedule, all.paper));
}

/// Of a program that only ran as written.
std::string as_written_text(const compare_outcome& all) {
  const auto& row = all.found.program.as_written();
  return fmt::format("\nWhole program as written: {} ({} - {})\n", time_text(row.median), time_text(row.spread.low),
                     time_text(row.spread.high));
}

/// The schedule that surely gains in a loop; empty: none.
std::string winner_in(const loop_result& loop, const advice& given) {
  const auto line = std::find_if(given.loops.begin(), given.loops.end(),
                                 [&](const auto& one) { return one.gains && one.site == loop.key.text(); });
  return line == given.loops.end() ? "" : line->schedule;
}

std::string loop_text(const loop_result& loop, const compare_outcome& all) {
  auto heading = fmt::format("\nLoop {}, {} of the time", short_name(loop.name(), all.paper), percent_text(loop.share));
  if (!loop.place.inlined_into.empty()) {
    heading += fmt::format(", inlined into {}", short_name(loop.place.inlined_into, all.paper));
  }
  if (loop.processes > 1) heading += fmt::format(", summed over {} processes", loop.processes);
  if (loop.facts.granule > 1) heading += fmt::format(", in whole chunks of {} as written", loop.facts.granule);
  heading += ", " + limit_text(loop.table);
  if (loop.facts.clause == "runtime") heading += "\n  " + baseline_text(loop.facts, all.measured);
  return heading + "\n" + rows_text(loop.table, short_baseline(loop.facts), winner_in(loop, all.given), all.paper);
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
    text += loop_text(loop, all);
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

/// What a loops file calls a loop, and what that leaves to be said of its place: a line lasts longer than an offset.
std::pair<std::string, std::string> named(const comparison& found, const loop_advice& given) {
  const auto loop = std::find_if(found.loops.begin(), found.loops.end(),
                                 [&](const auto& one) { return one.key.text() == given.site; });
  if (loop == found.loops.end() || loop->file_and_line.empty()) return {given.site, given.place};
  return {loop->file_and_line, loop->place.function};
}

/// What the rows mean for a program of the library.
std::string library_text(const compare_outcome& all) {
  if (!all.of_our_library) return {};
  return "Note: of libsteelyard.so, the schedules are those of loops that name none (STEELYARD_SCHEDULE); figures for "
         "single loops are there for OpenMP only.\n";
}

std::string loops_file_text(const compare_outcome& all) {
  std::string text;
  for (const auto& loop : all.given.loops) {
    const auto [site, place] = named(all.found, loop);
    auto remark = place + (loop.gains ? "" : ": " + loop.why_not);
    if (all.paper.width != 0) {
      const auto used = displayed_width(site) + displayed_width(loop.schedule) + std::string_view("#    # ").size();
      remark = elided(remark, all.paper.width > used ? all.paper.width - used : 0);
    }
    text += (loop.gains ? "" : "# ") + loops_file_line(site, loop.schedule, remark);
  }
  return text;
}

/// A command that runs the program as it was run here: what compare set or dropped, this shell still has to.
std::string command_text(const compare_outcome& all, const std::string& option, const std::string& value) {
  std::vector<std::string> words;
  for (const auto& dropped : all.measured.dropped) words.insert(words.end(), {"-u", dropped.first});
  if (!words.empty()) words.insert(words.begin(), "env");
  if (all.options->threads != 0) words.push_back(fmt::format("OMP_NUM_THREADS={}", all.options->threads));
  if (all.options->threads != 0 && all.of_our_library) {
    words.push_back(fmt::format("STEELYARD_NUM_THREADS={}", all.options->threads));
  }
  words.insert(words.end(), {"steelyard", "run"});
  if (all.options->split_chunks) words.emplace_back("--split-chunks");
  if (all.options->free_reductions) words.emplace_back("--free-reductions");
  words.insert(words.end(), {option, value, "--"});
  for (const auto& word : all.options->program) words.push_back(shell_word(word));
  return "\n" + wrapped_command(words, "  ", all.paper.width) + "\n";
}

std::string schedule_advice_text(const compare_outcome& all) {
  return command_text(all, "--schedule", all.given.schedule);
}

std::string loops_advice_text(const compare_outcome& all) {
  return fmt::format("put into a file `loops.txt`:\n\n{}{}", loops_file_text(all),
                     command_text(all, "--loops", "loops.txt"));
}

/// What to use comes first. Nothing that would be refused or change nothing is printed.
std::string advice_text(const compare_outcome& all) {
  const auto& given = all.given;
  auto text = fmt::format("\nVerdict: {}\n{}\n", given.decided.text(), given.sentence);
  if (!given.basis.empty()) text += fmt::format("({}.)\n", given.basis);
  text = wrapped(text, all.paper.width);
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
  const bool openmp = !all.of_our_library || !all.found.loops.empty() || !all.found.regions.empty();
  const bool nothing = !all.measured.nothing_taken.empty();
  auto text = header_text(all) + (nothing ? as_written_text(all) : program_text(all) + loops_text(all)) + "\n";
  text += library_text(all);
  if (openmp) text += coverage_text(all.found, all.measured, all.paper) + change_text(all.found, all.measured);
  return wrapped(text, all.paper.width) + (nothing ? "" : advice_text(all));
}

}  // namespace steelyard::tool
