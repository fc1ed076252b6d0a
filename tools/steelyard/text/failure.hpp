// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace steelyard::tool {

/// Exit statuses of the command, documented in each command's help.
enum exit_status : int {
  success = 0,
  bad_usage = 2,
  program_failed = 3,
  program_timed_out = 4,
  nothing_to_compare = 5,
  schedule_is_wrong = 6,
  internal_error = 70,
  not_executable = 126,
  not_found = 127,
  interrupted = 130,
};

/// Ends the command: one line for the user, naming the input and the remedy, and the status to exit with.
class failure : public std::runtime_error {
 public:
  failure(int status, const std::string& line, std::string before = "")
      : std::runtime_error(line), status_(status), before_(std::move(before)) {}
  [[nodiscard]] int status() const noexcept { return status_; }
  /// Whole lines to show before it: the end of a failed program's output.
  [[nodiscard]] const std::string& before() const noexcept { return before_; }

 private:
  int status_;
  std::string before_;
};

}  // namespace steelyard::tool
