// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <steelyard/steelyard.h>
#include <steelyard/detail/needs_exceptions.hpp>

/// @file
/// The schedules by name, for C++17 and later. Everything here is inline over the C interface of <steelyard/steelyard.h>.
namespace steelyard {
inline namespace v1 {

/// @addtogroup schedules
/// @{

/// One schedule as users see it.
struct schedule_info {
  const char* name;     ///< as users type it
  const char* summary;  ///< what it does, in one line
  const char* chunk;    ///< what its chunk parameter is; nullptr: it takes none
};

/// A schedule with its chunk: what `name[,chunk]` means.
struct schedule_choice {
  schedule_info schedule;  ///< which
  std::uint64_t chunk;     ///< in iterations; 0: not given, the schedule's own default
};

namespace detail {
inline schedule_info schedule_at(std::size_t index) noexcept {
  return {steelyard_schedule_name(index), steelyard_schedule_summary(index), steelyard_schedule_chunk(index)};
}

/// The C interface would read such a text up to there.
inline bool has_zero(const std::string& text) noexcept { return text.find('\0') != std::string::npos; }
}  // namespace detail

/// Every schedule. Throws std::bad_alloc.
/// @return them in the order users see them.
[[nodiscard]] inline std::vector<schedule_info> all_schedules() {
  std::vector<schedule_info> all;
  all.reserve(steelyard_schedule_count());
  for (std::size_t i = 0; i < steelyard_schedule_count(); ++i) all.push_back(detail::schedule_at(i));
  return all;
}

/// The schedule of a name.
/// @param name in upper or lower case.
/// @return the schedule, or std::nullopt when there is none.
[[nodiscard]] inline std::optional<schedule_info> find_schedule(const std::string& name) noexcept {
  if (detail::has_zero(name)) return std::nullopt;
  const std::size_t index = steelyard_schedule_find(name.c_str());
  if (index == steelyard_schedule_count()) return std::nullopt;
  return detail::schedule_at(index);
}

/// What a text means. Throws std::invalid_argument with the text and what is wrong with it.
/// @param text "name[:form][,chunk]", as steelyard_schedule_parse() reads it.
/// @return the schedule and its chunk.
[[nodiscard]] inline schedule_choice parse_schedule(const std::string& text) {
  if (detail::has_zero(text)) {
    throw std::invalid_argument("'" + std::string(text.c_str()) + "' has a zero byte behind it; leave that out");
  }
  steelyard_choice choice{};
  if (const char* wrong = steelyard_schedule_parse(text.c_str(), &choice)) {
    throw std::invalid_argument("'" + text + "' " + wrong);
  }
  return {detail::schedule_at(choice.schedule), choice.chunk};
}

/// @}

}  // namespace v1
}  // namespace steelyard
