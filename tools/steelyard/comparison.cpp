// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>

namespace steelyard::tool {
namespace {

/// Of one row in one run: the time compared, and the loops' own account.
struct observation {
  double time = 0;
  loop_times loops;
};

using observe = std::function<observation(const sample&)>;

observation of_program(const sample& run) {
  observation found{run.wall, {}};
  for (const auto& [key, times] : run.sites) found.loops.add(times);
  found.loops.passed.clear();
  return found;
}

observe of_site(const site_key& key) {
  return [key](const sample& run) {
    const auto times = run.sites.find(key);
    return times == run.sites.end() ? observation{} : observation{times->second.wall, times->second};
  };
}

double lost_share(double busy, double span) { return span > 0 ? std::clamp(1 - busy / span, 0.0, 1.0) : 0; }

row_result summarise(const std::string& name, const std::vector<observation>& runs) {
  row_result found;
  found.name = name;
  std::vector<double> steals;
  loop_times sum;
  for (const auto& run : runs) {
    found.times.push_back(run.time);
    steals.push_back(static_cast<double>(run.loops.steals));
    sum.add(run.loops);
  }
  auto met = found.times;
  std::erase_if(met, [](double time) { return !(time > 0); });
  found.median = median(met);
  found.spread = range_of(met);
  found.steals = median(steals);
  found.passed = met.empty() ? "never reached" : sum.passed;
  found.imbalance = lost_share(sum.busy, sum.span);
  return found;
}

std::vector<observation> observations(const std::vector<sample>& samples, std::size_t row, const observe& what) {
  std::vector<observation> found;
  for (const auto& run : samples) {
    if (run.row == row) found.push_back(what(run));
  }
  return found;
}

/// Everything of a row that needs the other rows.
void relate(table_result& table) {
  const auto baseline = table.as_written().times;
  const double least = table.best().median;
  for (auto& one : table.rows) {
    const auto ratios = paired_ratios(one.times, baseline);
    if (!ratios.empty()) {
      one.ratio = median(ratios);
      one.ratio_interval = bootstrap_median(ratios);
      const auto schedules = static_cast<double>(table.rows.size() - 1);
      one.chance = std::min(1.0, chance_of_gain(ratios) * schedules);
    }
    one.regret = least > 0 ? std::max(0.0, one.median / least - 1) : 0;
    if (table.limit && table.limit->value > 0 && one.median > 0) one.over_limit = one.median / table.limit->value;
  }
}

table_result tabulate(const std::vector<row>& rows, const std::vector<sample>& samples, const observe& what) {
  table_result table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].what != row::kind::limit)
      table.rows.push_back(summarise(rows[i].name(), observations(samples, i, what)));
  }
  return table;
}

/// A loop's limit: the middle of the bounds, the median over the measuring runs; the bounds of all runs are its
/// uncertainty.
std::optional<limit_estimate> limit_of(const std::vector<row>& rows, const std::vector<sample>& samples,
                                       const observe& what) {
  std::vector<double> middles;
  std::vector<double> bounds;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].what != row::kind::limit) continue;
    for (const auto& run : observations(samples, i, what)) {
      if (run.loops.limit_high <= 0) continue;
      middles.push_back((run.loops.limit_low + run.loops.limit_high) / 2);
      bounds.insert(bounds.end(), {run.loops.limit_low, run.loops.limit_high});
    }
  }
  if (middles.empty()) return std::nullopt;
  const auto range = range_of(bounds);
  return limit_estimate{median(middles), range.low, range.high};
}

/// The program's: its time as written, with every loop that can be taken at its limit.
std::optional<limit_estimate> program_limit(const comparison& found) {
  const double written = found.program.as_written().median;
  limit_estimate sum{written, written, written};
  bool any = false;
  for (const auto& loop : found.loops) {
    if (!loop.table.limit) continue;
    any = true;
    sum.value += loop.table.limit->value - loop.table.as_written().median;
    sum.low += loop.table.limit->low - loop.table.as_written().median;
    sum.high += loop.table.limit->high - loop.table.as_written().median;
  }
  if (!any || found.concurrent || sum.low <= 0) return std::nullopt;
  return sum;
}

/// What shares are shares of: the program's time, or that of all its processes when they ran side by side.
double whole_time(const experiment_result& result, bool& concurrent) {
  std::vector<double> wall;
  std::vector<double> processes;
  for (const auto& run : result.samples) {
    if (run.row != 0) continue;
    wall.push_back(run.wall);
    processes.push_back(run.process_time);
  }
  concurrent = median(processes) > 1.1 * median(wall);
  return std::max({median(wall), median(processes), 1.0});
}

template <class Result>
void largest_first(std::vector<Result>& results) {
  std::sort(results.begin(), results.end(),
            [](const auto& a, const auto& b) { return a.share != b.share ? a.share > b.share : a.key < b.key; });
}

bool same_line(const location& a, const location& b) { return a.line != 0 && a.line == b.line && a.file == b.file; }

/// `parallel for` with a loop that is passed and not timed: the region's time is the loop's.
void adopt_regions(comparison& found) {
  for (auto& loop : found.loops) {
    if (loop.facts.taken || loop.share > 0) continue;
    std::erase_if(found.regions, [&](const auto& region) {
      const bool adopted = same_line(region.place, loop.place);
      if (adopted) loop.share += region.share;
      return adopted;
    });
  }
  largest_first(found.loops);
}

/// Where the directive stands: Clang's own word for it where there is one, else the debug information of the outlined
/// function's start (GCC gives the call that forks a region an odd line), else of the call.
template <class Result>
location place_of(symboliser& source, const Result& result) {
  auto place = source.find(result.facts.module_path, result.facts.body.value_or(result.key.offset));
  const auto stated = from_ident(result.facts.ident);
  if (stated.line == 0) return place;
  place.line = stated.line;
  if (place.file.empty() || !place.file.ends_with(stated.file)) place.file = stated.file;
  place.function = stated.function.empty() ? place.function : stated.function;
  return place;
}

}  // namespace

const row_result* table_result::best_schedule() const {
  const row_result* best = nullptr;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].passed.empty() && (best == nullptr || rows[i].median < best->median)) best = &rows[i];
  }
  return best;
}

const row_result& table_result::best() const {
  const auto* best = best_schedule();
  return best != nullptr && best->median < as_written().median ? *best : as_written();
}

comparison analyse(const std::vector<row>& rows, const experiment_result& result) {
  comparison found;
  const double whole = whole_time(result, found.concurrent);
  found.program = tabulate(rows, result.samples, of_program);
  for (const auto& [key, facts] : result.sites) {
    loop_result loop{key, facts, {}, 0, tabulate(rows, result.samples, of_site(key))};
    if (facts.taken) loop.table.limit = limit_of(rows, result.samples, of_site(key));
    relate(loop.table);
    loop.share = loop.table.as_written().median / whole;
    found.loops.push_back(std::move(loop));
  }
  found.program.limit = program_limit(found);
  relate(found.program);
  for (const auto& [key, facts] : result.regions) {
    if (facts.loops == 0) found.regions.push_back({key, facts, {}, facts.wall / whole});
  }
  largest_first(found.loops);
  largest_first(found.regions);
  return found;
}

void symbolise(comparison& found) {
  symboliser source;
  for (auto& loop : found.loops) loop.place = place_of(source, loop);
  for (auto& region : found.regions) region.place = place_of(source, region);
  adopt_regions(found);
}

}  // namespace steelyard::tool
