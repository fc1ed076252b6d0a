// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace steelyard::tool {

/// Exit statuses of the command, documented in each command's help.
enum exit_status : int {
  success = 0,
  bad_usage = 2,
  program_failed = 3,
  program_timed_out = 4,
  nothing_to_compare = 5,
  not_executable = 126,
  not_found = 127,
  interrupted = 130,
};

/// Ends the command: one line for the user, naming the input and the remedy, and the status to exit with.
class failure : public std::runtime_error {
 public:
  failure(int status, const std::string& line) : std::runtime_error(line), status_(status) {}
  [[nodiscard]] int status() const noexcept { return status_; }

 private:
  int status_;
};

}  // namespace steelyard::tool
