// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

/// How many cores this process may really use: its affinity mask and the CPU quota of its control groups.
namespace steelyard::topology {

/// What limits the cores of this process.
struct cores {
  unsigned online = 1;          ///< of the machine
  unsigned affinity = 1;        ///< that this process may run on, see of_process
  std::optional<double> quota;  ///< cores' worth of CPU time per period; nothing: unlimited

  /// The number of threads worth starting: the smaller of mask and quota, the quota rounded up, at least 1.
  [[nodiscard]] unsigned effective() const noexcept;
};

/// The tightest CPU quota of the control groups this process is in and of every group above them, versions 1 and 2,
/// in cores. Reads `root`/proc/self/{cgroup,mountinfo} and the files of the mounted hierarchies below `root`; a file
/// that is missing or malformed limits nothing.
[[nodiscard]] std::optional<double> cgroup_quota(const std::filesystem::path& root = "/");

/// Asks the system about this process.
[[nodiscard]] cores allowed();

}  // namespace steelyard::topology
