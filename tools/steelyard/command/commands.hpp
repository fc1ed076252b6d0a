// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/options.hpp"

/// The commands, each in a file of its own. They return the exit status and throw `failure` for what ends in one line.
namespace steelyard::tool {

int schedules_command(bool names_only);
int info_command(bool as_json);
int run_command(const run_options& options);
int compare_command(const compare_options& options);

}  // namespace steelyard::tool
