// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "present/compare_text.hpp"
#include "present/coverage.hpp"

namespace steelyard::tool {
namespace {

using json = nlohmann::ordered_json;

json as_json(const std::optional<interval>& range) {
  if (!range) return nullptr;
  return {{"low", range->low}, {"high", range->high}};
}

json as_json(const std::optional<limit_estimate>& limit) {
  if (!limit) return nullptr;
  return {{"ns", limit->value}, {"low_ns", limit->low}, {"high_ns", limit->high}, {"runs", limit->runs}};
}

json as_json(const row_result& row) {
  json over_limit = nullptr;
  if (row.over_limit) over_limit = *row.over_limit;
  json passed = nullptr;
  if (!row.passed.empty()) passed = row.passed;
  json fault = nullptr;
  if (row.fault) fault = {{"mark", row.fault->mark}, {"detail", row.fault->detail}};
  return {{"schedule", row.name},
          {"passed", passed},
          {"fault", fault},
          {"times_ns", row.times},
          {"median_ns", row.median},
          {"min_ns", row.spread.low},
          {"max_ns", row.spread.high},
          {"time_over_limit", over_limit},
          {"limit_overestimated", row.limit_overestimated},
          {"regret", row.regret},
          {"imbalance", row.imbalance},
          {"steals", row.steals},
          {"ratio", row.ratio},
          {"ratio_interval", as_json(row.ratio_interval)},
          {"believed", row.believed},
          {"rest_varied", row.rest_varied},
          {"chance", row.chance},
          {"promised", row.promised},
          {"disturbed", row.disturbed},
          {"lost", row.lost}};
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

json as_json(const std::optional<region_balance>& balance) {
  if (!balance) return nullptr;
  return {{"imbalance", balance->imbalance}, {"avoidable", balance->avoidable}};
}

json as_json(const loop_result& loop, const experiment_result& measured) {
  return {{"site", loop.key.text()},
          {"file_and_line", loop.file_and_line},
          {"module", loop.facts.module_path},
          {"source", as_json(loop.place)},
          {"share", loop.share},
          {"balance", as_json(loop.balance)},
          {"abi", loop.facts.abi},
          {"clause", loop.facts.clause},
          {"clause_chunk", loop.facts.clause_chunk},
          {"granule", loop.facts.granule},
          {"baseline", baseline_text(loop.facts, measured)},
          {"taken", loop.facts.taken},
          {"reason", loop.facts.reason},
          {"processes", loop.processes},
          {"limit", as_json(loop.table.limit)},
          {"limit_missing", loop.table.limit_missing},
          {"rows", rows_as_json(loop.table)}};
}

json regions_as_json(const comparison& found) {
  json regions = json::array();
  for (const auto& region : found.regions) {
    regions.push_back({{"site", region.key.text()},
                       {"module", region.facts.module_path},
                       {"source", as_json(region.place)},
                       {"share", region.share},
                       {"abi", region.facts.abi},
                       {"loops", region.loops},
                       {"balance", as_json(region.balance)}});
  }
  return regions;
}

json as_json(const verdict& decided) {
  using kind = verdict::kind;
  const bool gains = decided.what == kind::gain;
  json gain = nullptr;
  if (gains) gain = decided.gain;
  return {{"text", decided.text()},
          {"kind", gains ? "gain" : (decided.what == kind::none ? "none" : "not sure")},
          {"gain", gain},
          {"reason", decided.reason},
          {"remedy", decided.remedy}};
}

json as_json(const std::vector<line_to_change>& lines) {
  json all = json::array();
  for (const auto& line : lines) {
    all.push_back({{"site", line.site}, {"place", line.place}, {"change", line.change}, {"up_to", line.up_to}});
  }
  return all;
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
  return {{"verdict", as_json(given.decided)},
          {"sentence", given.sentence},
          {"correction", given.basis},
          {"use", use},
          {"schedule", schedule},
          {"loops", loops}};
}

}  // namespace

std::string compare_json(const compare_outcome& all) {
  const auto& measured = all.measured;
  json omp_schedule = nullptr;
  if (measured.omp_schedule) omp_schedule = *measured.omp_schedule;
  json nothing_taken = nullptr;
  if (!measured.nothing_taken.empty()) nothing_taken = measured.nothing_taken;
  json loops = json::array();
  for (const auto& loop : all.found.loops) loops.push_back(as_json(loop, measured));
  const json whole = {{"steelyard_compare", 1},
                      {"version", STEELYARD_VERSION},
                      {"program", all.options->program},
                      {"threads", measured.threads},
                      {"cores_allowed", all.cores},
                      {"rounds", measured.rounds},
                      {"looks", measured.looks},
                      {"interrupted", measured.interrupted},
                      {"repeated_runs", measured.repeated},
                      {"output_remark", measured.output_remark},
                      {"split_chunks", all.options->split_chunks},
                      {"load_before", all.load_before},
                      {"seconds", all.seconds_taken},
                      {"omp_schedule", omp_schedule},
                      {"dropped", measured.dropped},
                      {"runtimes", measured.runtimes},
                      {"library", all.of_our_library},
                      {"warnings", measured.warnings},
                      {"concurrent_processes", all.found.concurrent},
                      {"limit", as_json(all.found.program.limit)},
                      {"limit_missing", all.found.program.limit_missing},
                      {"rows", rows_as_json(all.found.program)},
                      {"loops", loops},
                      {"regions", regions_as_json(all.found)},
                      {"change", as_json(lines_to_change(all.found))},
                      {"nothing_taken", nothing_taken},
                      {"advice", as_json(all.given)}};
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace steelyard::tool
