// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard::loop {

/// How a thief's request reaches its victim (sync/open_range.md).
enum class delivery : std::uint8_t {
  hybrid,  ///< the victim answers when it next looks; has it not looked for `sync::patience`, the thief takes by itself
  membarrier,  ///< the thief takes by itself at once
  signal,      ///< the victim is interrupted
  poll         ///< it answers when it next looks
};

[[nodiscard]] std::optional<delivery> delivery_of(std::string_view name) noexcept;

/// STEELYARD_DELIVERY, else `hybrid`: looking costs a victim nothing, and a thief no more than twice what `membarrier` takes.
[[nodiscard]] delivery delivery_of_process() noexcept;

}  // namespace steelyard::loop
