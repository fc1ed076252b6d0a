// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "runtime/gate.hpp"
#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// Where work that several members share is put up, and idle workers find it. Protocol, invariants [I1]-[I3] and rejected
/// designs: board.md.
///
/// `Work` is what the caller puts up, by pointer; it must live until `withdraw` returns. At most 64 places; tests have
/// fewer. `InGroup`: how many members write one word (gate.hpp).
template <class Sync, class Work, std::uint32_t Places = 64, std::uint32_t InGroup = 16>
class board {
  using its_gate = gate<Sync, InGroup>;
  using group = its_gate::group;

 public:
  static constexpr std::uint32_t places = Places;
  static constexpr std::uint32_t most_seats = its_gate::most_seats;
  static constexpr std::uint32_t no_place = ~0U;
  using look = its_gate::look;

  /// What a worker joined.
  struct membership {
    Work* work = nullptr;  ///< nullptr: nothing
    std::uint32_t place = 0;
    its_gate::seat seat;  ///< with a number, 1 … seats; the caller is 0
  };

  /// For work with so many seats at most.
  explicit board(std::uint32_t seats)
      : groups_(seats > InGroup ? std::make_unique<group[]>(places * its_gate::groups_of(seats)) : nullptr) {
    for (std::uint32_t p = 0; groups_ != nullptr && p < places; ++p)
      all_[p].gate.use(&groups_[p * its_gate::groups_of(seats)]);
  }

  /// Puts up work that up to `seats` (1 … most_seats) members may join. Returns its place, or no_place when all are taken;
  /// the caller then runs it alone.
  [[nodiscard]] std::uint32_t offer(Work& work, std::uint32_t seats) noexcept {
    const std::uint32_t place = take_place();
    if (place == no_place) return no_place;
    all_[place].work.store(&work, sync::relaxed, sync::site{"B15"});
    all_[place].gate.open(seats);
    open_.fetch_add(bit(place), sync::seq_cst, sync::site{"B3"});
    return place;
  }

  /// Joins work that is open, looking from `first` on. Two loads when there is none. A `last` look sees all that was put up before.
  [[nodiscard]] membership join(std::uint32_t first, look how = look::again) noexcept {
    const std::uint64_t open = open_.load(sync::seq_cst, sync::site{"B5"});
    for (std::uint64_t left = std::rotr(open, static_cast<int>(first % bits)); left != 0; left &= left - 1) {
      const auto place = (static_cast<std::uint32_t>(std::countr_zero(left)) + first) % bits;
      const auto seat = all_[place].gate.sit_down(first, how);
      if (seat.number != 0) return {all_[place].work.load(sync::relaxed, sync::site{"B17"}), place, seat};
    }
    return {};
  }

  /// A hint: whether `join` would find something.
  [[nodiscard]] bool has_seats() const noexcept {
    for (auto left = open_.load(sync::relaxed, sync::site{"B19"}); left != 0; left &= left - 1) {
      if (all_[static_cast<std::size_t>(std::countr_zero(left))].gate.has_seats()) return true;
    }
    return false;
  }

  /// After `join`: the member touches the work no more.
  void leave(const membership& of) noexcept { all_[of.place].gate.stand_up(of.seat); }

  /// Takes the work down, and returns when all who joined have left. After a look in vain it calls look_again(), and sleeps
  /// once that says no.
  template <class LookAgain>
  void withdraw(std::uint32_t place, LookAgain look_again) noexcept {
    STEELYARD_ASSERT(place < places, "[I2] work has a place until it is withdrawn");
    const auto open = open_.fetch_add(0 - bit(place), sync::relaxed, sync::site{"B4"});
    STEELYARD_ASSERT((open & bit(place)) != 0, "[I2] work is withdrawn once");
    all_[place].gate.close();
    all_[place].gate.await_empty(look_again);
    const auto taken = taken_.fetch_add(0 - bit(place), sync::release, sync::site{"B13"});
    STEELYARD_ASSERT((taken & bit(place)) != 0, "[I2] a place is given back once");
  }

 private:
  static constexpr std::uint32_t bits = 64;  // of the words `open` and `taken`
  static_assert(Places <= bits);
  static constexpr std::uint64_t bit(std::uint32_t place) noexcept { return std::uint64_t{1} << place; }

  struct alignas(support::line_size) entry {
    its_gate gate;
    typename Sync::template atomic<Work*> work{};  ///< as the words of the gate
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

  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> open_{};
  std::array<entry, places> all_;
  std::unique_ptr<group[]> groups_;  ///< of all places
};

}  // namespace steelyard::runtime
