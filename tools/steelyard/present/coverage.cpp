// SPDX-License-Identifier: Apache-2.0
#include "present/coverage.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "text/table.hpp"
#include "text/units.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* write_runtime = "write schedule(runtime) in the source, or compile by steelyard cc";

/// Of a loop that the launcher has rewritten.
constexpr const char* shares_only = "by nustatic, jit and automatic only; steelyard cc --report PROGRAM says why";

constexpr std::array<std::pair<std::string_view, const char*>, 12> remedies = {{
    {"monotonic", "drop `monotonic:` (or lastprivate(conditional:)) if no thread relies on increasing iterations"},
    {"ordered", "drop the ordered clause if the loop needs no order"},
    {"doacross", "iterations that wait for each other cannot be balanced"},
    {"static", write_runtime},
    {"the region asks for its thread number", "a line `SITE nustatic` of a loops file deals shares all the same"},
    {"the module has thread-local variables", "a line `SITE nustatic` of a loops file deals shares all the same"},
    {"a reduction, whose grouping would change",
     "--free-reductions lets schedules change it; a line of shares in a loops file groups alike in every run"},
    {one_of_several, "STEELYARD_STATIC=1 lets automatic take them, too"},
    {"no more iterations than members", "there is nothing to share"},
    {"scan or lastprivate(conditional:)", "either fixes which thread runs which iteration"},
    {"task reduction", "reduction(task, ...) belongs to the runtime; a plain reduction will do if no task takes part"},
    {"a team whose start was not seen", "it was forked by offloading, or by an old or second OpenMP runtime"},
}};

constexpr const char* region_remedy =
    "no loop that can be taken: plain static ones need schedule(runtime) or steelyard cc";
constexpr const char* rest_remedy = "what is outside of its loops listed here";

std::string runtime_default(const experiment_result& result) {
  const auto uses = [&](const char* name) {
    return std::any_of(result.runtimes.begin(), result.runtimes.end(), [&](const auto& path) {
      return std::filesystem::path(path).filename().native().starts_with(name);
    });
  };
  if (uses("libgomp")) return "default, which is dynamic,1 in libgomp";
  if (uses("libomp") || uses("libiomp")) return "default, which is static in libomp";
  return "default";
}

bool is_shown(const loop_result& loop) {
  const bool untimed = !loop.facts.taken && loop.share <= 0;
  return loop.share >= share_that_matters ||
         (untimed && loop.facts.reason != "static" && loop.facts.reason != one_of_several);
}

/// Of a loop that is timed: its own as written; else its region's.
std::string imbalance_of(const loop_result& loop) {
  if (loop.balance) return percent_text(loop.balance->imbalance);
  return loop.share > 0 ? percent_text(loop.table.as_written().imbalance) : "";
}

std::string remedy_of(const site_facts& facts) {
  return facts.reason == "static" && facts.abi == "compiled" ? shares_only : remedy_for(facts.reason);
}

std::string why(const site_facts& facts) {
  if (facts.reason.empty()) return {};
  if (facts.taken && facts.reason == "static")
    return "static: by nustatic, jit and automatic only, as each thread asks for one block";
  if (facts.taken && facts.reason == one_of_several)
    return fmt::format("static: by nustatic and jit only; {}", remedy_for(facts.reason));
  if (facts.taken) return fmt::format("only by schedules that keep each thread's order ({})", facts.reason);
  return fmt::format("{}: {}", facts.reason, remedy_of(facts));
}

std::string written(const site_facts& facts) {
  const bool schedule = facts.clause != "ordered" && facts.clause != "doacross";
  return schedule ? fmt::format("schedule({})", clause_text(facts)) : facts.clause;
}

void add_loops(table& shown, const comparison& found) {
  for (const auto& loop : found.loops) {
    if (!is_shown(loop)) continue;
    shown.add({loop.facts.taken ? "taken" : "passed", loop.name(),
               loop.share > 0 ? percent_text(loop.share) : "not timed", imbalance_of(loop), written(loop.facts),
               why(loop.facts)});
  }
}

void add_regions(table& shown, const comparison& found) {
  for (const auto& region : found.regions) {
    if (region.share >= share_that_matters) {
      shown.add({"region", region.name(), percent_text(region.share), percent_text(region.balance.imbalance), "",
                 region.loops == 0 ? region_remedy : rest_remedy});
    }
  }
}

/// `3 taken, 1 passed` of the loops whose share is too small for a line.
std::string others(const comparison& found) {
  std::size_t taken = 0;
  std::size_t passed = 0;
  double share = 0;
  for (const auto& loop : found.loops) {
    if (is_shown(loop)) continue;
    ++(loop.facts.taken ? taken : passed);
    share += loop.share;
  }
  if (taken + passed == 0) return {};
  return fmt::format("  and {} taken, {} passed, each below {:.0f} % of the time or not timed, together {}\n", taken,
                     passed, share_that_matters * 100, percent_text(share));
}

/// What becomes of a loop that states schedule(runtime), where OMP_SCHEDULE is not set.
std::string runtime_note(const std::string& abi, const experiment_result& result) {
  return fmt::format("({}: such a loop has, without OMP_SCHEDULE, the {})", abi == "gomp" ? "GCC" : "Clang",
                     runtime_default(result));
}

}  // namespace

std::vector<line_to_change> lines_to_change(const comparison& found) {
  std::vector<line_to_change> lines;
  const auto add = [&](const auto& what, const region_balance& balance, std::string change) {
    if (balance.avoidable < share_that_matters) return;
    lines.push_back({what.key.text(), what.name(), what.facts.abi, std::move(change), balance.avoidable});
  };
  for (const auto& loop : found.loops) {
    if (loop.balance) add(loop, *loop.balance, remedy_of(loop.facts));
  }
  for (const auto& region : found.regions) add(region, region.balance, write_runtime);
  std::sort(lines.begin(), lines.end(),
            [](const auto& a, const auto& b) { return a.up_to != b.up_to ? a.up_to > b.up_to : a.site < b.site; });
  return lines;
}

std::string change_text(const comparison& found, const experiment_result& result) {
  const auto lines = lines_to_change(found);
  if (lines.empty()) return {};
  std::string text = "\nWhat cannot be taken, and how much of the time its balance could save at most:\n";
  std::vector<std::string> notes;
  for (const auto& line : lines) {
    text += fmt::format("  change this line: {}: up to {}: {}\n", line.place, percent_text(line.up_to), line.change);
    if (line.change != write_runtime) continue;
    auto note = runtime_note(line.abi, result);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  }
  for (const auto& note : notes) text += fmt::format("  {}\n", note);
  return text;
}

std::string remedy_for(const std::string& reason) {
  for (const auto& [name, remedy] : remedies) {
    if (reason == name) return remedy;
  }
  return "runs as written";
}

std::string clause_text(const site_facts& facts) {
  const auto clause = facts.clause.empty() ? "?" : facts.clause;
  const bool chunked = clause == "dynamic" || clause == "guided" || clause == "static" || clause == "trapezoidal";
  return chunked && facts.clause_chunk != 0 ? fmt::format("{},{}", clause, facts.clause_chunk) : clause;
}

std::string baseline_text(const site_facts& facts, const experiment_result& result) {
  if (facts.clause != "runtime") return fmt::format("as written ({})", clause_text(facts));
  return fmt::format("as written: schedule(runtime), OMP_SCHEDULE={}",
                     result.omp_schedule.value_or(runtime_default(result)));
}

std::string coverage_text(const comparison& found, const experiment_result& result, const page& paper) {
  table shown({{"coverage", table::left},
               {"loop", table::left, 0, true},
               {"of the time"},
               {"imbalance"},
               {"written", table::left},
               {"why, and what to change", table::left, 0, false, true}});
  add_loops(shown, found);
  add_regions(shown, found);
  auto text = shown.text("", paper) + others(found);
  for (const auto& warning : result.warnings) text += fmt::format("  the drop-in library warned: {}\n", warning);
  for (const auto& one : result.unreadable) text += fmt::format("  a report could not be read: {}\n", one);
  return text;
}

}  // namespace steelyard::tool
