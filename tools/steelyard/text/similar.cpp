// SPDX-License-Identifier: Apache-2.0
#include "text/similar.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/words.hpp"

namespace steelyard::tool {

std::string did_you_mean(std::string_view written, std::span<const std::string> known) {
  const auto wrong = [=](const std::string& word) { return support::distance(written, word); };
  const auto nearest =
      std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) { return wrong(a) < wrong(b); });
  if (nearest == known.end() || wrong(*nearest) > std::max<std::size_t>(nearest->size() / 3, 1)) return "";
  return fmt::format("; did you mean {}?", *nearest);
}

}  // namespace steelyard::tool
