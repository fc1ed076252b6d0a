// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "read/loops_file.hpp"
#include "read/source_loops.hpp"

/// Programs that GCC built do not say at run time where their loops stand in the source: `file.c:line` in a loops file
/// becomes the offsets that their debug information gives, before they start.
namespace steelyard::tool {

struct translated_lines {
  std::string text;                  ///< of a loops file without the lines that were found wrong
  std::vector<std::string> remarks;  ///< one line each: where several loops are meant, or none
};

/// `file` and `program` name them in the remarks. A line that no loop of GCC's stands at stays where Clang's may.
[[nodiscard]] translated_lines translate(const loops_file& wanted, const source_loops& loops, const std::string& file,
                                         const std::string& program);

/// A file of this process and what it becomes, which holds the text; its path.
[[nodiscard]] std::string open_file_with(const std::string& text);

}  // namespace steelyard::tool
