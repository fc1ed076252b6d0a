// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"
#include "sync/reply.hpp"

namespace steelyard::sync {

/// Iterations first … first+count-1.
struct piece {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// A range of iterations whose owner claims them piece by piece with a plain store and a plain load, and gives away half
/// of what it has not claimed when another member asks. Who moves the half is the caller's choice: the owner, when it
/// next looks (`ring` makes it look) or in a signal handler (`answer`), or the thief itself under `Sync::membarrier`
/// (`take`). Protocol, invariants [I1]-[I5] and rejected designs: open_range.md.
///
/// Every member of a team has one. It is open while its owner runs it, and receives what the owner is given. A `Find`
/// maps a member's number to its open_range.
template <class Sync>
class alignas(support::line_size) open_range {
 public:
  /// The share [first, last) of an owner that has not come yet.
  open_range(std::uint64_t first, std::uint64_t last) noexcept
      : head_(first), end_(last), channel_(unclaimed), limit_(last) {
    STEELYARD_ASSERT(first <= last, "[I1] a share ends behind its beginning");
  }

  // The owner's.

  /// Begins with the share, unless another member has taken it over.
  bool arrive() noexcept {
    std::uint32_t found = unclaimed;
    return channel_.compare_exchange(found, open, relaxed, relaxed, site{"R1"});
  }

  /// While open: claims the next n > 0 iterations, fewer at the end. None left: the range is closed.
  template <class Find>
  piece claim(std::uint64_t n, Find&& find) noexcept {
    const auto first = head_.load(relaxed, site{"R2"});
    STEELYARD_ASSERT(first + n > first, "[I2] a claim has an end");
    head_.store(first + n, relaxed, site{"R3"});
    Sync::light_fence(site{"R4"});
    if (first + n <= end_.load(relaxed, site{"R5"})) return {first, n};
    return claim_slowly({first, n}, find);
  }

  /// What `claim` comes to when [first, first+n) does not lie before the end it has read, head being first+n already.
  template <class Find>
  piece claim_slowly(piece wanted, Find&& find) noexcept {
    const auto askers = hold();
    const auto limit = limit_.load(relaxed, site{"R6"});
    STEELYARD_ASSERT(wanted.first <= limit, "[I2] the owner has run only what is below the limit");
    const auto last = std::min(wanted.first + wanted.count, limit);
    head_.store(last, relaxed, site{"R7"});
    give(askers, divide(askers, find), find);
    const bool used_up = last == wanted.first;
    end_.store(limit_.load(relaxed, site{"R6"}), relaxed, site{"R8"});
    channel_.store(used_up ? closed : open, release, site{"R9"});
    return {wanted.first, last - wanted.first};
  }

  /// Answers whoever asks: by the owner, anywhere, or by a signal handler on its thread.
  template <class Find>
  void answer(Find&& find) noexcept {
    auto found = channel_.load(relaxed, site{"R10"});
    if (found < first_asker || !channel_.compare_exchange(found, owned, acquire, relaxed, site{"R11"})) return;
    give(found - first_asker, divide(found - first_asker, find), find);
    end_.store(limit_.load(relaxed, site{"R6"}), relaxed, site{"R8"});
    channel_.store(open, release, site{"R9"});
  }

  /// The owner runs no more of it: whatever it had not claimed is dropped.
  template <class Find>
  void close(Find&& find) noexcept {
    const auto found = channel_.load(relaxed, site{"R10"});
    if (found == closed || found == unclaimed) return;
    refuse_all(hold(), find);
    channel_.store(closed, release, site{"R9"});
  }

  /// Where the owner's next claim begins.
  [[nodiscard]] std::uint64_t at() const noexcept { return head_.load(relaxed, site{"R2"}); }

  // Anybody's, as a hint: iterations that are not claimed, and whether their owner gives some away.

  [[nodiscard]] std::uint64_t left() const noexcept {
    return channel_.load(relaxed, site{"R12"}) == closed ? 0 : rest();
  }
  [[nodiscard]] bool is_unclaimed() const noexcept { return channel_.load(relaxed, site{"R12"}) == unclaimed; }
  [[nodiscard]] bool is_open() const noexcept { return channel_.load(relaxed, site{"R12"}) == open; }
  [[nodiscard]] bool has_queue() const noexcept {
    const auto found = channel_.load(relaxed, site{"R12"});
    return found == open || found >= first_asker;
  }

  // The thief's, `thief` being its number and *this its own range, which is closed.

  /// Takes over the share of a member that has not come; then this range is open. The share is as it was dealt until
  /// somebody claims it, and may be anything afterwards: it is read before.
  bool take_over(open_range& share) noexcept {
    STEELYARD_ASSERT(&share != this, "[I1] a share is taken over by another member");
    const auto first = share.head_.load(relaxed, site{"R14"});
    const auto last = share.limit_.load(relaxed, site{"R6"});
    std::uint32_t found = unclaimed;
    if (!share.channel_.compare_exchange(found, closed, relaxed, relaxed, site{"R13"})) return false;
    receive(first, last);
    reopen();
    return true;
  }

  /// Turns to a victim that is open and whom nobody else asks. Then one of `ring` and `take`, and `hear` until there is a
  /// reply; or `withdraw`.
  bool ask(open_range& victim, std::uint32_t thief) noexcept {
    STEELYARD_ASSERT(&victim != this, "[I6] a thief asks another member");
    std::uint32_t found = open;
    behind_.store(nobody, relaxed, site{"R37"});
    return victim.is_open() &&
           victim.channel_.compare_exchange(found, first_asker + thief, acq_rel, relaxed, site{"R16"});
  }

  /// The same, also while others ask: the owner answers all at once. Not with `withdraw`.
  bool queue(open_range& victim, std::uint32_t thief) noexcept {
    STEELYARD_ASSERT(&victim != this, "[I6] a thief asks another member");
    auto found = victim.channel_.load(relaxed, site{"R12"});
    while (found == open || found >= first_asker) {
      behind_.store(found == open ? nobody : found - first_asker, relaxed, site{"R37"});
      if (victim.channel_.compare_exchange(found, first_asker + thief, acq_rel, relaxed, site{"R38"})) return true;
    }
    return false;
  }

  /// What the next request is for: half of the rest, to be shared with all who ask at the same time, or the whole.
  void want_all(bool all) noexcept { wants_all_.store(all, relaxed, site{"R39"}); }

  /// Makes the victim look at its next claim.
  void ring(open_range& victim) noexcept { victim.end_.store(0, relaxed, site{"R17"}); }

  /// No longer wants an answer. False: there is one, or will be at once.
  bool withdraw(open_range& victim, std::uint32_t thief) noexcept {
    std::uint32_t found = first_asker + thief;
    return victim.channel_.compare_exchange(found, open, relaxed, relaxed, site{"R18"});
  }

  /// Does the victim's part itself, for all who ask it just now. Afterwards there is a reply, or will be at once.
  template <class Find>
  void take(open_range& victim, Find&& find) noexcept {
    STEELYARD_ASSERT(&victim != this, "[I3] a thief takes from another member");
    auto found = victim.channel_.load(relaxed, site{"R12"});
    do {
      if (found < first_asker) return;  // somebody has begun to answer
    } while (!victim.channel_.compare_exchange(found, held, acquire, relaxed, site{"R19"}));
    const auto queue = found - first_asker;
    const auto parts = victim.divide(queue, find);
    const auto limit = victim.limit_.load(relaxed, site{"R6"});
    STEELYARD_ASSERT(parts.all <= limit, "[I3] the cut lies in the range");
    victim.end_.store(limit - parts.all, relaxed, site{"R20"});
    if (parts.all != 0 && Sync::membarrier(site{"R21"}) &&
        victim.head_.load(relaxed, site{"R22"}) <= limit - parts.all) {
      victim.give(queue, parts, find);
    } else {
      victim.end_.store(limit, relaxed, site{"R8"});
      refuse_all(queue, find);
    }
    victim.channel_.store(open, release, site{"R25"});
  }

  /// The reply, once.
  reply hear() noexcept { return reply_.hear(); }
  /// Whether there is one to hear.
  [[nodiscard]] bool is_answered() const noexcept { return reply_.is_there(); }
  /// Sleeps until there is one; now and then returns for no reason.
  void sleep() noexcept { reply_.sleep(); }

  /// After `given`: this range is open, with what was given.
  void reopen() noexcept { channel_.store(open, release, site{"R29"}); }

  /// The words that code outside claims by as `claim` does: head and end.
  [[nodiscard]] auto& head() noexcept { return head_; }
  [[nodiscard]] auto& end() noexcept { return end_; }

 private:
  // The channel.
  static constexpr std::uint32_t closed = 0;       ///< the owner runs nothing
  static constexpr std::uint32_t unclaimed = 1;    ///< the owner has not come
  static constexpr std::uint32_t open = 2;         ///< the owner runs, and may be asked
  static constexpr std::uint32_t owned = 3;        ///< the owner is at it
  static constexpr std::uint32_t held = 4;         ///< a thief is at it
  static constexpr std::uint32_t coming = 5;       ///< something was given to the owner, which does not know yet
  static constexpr std::uint32_t first_asker = 6;  ///< 6 + t: thief t asks
  static constexpr std::uint32_t nobody = ~0U;

  [[nodiscard]] std::uint64_t rest() const noexcept {
    const auto head = head_.load(relaxed, site{"R14"});
    const auto limit = limit_.load(relaxed, site{"R6"});
    return limit - std::min(head, limit);
  }

  /// Makes the channel the owner's; the queue of those who ask is returned. Waits for a thief inside `take`.
  std::uint32_t hold() noexcept {
    for (std::uint32_t turn = 0;; ++turn) {
      auto found = channel_.load(relaxed, site{"R10"});
      if (found != held && channel_.compare_exchange(found, owned, acquire, relaxed, site{"R11"})) {
        STEELYARD_ASSERT(found != owned, "[I4] the owner is at it once");
        STEELYARD_ASSERT(found != unclaimed, "[I1] the owner has come");
        return found >= first_asker ? found - first_asker : nobody;
      }
      Sync::relax(turn);
    }
  }

  /// The first in a queue of askers, which then begins with the next.
  template <class Find>
  static open_range& next_asker(std::uint32_t& queue, Find&& find) noexcept {
    open_range& first = find(queue);
    queue = first.behind_.load(relaxed, site{"R40"});
    return first;
  }

  /// How much of what is not claimed goes to each that asks, and to all of them together.
  struct portions {
    std::uint64_t each;
    std::uint64_t all;
  };

  /// Equal parts for the owner and those that ask, rounded down; where that is nothing, one each for some of them, or they
  /// would ask again and again. All of it where one of them wants all.
  template <class Find>
  [[nodiscard]] portions divide(std::uint32_t queue, Find&& find) const noexcept {
    std::uint64_t askers = 0;
    bool all = false;
    for (; queue != nobody; ++askers) all |= next_asker(queue, find).wants_all_.load(relaxed, site{"R41"});
    const auto left = rest();
    const auto each = left / (askers + 1);
    if (all) return {std::max<std::uint64_t>(each, 1), left};
    return each != 0 ? portions{each, each * askers} : portions{1, left / 2};
  }

  /// Gives the tail away; the owner keeps the front.
  template <class Find>
  void give(std::uint32_t queue, portions those, Find&& find) noexcept {
    auto limit = limit_.load(relaxed, site{"R6"});
    while (queue != nobody) {
      open_range& thief = next_asker(queue, find);
      const auto part = thief.wants_all_.load(relaxed, site{"R41"}) ? those.all : std::min(those.each, those.all);
      those.all -= part;
      if (part == 0) {
        refuse(thief);
        continue;
      }
      thief.receive(limit - part, limit);
      limit -= part;
      limit_.store(limit, release, site{"R30"});
      thief.reply_.send(reply::given);
    }
  }

  template <class Find>
  static void refuse_all(std::uint32_t queue, Find&& find) noexcept {
    while (queue != nobody) refuse(next_asker(queue, find));
  }

  static void refuse(open_range& thief) noexcept { thief.reply_.send(reply::refused); }

  void receive(std::uint64_t first, std::uint64_t last) noexcept {
    STEELYARD_ASSERT(first <= last, "[I1] what is given ends behind its beginning");
    head_.store(first, relaxed, site{"R31"});
    limit_.store(last, relaxed, site{"R32"});
    end_.store(last, relaxed, site{"R33"});
    channel_.store(coming, relaxed, site{"R42"});
  }

  template <class T>
  using atomic = typename Sync::template atomic<T>;

  atomic<std::uint64_t> head_;  ///< behind what the owner has claimed; may lie behind the limit for a moment
  atomic<std::uint64_t> end_;   ///< what the owner looks at: the limit, less, or 0
  alignas(support::line_size) atomic<std::uint32_t> channel_;
  atomic<std::uint64_t> limit_;  ///< behind what is the owner's; written by who has the channel
  reply_slot<Sync> reply_{};
  // The owner's as a thief, read by whom it asks:
  atomic<std::uint32_t> behind_{nobody};  ///< who asked the same victim just before
  atomic<bool> wants_all_{};
};

}  // namespace steelyard::sync
