// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "failure.hpp"

namespace steelyard::tool {

int compare_command(const compare_options&) { throw failure(bad_usage, "compare is not there yet"); }

}  // namespace steelyard::tool
