// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <string_view>

/// What other programs and the hypervisor took from a run, as far as this system tells.
namespace steelyard::tool {

/// What the cores that may be used have done since the machine started. Seconds; what is not told is absent.
struct machine_times {
  std::optional<double> busy, stolen;  ///< of /proc/stat: summed over the cores, in steps of 10 ms
  std::optional<double> stalled;       ///< of /proc/pressure/cpu: some task was ready and had no core
  unsigned cores = 0;                  ///< over which the first two are summed
};

/// One run of a program.
struct run_account {
  machine_times before, after;
  double wall = 0;               ///< seconds
  double own = 0;                ///< seconds of processor time of the program and its children
  std::optional<double> waited;  ///< seconds its first thread was ready and had no core
};

/// What the run lost, as shares of its time: of a core's, on average over the cores that it uses.
struct lost_time {
  double stolen = 0;  ///< by the hypervisor
  double others = 0;  ///< by other processes, on cores that the program needed
  double waited = 0;  ///< without a core; 0 where the program has more threads than there are cores

  [[nodiscard]] double most() const;
  friend bool operator==(const lost_time&, const lost_time&) = default;
};

/// A run that lost more than this was disturbed.
inline constexpr double most_lost = 0.05;

/// The contents of /proc/stat and /proc/pressure/cpu; empty: there is no such file. Only the cores of the set count.
[[nodiscard]] machine_times parse_times(std::string_view stat, std::string_view pressure, const cpu_set_t& allowed);
[[nodiscard]] machine_times read_times();

/// What a process that has ended and is not yet collected says of its first thread; nothing where the kernel keeps no
/// such account.
[[nodiscard]] std::optional<double> waited_by(pid_t ended);

/// `threads`: the program's largest team; 0: unknown, as many as there are cores.
[[nodiscard]] lost_time lost_in(const run_account& run, unsigned threads);

}  // namespace steelyard::tool
