// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// Where work that several members share is put up, and idle workers find it. Protocol, invariants [I1]-[I5] and rejected
/// designs: board.md.
///
/// `Work` is what the caller puts up, by pointer; it must live until `withdraw` returns. At most 64 places; tests have
/// fewer.
template <class Sync, class Work, std::uint32_t Places = 64>
class board {
 public:
  static constexpr std::uint32_t places = Places;
  static constexpr std::uint32_t most_seats = (1U << 15) - 1;
  static constexpr std::uint32_t no_place = ~0U;

  /// What a worker joined.
  struct membership {
    Work* work = nullptr;  ///< nullptr: nothing
    std::uint32_t place = 0;
    std::uint32_t number = 0;  ///< 1 … seats; the caller is 0
  };

  /// Puts up work that up to `seats` (1 … most_seats) members may join. Returns its place, or no_place when all are taken;
  /// the caller then runs it alone.
  [[nodiscard]] std::uint32_t offer(Work& work, std::uint32_t seats) noexcept {
    STEELYARD_ASSERT(seats >= 1 && seats <= most_seats, "board.md: the gate has room for so many seats");
    const std::uint32_t place = take_place();
    if (place == no_place) return no_place;
    all_[place].work.store(&work, sync::relaxed, sync::site{"B15"});
    all_[place].seats.store(seats, sync::relaxed, sync::site{"B16"});
    all_[place].gate.store(seats * seat, sync::release, sync::site{"B2"});
    open_.fetch_add(bit(place), sync::seq_cst, sync::site{"B3"});
    return place;
  }

  /// Joins work that is open, looking from `first` on. Two loads when there is none.
  [[nodiscard]] membership join(std::uint32_t first) noexcept {
    const std::uint64_t open = open_.load(sync::seq_cst, sync::site{"B5"});
    for (std::uint64_t left = std::rotr(open, static_cast<int>(first % bits)); left != 0; left &= left - 1) {
      const auto place = (static_cast<std::uint32_t>(std::countr_zero(left)) + first) % bits;
      const std::uint32_t number = sit_down(all_[place]);
      if (number != 0) return {all_[place].work.load(sync::relaxed, sync::site{"B17"}), place, number};
    }
    return {};
  }

  /// A hint: whether `join` would find something.
  [[nodiscard]] bool has_seats() const noexcept {
    for (auto left = open_.load(sync::relaxed, sync::site{"B19"}); left != 0; left &= left - 1) {
      const auto& gate = all_[static_cast<std::size_t>(std::countr_zero(left))].gate;
      if (seats_of(gate.load(sync::relaxed, sync::site{"B6"})) != 0) return true;
    }
    return false;
  }

  /// After `join`: the member touches the work no more.
  void leave(const membership& of) noexcept {
    auto& gate = all_[of.place].gate;
    const std::uint32_t before = gate.fetch_add(minus_one, sync::release, sync::site{"B8"});
    STEELYARD_ASSERT((before & inside) != 0, "[I2] who leaves was inside");
    if ((before & inside) == 1 && (before & asleep) != 0) gate.wake(1, sync::site{"B12"});
  }

  /// Takes the work down, and returns when all who joined have left. After a look in vain it calls look_again(), and sleeps
  /// once that says no.
  template <class LookAgain>
  void withdraw(std::uint32_t place, LookAgain look_again) noexcept {
    STEELYARD_ASSERT(place < places, "[I3] work has a place until it is withdrawn");
    const auto open = open_.fetch_add(0 - bit(place), sync::relaxed, sync::site{"B4"});
    STEELYARD_ASSERT((open & bit(place)) != 0, "[I3] work is withdrawn once");
    close(all_[place]);
    await_empty(all_[place], look_again);
    const auto taken = taken_.fetch_add(0 - bit(place), sync::release, sync::site{"B13"});
    STEELYARD_ASSERT((taken & bit(place)) != 0, "[I3] a place is given back once");
  }

 private:
  // The gate: | asleep: 1 | seats: 15 | inside: 16 |
  static constexpr std::uint32_t inside = 0xffff;
  static constexpr std::uint32_t seat = 1U << 16;
  static constexpr std::uint32_t asleep = 1U << 31;
  static constexpr std::uint32_t minus_one = ~0U;

  static constexpr std::uint32_t seats_of(std::uint32_t gate) noexcept { return (gate & ~asleep) / seat; }
  static constexpr std::uint32_t bits = 64;  // of the words `open` and `taken`
  static_assert(Places <= bits);
  static constexpr std::uint64_t bit(std::uint32_t place) noexcept { return std::uint64_t{1} << place; }

  struct alignas(support::line_size) entry {
    typename Sync::futex gate{};
    // Written by the caller before B2, read by those inside: ordered by the gate alone.
    typename Sync::template atomic<std::uint32_t> seats{};  ///< at first
    typename Sync::template atomic<Work*> work{};
  };

  std::uint32_t take_place() noexcept {
    std::uint64_t taken = taken_.load(sync::relaxed, sync::site{"B1a"});
    for (;;) {
      const auto place = static_cast<std::uint32_t>(std::countr_one(taken));
      if (place >= places) return no_place;
      if (taken_.compare_exchange(taken, taken | bit(place), sync::acquire, sync::relaxed, sync::site{"B1"}))
        return place;
    }
  }

  /// The member's number, or 0 when there is no seat.
  std::uint32_t sit_down(entry& at) noexcept {
    std::uint32_t found = at.gate.load(sync::relaxed, sync::site{"B6"});
    while (seats_of(found) != 0) {
      if (at.gate.compare_exchange(found, found - seat + 1, sync::acquire, sync::relaxed, sync::site{"B7"})) {
        const auto seats = at.seats.load(sync::relaxed, sync::site{"B18"});
        STEELYARD_ASSERT(seats_of(found) <= seats, "[I1] a member inside reads what the caller wrote");
        return seats - seats_of(found) + 1;
      }
    }
    return 0;
  }

  void close(entry& at) noexcept {
    std::uint32_t found = at.gate.load(sync::relaxed, sync::site{"B9a"});
    while (!at.gate.compare_exchange(found, found & inside, sync::relaxed, sync::relaxed, sync::site{"B9"})) {
    }
  }

  template <class LookAgain>
  void await_empty(entry& at, LookAgain& look_again) noexcept {
    std::uint32_t found = at.gate.load(sync::acquire, sync::site{"B10"});
    for (; (found & inside) != 0; found = at.gate.load(sync::acquire, sync::site{"B10"})) {
      STEELYARD_ASSERT(seats_of(found) == 0, "[I2] there are no seats any more");
      if (look_again()) {
        Sync::pause();
      } else if (at.gate.compare_exchange(found, found | asleep, sync::relaxed, sync::relaxed, sync::site{"B11"})) {
        at.gate.wait(found | asleep, sync::site{"B14"});
      }
    }
  }

  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> open_{};
  std::array<entry, places> all_;
};

}  // namespace steelyard::runtime
