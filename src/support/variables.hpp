// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "support/words.hpp"

/// The environment variables that mean something to Steelyard, and who is meant by one that does not.
namespace steelyard::support {

inline constexpr std::string_view variable_prefix = "STEELYARD_";

/// What follows the prefix; of the library, the drop-in and the command. STEELYARD_ROOT and _DIR are CMake's.
inline constexpr std::string_view variables[] = {
    "CC_AT_WORK", "CC_LOG",   "CC_STARTED", "DELIVERY", "FREE_REDUCTIONS", "KNOWLEDGE",    "LEARN_BY",
    "LEAST_LEFT", "LIBRARY",  "LIMIT",      "LOOPS",    "NUM_THREADS",     "OLD_NAMES",    "ONE_TRY",
    "REPORT",     "SCHEDULE", "SIGNAL",     "SPAN",     "STATIC",          "SPLIT_CHUNKS", "VERBOSE",
    "VICTIMS",    "WITHOUT",  "ROOT",       "DIR"};

/// The variable that is written most like that one: what follows the prefix in both.
constexpr std::string_view nearest_variable(std::string_view written) noexcept {
  return *std::min_element(std::begin(variables), std::end(variables), [=](std::string_view a, std::string_view b) {
    return distance(written, a) < distance(written, b);
  });
}

/// What a variable has in an environment (`NAME=VALUE` …, nullptr); nullptr: it is not there.
inline const char* value_of(const char* const* environment, std::string_view name) noexcept {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=')
      return *environment + name.size() + 1;
  }
  return nullptr;
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
