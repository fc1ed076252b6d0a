// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard::loop {

/// How a thief's request reaches its victim (sync/open_range.md).
enum class delivery : std::uint8_t {
  membarrier,  ///< the thief takes by itself
  signal,      ///< the victim is interrupted at once
  hybrid,      ///< it is interrupted when it has not looked within the time that an interrupt takes
  poll         ///< it answers when it next looks
};

[[nodiscard]] std::optional<delivery> delivery_of(std::string_view name) noexcept;

/// What to use for the next request: STEELYARD_DELIVERY, else `membarrier` where the kernel has it, which took half as long as
/// a signal on the machines measured and disturbs no system call; else `hybrid`.
[[nodiscard]] delivery next_delivery() noexcept;

/// Whether a request may interrupt its victim.
[[nodiscard]] bool may_interrupt() noexcept;

/// A request took that many ticks, until its reply.
void note_delivery(delivery how, std::uint64_t ticks) noexcept;

/// What an interrupt takes, in ticks, as far as is known: how long `hybrid` waits for the victim to look.
[[nodiscard]] std::uint64_t patience() noexcept;

}  // namespace steelyard::loop
