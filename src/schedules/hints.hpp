// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// What each member has left, roughly, so that a thief among hundreds finds somebody without asking all: a tree whose leaves are the
/// members' hints, `Fan` to a line of memory, and above them for each line whether there is anything in it. A thief reads a line of
/// each level. Hints decide whom a thief asks, and no more; steal.md says why nothing is lost when they lie.
///
/// A line serves one core after the other, and all thieves go through the few at the top. So of those there are copies, 16 at most, one for each
/// `Readers` members, who load from it alone; a store goes to all. Among more than `Few` members thieves would still meet halfway down, in lines that have become
/// empty when nobody has said so. There the owner that is the last of its line to say 0 tells the lines above.
///
/// `Most`: thieves want the member with most; else any that has something.
template <class Sync, std::uint32_t Fan, bool Most, std::uint32_t Readers, std::uint32_t Few>
class hints {
 public:
  using value = std::uint8_t;

  /// The logarithm of what is left.
  [[nodiscard]] static constexpr value of(std::uint64_t left) noexcept {
    return static_cast<value>(std::bit_width(left));
  }

  [[nodiscard]] static constexpr std::size_t bytes(std::uint32_t members) noexcept {
    std::size_t all = 0;
    auto n = lines_of(members);
    for (int level = 0;; ++level, n = lines_of(n)) {
      all += sizeof(line) * copies_of(level, members) * n;
      if (n == 1) return all;
    }
  }

  /// Nothing lives at `at`, in memory aligned to lines, before. `initial(m)` is the hint of member m. There are more members than `Fan`; or none,
  /// and no hints.
  template <class Initial>
  hints(void* at, std::uint32_t members, const Initial& initial) noexcept : owners_tell_(members > Few) {
    if (members == 0) return;
    auto* next = static_cast<line*>(at);
    for (auto n = lines_of(members);; n = lines_of(n)) {
      ++top_;
      const auto copies = copies_of(top_, members);
      level_[top_] = {next, n, copies, ceil_div(members, copies)};
      for (std::uint32_t i = 0; i < copies * n; ++i, ++next) ::new (static_cast<void*>(next)) line;
      if (n == 1) break;
    }
    for (member m = 0; m < members; ++m) hint(m).store(initial(m), sync::relaxed, sync::site{"V1"});
    for (member m = 0; m < members; ++m) {
      if (initial(m) != 0) tell_above(m);
    }
  }

  /// By its owner. Until it has `come_by` something, what the opener has told above is true as long as it matters.
  void say(member m, value left, bool come_by) noexcept {
    hint(m).store(left, sync::relaxed, sync::site{"V2"});
    if (come_by && left != 0) tell_above(m);
    if (owners_tell_ && left == 0) clear_above(m);
  }

  /// By a thief who has seen that it has nothing, or not enough and has arrived.
  void deny(member m) noexcept { hint(m).store(0, sync::relaxed, sync::site{"V3"}); }

  /// Somebody who has something; the thief itself: nobody has. Where it wants most, the best of its own line and of three others that
  /// have something. While nothing is found it goes on. `draw()`: random numbers.
  template <class Draw>
  [[nodiscard]] member find(member thief, const Draw& draw) noexcept {
    candidate best{thief, 0};
    if constexpr (Most) look(thief / Fan, thief, draw(), best);
    for (int others = 0; best.hint == 0 || (Most && others < 3); ++others) {
      const auto in = descend(thief, draw);
      if (in == nowhere) break;
      if (!look(in, thief, draw(), best))
        each_copy(1, in, [](atomic& each) { each.store(0, sync::relaxed, sync::site{"V4"}); });
    }
    return best.who;
  }

 private:
  static constexpr std::uint32_t nowhere = ~0U;
  static constexpr int lowest_copied = 3;  // below that, no line is read by more than a few
  static constexpr std::uint32_t most_copies = 16;
  static_assert(Fan >= 2 && Fan <= 8);

  using atomic = typename Sync::template atomic<value>;
  struct alignas(support::line_size) line {
    atomic of[Fan]{};
  };
  struct level_lines {
    line* first;
    std::uint32_t lines;  ///< of a copy
    std::uint32_t copies;
    std::uint32_t readers;  ///< of a copy
  };
  struct candidate {
    member who;
    value hint;
  };

  [[nodiscard]] static constexpr std::uint32_t lines_of(std::uint32_t n) noexcept { return ceil_div(n, Fan); }
  [[nodiscard]] static constexpr std::uint32_t copies_of(int level, std::uint32_t members) noexcept {
    return level < lowest_copied ? 1 : std::min(ceil_div(members, Readers), most_copies);
  }
  [[nodiscard]] static constexpr int levels_of(std::uint32_t members) noexcept {
    int all = 1;
    for (auto n = lines_of(members); n != 1; n = lines_of(n)) ++all;
    return all;
  }

  [[nodiscard]] atomic& hint(member m) const noexcept { return level_[0].first[m / Fan].of[m % Fan]; }
  /// Flag i of a level, in one of its copies.
  [[nodiscard]] static atomic& flag(const level_lines& in, std::uint32_t copy, std::uint32_t i) noexcept {
    return in.first[copy * in.lines + i / Fan].of[i % Fan];
  }
  /// In the copy that is a member's own.
  [[nodiscard]] atomic& flag_for(member by, int level, std::uint32_t i) const noexcept {
    const auto& in = level_[level];
    return flag(in, by / in.readers, i);
  }
  /// The flag in each copy in turn.
  template <class Store>
  void each_copy(int level, std::uint32_t i, const Store& store) noexcept {
    const auto& in = level_[level];
    for (std::uint32_t copy = 0; copy < in.copies; ++copy) store(flag(in, copy, i));
  }

  /// That there is something in the lines that this hint is in, or was.
  void tell_above(member m) noexcept {
    auto i = m;
    for (int level = 1; level <= top_; ++level) {
      i /= Fan;
      if (flag_for(m, level, i).load(sync::relaxed, sync::site{"V5"}) == 0)
        each_copy(level, i, [](atomic& each) { each.store(1, sync::relaxed, sync::site{"V6"}); });
    }
  }

  /// By an owner that has said 0: that there is nothing in the lines that its hint is in.
  void clear_above(member m) noexcept {
    auto i = m;
    for (int level = 0; level < top_; ++level) {
      i /= Fan;
      for (std::uint32_t each = i * Fan; each < (i + 1) * Fan; ++each) {
        if (flag_for(m, level, each).load(sync::relaxed, sync::site{"V10"}) != 0) return;
      }
      if (flag_for(m, level + 1, i).load(sync::relaxed, sync::site{"V10"}) == 0) return;
      each_copy(level + 1, i, [](atomic& each) { each.store(0, sync::relaxed, sync::site{"V11"}); });
    }
  }

  /// Whether anybody but the thief has something in that line; who has more than the best so far, a random one of several.
  bool look(std::uint32_t in, member thief, std::uint64_t random, candidate& best) const noexcept {
    member have[Fan];
    std::uint32_t n = 0;
    value most = 0;
    for (std::uint32_t i = 0; i < Fan; ++i) {
      const value said = hint(in * Fan + i).load(sync::relaxed, sync::site{"V7"});
      const value counts = Most ? said : std::min<value>(said, 1);
      if (counts == 0 || counts < most || in * Fan + i == thief) continue;
      if (counts > most) n = 0;
      most = counts;
      have[n++] = in * Fan + i;
    }
    if (most > best.hint) best = {have[one_of(n, random)], most};
    return n != 0;
  }

  /// A random line of hints of those that have something, as far as is known; what is known wrongly is put right on the way.
  template <class Draw>
  std::uint32_t descend(member thief, const Draw& draw) noexcept {
    for (;;) {
      std::uint32_t in = 0;
      int level = top_;
      for (; level > 0; --level) {
        const auto below = any_of(thief, level, in, draw());
        if (below == nowhere) break;
        in = below;
      }
      if (level == 0) return top_ == 0 ? nowhere : in;
      if (level == top_) return nowhere;
      each_copy(level + 1, in, [](atomic& each) { each.store(0, sync::relaxed, sync::site{"V8"}); });
    }
  }

  /// A random one of those that have something.
  [[nodiscard]] std::uint32_t any_of(member thief, int level, std::uint32_t in, std::uint64_t random) const noexcept {
    std::uint32_t have[Fan];
    std::uint32_t n = 0;
    for (std::uint32_t i = in * Fan; i < (in + 1) * Fan; ++i) {
      if (flag_for(thief, level, i).load(sync::relaxed, sync::site{"V9"}) != 0) have[n++] = i;
    }
    return n == 0 ? nowhere : have[one_of(n, random)];
  }

  [[nodiscard]] static constexpr std::uint32_t one_of(std::uint32_t n, std::uint64_t random) noexcept {
    return static_cast<std::uint32_t>((random >> 32) * n >> 32);
  }

  int top_ = -1;  ///< level, of one line
  bool owners_tell_;
  level_lines level_[levels_of(max_members)];
};

}  // namespace steelyard::schedules
