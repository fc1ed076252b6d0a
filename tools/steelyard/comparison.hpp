// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "statistics.hpp"
#include "symbolise.hpp"

/// The samples of an experiment turned into the numbers that are shown.
namespace steelyard::tool {

/// A time below which no schedule can get, measured; between `low` and `high`. Nanoseconds.
struct limit_estimate {
  double value = 0, low = 0, high = 0;
};

/// Below this, time/limit says that the limit was overestimated, not that a schedule beat it.
inline constexpr double least_over_limit = 0.98;

/// One schedule, for the whole program or for one loop. Times in nanoseconds, one per round; 0 in a round that did not
/// meet the loop, which then counts in no other number.
struct row_result {
  std::string name;
  std::string passed;  ///< a loop that ran as written although this schedule was asked for: why; or was not reached
  std::vector<double> times;
  double median = 0;
  interval spread;                   ///< smallest and largest
  std::optional<double> over_limit;  ///< median / limit
  double regret = 0;                 ///< median / least median of the table − 1
  double imbalance = 0;              ///< share of the team's time lost, 0 … 1
  double steals = 0;                 ///< median of a run
  std::size_t pairs = 0;             ///< rounds in which this row and as written have a time
  double ratio = 1;                  ///< to as written: median of the paired ratios …
  interval ratio_interval{1, 1};     ///< … and its 95 % bootstrap interval
  double chance = 1;                 ///< that noise alone makes one of the table's schedules look this good

  [[nodiscard]] bool limit_overestimated() const { return over_limit && *over_limit < least_over_limit; }
};

/// The first row is as written.
struct table_result {
  std::vector<row_result> rows;
  std::optional<limit_estimate> limit;
  std::string limit_missing;  ///< why there can be no limit; empty: there may be one

  [[nodiscard]] const row_result& as_written() const { return rows.front(); }
  /// The row with the least median, as written included: regret is measured against it.
  [[nodiscard]] const row_result& fastest() const;
  /// The schedule with the least ratio to as written, by which gains are judged; nullptr when none took the loop.
  [[nodiscard]] const row_result* best_schedule() const;
  /// Every row is faster than the limit, which is then no limit.
  [[nodiscard]] bool limit_unusable() const;
};

struct loop_result {
  site_key key;
  site_facts facts;
  location place;
  double share = 0;  ///< of the program's time as written
  table_result table;
  std::uint64_t processes = 0;  ///< whose times a run's is the sum of
  std::uint64_t threads = 0;    ///< of its largest team

  /// `graph.c:12 (relax)`, or module and offset.
  [[nodiscard]] std::string name() const { return place.text(key.text()); }
};

struct region_result {
  site_key key;
  region_facts facts;
  location place;
  double share = 0;
  [[nodiscard]] std::string name() const { return place.text(key.text()); }
};

struct comparison {
  table_result program;
  bool concurrent = false;             ///< processes ran side by side: their loop times do not add up to the program's
  std::vector<loop_result> loops;      ///< largest share first
  std::vector<region_result> regions;  ///< without any work-sharing loop we can see, largest share first
};

/// Loops and regions with a smaller share of the time are not worth a table.
inline constexpr double share_that_matters = 0.01;

/// A limit below this, in nanoseconds, is that of a loop without work: nothing is to be compared with it.
inline constexpr double least_limit = 1000;

/// `cores`: that the program may use; 0: enough. A team of more threads has no limit that can be measured.
[[nodiscard]] comparison analyse(const std::vector<row>& rows, const experiment_result& result, unsigned cores = 0);

/// Fills in the source places. A region that is a loop's own is not listed beside it; a passed loop that is not timed
/// gets its share.
void symbolise(comparison& found);

}  // namespace steelyard::tool
