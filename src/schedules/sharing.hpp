// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/answers.hpp"
#include "schedules/deal.hpp"
#include "schedules/seats.hpp"
#include "sync/open_range.hpp"

namespace steelyard::schedules {

/// The mechanism of the schedules whose victims share their open ranges (sync/open_range.md). A schedule is the answers it
/// is given:
///
/// - `about`: what users see;
/// - `share(loop, m)`: the iterations dealt to member m, a deal::block;
/// - `queues`: who asks a victim that others ask too is answered together with them; else it turns to another;
/// - `lends`: a member that has run out takes back what is left of what it has given, before it asks anybody else;
/// - `ask`: whom a member turns to (answers.hpp).
///
/// A front end with open ranges (`front_end_abilities::open`) runs them and delivers the requests. For any other, members take pieces as
/// `steal` does. A victim answers when it takes its next one; a thief that waits longer than a membarrier takes helps itself.
template <class Sync, class Rules>
class alignas(support::line_size) sharing {
 public:
  static constexpr const traits& about = Rules::about;
  using range = sync::open_range<Sync>;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<sharing>(loop); }

  explicit sharing(const shape& loop) noexcept
      : least_(std::max<std::uint64_t>(loop.chunk, 1)), members_(loop.members), open_(loop.front_end.open),
        one_try_(loop.experiment.one_try), seats_(this + 1, loop.members, [&loop](void* place, member m) {
          const auto share = Rules::share(loop, m);
          ::new (place) seat(share.first, share.first + share.count, loop.seed + m);
        }) {
    Sync::prepare_membarrier();
  }

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    if (own.is == state::absent) own.is = own.mine.arrive() ? state::running : state::idle;
    for (;;) {
      if (own.is == state::running) {
        if (open_) return step::in_open_range();
        if (const auto chunk = claim_some(own); !chunk.done()) return chunk;
        own.is = state::idle;
      }
      if (own.is == state::asking) hear(own);
      if (own.is == state::idle) look_around(own, m);
      if (own.is == state::finished) return {};
      if (open_ && own.is == state::asking) return step::to_ask(own.victim);
      if (open_ && own.is == state::idle) return step::to_wait();
    }
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return seats_[m].mine.left(); }
  [[nodiscard]] tally counts(member m) const noexcept { return seats_[m].counts; }

  // For front ends with open ranges, see sharing_operations.

  [[nodiscard]] range& range_of(member m) noexcept { return seats_[m].mine; }

  sync::piece claim(member m, std::uint64_t count) noexcept { return seen(m, seats_[m].mine.claim(count, *this)); }

  sync::piece claim_slowly(member m, sync::piece wanted) noexcept {
    return seen(m, seats_[m].mine.claim_slowly(wanted, *this));
  }

  void answer(member m) noexcept { seats_[m].mine.answer(*this); }

  void leave(member m) noexcept {
    auto& own = seats_[m];
    own.mine.close(*this);
    if (own.is == state::asking) end_move(own);
    own.is = state::finished;
  }

  range& operator()(member m) noexcept { return seats_[m].mine; }  ///< finds a range, for `sync::open_range`

 private:
  enum class state : std::uint8_t { absent, running, idle, asking, finished };
  static constexpr std::uint32_t nobody = ~0U;

  struct alignas(support::line_size) seat {
    seat(std::uint64_t first, std::uint64_t last, std::uint64_t seed) noexcept : mine(first, last), draws(seed) {}

    range mine;
    typename Sync::template atomic<std::uint32_t> lender{
        nobody};                                            ///< a hint: who gave the range that is being run, or was
    typename Sync::template atomic<std::uint32_t> moves{};  ///< odd: iterations may be on their way to it
    // The owner's alone:
    state is = state::absent;
    member victim = 0;
    bool takes_back = false;  ///< what it asks the victim for
    std::uint32_t turns = 0;  ///< of waiting for a victim that nobody else asks
    std::uint64_t taken = 0;  ///< of the range that it has now
    std::uint64_t draws;
    tally counts{};
  };
  using lines = seats<seat>;

  sync::piece seen(member m, sync::piece got) noexcept {
    if (got.count == 0) seats_[m].is = state::idle;
    return got;
  }

  step claim_some(seat& own) noexcept {
    const auto left = own.mine.left();
    if (left == 0) {
      own.mine.close(*this);
      return {};
    }
    const auto got = own.mine.claim(std::min(std::max(take::next_step(left, own.taken), least_), left), *this);
    own.taken += got.count;
    return {got.first, got.count, 1};
  }

  void run_anew(seat& own, std::uint32_t lender) noexcept {
    own.is = state::running;
    own.taken = 0;
    own.turns = 0;
    ++own.counts.steals;
    if constexpr (Rules::lends) own.lender.store(lender, sync::relaxed, sync::site{"L1"});
  }

  /// Whether there is an answer, and what it is.
  void hear(seat& own) noexcept {
    const auto reply = open_ ? own.mine.hear() : await_reply(own);
    if (reply == sync::reply::none) return;
    own.is = state::idle;
    if (reply == sync::reply::given) {
      own.mine.reopen();
      run_anew(own, own.takes_back ? nobody : own.victim);
    } else if (one_try_) {
      own.is = state::finished;
    }
    end_move(own);
  }

  sync::reply await_reply(seat& own) noexcept {
    auto reply = own.mine.hear();
    for (std::uint32_t turn = 0; reply == sync::reply::none; reply = own.mine.hear(), ++turn) {
      if (turn == Sync::turns_before_help) own.mine.take(seats_[own.victim].mine, *this);
      Sync::relax(turn < Sync::turns_before_help ? 0 : turn - Sync::turns_before_help);
    }
    return reply;
  }

  void look_around(seat& own, member m) noexcept {
    bool some_busy = false;
    if constexpr (Rules::lends) {
      if (take_back(own, m, some_busy)) return;
    }
    if (turn_to_another(own, m, some_busy)) return;
    if (one_try_ || (!some_busy && is_over(m))) {
      own.is = state::finished;
    } else if (!open_) {
      Sync::relax(own.turns++);
    }
  }

  /// Asks one that runs what this member has given for all that is left of it.
  bool take_back(seat& own, member m, bool& some_busy) noexcept {
    for (member v = ask::after(m, members_); v != m; v = ask::after(v, members_)) {
      if (seats_[v].lender.load(sync::relaxed, sync::site{"L2"}) != m || seats_[v].mine.left() == 0) continue;
      if (begin_to_ask(own, m, v, true)) return true;
      some_busy = true;
    }
    return false;
  }

  /// Turns to somebody who has enough, or whose share nobody has claimed; false: to nobody, though some that have enough
  /// may be busy with others.
  bool turn_to_another(seat& own, member m, bool& some_busy) noexcept {
    std::uint64_t bound = ~std::uint64_t{0};
    for (member tries = 1; tries < members_; ++tries) {
      const auto worth = [this, bound](member v) {
        const auto left = left_to_give(v);
        return left <= bound ? left : 0;
      };
      const auto victim = Rules::ask::choose(m, members_, own.draws, worth);
      if (victim == m) return false;
      const auto left = seats_[victim].mine.left();
      if (begin_to_ask(own, m, victim, false)) return true;
      some_busy = true;
      bound = std::max<std::uint64_t>(left, 1) - 1;  // another with as much is passed over this time
    }
    return false;
  }

  /// What moves from one range to another could be missed at both by who looks at them in turn. So who is about to get something
  /// counts twice, before and after; and who finds nothing leaves only if nobody has counted meanwhile.
  static void begin_move(seat& own) noexcept {
    const auto before = own.moves.load(sync::relaxed, sync::site{"L3"});
    STEELYARD_ASSERT(before % 2 == 0, "L4: nothing was on its way to this member");
    own.moves.store(before + 1, sync::relaxed, sync::site{"L4"});
    Sync::fence(sync::release, sync::site{"L5"});
  }
  static void end_move(seat& own) noexcept {
    const auto before = own.moves.load(sync::relaxed, sync::site{"L3"});
    STEELYARD_ASSERT(before % 2 == 1, "L6: something was on its way to this member, or might have been");
    own.moves.store(before + 1, sync::release, sync::site{"L6"});
  }

  /// Whether nobody has anything to give, nor is anything on its way to somebody.
  bool is_over(member m) noexcept {
    std::uint64_t before = 0;
    for (member v = 0; v < members_; ++v) {
      const auto moves = seats_[v].moves.load(sync::acquire, sync::site{"L7"});
      if (moves % 2 != 0) return false;
      before += moves;
    }
    for (member v = 0; v < members_; ++v) {
      if (v != m && left_to_give(v) != 0) return false;
    }
    Sync::fence(sync::acquire, sync::site{"L8"});
    for (member v = 0; v < members_; ++v) before -= seats_[v].moves.load(sync::relaxed, sync::site{"L9"});
    return before == 0;
  }

  /// What it has; nothing, where that is not enough for two, unless nobody runs it.
  [[nodiscard]] std::uint64_t left_to_give(member v) const noexcept {
    const auto& theirs = seats_[v].mine;
    const auto left = theirs.left();
    return left >= 2 || theirs.is_unclaimed() ? left : 0;
  }

  bool begin_to_ask(seat& own, member m, member victim, bool all) noexcept {
    STEELYARD_ASSERT(victim < members_ && victim != m, "sync/open_range.md, [I6]: a thief asks another member");
    auto& theirs = seats_[victim].mine;
    if (!theirs.is_unclaimed() && !theirs.has_queue()) return false;
    begin_move(own);
    bool has_begun = false;
    if (theirs.is_unclaimed()) {
      has_begun = own.mine.take_over(theirs);
      if (has_begun) run_anew(own, nobody);
    } else {
      if constexpr (Rules::lends) own.mine.want_all(all);
      has_begun = Rules::queues ? own.mine.queue(theirs, m) : own.mine.ask(theirs, m);
      if (has_begun) {
        ++own.counts.attempts;
        own.victim = victim;
        own.takes_back = all;
        own.is = state::asking;
        if (!open_ && Sync::turns_before_help != 0) own.mine.ring(theirs);
      }
    }
    if (own.is != state::asking) end_move(own);  // else when it hears the answer
    return has_begun;
  }

  std::uint64_t least_;
  std::uint32_t members_;
  bool open_;
  bool one_try_;
  lines seats_;
};

}  // namespace steelyard::schedules
