// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

/// What fetching chunks took, in support::ticks, and how many were fetched; of all members.
struct fetching {
  std::uint64_t ticks = 0;
  std::uint64_t count = 0;
  [[nodiscard]] std::uint64_t average() const noexcept { return count != 0 ? ticks / count : 0; }
};

/// What one member has to say when it leaves a loop.
struct of_member {
  std::uint64_t busy = 0;  ///< ticks in the loop
  std::uint64_t left = 0;  ///< ticks from the opening until it left; of a sum: until the last did, or one of the last
  std::uint64_t steals = 0;
  std::uint64_t through = 0;  ///< ticks from the opening until it was through, if somebody asks; 0: nobody does
  fetching fetched;
  std::uint32_t members = 0;  ///< of a sum: that came, and were asked

  /// Of a sum: until when members had done their parts of a loop that took so long, all added up; 0: nobody was asked. Who never came waited for nobody, and what
  /// was before the opening nobody could have done earlier.
  [[nodiscard]] std::uint64_t finished_in(std::uint64_t took, std::uint64_t before_opening,
                                          std::uint32_t of) const noexcept {
    return members != 0 ? through + before_opening * members + took * (of - members) : 0;
  }
};

/// The sums over the members of a loop. Sixteen add to a line of memory, so that hundreds who leave at once do not queue for one; with
/// more than 256 members more do.
class sums {
 public:
  explicit sums(std::uint32_t members) noexcept : used_(std::min(most_lines, (members + to_a_line - 1) / to_a_line)) {
    for (std::uint32_t i = 0; i < used_; ++i) ::new (&lines_.of[i]) line;
  }
  sums(const sums&) = delete;
  sums& operator=(const sums&) = delete;

  /// By that member, once.
  void add(std::uint32_t member, const of_member& its) noexcept {
    auto& to = lines_.of[member / to_a_line % most_lines];
    to.busy.fetch_add(its.busy, sync::relaxed, sync::site{"M1"});
    to.left.store(its.left, sync::relaxed, sync::site{"M10"});
    if (its.steals != 0) to.steals.fetch_add(its.steals, sync::relaxed, sync::site{"M1"});
    if (its.through != 0) {
      to.through.fetch_add(its.through, sync::relaxed, sync::site{"M1"});
      to.members.fetch_add(1, sync::relaxed, sync::site{"M1"});
    }
    if (its.fetched.count == 0) return;
    to.fetch_ticks.fetch_add(its.fetched.ticks, sync::relaxed, sync::site{"M1"});
    to.fetches.fetch_add(its.fetched.count, sync::relaxed, sync::site{"M1"});
  }

  /// By the caller, behind the loop.
  [[nodiscard]] of_member all() const noexcept {
    of_member sum;
    for (std::uint32_t i = 0; i < used_; ++i) {
      const auto& its = lines_.of[i];
      sum.busy += its.busy.load(sync::relaxed, sync::site{"M1"});
      sum.left = std::max(sum.left, its.left.load(sync::relaxed, sync::site{"M10"}));
      sum.steals += its.steals.load(sync::relaxed, sync::site{"M1"});
      sum.through += its.through.load(sync::relaxed, sync::site{"M1"});
      sum.members += its.members.load(sync::relaxed, sync::site{"M1"});
      sum.fetched.ticks += its.fetch_ticks.load(sync::relaxed, sync::site{"M1"});
      sum.fetched.count += its.fetches.load(sync::relaxed, sync::site{"M1"});
    }
    return sum;
  }

 private:
  static constexpr std::uint32_t to_a_line = 16;
  static constexpr std::uint32_t most_lines = 16;
  template <class T>
  using atomic = sync::real::atomic<T>;
  struct alignas(support::line_size) line {
    atomic<std::uint64_t> busy{};
    atomic<std::uint64_t> left{};
    atomic<std::uint64_t> steals{};
    atomic<std::uint64_t> through{};
    atomic<std::uint32_t> members{};
    atomic<std::uint64_t> fetch_ticks{};
    atomic<std::uint64_t> fetches{};
  };

  std::uint32_t used_;
  union lines {  // those that are used are made
    lines() noexcept {}
    line of[most_lines];
  } lines_;
};

}  // namespace steelyard::loop
