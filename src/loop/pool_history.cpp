// SPDX-License-Identifier: Apache-2.0
#include "loop/pool_history.hpp"

#include <new>

namespace steelyard::loop {
namespace {

using runtime::pool_knowledge;

/// Of all pools for which there was no memory. Never destroyed, for loops may run in destructors.
union shared_history {
  constexpr shared_history() noexcept : it{} {}
  ~shared_history() {}
  pool_history it;
};
constinit shared_history without_memory;

}  // namespace

pool_history& make_history(steelyard_pool& pool) noexcept {
  auto* const fresh = new (std::nothrow) pool_history;
  if (fresh == nullptr) return without_memory.it;
  pool_knowledge* found = nullptr;
  if (pool.of_loops.compare_exchange(found, fresh, sync::acq_rel, sync::acquire, sync::site{"A17"})) return *fresh;
  delete fresh;
  return static_cast<pool_history&>(*found);
}

std::uint64_t steals_of(const steelyard_pool& pool) noexcept {
  const auto* const found = pool.of_loops.load(sync::acquire, sync::site{"A16"});
  return found != nullptr ? static_cast<const pool_history&>(*found).steals.load(sync::relaxed, sync::site{"M4"}) : 0;
}

}  // namespace steelyard::loop
