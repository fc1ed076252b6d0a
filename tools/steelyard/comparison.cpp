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
  const double least = table.fastest().median;
  for (auto& one : table.rows) {
    const auto ratios = paired_ratios(one.times, baseline);
    one.pairs = ratios.size();
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

/// A loop's limit: that of the measuring run with the least, since noise only adds time; the middle of its bounds,
/// which are the uncertainty.
std::optional<limit_estimate> limit_of(const std::vector<row>& rows, const std::vector<sample>& samples,
                                       const observe& what) {
  std::optional<limit_estimate> least;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].what != row::kind::limit) continue;
    for (const auto& run : observations(samples, i, what)) {
      if (run.loops.limit_high <= 0) continue;
      const double middle = (run.loops.limit_low + run.loops.limit_high) / 2;
      if (!least || middle < least->value) least = limit_estimate{middle, run.loops.limit_low, run.loops.limit_high};
    }
  }
  return least;
}

/// Fills in what a run as written says about the loop itself.
void describe(loop_result& loop, const std::vector<sample>& samples) {
  for (const auto& run : observations(samples, 0, of_site(loop.key))) {
    loop.processes = std::max(loop.processes, run.loops.processes);
    loop.threads = std::max(loop.threads, run.loops.members);
  }
}

/// Before the table's rows are related to it.
void find_limit(loop_result& loop, const std::vector<row>& rows, const experiment_result& result, bool concurrent,
                unsigned cores) {
  if (!loop.facts.taken) return;
  if (concurrent) {
    loop.table.limit_missing = "processes run side by side";
  } else if (cores != 0 && loop.threads > cores) {
    loop.table.limit_missing = "more threads than cores";
  } else {
    const auto limit = limit_of(rows, result.samples, of_site(loop.key));
    if (limit && limit->value >= least_limit) loop.table.limit = limit;
  }
}

/// Why the program has no limit even if its loops have: a loop that matters has none that can be used.
std::string program_limit_missing(const comparison& found) {
  if (found.concurrent) return "its processes run side by side";
  for (const auto& loop : found.loops) {
    if (loop.share < share_that_matters) continue;
    if (!loop.table.limit_missing.empty()) return loop.table.limit_missing;
    if (loop.table.limit_unusable()) return "a loop's is unusable on this run";
  }
  return {};
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
  if (!any || !found.program.limit_missing.empty() || sum.low <= 0) return std::nullopt;
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

/// `parallel for`: the region is the loop's. (Where a team has one thread, its loop may have been run without a call.)
void adopt_regions(comparison& found) {
  for (auto& loop : found.loops) {
    const bool untimed = !loop.facts.taken && loop.share <= 0;
    std::erase_if(found.regions, [&](const auto& region) {
      const bool adopted = region.key == loop.key || same_line(region.place, loop.place);
      if (adopted && untimed) loop.share += region.share;
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
    if (rows[i].passed.empty() && (best == nullptr || rows[i].ratio < best->ratio)) best = &rows[i];
  }
  return best;
}

const row_result& table_result::fastest() const {
  const auto* least = &as_written();
  for (const auto& one : rows) {
    if (one.passed.empty() && one.median < least->median) least = &one;
  }
  return *least;
}

bool table_result::limit_unusable() const {
  return limit && std::all_of(rows.begin(), rows.end(),
                              [](const auto& one) { return !one.over_limit || one.limit_overestimated(); });
}

comparison analyse(const std::vector<row>& rows, const experiment_result& result, unsigned cores) {
  comparison found;
  const double whole = whole_time(result, found.concurrent);
  found.program = tabulate(rows, result.samples, of_program);
  for (const auto& [key, facts] : result.sites) {
    loop_result loop{key, facts, {}, 0, tabulate(rows, result.samples, of_site(key))};
    describe(loop, result.samples);
    find_limit(loop, rows, result, found.concurrent, cores);
    relate(loop.table);
    loop.share = loop.table.as_written().median / whole;
    found.loops.push_back(std::move(loop));
  }
  found.program.limit_missing = program_limit_missing(found);
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
