// SPDX-License-Identifier: Apache-2.0
#include "coverage.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "table.hpp"
#include "units.hpp"

namespace steelyard::tool {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 7> remedies = {{
    {"monotonic", "drop `monotonic:` (or lastprivate(conditional:)) if no thread relies on increasing iterations"},
    {"ordered", "drop the ordered clause if the loop needs no order"},
    {"doacross", "iterations that wait for each other cannot be balanced"},
    {"static", "write schedule(runtime) in the source"},
    {"scan or lastprivate(conditional:)", "either fixes which thread runs which iteration"},
    {"task reduction", "reduction(task, ...) belongs to the runtime; a plain reduction will do if no task takes part"},
    {"a team whose start was not seen", "it was forked by offloading, or by an old or second OpenMP runtime"},
}};

constexpr const char* region_remedy =
    "no loop that can be taken: compilers write plain static loops out; write schedule(runtime) in the source";

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
  return loop.share >= share_that_matters || (untimed && loop.facts.reason != "static");
}

std::string why(const site_facts& facts) {
  if (facts.reason.empty()) return {};
  if (facts.taken) return fmt::format("only by schedules that keep each thread's order ({})", facts.reason);
  return fmt::format("{}: {}", facts.reason, remedy_for(facts.reason));
}

std::string written(const site_facts& facts) {
  const bool schedule = facts.clause != "ordered" && facts.clause != "doacross";
  return schedule ? fmt::format("schedule({})", clause_text(facts)) : facts.clause;
}

void add_loops(table& shown, const comparison& found) {
  for (const auto& loop : found.loops) {
    if (!is_shown(loop)) continue;
    shown.add({loop.facts.taken ? "taken" : "passed", loop.name(),
               loop.share > 0 ? percent_text(loop.share) : "not timed", written(loop.facts), why(loop.facts)});
  }
}

void add_regions(table& shown, const comparison& found) {
  for (const auto& region : found.regions) {
    if (region.share >= share_that_matters) {
      shown.add({"region", region.name(), percent_text(region.share), "", region_remedy});
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

}  // namespace

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

std::string coverage_text(const comparison& found, const experiment_result& result) {
  table shown({{"coverage", table::left},
               {"loop", table::left},
               {"of the time"},
               {"written", table::left},
               {"why, and what to change", table::left}});
  add_loops(shown, found);
  add_regions(shown, found);
  auto text = shown.text() + others(found);
  for (const auto& warning : result.warnings) text += fmt::format("  the drop-in library warned: {}\n", warning);
  for (const auto& one : result.unreadable) text += fmt::format("  a report could not be read: {}\n", one);
  return text;
}

}  // namespace steelyard::tool
