// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/break_even.hpp"
#include "learn/fetches.hpp"
#include "runtime/callers_pool.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

/// What loops know of a pool: what opening one on it costs.
struct pool_history final : runtime::pool_knowledge {
  learn::break_even even;                      ///< of loops on it
  learn::fetches fetches;                      ///< what fetching chunks costs their members
  sync::real::atomic<std::uint64_t> steals{};  ///< of all its loops' members, added as loops end
};

/// That of a pool, made when the first loop on it asks. Where there is no memory, one that all such pools share.
[[nodiscard]] pool_history& history_of(steelyard_pool& pool) noexcept;

/// Ranges that the members of a pool's loops have taken from each other.
[[nodiscard]] std::uint64_t steals_of(const steelyard_pool& pool) noexcept;

}  // namespace steelyard::loop
