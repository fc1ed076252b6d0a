// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace steelyard::tool {

/// A text of the user's or of a program's as it may stand in a line on a terminal: control characters are `?`, tabs are
/// blanks, and what is longer than `longest` bytes ends in `...`.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 200);

}  // namespace steelyard::tool
