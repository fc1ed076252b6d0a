// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands.hpp"
#include "report.hpp"
#include "target.hpp"

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
};

/// What a loop site is, whatever it ran under.
struct site_facts {
  std::string module_path, abi, clause, ident;
  std::uint64_t clause_chunk = 0;
  std::optional<std::uint64_t> body;
  bool taken = false;  ///< in any run
  std::string reason;  ///< why it was passed, when it was
};

/// A parallel region in the runs as written.
struct region_facts {
  std::string module_path, ident;
  std::optional<std::uint64_t> body;
  std::uint64_t loops = 0;
  double wall = 0;  ///< mean over the runs
};

struct experiment_plan {
  const target* program = nullptr;
  command_line arguments;
  std::vector<row> rows;  ///< the first is as written; measuring runs are the last
  unsigned rounds = 1;
  std::optional<double> timeout_seconds;
  unsigned threads = 0;
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
};

/// Told before each run: how many are done, of how many, and which comes.
using progress_report = std::function<void(std::size_t done, std::size_t all, const std::string& what)>;

/// The order of the runs: every row once a round, shuffled with a fixed seed; the limit row only in up to three rounds,
/// spread evenly.
struct planned_run {
  std::size_t row;
  unsigned round;
  friend bool operator==(const planned_run&, const planned_run&) = default;
};
[[nodiscard]] std::vector<planned_run> order_of_runs(const std::vector<row>& rows, unsigned rounds);

/// The variables set here, and their values, that would give loops a schedule of ours in runs that are to have another
/// or none.
[[nodiscard]] std::map<std::string, std::string> variables_to_drop();

/// Warms up and runs everything. Throws `failure` when the program fails, times out, or has no loop that can be taken.
[[nodiscard]] experiment_result run_experiment(const experiment_plan& plan, const progress_report& progress);

/// Merges one run's reports into a sample, and what they say about sites and regions into the result.
void merge_reports(const std::vector<process_report>& reports, row::kind what, sample& into, experiment_result& result);

}  // namespace steelyard::tool
