// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace steelyard::tool {

/// One line of a loops file: `SITE SCHEDULE[,CHUNK]`, where SITE is `module+0xoffset` or `file.c:line`.
struct loop_choice {
  std::string site;
  std::string schedule;
};

/// Reads and checks a loops file; `#` starts a comment. Throws `failure` with the file and the line number.
[[nodiscard]] std::vector<loop_choice> read_loops_file(const std::filesystem::path& file);

}  // namespace steelyard::tool
