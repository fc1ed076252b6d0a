// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace steelyard::tool {

/// When a log file gets its next line: after half a minute, and then ever less often, so that an hour leaves a page.
class log_times {
 public:
  /// True once for each line that is due.
  bool due(std::chrono::duration<double> spent);

 private:
  std::chrono::duration<double> next_{30};
};

/// A bar on standard error while it is a terminal; otherwise a line now and then, as a log file can take it.
class progress_bar {
 public:
  progress_bar();
  /// Wipes the line.
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::size_t done, std::size_t all, const std::string& what);

 private:
  bool terminal_;
  log_times log_;
  std::chrono::steady_clock::time_point start_;
};

/// `[#####.....] 3/20 steal, 12 s left`.
[[nodiscard]] std::string progress_line(std::size_t done, std::size_t all, const std::string& what,
                                        std::chrono::duration<double> spent);

}  // namespace steelyard::tool
