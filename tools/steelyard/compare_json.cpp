// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "compare_text.hpp"
#include "coverage.hpp"

namespace steelyard::tool {
namespace {

using json = nlohmann::ordered_json;

json as_json(const interval& range) { return {{"low", range.low}, {"high", range.high}}; }

json as_json(const std::optional<limit_estimate>& limit) {
  if (!limit) return nullptr;
  return {{"ns", limit->value}, {"low_ns", limit->low}, {"high_ns", limit->high}};
}

json as_json(const row_result& row) {
  json over_limit = nullptr;
  if (row.over_limit) over_limit = *row.over_limit;
  json passed = nullptr;
  if (!row.passed.empty()) passed = row.passed;
  return {{"schedule", row.name},
          {"passed", passed},
          {"times_ns", row.times},
          {"median_ns", row.median},
          {"min_ns", row.spread.low},
          {"max_ns", row.spread.high},
          {"time_over_limit", over_limit},
          {"limit_overestimated", row.limit_overestimated()},
          {"regret", row.regret},
          {"imbalance", row.imbalance},
          {"steals", row.steals},
          {"ratio", row.ratio},
          {"ratio_interval", as_json(row.ratio_interval)},
          {"chance", row.chance}};
}

json rows_as_json(const table_result& table) {
  json rows = json::array();
  for (const auto& row : table.rows) rows.push_back(as_json(row));
  return rows;
}

json as_json(const location& place) {
  return {
      {"file", place.file}, {"line", place.line}, {"function", place.function}, {"inlined_into", place.inlined_into}};
}

json as_json(const loop_result& loop, const experiment_result& measured) {
  return {{"site", loop.key.text()},
          {"module", loop.facts.module_path},
          {"source", as_json(loop.place)},
          {"share", loop.share},
          {"abi", loop.facts.abi},
          {"clause", loop.facts.clause},
          {"clause_chunk", loop.facts.clause_chunk},
          {"baseline", baseline_text(loop.facts, measured)},
          {"taken", loop.facts.taken},
          {"reason", loop.facts.reason},
          {"processes", loop.processes},
          {"limit", as_json(loop.table.limit)},
          {"rows", rows_as_json(loop.table)}};
}

json regions_as_json(const comparison& found) {
  json regions = json::array();
  for (const auto& region : found.regions) {
    regions.push_back({{"site", region.key.text()},
                       {"module", region.facts.module_path},
                       {"source", as_json(region.place)},
                       {"share", region.share}});
  }
  return regions;
}

json as_json(const advice& given) {
  json loops = json::array();
  for (const auto& loop : given.loops) {
    loops.push_back({{"site", loop.site},
                     {"schedule", loop.schedule},
                     {"place", loop.place},
                     {"gains", loop.gains},
                     {"why_not", loop.why_not},
                     {"ratio", loop.ratio}});
  }
  json schedule = nullptr;
  if (!given.schedule.empty()) schedule = given.schedule;
  json use = nullptr;
  if (given.use != advice::means::nothing) use = given.use == advice::means::loops ? "loops" : "schedule";
  return {{"sentence", given.sentence}, {"use", use}, {"schedule", schedule}, {"loops", loops}};
}

}  // namespace

std::string compare_json(const compare_outcome& all) {
  const auto& measured = all.measured;
  json omp_schedule = nullptr;
  if (measured.omp_schedule) omp_schedule = *measured.omp_schedule;
  json loops = json::array();
  for (const auto& loop : all.found.loops) loops.push_back(as_json(loop, measured));
  const json whole = {{"steelyard_compare", 1},
                      {"version", STEELYARD_VERSION},
                      {"program", all.options->program},
                      {"threads", measured.threads},
                      {"cores_allowed", all.cores},
                      {"rounds", all.options->rounds},
                      {"load_before", all.load_before},
                      {"seconds", all.seconds_taken},
                      {"omp_schedule", omp_schedule},
                      {"dropped", measured.dropped},
                      {"runtimes", measured.runtimes},
                      {"warnings", measured.warnings},
                      {"concurrent_processes", all.found.concurrent},
                      {"limit", as_json(all.found.program.limit)},
                      {"rows", rows_as_json(all.found.program)},
                      {"loops", loops},
                      {"regions", regions_as_json(all.found)},
                      {"advice", as_json(all.given)}};
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace steelyard::tool
