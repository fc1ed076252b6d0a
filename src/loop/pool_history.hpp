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

/// See history_of, of a pool that has none yet.
[[nodiscard]] pool_history& make_history(steelyard_pool& pool) noexcept;

/// That of a pool, made when the first loop on it asks. Where there is no memory, one that all such pools share.
[[nodiscard]] inline pool_history& history_of(steelyard_pool& pool) noexcept {
  auto* const found = pool.of_loops.load(sync::acquire, sync::site{"A16"});
  return found != nullptr ? static_cast<pool_history&>(*found) : make_history(pool);
}

/// Ranges that the members of a pool's loops have taken from each other.
[[nodiscard]] std::uint64_t steals_of(const steelyard_pool& pool) noexcept;

}  // namespace steelyard::loop
