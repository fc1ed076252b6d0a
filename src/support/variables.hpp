// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

/// The environment variables that mean something to Steelyard, and who is meant by one that does not.
namespace steelyard::support {

inline constexpr std::string_view variable_prefix = "STEELYARD_";

/// What follows the prefix; of the library, the drop-in and the command. STEELYARD_ROOT and _DIR are CMake's.
inline constexpr std::string_view variables[] = {
    "CC_LOG",       "DELIVERY",  "FREE_REDUCTIONS", "LEARN_BY", "LEAST_LEFT", "LIBRARY", "LIMIT", "LOOPS",
    "NUM_THREADS",  "OLD_NAMES", "ONE_TRY",         "REPORT",   "SCHEDULE",   "SIGNAL",  "SPAN",  "STATIC",
    "SPLIT_CHUNKS", "VERBOSE",   "VICTIMS",         "WITHOUT",  "ROOT",       "DIR"};

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

/// The variable that is written most like that one: what follows the prefix in both.
constexpr std::string_view nearest_variable(std::string_view written) noexcept {
  return *std::min_element(std::begin(variables), std::end(variables), [=](std::string_view a, std::string_view b) {
    return distance(written, a) < distance(written, b);
  });
}

/// Calls say(written, nearest) for each variable of an environment (`NAME=VALUE` …, nullptr) that has our prefix and means nothing, without
/// the prefix. What the tests set is their own.
template <class Say>
void each_unknown_variable(const char* const* environment, Say say) noexcept {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    std::string_view name = *environment;
    if (!name.starts_with(variable_prefix)) continue;
    name = name.substr(0, name.find('='));
    name.remove_prefix(variable_prefix.size());
    if (name.starts_with("TEST_") || std::find(std::begin(variables), std::end(variables), name) != std::end(variables))
      continue;
    say(name, nearest_variable(name));
  }
}

}  // namespace steelyard::support
