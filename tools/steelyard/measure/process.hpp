// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <filesystem>
#include <optional>
#include <string>

#include "measure/load.hpp"
#include "measure/options.hpp"
#include "read/shim.hpp"
#include "read/target.hpp"

namespace steelyard::tool {

/// How a run of the program ended.
struct outcome {
  enum class kind { exited, killed, timed_out, interrupted } how = kind::exited;
  int code = 0;  ///< exit status, or the signal's number
  double wall_ns = 0;
  run_account account;  ///< what the machine did meanwhile

  [[nodiscard]] bool good() const { return how == kind::exited && code == 0; }
  /// `exited with status 3`, `was killed by signal 11 (Segmentation fault)`, …
  [[nodiscard]] std::string text() const;
};

struct run_request {
  const target* program = nullptr;
  const command_line* arguments = nullptr;
  environment_changes environment;
  std::filesystem::path output;  ///< receives standard output
  std::optional<double> timeout_seconds;
  std::filesystem::path errors = {};  ///< receives standard error; empty: the output's file does
};

/// Runs programs one after the other, each in a process group of its own that a time limit or an interrupt of this
/// process ends as a whole. While it lives it holds SIGCHLD back from this process, and SIGINT, SIGTERM and SIGHUP unless
/// they are ignored.
class runner {
 public:
  runner();
  ~runner();
  runner(const runner&) = delete;
  runner& operator=(const runner&) = delete;

  /// Throws `failure` 126 or 127 when the system refuses to start the program.
  outcome run(const run_request& request);

 private:
  sigset_t held_;
  sigset_t before_;
};

/// The last lines of a file, of its last 64 KiB, each behind `  | ` and as a terminal can show it.
[[nodiscard]] std::string last_lines(const std::filesystem::path& file, std::size_t count);

}  // namespace steelyard::tool
