// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::tool::launch {

/// Whether some line of a preprocessed text begins so, with that somewhere behind it.
[[nodiscard]] bool has_line_with(std::string_view text, std::string_view first, std::string_view then);

/// A pragma that means something else where the compiler itself preprocesses the source than in its preprocessed text; empty: there is none.
/// GCC: `target` and `optimize` define macros, but not under `-E` before GCC 14. System headers ask for none of these. Clang: a macro in `pack` is
/// not replaced under `-E`.
[[nodiscard]] std::string changed_by_preprocessing(std::string_view text, bool by_clang);

}  // namespace steelyard::tool::launch
