// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// Where idle workers sleep. Protocol, invariants [I1]-[I3] and rejected designs: parking.md.
///
/// A worker that finds no work calls `announce`, looks once more, and then either `cancel`s or sleeps. Who publishes
/// work calls `wake` afterwards. Publishing and the second look must be sequentially consistent accesses of one word.
template <class Sync>
class parking {
 public:
  /// What `announce` hands to `sleep`.
  enum class ticket : std::uint32_t {};

  [[nodiscard]] ticket announce() noexcept {
    sleepers_.fetch_add(1, sync::seq_cst, sync::site{"P1"});
    return ticket{epoch_.load(sync::acquire, sync::site{"P2"})};
  }

  /// There was work after all.
  void cancel() noexcept {
    const auto before = sleepers_.fetch_add(minus_one, sync::relaxed, sync::site{"P7"});
    STEELYARD_ASSERT(before != 0, "P7: who sleeps no more had announced it");
  }

  /// Until a `wake` that began after `announce`; now and then for no reason.
  void sleep(ticket since) noexcept {
    epoch_.wait(static_cast<std::uint32_t>(since), sync::site{"P5"});
    cancel();
  }

  /// Whether somebody slept a moment ago.
  [[nodiscard]] bool some_sleep() const noexcept { return sleepers_.load(sync::relaxed, sync::site{"P8"}) != 0; }

  /// Wakes up to `count` sleepers. One load when nobody sleeps.
  void wake(std::uint32_t count) noexcept {
    if (sleepers_.load(sync::seq_cst, sync::site{"P3"}) == 0) return;
    epoch_.fetch_add(1, sync::release, sync::site{"P4"});
    epoch_.wake(count, sync::site{"P6"});
  }

 private:
  static constexpr std::uint32_t minus_one = ~std::uint32_t{0};

  alignas(support::line_size) typename Sync::template atomic<std::uint32_t> sleepers_{};
  alignas(support::line_size) typename Sync::futex epoch_{};
};

}  // namespace steelyard::runtime
