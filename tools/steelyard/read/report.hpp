// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// The report file the drop-in library leaves for each process (STEELYARD_REPORT).
namespace steelyard::tool {

/// A place in the program, the same in every process and run: the module's file name and the offset in it.
struct site_key {
  std::string module;
  std::uint64_t offset = 0;
  friend auto operator<=>(const site_key&, const site_key&) = default;

  /// `module+0xoffset`, as a loops file spells it.
  [[nodiscard]] std::string text() const;
};

/// What one loop site did, summed over its instances in one process. Times in nanoseconds.
struct loop_times {
  std::uint64_t processes = 0, instances = 0, iterations = 0, chunks = 0, steals = 0, members = 0;
  double wall = 0;       ///< Σ last finish − first start
  double busy = 0;       ///< Σ over members of finish − start
  double span = 0;       ///< Σ members × wall
  double own = 0;        ///< its part of the program's time; the parts of loops and regions add up to no more than that
  double work = 0;       ///< measuring runs: Σ chunk times
  double limit_low = 0;  ///< measuring runs: the limit is between these
  double limit_high = 0;
  std::string passed;  ///< why it ran as written although a schedule was asked for; empty: it did not

  /// Adds another process's.
  void add(const loop_times& other);
};

struct site_report {
  site_key key;
  std::optional<std::uint64_t> body;  ///< start of the outlined function, when the site is the fork's
  std::string module_path;
  std::string abi;     ///< gomp, kmp
  std::string clause;  ///< dynamic, guided, runtime, …
  std::uint64_t clause_chunk = 0;
  std::uint64_t granule = 0;  ///< the written chunk that was kept, when taken
  std::string ident;          ///< Clang's `;file;function;line;column;;`
  std::string decision;       ///< taken, passed, observed
  std::string reason;
  std::string schedule;  ///< the one it ran under, when taken
  loop_times times;
};

/// What one parallel region did, summed over its instances in one process. Times in nanoseconds. A stretch is what its
/// members do from one barrier to the next.
struct region_times {
  std::uint64_t instances = 0, loops = 0;  ///< of the region; of work-sharing loops seen inside
  double wall = 0;                         ///< Σ from fork to join
  double own = 0;        ///< its part of the program's time, without what loops and regions inside have
  double busy = 0;       ///< Σ over stretches without a timed loop and members of the time to the next barrier
  double span = 0;       ///< Σ members × the longest of them
  double avoidable = 0;  ///< Σ the longest less the mean: what perfect balance would save at best

  /// Adds another process's, or another fork's of the same region.
  void add(const region_times& other);
};

/// A parallel region.
struct region_report {
  site_key key;
  std::optional<std::uint64_t> body;  ///< start of the outlined function
  std::string module_path;
  std::string abi, ident;  ///< as of a site
  region_times times;
};

struct process_report {
  long pid = 0;
  std::string host, program, mode;
  std::uint64_t threads = 0;
  std::vector<std::string> runtimes;
  double process_time = 0;
  std::optional<std::string> omp_schedule;
  std::vector<std::string> warnings;
  std::vector<site_report> sites;
  std::vector<region_report> regions;
};

/// A text that is not a report.
struct report_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws report_error.
[[nodiscard]] process_report parse_report(const std::string& text);

/// Every report in a folder, by file name. What is no report is named in `unreadable`.
[[nodiscard]] std::vector<process_report> read_reports(const std::filesystem::path& folder,
                                                       std::vector<std::string>& unreadable);

}  // namespace steelyard::tool
