// SPDX-License-Identifier: Apache-2.0
#include "measure/comparison.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "measure/judge.hpp"

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

/// A limit that a row got below by more than the error of measuring it is none.
void withdraw_limit(table_result& table) {
  for (auto& one : table.rows) {
    if (!one.fault && one.over_limit && *one.over_limit < least_over_limit) {
      one.limit_overestimated = true;
      table.limit_missing = fmt::format("withdrawn, `{}` was faster than it", one.name);
    }
  }
  if (table.limit_missing.empty()) return;
  table.limit.reset();
  for (auto& one : table.rows) one.over_limit.reset();
}

/// Everything of a row that needs the row as written and the limit.
void relate(table_result& table) {
  const auto baseline = table.as_written().times;
  const double least = table.fastest().median;
  for (auto& one : table.rows) {
    const auto ratios = paired_ratios(one.times, baseline);
    one.pairs = ratios.size();
    if (!ratios.empty()) {
      one.ratio = median(ratios);
      one.ratio_interval = median_interval(ratios);
    }
    for (std::size_t i = 0; i < one.times.size(); ++i) {
      const bool pair = i < baseline.size() && one.times[i] > 0 && baseline[i] > 0;
      one.believed.push_back(pair ? one.times[i] / baseline[i] : 0);
    }
    one.regret = least > 0 ? std::max(0.0, one.median / least - 1) : 0;
    if (table.limit && table.limit->value > 0 && one.median > 0) one.over_limit = one.median / table.limit->value;
  }
  withdraw_limit(table);
}

table_result tabulate(const std::vector<row>& rows, const std::vector<sample>& samples, const observe& what) {
  table_result table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].what != row::kind::limit)
      table.rows.push_back(summarise(rows[i].name(), observations(samples, i, what)));
  }
  return table;
}

/// A loop's limit: that of the measuring run with the least, since noise only adds time; the middle of its bounds. The
/// uncertainty reaches to the most that a run found.
std::optional<limit_estimate> limit_of(const std::vector<row>& rows, const std::vector<sample>& samples,
                                       const observe& what) {
  std::optional<limit_estimate> least;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].what != row::kind::limit) continue;
    for (const auto& run : observations(samples, i, what)) {
      if (run.loops.limit_high <= 0) continue;
      const double middle = (run.loops.limit_low + run.loops.limit_high) / 2;
      if (!least) least = limit_estimate{middle, run.loops.limit_low, run.loops.limit_high, 0};
      least->value = std::min(least->value, middle);
      least->low = std::min(least->low, run.loops.limit_low);
      least->high = std::max(least->high, run.loops.limit_high);
      ++least->runs;
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
    if (loop.share < share_that_matters || loop.table.limit_missing.empty()) continue;
    return loop.table.limit_missing.starts_with("withdrawn") ? "a loop's was withdrawn" : loop.table.limit_missing;
  }
  return {};
}

/// What the runs as written spent outside the loops that have a limit.
std::vector<double> rest_of(const comparison& found) {
  auto rest = found.program.as_written().times;
  for (const auto& loop : found.loops) {
    if (!loop.table.limit) continue;
    const auto& times = loop.table.as_written().times;
    for (std::size_t i = 0; i < std::min(rest.size(), times.size()); ++i) rest[i] -= times[i];
  }
  std::erase_if(rest, [](double time) { return !(time > 0); });
  return rest;
}

/// The program's: its time as written, with every loop that can be taken at its limit.
std::optional<limit_estimate> program_limit(const comparison& found) {
  const double written = found.program.as_written().median;
  limit_estimate sum{written, written, written, 0};
  for (const auto& loop : found.loops) {
    if (!loop.table.limit) continue;
    const auto& limit = *loop.table.limit;
    sum.value += limit.value - loop.table.as_written().median;
    sum.low += limit.low - loop.table.as_written().median;
    sum.high += limit.high - loop.table.as_written().median;
    sum.runs = sum.runs == 0 ? limit.runs : std::min(sum.runs, limit.runs);
  }
  const auto rest = rest_of(found);
  const auto around = median_interval(rest).value_or(range_of(rest));
  sum.low -= median(rest) - around.low;
  sum.high += around.high - median(rest);
  if (sum.runs == 0 || !found.program.limit_missing.empty() || sum.low <= 0) return std::nullopt;
  return sum;
}

/// Did processes run side by side?
bool is_concurrent(const experiment_result& result) {
  std::vector<double> wall;
  std::vector<double> processes;
  for (const auto& run : result.samples) {
    if (run.row != 0) continue;
    wall.push_back(run.wall);
    processes.push_back(run.process_time);
  }
  return median(processes) > 1.1 * median(wall);
}

/// What the shares of a run are shares of: the program's time, or that of all its processes when they ran side by side,
/// or of all its threads when several of them forked teams side by side. So shares never add up to more than 1.
double whole_time(const sample& run) {
  double parts = 0;
  for (const auto& [key, times] : run.sites) parts += times.own;
  for (const auto& [key, times] : run.regions) parts += times.own;
  return std::max({run.wall, run.process_time, parts, 1.0});
}

/// The mean, over the runs as written, of what `part` is of the whole.
double share_of(const std::vector<sample>& samples, const std::function<double(const sample&)>& part) {
  double sum = 0;
  std::size_t runs = 0;
  for (const auto& run : samples) {
    if (run.row != 0) continue;
    ++runs;
    sum += part(run) / whole_time(run);
  }
  return runs == 0 ? 0 : sum / static_cast<double>(runs);
}

template <class Times>
Times found_in(const std::map<site_key, Times>& times, const site_key& key) {
  const auto found = times.find(key);
  return found == times.end() ? Times{} : found->second;
}

region_result describe_region(const site_key& key, const region_facts& facts, const std::vector<sample>& samples) {
  region_result region{key, facts, {}, 0, 0, {}};
  region_times sum;
  for (const auto& run : samples) {
    if (run.row != 0) continue;
    const auto times = found_in(run.regions, key);
    sum.add(times);
    region.loops = std::max(region.loops, times.loops);
  }
  region.share = share_of(samples, [&](const sample& run) { return found_in(run.regions, key).own; });
  region.balance.imbalance = lost_share(sum.busy, sum.span);
  region.balance.avoidable = share_of(samples, [&](const sample& run) { return found_in(run.regions, key).avoidable; });
  return region;
}

template <class Result>
void largest_first(std::vector<Result>& results) {
  std::sort(results.begin(), results.end(),
            [](const auto& a, const auto& b) { return a.share != b.share ? a.share > b.share : a.key < b.key; });
}

bool same_line(const location& a, const location& b) { return a.line != 0 && a.line == b.line && a.file == b.file; }

bool same_body(const region_result& region, const loop_result& loop) {
  return region.key.module == loop.key.module && region.facts.body && region.facts.body == loop.facts.body;
}

/// `parallel for`: the region is the loop's. (Where a team has one thread, its loop may have been run without a call.)
void adopt_regions(comparison& found) {
  for (auto& loop : found.loops) {
    const bool untimed = !loop.facts.taken && loop.share <= 0;
    std::erase_if(found.regions, [&](const auto& region) {
      const bool adopted = region.key == loop.key || same_body(region, loop) || same_line(region.place, loop.place);
      if (adopted && untimed) {
        loop.share += region.share;
        loop.balance = region.balance;
      }
      return adopted;
    });
  }
  // One that is timed though it is passed, as static loops of Clang are, tells its balance itself.
  for (auto& loop : found.loops) {
    if (loop.facts.taken || !loop.facts.asks_for_block || loop.balance || loop.share <= 0) continue;
    const double imbalance = loop.table.as_written().imbalance;
    loop.balance = region_balance{imbalance, loop.share * imbalance};
  }
  largest_first(found.loops);
}

/// Where the directive stands: Clang's own word for it where there is one, else the debug information of the outlined
/// function's start (GCC gives the call that forks a region an odd line), else of the loop that the call begins.
template <class Result>
location place_of(symboliser& source, const Result& result) {
  const auto& module = result.facts.module_path;
  auto place =
      result.facts.body ? source.find_start(module, *result.facts.body) : source.find_loop(module, result.key.offset);
  const auto stated = from_ident(result.facts.ident);
  if (stated.line == 0) return place;
  place.line = stated.line;
  if (place.file.empty() || !place.file.ends_with(stated.file)) place.file = stated.file;
  place.function = stated.function.empty() ? place.function : stated.function;
  return place;
}

/// Whether the line alone leads to the loop: Clang's tell it when they run, GCC's are found before.
bool is_found_by_line(const loop_result& loop, const source_loops& loops) {
  if (loop.place.line == 0) return false;
  if (from_ident(loop.facts.ident).line != 0) return loops.at(loop.file(), loop.place.line).empty();
  return loops.at(loop.file(), loop.place.line) == std::vector{loop.key};
}

}  // namespace

const row_result* table_result::best_schedule() const {
  const row_result* best = nullptr;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].usable() && (best == nullptr || rows[i].ratio < best->ratio)) best = &rows[i];
  }
  return best;
}

const row_result& table_result::fastest() const {
  const auto* least = &as_written();
  for (const auto& one : rows) {
    if (one.usable() && one.median > 0 && one.median < least->median) least = &one;
  }
  return *least;
}

double limit_estimate::uncertainty() const { return value > 0 ? std::max(high / value, 2 - low / value) - 1 : 0; }

comparison analyse(const std::vector<row>& rows, const experiment_result& result, unsigned cores) {
  comparison found;
  found.concurrent = is_concurrent(result);
  found.program = tabulate(rows, result.samples, of_program);
  add_facts(found.program, result);
  for (const auto& [key, facts] : result.sites) {
    loop_result loop{key, facts, {}, 0, {}, tabulate(rows, result.samples, of_site(key))};
    describe(loop, result.samples);
    add_facts(loop.table, result);
    find_limit(loop, rows, result, found.concurrent, cores);
    relate(loop.table);
    loop.share = share_of(result.samples, [&](const sample& run) { return found_in(run.sites, key).own; });
    found.loops.push_back(std::move(loop));
  }
  found.program.limit_missing = program_limit_missing(found);
  found.program.limit = program_limit(found);
  relate(found.program);
  judge_all(found, result);
  for (const auto& [key, facts] : result.regions) {
    found.regions.push_back(describe_region(key, facts, result.samples));
  }
  largest_first(found.loops);
  largest_first(found.regions);
  return found;
}

void symbolise(comparison& found, const source_loops& loops) {
  symboliser source;
  for (auto& loop : found.loops) loop.place = place_of(source, loop);
  for (auto& region : found.regions) region.place = place_of(source, region);
  for (auto& loop : found.loops) {
    const auto alike = [&](const auto& other) {
      return other.place.line == loop.place.line && same_source(other.place.file, loop.file());
    };
    const bool alone = std::count_if(found.loops.begin(), found.loops.end(), alike) == 1;
    if (alone && is_found_by_line(loop, loops)) loop.file_and_line = fmt::format("{}:{}", loop.file(), loop.place.line);
  }
  adopt_regions(found);
}

}  // namespace steelyard::tool
