// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace steelyard::support {

/// What a word says of a switch: 1, yes, true, on, or 0, no, false, off, in any case. Nothing: it says neither.
constexpr std::optional<bool> on_or_off(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 8> words = {"0", "no", "false", "off", "1", "yes", "true", "on"};
  const auto same = [=](std::string_view known) {
    if (known.size() != word.size()) return false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const char letter = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] + ('a' - 'A')) : word[i];
      if (letter != known[i]) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (same(words[i])) return i >= words.size() / 2;
  }
  return std::nullopt;
}

}  // namespace steelyard::support
