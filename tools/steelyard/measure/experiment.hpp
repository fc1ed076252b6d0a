// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "measure/budget.hpp"
#include "measure/load.hpp"
#include "measure/options.hpp"
#include "measure/random.hpp"
#include "read/report.hpp"
#include "read/target.hpp"

/// The runs of a comparison and what they left.
namespace steelyard::tool {

/// What is run: `as written`, a schedule, or the measuring run for the limit.
struct row {
  enum class kind { as_written, schedule, limit } what = kind::as_written;
  std::string schedule;  ///< name[,chunk]

  [[nodiscard]] std::string name() const;
};

/// One run, its processes merged.
struct sample {
  std::size_t row = 0;
  unsigned round = 0;
  double wall = 0;            ///< of the whole program, nanoseconds
  std::size_t processes = 0;  ///< that reported
  double process_time = 0;    ///< summed over them
  std::map<site_key, loop_times> sites;
  std::map<site_key, region_times> regions;
  lost_time lost;  ///< to other programs
};

/// The mark of a row whose output is not that of the program as written.
inline constexpr const char* output_differs = "output differs";

/// Why a row counts for nothing.
struct row_fault {
  std::string mark;    ///< `output_differs`, or `failed`
  std::string detail;  ///< where it differs, how it ended
};

/// Why `automatic` leaves a static loop as it is written.
inline constexpr const char* one_of_several = "the region has several static loops";

/// What a loop site is, whatever it ran under.
struct site_facts {
  std::string module_path, abi, clause, ident;
  std::uint64_t clause_chunk = 0;
  std::uint64_t granule = 0;  ///< the chunk that the program has written and no schedule split; 0: none
  std::optional<std::uint64_t> body;
  bool taken = false;     ///< in any run
  bool observed = false;  ///< in a run as written: counted and timed, and perhaps can be taken
  bool asks_for_block =
      false;           ///< a static loop whose members ask for their blocks, as those of Clang do, and rewritten ones
  std::string reason;  ///< why it was passed, when it was: by nustatic where that has a reason of its own
};

/// What a parallel region is. Its key is its outlined function, where that is known: a directive may be several calls.
struct region_facts {
  std::string module_path, abi, ident;
  std::optional<std::uint64_t> body;
};

struct experiment_plan {
  bool of_our_library = false;  ///< the program's loops, or some of them, are those of libsteelyard.so
  const target* program = nullptr;
  command_line arguments;
  std::vector<row> rows;                 ///< the first is as written; measuring runs are the last
  unsigned rounds = 1;                   ///< at most
  std::optional<double> budget_seconds;  ///< for all of it: as many rounds as fit, fewer when decided
  bool ignore_output = false;            ///< what the program prints is not compared
  std::optional<double> timeout_seconds;
  unsigned threads = 0;
  bool split_chunks = false;
  bool free_reductions = false;
  std::filesystem::path library;
  std::filesystem::path folder;  ///< of reports and outputs, one subfolder per run
  bool keep = false;             ///< what the runs left there
};

struct experiment_result {
  std::vector<sample> samples;  ///< by row, then round
  std::map<site_key, site_facts> sites;
  std::map<site_key, region_facts> regions;
  std::uint64_t threads = 0;
  std::set<std::string> runtimes, warnings;
  std::optional<std::string> omp_schedule;
  std::map<std::string, std::string> dropped;  ///< the user's variables that no run got
  std::vector<std::string> unreadable;
  std::map<std::size_t, row_fault> faults;  ///< by row
  std::string output_remark;                ///< why outputs were not compared; empty: they were
  unsigned rounds = 0;                      ///< complete ones
  unsigned looks = 0;           ///< how often the rounds so far were looked at for a verdict; 0: at the end only
  unsigned repeated = 0;        ///< runs made once more, since others disturbed them
  bool of_our_library = false;  ///< see experiment_plan
  bool interrupted = false;     ///< before all rounds were run
  std::string nothing_taken;    ///< why no loop can be taken, so that the runs are as written; empty: some can
};

/// Told before each run: how many are done, of how many, and which comes.
using progress_report = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// Is what was found so far enough? Asked with a budget only, after `looks_after` rounds.
using decision = std::function<bool(const experiment_result& so_far)>;

/// The order of the runs: every row once a round, shuffled with a fixed seed; the limit row only in up to three rounds,
/// spread evenly, or the first three where it is not known how many there will be (`rounds` 0).
struct planned_run {
  std::size_t row;
  unsigned round;
  friend bool operator==(const planned_run&, const planned_run&) = default;
};
class run_order {
 public:
  run_order(const std::vector<row>& rows, unsigned rounds);
  /// Of the next round.
  [[nodiscard]] std::vector<planned_run> next();

 private:
  const std::vector<row>& rows_;
  unsigned rounds_;
  unsigned round_ = 0;
  random_stream draw_;
};
/// Of all rounds.
[[nodiscard]] std::vector<planned_run> order_of_runs(const std::vector<row>& rows, unsigned rounds);

/// The variables set here, and their values, that would give loops a schedule of ours in runs that are to have another
/// or none.
[[nodiscard]] std::map<std::string, std::string> variables_to_drop();

/// Says that, and why.
[[nodiscard]] std::string nothing_taken_line(const std::string& program, const experiment_result& result);

/// Warms up and runs everything. A row that fails or runs too long is a fault of that row; an interrupt ends it with the
/// rounds that are complete. A program without a loop that can be taken runs as written only. Throws
/// `failure` when the program as written fails or times out, uses no OpenMP, or was interrupted before a round was complete.
[[nodiscard]] experiment_result run_experiment(const experiment_plan& plan, const progress_report& progress,
                                               const decision& decided = {});

/// Merges one run's reports into a sample, and what they say about sites and regions into the result.
void merge_reports(const std::vector<process_report>& reports, row::kind what, sample& into, experiment_result& result);

}  // namespace steelyard::tool
