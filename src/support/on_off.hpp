// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "support/words.hpp"

namespace steelyard::support {

/// What a word says of a switch: 1, yes, true, on, or 0, no, false, off, in any case. Nothing: it says neither.
constexpr std::optional<bool> on_or_off(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 8> words = {"0", "no", "false", "off", "1", "yes", "true", "on"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (same_word(words[i], word)) return i >= words.size() / 2;
  }
  return std::nullopt;
}

}  // namespace steelyard::support
