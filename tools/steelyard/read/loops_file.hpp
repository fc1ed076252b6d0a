// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace steelyard::tool {

/// One line of a loops file: `SITE SCHEDULE[,CHUNK]`, where SITE is `module+0xoffset` or `file.c:line`. The language is
/// that of schedules/loops_line.hpp.
struct loop_choice {
  std::string site;
  std::string schedule;
  std::size_t number = 0;  ///< of the line
  std::string file;        ///< of `file.c:line`; empty: the site is a module's
  unsigned line = 0;
  bool may_be_absent = false;  ///< no loop need run there
};

/// What a loops file says, and what is odd about it: one line for the user, or empty.
struct loops_file {
  std::vector<loop_choice> choices;
  std::string warning;
};

/// Reads and checks a loops file. Throws `failure` with the file and the line number.
[[nodiscard]] loops_file read_loops_file(const std::filesystem::path& file);

/// A line for a loops file, with a remark behind it. A comment that says why where the file could not name the site.
[[nodiscard]] std::string loops_file_line(const std::string& site, const std::string& schedule,
                                          const std::string& remark);

}  // namespace steelyard::tool
