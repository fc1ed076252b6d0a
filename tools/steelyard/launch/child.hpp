// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool::launch {

/// Where a child's streams lead; -1: where ours do.
struct streams {
  int input = -1;
  int output = -1;
  int errors = -1;
};

/// Runs a command and returns its exit status; 127 where it cannot be started. A signal that would end this process is handed on
/// to the child, and once the child has ended, it ends this process, too.
[[nodiscard]] int run_child(const std::vector<std::string>& command, const streams& to);

/// Becomes the command. Throws `failure` where the system refuses.
[[noreturn]] void become(const std::vector<std::string>& command);

}  // namespace steelyard::tool::launch
