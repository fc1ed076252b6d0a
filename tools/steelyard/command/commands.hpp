// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "measure/options.hpp"

/// The commands, each in a file of its own. They return the exit status and throw `failure` for what ends in one line.
namespace steelyard::tool {

/// What `steelyard schedules` shows; else its families.
struct schedules_options {
  bool names_only = false;
  bool all = false;
  std::optional<std::string> explained = {};  ///< a name
};

/// `steelyard knowledge ACTION [FILE]`.
struct knowledge_options {
  std::string action = "show";  ///< or loops, export, import, clear
  std::string file = {};        ///< of export and import
};

int knowledge_command(const knowledge_options& options);
int schedules_command(const schedules_options& options);
int check_schedule_command(const std::string& file);
int info_command(bool as_json);
int run_command(const run_options& options);
int compare_command(const compare_options& options);

}  // namespace steelyard::tool
