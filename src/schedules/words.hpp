// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Words as users type them: spaces around them and the case of ASCII letters do not matter.
namespace steelyard::schedules {

constexpr std::string_view trimmed(std::string_view text) noexcept {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

constexpr bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace steelyard::schedules
