// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::tool {

/// What a text is printed on.
struct page {
  std::size_t width = 0;  ///< columns, at least 80; 0: as many as it takes
  bool colour = false;
};

/// Standard output. Its width is that of the variable COLUMNS, else of the terminal; without a terminal, or `wide`, as
/// many as it takes. Colour on a terminal that has some, unless NO_COLOR is set.
[[nodiscard]] page standard_page(bool wide);

}  // namespace steelyard::tool
