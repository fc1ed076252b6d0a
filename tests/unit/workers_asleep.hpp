// SPDX-License-Identifier: Apache-2.0
// What the system says of a pool's threads: whether they sleep, and how often they had to make room or did so themselves.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace workers_asleep {

/// Whether a thread of this process waits in the system.
inline bool sleeps(const std::filesystem::path& task) {
  std::ifstream status(task / "status");
  for (std::string word; status >> word;) {
    if (word == "State:") return status >> word && word == "S";
  }
  return false;
}

inline bool sleeps(int thread) { return sleeps("/proc/self/task/" + std::to_string(thread)); }

/// Of the threads named steelyard/N.
struct workers {
  unsigned asleep = 0;
  long switches = 0;  ///< voluntary and other context switches
  bool operator==(const workers&) const = default;
};

inline workers look() {
  workers found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string word;
    std::ifstream(task.path() / "comm") >> word;
    if (word.rfind("steelyard/", 0) != 0) continue;
    found.asleep += sleeps(task.path()) ? 1 : 0;
    std::ifstream status(task.path() / "status");
    while (status >> word) {
      long count = 0;
      if (word.ends_with("voluntary_ctxt_switches:") && status >> count) found.switches += count;
    }
  }
  return found;
}

/// Returns when so many sleep, and have done so for a moment.
inline workers wait_for(unsigned count) {
  for (auto before = look();;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto now = look();
    if (now.asleep == count && now == before) return now;
    before = now;
  }
}

}  // namespace workers_asleep
