// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace steelyard::tool {

/// The libraries a dynamic executable would get, by the names they are asked for. Asks the executable's own loader
/// (`ld.so --list`), which resolves RPATH, RUNPATH, LD_LIBRARY_PATH and its cache as at start and runs none of the
/// program's code. Empty when the loader cannot tell.
[[nodiscard]] std::map<std::string, std::filesystem::path> resolved_libraries(const std::filesystem::path& interpreter,
                                                                              const std::filesystem::path& executable);

/// The same, from the loader's output: lines `name => /path (0x…)`.
[[nodiscard]] std::map<std::string, std::filesystem::path> parse_loader_list(const std::string& output);

}  // namespace steelyard::tool
