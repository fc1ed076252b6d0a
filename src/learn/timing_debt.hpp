// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::learn {

/// When regions are timed that run again and again: timing makes a debt, which they pay with the time of their loops. All in ticks.
///
/// A region that is not timed does not know how long it is, and regions of one body may be of any length, as in an elimination. So one
/// of sixteen, at least, is *looked at*: whoever forks it reads the clock there and at its join. What such regions take is what the others
/// pay, the part of it that loops had of those that were timed, lately: the most, for a team whose members share their cores with
/// other programs takes long without a loop. A change is believed when two looks in a row say so, and
/// the second is at the next region.
///
/// Any thread may begin a region, and several at once: until a timed one has ended, one of sixteen that begin beside it is timed, too. What is lost to a race is a hint,
/// for the next one: who changes a word reads it once.
class timing_debt {
 public:
  enum class kind : std::uint8_t { passes, looked_at, timed };

  /// What is done with a region that begins.
  [[nodiscard]] kind begin() noexcept {
    if (const auto left = until_look_.get(); left != 0) {
      until_look_.set(left - 1);
      return kind::passes;
    }
    if (owed_.get() != 0) return kind::looked_at;
    until_look_.set(longest_interval);  // for those that begin beside it
    return kind::timed;
  }

  /// So many regions, `most` at most, go by as one, without `begin`. 0: the next one has to begin.
  [[nodiscard]] std::uint32_t skip(std::uint32_t most) noexcept {
    const auto left = until_look_.get();
    const bool owes = owed_.get() != 0;
    const auto skipped = std::min<std::uint64_t>(owes ? regions_to_pay() : left, most);
    owes ? pay(skipped) : until_look_.set(left - skipped);
    return static_cast<std::uint32_t>(skipped);
  }

  /// One that was looked at took so long, from its fork to its join.
  void looked(std::uint64_t took) noexcept {
    const auto before = seen_.get();
    seen_.set(took);
    length_.set(scaled(std::min(took, before), part_.get()));
    pay(interval_.get() + 1);
    rest(took / 2 > before ? 0 : regions_to_look());
  }

  /// One that was timed took so long, of which its loops had some. It owes. `at_once`: the next one is timed, too, on credit.
  void timed(std::uint64_t took, std::uint64_t in_loops, std::uint64_t owed, bool at_once) noexcept {
    const auto all = std::max({took, in_loops, std::uint64_t{1}});
    const auto credit = credit_.get() + owed;
    seen_.set(all);
    length_.set(in_loops);
    const auto part = part_.get();
    part_.set(std::max(part_of(in_loops, all), part - part / 8));
    credit_.set(at_once ? credit : 0);
    owed_.set(at_once || credit < in_loops ? 0 : credit);
    rest(regions_to_look());
  }

  /// One that was timed had no loops: so many regions go by.
  void timed_in_vain(std::uint64_t regions) noexcept {
    owed_.set(0);
    rest(regions);
    interval_.set(0);
  }

 private:
  static constexpr std::uint64_t longest_interval = 15;
  static constexpr std::uint64_t whole = 1024;

  class word {
   public:
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(sync::relaxed, sync::site{"A20"}); }
    void set(std::uint64_t value) noexcept { value_.store(value, sync::relaxed, sync::site{"A20"}); }

   private:
    sync::real::atomic<std::uint64_t> value_{};
  };

  static std::uint64_t part_of(std::uint64_t some, std::uint64_t all) noexcept {
    while (all >= whole * whole * whole * whole) some /= 2, all /= 2;
    return std::clamp<std::uint64_t>(some * whole / all, 1, whole);
  }
  static std::uint64_t scaled(std::uint64_t ticks, std::uint64_t part) noexcept {
    return ticks / whole * part + ticks % whole * part / whole;
  }

  [[nodiscard]] std::uint64_t regions_to_pay() const noexcept {
    return owed_.get() / std::max<std::uint64_t>(length_.get(), 1);
  }
  [[nodiscard]] std::uint64_t regions_to_look() const noexcept {
    return std::min(regions_to_pay() / 2, longest_interval);
  }
  void rest(std::uint64_t regions) noexcept {
    until_look_.set(regions);
    interval_.set(regions);
  }
  /// So many regions went by.
  void pay(std::uint64_t regions) noexcept {
    const auto owed = owed_.get();
    const auto length = std::max<std::uint64_t>(length_.get(), 1);
    owed_.set(regions >= owed / length ? 0 : owed - regions * length);
  }

  word until_look_;  ///< regions …
  word interval_;    ///< … and how many there were at first
  word owed_;
  word credit_;  ///< what is owed later
  word length_;  ///< of a region's loops, lately
  word seen_;    ///< of the last region that was looked at, or timed, from its fork to its join
  word part_;    ///< of that which its loops have, of `whole`
};

}  // namespace steelyard::learn
