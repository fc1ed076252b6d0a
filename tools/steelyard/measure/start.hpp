// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/options.hpp"
#include "read/target.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {

/// Becomes the program. Throws `failure` 126 or 127 when the system refuses to start it.
[[noreturn]] void start(const target& program, const command_line& arguments);

/// What to tell the user when starting a file failed with that errno.
[[nodiscard]] failure cannot_start(const std::filesystem::path& file, int error);

}  // namespace steelyard::tool
