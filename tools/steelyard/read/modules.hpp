// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "read/target.hpp"

namespace steelyard::tool {

/// The executable, and the libraries that its loader says it would load at its start; not what it loads later. Starts the
/// loader, not the program.
[[nodiscard]] std::vector<std::filesystem::path> modules_of(const target& program);

/// Whether one of them is the library of Steelyard.
[[nodiscard]] bool uses_our_library(const std::vector<std::filesystem::path>& modules);

}  // namespace steelyard::tool
