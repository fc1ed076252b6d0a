// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// What there is to say of the schedules beyond their one line: for people who choose one.
namespace steelyard::tool {

/// Schedules that are alike, in the order users see them.
struct family {
  std::string_view name;
  std::string_view what;
};

struct explanation {
  std::string_view schedule;
  std::string_view family;
  std::string_view formula;  ///< how large a chunk is, or what moves
  std::string_view source;
  std::string_view when;  ///< to use it
};

[[nodiscard]] std::span<const family> families() noexcept;

/// In the order users see them.
[[nodiscard]] std::span<const explanation> explanations() noexcept;

/// nullptr: there is none of that name, which is as in the registry.
[[nodiscard]] const explanation* explanation_of(std::string_view schedule) noexcept;

}  // namespace steelyard::tool
