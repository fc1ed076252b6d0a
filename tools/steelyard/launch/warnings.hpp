// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace steelyard::tool::launch {

/// What a compiler printed, as far as it warns.
struct warnings {
  std::set<std::string> all;  ///< `FILE:LINE: [-Wname]`, each once
  std::set<std::string>
      with_notes;  ///< the same, and of the notes that follow each: where a macro is used that it is in
  bool only =
      true;  ///< nothing else was printed but what stands beside warnings: source lines, notes, where it was included from
};

/// Reads the messages of GCC or Clang, coloured or not. A warning without a name in brackets, and a language other than English where the
/// compiler's words are needed, count as something else.
[[nodiscard]] warnings read_warnings(std::string_view printed);

}  // namespace steelyard::tool::launch
