// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>

#include "schedules/contract.hpp"
#include "schedules/seats.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// What each member has left, roughly, so that a thief among hundreds finds somebody without asking all: a tree whose leaves are the
/// members' hints, `Fan` to a line of memory, and above them for each line whether there is anything in it. A thief reads a line of
/// each level. Hints decide whom a thief asks, and no more; steal.md says why nothing is lost when they lie.
///
/// `Most`: thieves want the member with most; else any that has something.
template <class Sync, std::uint32_t Fan, bool Most>
class hints {
 public:
  using value = std::uint8_t;

  /// The logarithm of what is left.
  [[nodiscard]] static constexpr value of(std::uint64_t left) noexcept {
    return static_cast<value>(std::bit_width(left));
  }

  [[nodiscard]] static constexpr std::size_t bytes(std::uint32_t members) noexcept {
    std::size_t all = 0;
    for (auto n = lines_of(members);; n = lines_of(n)) {
      all += n * sizeof(line);
      if (n == 1) return all;
    }
  }

  /// Nothing lives at `at`, in memory aligned to lines, before. `initial(m)` is the hint of member m. No members: no hints.
  template <class Initial>
  hints(void* at, std::uint32_t members, const Initial& initial) noexcept {
    if (members == 0) return;
    auto* next = static_cast<line*>(at);
    for (auto n = members;; n = lines_of(n)) {
      level_[++top_] = next;
      for (std::uint32_t i = 0; i < lines_of(n); ++i, ++next) ::new (static_cast<void*>(next)) line;
      if (lines_of(n) == 1) break;
    }
    for (member m = 0; m < members; ++m) at_(0, m).store(initial(m), sync::relaxed, sync::site{"V1"});
    for (member m = 0; m < members; ++m) {
      if (initial(m) != 0) tell_above(m);
    }
  }

  /// By its owner. Until it has `come_by` something, what the opener has told above is true as long as it matters.
  void say(member m, value left, bool come_by) noexcept {
    at_(0, m).store(left, sync::relaxed, sync::site{"V2"});
    if (come_by && left != 0) tell_above(m);
  }

  /// By a thief who has seen that it has nothing, or not enough and has arrived.
  void deny(member m) noexcept { at_(0, m).store(0, sync::relaxed, sync::site{"V3"}); }

  /// Somebody who has something; the thief itself: nobody has. Where it wants most, the best of its own line and of two others that
  /// have something. While nothing is found it goes on. `draw()`: random numbers.
  template <class Draw>
  [[nodiscard]] member find(member thief, const Draw& draw) noexcept {
    candidate best{thief, 0};
    if constexpr (Most) look(thief / Fan, thief, draw(), best);
    for (int others = 0; best.hint == 0 || (Most && others < 2); ++others) {
      const auto in = descend(draw);
      if (in == nowhere) break;
      if (!look(in, thief, draw(), best)) at_(1, in).store(0, sync::relaxed, sync::site{"V4"});
    }
    return best.who;
  }

 private:
  static constexpr std::uint32_t nowhere = ~0U;
  static constexpr int most_levels = std::bit_width(max_members - 1);
  static_assert(Fan >= 2 && Fan <= 8);

  using atomic = typename Sync::template atomic<value>;
  struct alignas(support::line_size) line {
    atomic of[Fan]{};
  };
  struct candidate {
    member who;
    value hint;
  };

  [[nodiscard]] static constexpr std::uint32_t lines_of(std::uint32_t n) noexcept { return (n + Fan - 1) / Fan; }
  [[nodiscard]] atomic& at_(int level, std::uint32_t i) const noexcept { return level_[level][i / Fan].of[i % Fan]; }

  /// That there is something in the lines that this hint is in, or was.
  void tell_above(std::uint32_t i) noexcept {
    for (int level = 1; level <= top_; ++level) {
      auto& above = at_(level, i /= Fan);
      if (above.load(sync::relaxed, sync::site{"V5"}) == 0) above.store(1, sync::relaxed, sync::site{"V6"});
    }
  }

  /// Whether anybody but the thief has something in that line; who has more than the best so far, a random one of several.
  bool look(std::uint32_t in, member thief, std::uint64_t random, candidate& best) const noexcept {
    member have[Fan];
    std::uint32_t n = 0;
    value most = 0;
    for (std::uint32_t i = 0; i < Fan; ++i) {
      const value said = level_[0][in].of[i].load(sync::relaxed, sync::site{"V7"});
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
  std::uint32_t descend(const Draw& draw) noexcept {
    for (;;) {
      std::uint32_t in = 0;
      int level = top_;
      for (; level > 0; --level) {
        const auto below = any_of(level, in, draw());
        if (below == nowhere) break;
        in = below;
      }
      if (level == 0) return top_ == 0 ? nowhere : in;
      if (level == top_) return nowhere;
      at_(level + 1, in).store(0, sync::relaxed, sync::site{"V8"});
    }
  }

  /// A random one of those that have something.
  [[nodiscard]] std::uint32_t any_of(int level, std::uint32_t in, std::uint64_t random) const noexcept {
    std::uint32_t have[Fan];
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < Fan; ++i) {
      if (level_[level][in].of[i].load(sync::relaxed, sync::site{"V9"}) != 0) have[n++] = in * Fan + i;
    }
    return n == 0 ? nowhere : have[one_of(n, random)];
  }

  [[nodiscard]] static constexpr std::uint32_t one_of(std::uint32_t n, std::uint64_t random) noexcept {
    return static_cast<std::uint32_t>((random >> 32) * n >> 32);
  }

  int top_ = -1;  ///< level, of one line
  line* level_[most_levels];
};

}  // namespace steelyard::schedules
