// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace steelyard::tool {

/// A bar on standard error while it is a terminal; otherwise nothing.
class progress_bar {
 public:
  progress_bar();
  /// Wipes the line.
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::size_t done, std::size_t all, const std::string& what) const;

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
};

/// `[#####.....] 3/20 steal, 12 s left`.
[[nodiscard]] std::string progress_line(std::size_t done, std::size_t all, const std::string& what,
                                        std::chrono::duration<double> spent);

}  // namespace steelyard::tool
