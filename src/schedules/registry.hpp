// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// Every schedule over the real atomics, in the order users see them. An explicit table: static initialisers would
/// vanish from archives.
[[nodiscard]] std::span<const operations> all() noexcept;

/// Another name of a schedule, as the literature has it.
struct alias {
  const char* other;
  const char* name;
};
[[nodiscard]] std::span<const alias> aliases() noexcept;

/// The row of that name, or of which that is another name, its form included, case-insensitive; nullptr when there is none.
[[nodiscard]] const operations* find(std::string_view name) noexcept;

}  // namespace steelyard::schedules
