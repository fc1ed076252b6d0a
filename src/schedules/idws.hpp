// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/deal.hpp"
#include "schedules/seats.hpp"
#include "sync/open_range.hpp"

namespace steelyard::schedules {

/// Interrupt-driven work sharing (Rokos, Gorman & Kelly, section 3). Deal: equal blocks. Take: an open range; for a front
/// end without them as `steal` does. Ask: the member with most iterations left whom nobody else asks. Split: half of what
/// the victim has not claimed, rounded down. Deliver: the front end's choice (the victim in a signal handler, or when it
/// looks; the thief under membarrier); for a front end that cannot, the thief.
///
/// A thief that is refused, or finds only victims that others ask, tries again while anybody has two iterations left;
/// with `shape::one_try` it leaves the loop, as in the paper.
template <class Sync>
class alignas(support::line_size) idws {
 public:
  static constexpr traits about{"idws", "equal blocks; an idle member has the fullest one give half of its rest",
                                "least iterations per chunk (1)", false, false};

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<idws>(loop); }

  explicit idws(const shape& loop) noexcept
      : least_(std::max<std::uint64_t>(loop.chunk, 1)), members_(loop.members), open_(loop.open),
        one_try_(loop.one_try), seats_(this + 1, loop.members, [&loop](void* place, member m) {
          const deal::block<std::uint64_t> share(loop.iterations, loop.members, m);
          ::new (place) seat(share.first, share.first + share.count);
        }) {
    Sync::prepare_membarrier();
  }

  step next(member m) noexcept {
    auto& own = seats_[m];
    if (own.is == state::absent) arrive(own);
    for (;;) {
      if (own.is == state::running) {
        if (open_) return step::in_open_range();
        if (const auto chunk = claim_some(own); !chunk.done()) return chunk;
        own.is = state::idle;
      }
      if (own.is == state::asking) hear(own, m);
      if (own.is == state::idle) look_around(own, m);
      if (own.is == state::finished) return {};
      if (own.is == state::asking && open_) return step::to_ask(own.victim);
    }
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return seats_[m].mine.left(); }
  [[nodiscard]] tally counts(member m) const noexcept { return seats_[m].counts; }

  // For front ends with open ranges.

  using range = sync::open_range<Sync>;

  [[nodiscard]] range& range_of(member m) noexcept { return seats_[m].mine; }

  /// The rest of a claim of [first, first+n) from m's range, see open_range::claim_slowly.
  sync::piece claim_slowly(member m, sync::piece wanted) noexcept {
    const auto got = seats_[m].mine.claim_slowly(wanted, *this);
    if (got.count == 0) seats_[m].is = state::idle;
    return got;
  }

  /// Answers who asks m: by m, or in a signal handler on its thread.
  void answer(member m) noexcept { seats_[m].mine.answer(*this); }

  /// The member runs nothing more of this loop, whatever it has.
  void leave(member m) noexcept {
    seats_[m].mine.close(*this);
    seats_[m].is = state::finished;
  }

  range& operator()(member m) noexcept { return seats_[m].mine; }  ///< finds a range, for `sync::open_range`

 private:
  enum class state : std::uint8_t { absent, running, idle, asking, finished };

  struct alignas(support::line_size) seat {
    seat(std::uint64_t first, std::uint64_t last) noexcept : mine(first, last) {}

    range mine;
    // The owner's alone:
    state is = state::absent;
    member victim = 0;
    std::uint32_t turns = 0;  ///< of waiting for a victim that nobody else asks
    std::uint64_t taken = 0;  ///< of the range that it has now
    tally counts{};
  };
  using lines = seats<seat>;

  static void arrive(seat& own) noexcept { own.is = own.mine.arrive() ? state::running : state::idle; }

  /// A fifth of what is left, no more than half of what it has had: see take::gradual.
  step claim_some(seat& own) noexcept {
    const auto left = own.mine.left();
    if (left == 0) {
      own.mine.close(*this);
      return {};
    }
    const auto got = own.mine.claim(std::min(std::max(std::min(left / 5, own.taken / 2), least_), left), *this);
    own.taken += got.count;
    return {got.first, got.count, 1};
  }

  void run_anew(seat& own) noexcept {
    own.is = state::running;
    own.taken = 0;
    own.turns = 0;
    ++own.counts.steals;
  }

  /// Whether there is an answer, and what it is.
  void hear(seat& own, member m) noexcept {
    if (!open_) own.mine.take(seats_[own.victim].mine, m);
    auto reply = own.mine.hear();
    // The victim has begun to answer.
    for (std::uint32_t turn = 0; !open_ && reply == sync::reply::none; reply = own.mine.hear()) Sync::relax(turn++);
    if (reply == sync::reply::none) return;
    own.is = state::idle;
    if (reply == sync::reply::given) {
      own.mine.reopen();
      run_anew(own);
    } else if (one_try_) {
      own.is = state::finished;
    }
  }

  /// Turns to the member with most left that will hear; nobody: finished, or idle when somebody has enough but is asked by
  /// others.
  void look_around(seat& own, member m) noexcept {
    bool some_busy = false;
    std::uint64_t most = ~std::uint64_t{0};
    for (member tries = 1; tries < members_; ++tries) {
      const auto [victim, left] = fullest(m, most);
      if (victim == m) break;
      auto& theirs = seats_[victim].mine;
      if (theirs.is_unclaimed() ? own.mine.take_over(theirs) : own.mine.ask(theirs, m)) {
        ++own.counts.attempts;
        own.victim = victim;
        own.is = state::asking;
        if (own.mine.is_open()) run_anew(own);
        return;
      }
      some_busy = true;
      most = left;  // another with as much is passed over this time
    }
    if (!some_busy || one_try_) {
      own.is = state::finished;
    } else {
      Sync::relax(own.turns++);
    }
  }

  struct candidate {
    member who;
    std::uint64_t left;
  };

  /// The member with most left, below `most`, that could give some; m itself: none.
  [[nodiscard]] candidate fullest(member m, std::uint64_t most) const noexcept {
    candidate best{m, 0};
    for (member v = m + 1 == members_ ? 0 : m + 1; v != m; v = v + 1 == members_ ? 0 : v + 1) {
      const auto left = seats_[v].mine.left();
      if (left <= best.left || left >= most) continue;
      if (left >= 2 || seats_[v].mine.is_unclaimed()) best = {v, left};
    }
    return best;
  }

  std::uint64_t least_;
  std::uint32_t members_;
  bool open_;
  bool one_try_;
  lines seats_;
};

}  // namespace steelyard::schedules
