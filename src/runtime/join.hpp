// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sync/access.hpp"

namespace steelyard::runtime {

/// What becomes of a task that a thief has, for the one that waits for it. One word of the task's slot; join.md.
template <class Sync>
class outcome {
 public:
  /// By who hands it to the thief, before.
  void begin() noexcept { word_.store(stolen, sync::relaxed, sync::site{"J1"}); }

  /// By the thief, when the result is written. True: who waits for it sleeps, or is about to, and has to be woken.
  bool end(bool threw) noexcept {
    return word_.exchange(threw ? failed : ended, sync::acq_rel, sync::site{"J2"}) == awaited;
  }

  // By who waits.

  [[nodiscard]] bool has_ended() const noexcept { return word_.load(sync::acquire, sync::site{"J3"}) >= ended; }
  [[nodiscard]] bool has_failed() const noexcept { return word_.load(sync::relaxed, sync::site{"J4"}) == failed; }
  /// After each announcement of its sleep, and before the last look. It writes also what is there already: who ends reads this
  /// announcement then, not an earlier one.
  void say_asleep() noexcept {
    auto found = word_.load(sync::relaxed, sync::site{"J4"});
    if (found < ended) word_.compare_exchange(found, awaited, sync::release, sync::relaxed, sync::site{"J5"});
  }

 private:
  static constexpr std::uint32_t stolen = 1;
  static constexpr std::uint32_t awaited = 2;  ///< and who waits for it sleeps
  static constexpr std::uint32_t ended = 3;
  static constexpr std::uint32_t failed = 4;

  typename Sync::template atomic<std::uint32_t> word_;
};

/// The tasks of a group that other threads than its owner push and run: how many of them have ended less how many were
/// pushed, twice; 1 is added while the owner sleeps. What the owner pushes and runs it counts by itself, without atomics: a
/// group has ended when as many have ended elsewhere as are missing here. join.md.
template <class Sync>
class group_count {
 public:
  void push() noexcept { word_.fetch_add(-2, sync::relaxed, sync::site{"J6"}); }
  /// True: the owner sleeps, or is about to, and has to be woken. The group may be gone.
  bool end() noexcept { return (word_.fetch_add(2, sync::acq_rel, sync::site{"J7"}) & 1) != 0; }

  // By the owner.

  /// `missing`: pushed less ended by the owner.
  [[nodiscard]] bool has_ended(std::int64_t missing) const noexcept { return ended() == missing; }
  [[nodiscard]] std::int64_t ended() const noexcept { return word_.load(sync::acquire, sync::site{"J8"}) >> 1; }
  /// As that of `outcome`.
  void say_asleep() noexcept {
    const auto asleep = word_.load(sync::relaxed, sync::site{"J9"}) & 1;
    word_.fetch_add(1 - asleep, sync::release, sync::site{"J10"});
  }
  void clear() noexcept { word_.store(0, sync::relaxed, sync::site{"J11"}); }

 private:
  typename Sync::template atomic<std::int64_t> word_;
};

}  // namespace steelyard::runtime
