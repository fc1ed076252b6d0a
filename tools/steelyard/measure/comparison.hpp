// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/gain.hpp"
#include "measure/statistics.hpp"
#include "read/source_loops.hpp"
#include "read/symbolise.hpp"

/// The samples of an experiment turned into the numbers that are shown.
namespace steelyard::tool {

/// A time below which no schedule can get, measured; between `low` and `high`, which hold each run's own bounds and the
/// spread between the runs. Nanoseconds.
struct limit_estimate {
  double value = 0, low = 0, high = 0;
  std::size_t runs = 1;  ///< that measured it; the spread of one is unknown

  /// The farther bound's distance, as a share.
  [[nodiscard]] double uncertainty() const;
};

/// Below this, time/limit says that the limit was overestimated, not that a schedule beat it: the limit is withdrawn.
inline constexpr double least_over_limit = 0.98;

/// One schedule, for the whole program or for one loop. Times in nanoseconds, one per round; 0 in a round that did not
/// meet the loop, which then counts in no other number.
struct row_result {
  std::string name;
  std::string passed;  ///< a loop that ran as written although this schedule was asked for: why; or was not reached
  std::optional<row_fault> fault;  ///< it failed, or printed something else: it is never advised
  std::vector<double> times;
  double median = 0;
  interval spread;                         ///< smallest and largest
  std::optional<double> over_limit;        ///< median / limit
  bool limit_overestimated = false;        ///< it was faster than the limit measured, which is withdrawn
  double regret = 0;                       ///< median / least median of the table − 1
  double imbalance = 0;                    ///< share of the team's time lost, 0 … 1
  double steals = 0;                       ///< median of a run
  std::size_t pairs = 0;                   ///< rounds in which this row and as written have a time
  double ratio = 1;                        ///< to as written: median of the paired ratios …
  std::optional<interval> ratio_interval;  ///< … and its 95 % interval; of too few rounds there is none
  ratio_series believed;      ///< by round: of the program never less than what its taken loops account for
  double explained = 1;       ///< of the program: the ratio that its loops account for, median
  bool rest_varied = false;   ///< of the program: it gained more than they do, and not by chance
  double chance = 1;          ///< that noise alone makes one of all that was looked at look this good
  double promised = 0;        ///< gain that it has at least, see promised_gain; 0: none
  std::size_t disturbed = 0;  ///< pairs in which others took time from one of the runs
  double lost = 0;            ///< most that they took in one of them, as a share of its time

  /// It says something about this schedule.
  [[nodiscard]] bool usable() const { return passed.empty() && !fault; }
  /// In more than a fifth of them.
  [[nodiscard]] bool was_disturbed() const { return disturbed * 5 > pairs; }
};

/// The first row is as written.
struct table_result {
  std::vector<row_result> rows;
  std::optional<limit_estimate> limit;
  std::string limit_missing;  ///< why there can be no limit, or was withdrawn; empty: there may be one

  [[nodiscard]] const row_result& as_written() const { return rows.front(); }
  /// The row with the least median, as written included: regret is measured against it.
  [[nodiscard]] const row_result& fastest() const;
  /// The schedule with the least ratio to as written, by which gains are judged; nullptr when none took the loop.
  [[nodiscard]] const row_result* best_schedule() const;
};

/// How unequal the members of a region are, between its barriers. Shares of the program's time as written.
struct region_balance {
  double imbalance = 0;  ///< share of the members' time that they wait for the last one of a stretch, 0 … 1
  double avoidable = 0;  ///< at most this could be saved if none did
};

struct loop_result {
  site_key key;
  site_facts facts;
  location place;
  double share = 0;                       ///< of the program's time as written
  std::optional<region_balance> balance;  ///< of its region, for a loop that is not timed itself
  table_result table;
  std::uint64_t processes = 0;  ///< whose times a run's is the sum of
  std::uint64_t threads = 0;    ///< of its largest team
  std::string file_and_line{};  ///< as a loops file may name it; empty: only by module and offset

  /// `graph.c:12 (relax)`, or module and offset.
  [[nodiscard]] std::string name() const { return place.text(key.text()); }
  /// The name of the source file, without its folders.
  [[nodiscard]] std::string file() const { return std::filesystem::path(place.file).filename().native(); }
};

struct region_result {
  site_key key;
  region_facts facts;
  location place;
  double share = 0;         ///< without loops that are timed, and without regions inside
  std::uint64_t loops = 0;  ///< instances of work-sharing loops that were seen inside, in a run
  region_balance balance;   ///< of the stretches without a loop that is timed
  [[nodiscard]] std::string name() const { return place.text(key.text()); }
};

struct comparison {
  table_result program;
  correction corrected;
  bool concurrent = false;             ///< processes ran side by side: their loop times do not add up to the program's
  std::vector<loop_result> loops;      ///< largest share first
  std::vector<region_result> regions;  ///< largest share first
};

/// Loops and regions with a smaller share of the time are not worth a table.
inline constexpr double share_that_matters = 0.01;

/// A limit below this, in nanoseconds, is that of a loop without work: nothing is to be compared with it.
inline constexpr double least_limit = 1000;

/// `cores`: that the program may use; 0: enough. A team of more threads has no limit that can be measured.
[[nodiscard]] comparison analyse(const std::vector<row>& rows, const experiment_result& result, unsigned cores = 0);

/// Fills in the source places, and how a loops file may name loops by them; `loops`: the program's that debug information
/// tells. A region that is a loop's own is not listed beside it; a passed loop that is not timed gets its share and balance.
void symbolise(comparison& found, const source_loops& loops);

}  // namespace steelyard::tool
