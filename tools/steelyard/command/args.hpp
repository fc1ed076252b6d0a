// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::tool {

/// Reads the command line and runs the command it names; returns the exit status. Throws `failure`.
int run_command_line(int argc, char** argv);

}  // namespace steelyard::tool
