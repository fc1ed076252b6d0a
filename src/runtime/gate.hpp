// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// How many may still join what one caller shares, and how many are inside. Where there are more seats than `InGroup`, members come
/// in groups of so many, and few of them write the word that all others wait for. Protocol, invariants [I1]-[I5] and rejected designs: gate.md.
template <class Sync, std::uint32_t InGroup>
class gate {
 public:
  static constexpr std::uint32_t most_seats = (1U << 15) - 1;

  /// | turn: 47 | opening: 1 | seats: 8 | inside: 8 |
  struct alignas(support::line_size) group {
    typename Sync::template atomic<std::uint64_t> word{};
  };
  [[nodiscard]] static constexpr std::uint32_t groups_of(std::uint32_t seats) noexcept {
    return (seats + InGroup - 1) / InGroup;
  }

  /// Whether who finds a group that somebody is opening looks again soon, or sleeps if there is no seat.
  enum class look : std::uint8_t { again, last };

  struct seat {
    std::uint32_t number = 0;  ///< 1 …; 0: none
    std::uint32_t group = none;
  };

  /// Before all else: groups_of(seats) of them, for the most seats that it may ever have; none up to InGroup.
  void use(group* groups) noexcept { groups_ = groups; }

  /// By the caller, when nobody is inside.
  void open(std::uint32_t seats) noexcept {
    STEELYARD_ASSERT(seats >= 1 && seats <= most_seats, "gate.md: the word has room for so many seats");
    STEELYARD_ASSERT(seats <= InGroup || groups_ != nullptr, "gate.hpp: many seats need groups");
    seats_.store(seats, sync::relaxed, sync::site{"G2"});
    turn_.store(turn_.load(sync::relaxed, sync::site{"G12"}) + 1, sync::relaxed, sync::site{"G13"});
    word_.store(seats * a_seat, sync::release, sync::site{"G1"});
  }

  /// A seat, if there is one. Those who have different `first / InGroup` look at different groups first.
  [[nodiscard]] seat sit_down(std::uint32_t first, look how) noexcept {
    std::uint32_t found = word_.load(sync::relaxed, sync::site{"G3"});
    while (seats_of(found) != 0) {
      if (seats_of(found) > InGroup) return sit_down_in_a_group(groups_of(seats_of(found)), first / InGroup, how);
      if (word_.compare_exchange(found, found - a_seat + 1, sync::acquire, sync::relaxed, sync::site{"G4"})) {
        const auto seats = seats_.load(sync::relaxed, sync::site{"G5"});
        STEELYARD_ASSERT(seats_of(found) <= seats, "[I1] a member inside reads what the caller wrote");
        return {seats - seats_of(found) + 1, none};
      }
    }
    return {};
  }

  /// A hint.
  [[nodiscard]] bool has_seats() const noexcept {
    const auto seats = seats_of(word_.load(sync::relaxed, sync::site{"G3"}));
    if (seats <= InGroup) return seats != 0;
    for (std::uint32_t g = 0; g < groups_of(seats); ++g) {
      if (!is_full(groups_[g].word.load(sync::relaxed, sync::site{"G15"}))) return true;
    }
    return false;
  }

  /// By a member, which touches the work no more.
  void stand_up(const seat& of) noexcept {
    if (of.group == none) return go_out();
    const auto before = groups_[of.group].word.fetch_add(minus_one, sync::acq_rel, sync::site{"G19"});
    STEELYARD_ASSERT(inside_of(before) != 0, "[I2] who leaves was inside");
    if (inside_of(before) == 1) go_out();
  }

  /// By the caller: no seats from now on, but in groups that somebody is inside.
  void close() noexcept {
    std::uint32_t found = word_.load(sync::relaxed, sync::site{"G7a"});
    while (!word_.compare_exchange(found, found & inside, sync::relaxed, sync::relaxed, sync::site{"G7"})) {
    }
  }

  /// Behind that: until nobody is inside. After a look in vain it calls look_again(), and sleeps once that says no.
  template <class LookAgain>
  void await_empty(LookAgain& look_again) noexcept {
    std::uint32_t found = word_.load(sync::acquire, sync::site{"G8"});
    for (; (found & inside) != 0; found = word_.load(sync::acquire, sync::site{"G8"})) {
      STEELYARD_ASSERT(seats_of(found) == 0, "[I2] there are no seats any more");
      if (look_again()) {
        Sync::pause();
      } else if (word_.compare_exchange(found, found | asleep, sync::relaxed, sync::relaxed, sync::site{"G9"})) {
        word_.wait(found | asleep, sync::site{"G11"});
      }
    }
  }

 private:
  static constexpr std::uint32_t none = ~0U;

  // The word: | asleep: 1 | seats: 15 | inside: 16 |
  static constexpr std::uint32_t inside = 0xffff;
  static constexpr std::uint32_t a_seat = 1U << 16;
  static constexpr std::uint32_t asleep = 1U << 31;
  static constexpr std::uint32_t seats_of(std::uint32_t word) noexcept { return (word & ~asleep) / a_seat; }

  // Of a group's word.
  static_assert(InGroup >= 1 && InGroup <= 0xff);
  static constexpr std::uint64_t a_place = std::uint64_t{1} << 8;
  static constexpr std::uint64_t opening = std::uint64_t{1} << 16;
  static constexpr std::uint64_t a_turn = std::uint64_t{1} << 17;
  static constexpr std::uint64_t minus_one = ~std::uint64_t{0};
  static constexpr std::uint64_t inside_of(std::uint64_t word) noexcept { return word % a_place; }
  static constexpr std::uint64_t left_of(std::uint64_t word) noexcept { return word / a_place % a_place; }
  static constexpr std::uint64_t turn_of(std::uint64_t word) noexcept { return word / a_turn; }

  [[nodiscard]] std::uint64_t turn() const noexcept {
    return turn_.load(sync::relaxed, sync::site{"G14"}) % (minus_one / a_turn + 1);
  }
  /// A hint: all of its members have come, this turn.
  [[nodiscard]] bool is_full(std::uint64_t word) const noexcept {
    return left_of(word) == 0 && turn_of(word) == turn();
  }

  [[nodiscard]] seat sit_down_in_a_group(std::uint32_t groups, std::uint32_t first, look how) noexcept {
    for (std::uint32_t i = 0; i < groups; ++i) {
      const auto g = (first + i) % groups;
      const auto number = join(g, how);
      if (number != 0) return {number, g};
    }
    return {};
  }

  /// The number of who sits down where so many are left.
  static constexpr std::uint32_t number_of(std::uint32_t g, std::uint64_t left) noexcept {
    return g * InGroup + static_cast<std::uint32_t>(left);
  }

  /// The new member's number, or 0.
  [[nodiscard]] std::uint32_t join(std::uint32_t g, look how) noexcept {
    auto& word = groups_[g].word;
    auto found = word.load(sync::relaxed, sync::site{"G15"});
    while (!is_full(found)) {
      if (inside_of(found) != 0) {
        if (left_of(found) == 0) return 0;
        if (word.compare_exchange(found, found - a_place + 1, sync::acquire, sync::relaxed, sync::site{"G16"}))
          return number_of(g, left_of(found));
      } else if ((found & opening) != 0) {
        return how == look::last ? come_first(g) : 0;
      } else if (word.compare_exchange(found, found | opening, sync::relaxed, sync::relaxed, sync::site{"G17"})) {
        return come_first(g);
      }
    }
    return 0;
  }

  /// By who has seen nobody inside this group.
  [[nodiscard]] std::uint32_t come_first(std::uint32_t g) noexcept {
    const auto seats = come_in(g);
    auto& word = groups_[g].word;
    const auto now = turn();
    for (auto found = word.load(sync::relaxed, sync::site{"G15"});;) {
      const bool fresh = turn_of(found) != now;
      STEELYARD_ASSERT(seats == 0 || !fresh || inside_of(found) == 0, "[I4] who is inside a group is inside the work");
      const auto left = seats == 0 ? 0 : fresh ? seats : left_of(found);
      const auto others = fresh ? 0 : inside_of(found);
      const auto then = left == 0 ? found & ~opening : now * a_turn + (left - 1) * a_place + others + 1;
      if (!word.compare_exchange(found, then, sync::release, sync::relaxed, sync::site{"G18"})) continue;
      if (seats != 0 && (left == 0 || others != 0)) go_out();
      return left == 0 ? 0 : number_of(g, left);
    }
  }

  /// For a group. How many seats that has; 0: the work is closed, or has no such group.
  [[nodiscard]] std::uint32_t come_in(std::uint32_t g) noexcept {
    std::uint32_t found = word_.load(sync::relaxed, sync::site{"G3"});
    while (seats_of(found) > std::max(InGroup, g * InGroup)) {
      if (word_.compare_exchange(found, found + 1, sync::acquire, sync::relaxed, sync::site{"G20"}))
        return std::min(InGroup, seats_of(found) - g * InGroup);
    }
    return 0;
  }

  void go_out() noexcept {
    const std::uint32_t before = word_.fetch_add(~0U, sync::release, sync::site{"G6"});
    STEELYARD_ASSERT((before & inside) != 0, "[I2] who leaves was inside");
    if ((before & inside) == 1 && (before & asleep) != 0) word_.wake(1, sync::site{"G10"});
  }

  typename Sync::futex word_{};
  // Written by the caller before G1, read by those inside: ordered by the word alone.
  typename Sync::template atomic<std::uint32_t> seats_{};  ///< at first
  typename Sync::template atomic<std::uint64_t> turn_{};   ///< how often it has been opened
  group* groups_ = nullptr;
};

}  // namespace steelyard::runtime
