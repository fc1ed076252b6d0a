// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "sync/access.hpp"

namespace steelyard::openmp {

/// What stretches of a team's time came to, summed. Nanoseconds.
struct stretch_sums {
  std::uint64_t count = 0;
  std::uint64_t busy = 0;       ///< over the members
  std::uint64_t span = 0;       ///< members x the longest busy time; 1 - busy/span is the imbalance
  std::uint64_t avoidable = 0;  ///< the longest busy time less the mean: what perfect balance would save at best
};

/// The stretches of one parallel region: what its members do from one barrier to the next. Each member adds its busy
/// time of a stretch; who is the last to do so sums the stretch up. Nobody waits. Protocol, invariants [E1]-[E3]:
/// stretches.md.
template <class Sync>
class stretches {
 public:
  /// The caller's busy time in its stretch `number`, counted from 0. One that holds a timed loop, which has figures of its own,
  /// counts in none here but `count`. True: the caller summed the stretch up.
  bool end(std::uint32_t number, std::uint64_t busy, bool holds_timed_loop, std::uint32_t members) noexcept {
    STEELYARD_ASSERT(members != 0, "[E2] a stretch ends with the last of its members");
    slot& in = open_[number % slots];
    in.busy.fetch_add(busy, sync::relaxed, sync::site{"E1a"});
    std::uint64_t seen = in.longest.load(sync::relaxed, sync::site{"E1b"});
    while (seen < busy && !in.longest.compare_exchange(seen, busy, sync::relaxed, sync::relaxed, sync::site{"E1c"})) {
    }
    if (holds_timed_loop) in.holds_timed_loop.store(true, sync::relaxed, sync::site{"E1d"});
    if (in.arrived.fetch_add(1, sync::acq_rel, sync::site{"E2a"}) + 1 != members) return false;
    close(in, members);
    return true;
  }

  /// After the join, by one thread: sums up what `cancel` left open.
  void finish() noexcept {
    for (slot& in : open_) {
      const std::uint32_t arrived = in.arrived.load(sync::relaxed, sync::site{"E2b"});
      if (arrived != 0) close(in, arrived);
    }
  }

  [[nodiscard]] const stretch_sums& found() const noexcept { return found_; }

 private:
  struct slot {
    typename Sync::template atomic<std::uint64_t> busy{};
    typename Sync::template atomic<std::uint64_t> longest{};
    typename Sync::template atomic<bool> holds_timed_loop{};
    typename Sync::template atomic<std::uint32_t> arrived{};
  };

  void close(slot& in, std::uint32_t members) noexcept {
    const std::uint64_t busy = in.busy.load(sync::relaxed, sync::site{"E2c"});
    const std::uint64_t longest = in.longest.load(sync::relaxed, sync::site{"E2d"});
    const bool holds_timed_loop = in.holds_timed_loop.load(sync::relaxed, sync::site{"E2e"});
    in.busy.store(0, sync::relaxed, sync::site{"E3a"});
    in.longest.store(0, sync::relaxed, sync::site{"E3b"});
    in.holds_timed_loop.store(false, sync::relaxed, sync::site{"E3c"});
    in.arrived.store(0, sync::relaxed, sync::site{"E3d"});
    ++found_.count;
    if (holds_timed_loop) return;
    found_.busy += busy;
    found_.span += longest * members;
    const std::uint64_t mean = busy / members;
    found_.avoidable += longest > mean ? longest - mean : 0;  // less where `cancel` has mixed two stretches
  }

  static constexpr std::uint32_t slots = 2;  // [E1]
  slot open_[slots];
  stretch_sums found_;
};

}  // namespace steelyard::openmp
