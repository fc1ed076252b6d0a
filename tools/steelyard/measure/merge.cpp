// SPDX-License-Identifier: Apache-2.0
#include "measure/experiment.hpp"

#include <algorithm>

namespace steelyard::tool {
namespace {

void merge_site(const site_report& site, row::kind what, experiment_result& result) {
  auto& facts = result.sites[site.key];
  facts.module_path = site.module_path;
  facts.abi = site.abi;
  if (site.body) facts.body = site.body;
  if (!site.clause.empty()) facts.clause = site.clause;
  if (site.clause_chunk != 0) facts.clause_chunk = site.clause_chunk;
  if (!site.ident.empty()) facts.ident = site.ident;
  facts.granule = std::max(facts.granule, site.granule);
  // Static loops of Clang, and rewritten ones, are left as they are by all schedules but nustatic and its like, and automatic.
  const bool asks = site.abi == "kmp" || site.abi == "compiled";
  if (asks && site.reason == "static" && site.times.wall > 0) facts.asks_for_block = true;
  facts.observed = facts.observed || site.decision == "observed" || facts.asks_for_block;
  if (what == row::kind::limit) return;
  facts.taken = facts.taken || site.decision == "taken";
  if (site.decision != "passed") return;
  // That it is static is why most schedules pass it; why nustatic does says more, and more than why automatic does.
  const bool is_weak = site.reason == "static" || site.reason == one_of_several;
  if (!is_weak || facts.reason.empty() || facts.reason == "static") {
    facts.reason = site.reason.empty() ? "passed" : site.reason;
  }
}

void merge_region(const region_report& region, sample& into, experiment_result& result) {
  const site_key key{region.key.module, region.body.value_or(region.key.offset)};
  result.regions[key] = {region.module_path, region.abi, region.ident, region.body};
  into.regions[key].add(region.times);
}

}  // namespace

void merge_reports(const std::vector<process_report>& reports, row::kind what, sample& into,
                   experiment_result& result) {
  for (const auto& report : reports) {
    ++into.processes;
    into.process_time += report.process_time;
    result.threads = std::max(result.threads, report.threads);
    result.runtimes.insert(report.runtimes.begin(), report.runtimes.end());
    result.warnings.insert(report.warnings.begin(), report.warnings.end());
    if (report.omp_schedule) result.omp_schedule = report.omp_schedule;
    for (const auto& site : report.sites) {
      merge_site(site, what, result);
      into.sites[site.key].add(site.times);
    }
    if (what != row::kind::as_written) continue;
    for (const auto& region : report.regions) merge_region(region, into, result);
  }
}

}  // namespace steelyard::tool
