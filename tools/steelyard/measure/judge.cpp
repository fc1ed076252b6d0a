// SPDX-License-Identifier: Apache-2.0
#include "measure/judge.hpp"

#include <algorithm>

namespace steelyard::tool {
namespace {

/// Seconds that the loops taken in a run took less than in the one as written.
double saved_by_loops(const sample& written, const sample& run) {
  double saved = 0;
  for (const auto& [key, times] : run.sites) {
    const auto before = written.sites.find(key);
    if (before != written.sites.end() && times.passed.empty()) saved += before->second.wall - times.wall;
  }
  return saved;
}

std::vector<const sample*> by_round(const std::vector<sample>& samples, std::size_t row) {
  std::vector<const sample*> found;
  for (const auto& run : samples) {
    if (run.row == row) found.push_back(&run);
  }
  return found;
}

/// Of the program no more is believed than what its loops saved: schedules change nothing else, but the rest of a
/// program varies, too.
void explain(row_result& row, const std::vector<const sample*>& written, const std::vector<const sample*>& runs) {
  std::vector<double> explained;
  std::vector<double> unexplained;
  for (std::size_t i = 0; i < std::min({written.size(), runs.size(), row.believed.size()}); ++i) {
    auto& ratio = row.believed[i];
    if (!(ratio > 0)) continue;
    const double by_loops = std::max(1e-3, 1 - saved_by_loops(*written[i], *runs[i]) / written[i]->wall);
    explained.push_back(by_loops);
    unexplained.push_back(ratio / by_loops);
    ratio = std::max(ratio, by_loops);
  }
  if (explained.empty()) return;
  constexpr double least_of_rest = 0.99;
  row.explained = median(explained);
  row.rest_varied = median(unexplained) < least_of_rest && chance_of_gain(unexplained) < largest_chance;
}

/// In how many pairs others took time, and the most they took.
void count_disturbed(row_result& row, const std::vector<const sample*>& written,
                     const std::vector<const sample*>& runs) {
  for (std::size_t i = 0; i < std::min(written.size(), runs.size()); ++i) {
    const double lost = std::max(written[i]->lost.most(), runs[i]->lost.most());
    row.lost = std::max(row.lost, lost);
    if (lost > most_lost) ++row.disturbed;
  }
}

void judge(table_result& table, double looked_at) {
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    auto& one = table.rows[i];
    one.chance = corrected_chance(one.believed, looked_at);
    one.promised = one.usable() ? std::max(0.0, promised_gain(one.believed, looked_at)) : 0;
  }
}

}  // namespace

void add_facts(table_result& table, const experiment_result& result) {
  const auto written = by_round(result.samples, 0);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto fault = result.faults.find(i);
    if (fault != result.faults.end()) table.rows[i].fault = fault->second;
    count_disturbed(table.rows[i], written, by_round(result.samples, i));
  }
}

void judge_all(comparison& found, const experiment_result& result) {
  auto& corrected = found.corrected;
  corrected.schedules = found.program.rows.size() - 1;
  corrected.looks = result.looks;
  corrected.loops =
      static_cast<std::size_t>(std::count_if(found.loops.begin(), found.loops.end(), [](const auto& loop) {
        return loop.facts.taken && loop.share >= share_that_matters;
      }));
  const auto written = by_round(result.samples, 0);
  for (std::size_t i = 1; i < found.program.rows.size() && !result.of_our_library; ++i) {
    explain(found.program.rows[i], written, by_round(result.samples, i));
  }
  judge(found.program, corrected.of_program());
  for (auto& loop : found.loops) judge(loop.table, corrected.of_loop());
}

}  // namespace steelyard::tool
