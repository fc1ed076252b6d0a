// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <llvm/ADT/StringRef.h>

namespace steelyard::rewriter {

struct rewritten_unit {
  bool parsed = false;
  std::size_t loops = 0;      ///< that were found
  bool states_costs = false;  ///< some loop does, in the text
  std::string text;
  std::string list;  ///< a JSON object a line: file, line, reach, reason
};

/// Whether loops state the costs that are known of them. What states them is text of ours, which a compiler may refuse.
enum class costs_are { stated, left_out };

/// Parses a preprocessed unit and rewrites its loops. `arguments` are Clang's; and `--prefix-map=OLD=NEW`: how names of files begin where
/// they get into the program; `--for-clang`: that is what compiles the text.
[[nodiscard]] rewritten_unit rewrite_unit(llvm::StringRef text, std::vector<std::string> arguments, costs_are costs);

}  // namespace steelyard::rewriter
