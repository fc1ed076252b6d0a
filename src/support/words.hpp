// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

/// Words as users type them: spaces around them and the case of ASCII letters do not matter, and letters may be wrong.
namespace steelyard::support {

constexpr std::string_view trimmed(std::string_view text) noexcept {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// The first word of a list, as it stands. The list loses it, and what divides it from the next.
constexpr std::string_view take_first(std::string_view& list, char divider) noexcept {
  const std::string_view first(list.data(), std::min(list.find(divider), list.size()));
  list.remove_prefix(std::min(first.size() + 1, list.size()));
  return first;
}

constexpr bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// How many letters have to be added, removed or exchanged to make one word the other (Levenshtein). O(length²).
constexpr std::size_t distance(std::string_view from, std::string_view to) noexcept {
  constexpr std::size_t longest = 32;
  from = from.substr(0, longest);
  to = to.substr(0, longest);
  std::array<std::size_t, longest + 1> row{};
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t exchanged = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row[to.size()];
}

}  // namespace steelyard::support
