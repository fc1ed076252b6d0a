// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// What handing over work costs on this machine: each mechanism a schedule can deliver a request with, measured.
namespace steelyard::topology {

/// The distribution of one operation's cost.
struct cost {
  double median_ns = 0;
  double p90_ns = 0;
};

struct measurement {
  std::string name;          ///< short and stable: a key in files
  std::string meaning;       ///< one line for people
  std::optional<cost> took;  ///< nothing: not measured
  const char* missing = "";  ///< why not
};

/// Measures every mechanism, sharing `total` between them. Starts and joins threads of its own, pinned to two cores of
/// this process's mask (not two threads of one core, where there is a choice), or to all of them where fetching chunks is measured;
/// with one core, what needs two is left out. One real-time signal is borrowed meanwhile, its handler and its place in the caller's mask.
[[nodiscard]] std::vector<measurement> calibrate(std::chrono::milliseconds total = std::chrono::seconds(1));

}  // namespace steelyard::topology
