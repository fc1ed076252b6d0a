// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// What a run or a comparison is asked to do, as typed.
namespace steelyard::tool {

/// A program and its arguments, as typed.
using command_line = std::vector<std::string>;

struct run_options {
  std::optional<std::string> schedule;  ///< name[,chunk], or `as-written`
  std::optional<std::string> loops;     ///< file
  std::optional<std::string> report;    ///< pattern
  bool verbose = false;
  bool split_chunks = false;     ///< schedules may split the chunks that the program has written
  bool free_reductions = false;  ///< shares may be learnt for loops whose results a reduction adds up
  command_line program;
};

struct compare_options {
  std::optional<std::string> schedules;  ///< a,b,…; else the usual ones
  std::optional<unsigned> rounds;        ///< else 5, or as many as the budget allows
  std::optional<std::string> budget;     ///< a duration
  bool ignore_output = false;
  std::string json;
  std::optional<double> timeout_seconds;
  unsigned threads = 0;  ///< 0: leave it to the program
  std::string keep;
  bool wide = false;          ///< print all columns, however wide the terminal
  bool split_chunks = false;  ///< as of `run`
  bool free_reductions = false;
  command_line program;
};

}  // namespace steelyard::tool
