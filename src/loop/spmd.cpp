// SPDX-License-Identifier: Apache-2.0
#include "loop/spmd.hpp"

#include <sched.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "loop/pace.hpp"
#include "loop/requests.hpp"
#include "loop/settings.hpp"
#include "schedules/idws.hpp"
#include "support/cache_line.hpp"
#include "sync/chain.hpp"
#include "sync/forks.hpp"
#include "sync/free_list.hpp"
#include "sync/interrupt.hpp"

namespace steelyard::loop {
namespace {

using schedules::step;
using unused_blocks = sync::free_list<sync::real>;

constexpr const schedules::operations& schedule = schedules::operations_of<schedules::idws<sync::real>>;
constexpr std::align_val_t line{support::line_size};

/// One loop of a team, from its first arriver until the last has entered the next one. The schedule's state lies behind it.
class alignas(support::line_size) context : public sync::chain_link<sync::real, context> {
 public:
  /// `this` lies at the beginning of so many bytes.
  static std::size_t bytes(std::uint32_t members) noexcept {
    return sizeof(context) + schedule.bytes(shape_of(members, 0)) + requests::bytes(members);
  }

  context(std::uint32_t members, std::uint64_t iterations, bool one_try) noexcept
      : shares_(schedule, state(), members,
                static_cast<std::byte*>(state()) + schedule.bytes(shape_of(members, iterations))) {
    auto loop = shape_of(members, iterations);
    loop.experiment.one_try = one_try;
    schedule.open(state(), loop);
  }

  requests& shares() noexcept { return shares_; }
  void* state() noexcept { return this + 1; }

 private:
  static schedules::shape shape_of(std::uint32_t members, std::uint64_t iterations) noexcept {
    schedules::shape loop;
    loop.iterations = iterations;
    loop.members = members;
    loop.front_end.open = true;
    return loop;
  }

  requests shares_;
};

/// A place for a context: it serves one after the other. The header of its list has a line of its own.
struct alignas(support::line_size) block : unused_blocks::block {
  static block* of(context* in) noexcept { return reinterpret_cast<block*>(in) - 1; }
  void* payload() noexcept { return this + 1; }
};

class spmd_team;

/// A member's own part of its team.
struct alignas(support::line_size) seat {
  spmd_team* of = nullptr;
  std::uint32_t number = 0;
  context* in = nullptr;  ///< the cursor of the chain: the last loop entered
  block* spare = nullptr;
  pace claims{1};
  std::optional<sync::answering> answers;  ///< while it is inside
};

/// The threads that enter loops together. Never freed: there are as many as ways in which a program nests its regions.
class spmd_team {
 public:
  spmd_team(std::uint64_t key, std::uint32_t members)
      : key_(key), members_(members), seats_(std::make_unique<seat[]>(members)) {
    for (std::uint32_t m = 0; m < members; ++m) {
      seats_[m].of = this;
      seats_[m].number = m;
    }
  }

  [[nodiscard]] bool is(std::uint64_t key, std::uint32_t members) const noexcept {
    return key_ == key && members_ == members && process_ == sync::forks();
  }
  spmd_team* next = nullptr;  ///< made before; written before this one is published

  /// The member's next loop: found, or opened.
  seat& enter(std::uint32_t m, std::uint64_t iterations, bool one_try) noexcept {
    auto& own = seats_[m];
    context* found = loops_.behind(own.in);
    while (found == nullptr) {
      if (own.spare == nullptr) own.spare = memory();
      if (own.spare == nullptr) {
        sched_yield();  // the others count on this member: it can only wait for memory, or for another to open the loop
        found = loops_.behind(own.in);
        continue;
      }
      auto* const fresh = ::new (own.spare->payload()) context(members_, iterations, one_try);
      found = loops_.publish(own.in, fresh);
      if (found == fresh) own.spare = nullptr;
    }
    if (context* const ended = loops_.move(own.in, found, members_); ended != nullptr) unused_.push(block::of(ended));
    found->shares().enter(m);
    own.claims = pace(1);
    own.answers.emplace([](void* of, unsigned n) { static_cast<requests*>(of)->answer(n); }, &found->shares(), m);
    return own;
  }

 private:
  block* memory() noexcept {
    if (auto* const found = unused_.take(); found != nullptr) return static_cast<block*>(found);
    void* const fresh = ::operator new(sizeof(block) + context::bytes(members_), line, std::nothrow);
    return fresh != nullptr ? ::new (fresh) block : nullptr;
  }

  std::uint64_t key_;
  std::uint32_t members_;
  std::uint32_t process_ =
      sync::forks();  ///< a child of fork begins with none: members of its parent's may be anywhere
  std::unique_ptr<seat[]> seats_;
  sync::chain<sync::real, context> loops_;
  unused_blocks unused_;
};

constinit sync::real::atomic<spmd_team*> newest{};

/// The team of this name, made where there is none.
spmd_team& find_or_make(std::uint64_t key, std::uint32_t members) {
  std::unique_ptr<spmd_team> made;
  auto* first = newest.load(sync::acquire, sync::site{"T1"});
  for (const spmd_team* seen = nullptr;;) {
    for (auto* each = first; each != seen; each = each->next) {
      if (each->is(key, members)) return *each;
    }
    seen = first;
    if (made == nullptr) made = std::make_unique<spmd_team>(key, members);
    made->next = first;
    if (newest.compare_exchange(first, made.get(), sync::release, sync::acquire, sync::site{"T2"}))
      return *made.release();
  }
}

/// The same; a thread remembers the last few, for regions that nest.
spmd_team& team_of(std::uint64_t key, std::uint32_t members) {
  static constinit thread_local std::array<spmd_team*, 4> known{};
  auto& place = known[(key ^ members) % known.size()];
  if (place == nullptr || !place->is(key, members)) place = &find_or_make(key, members);
  return *place;
}

/// Claims what comes next of the own range or, when that is used up, of what others give.
steelyard_piece claim_next(seat& own, steelyard_range& range) noexcept {
  auto& shares = own.in->shares();
  for (std::uint32_t turn = 0;;) {
    const auto got = schedule.next(own.in->state(), own.number);
    if (got.done()) return {};
    if (got.what == step::kind::wait) {
      sync::real::relax(turn++);
    } else if (got.what == step::kind::ask) {
      shares.deliver(own.number, static_cast<std::uint32_t>(got.first));
      turn = 0;
    } else if (const auto piece = shares.claim(own.number, own.claims.step()); piece.count != 0) {
      range = shares.range(own.number);
      range.step = own.claims.step();
      range.until = own.claims.until(range.at);
      own.claims.begin(piece.first);
      return piece;
    }
  }
}

}  // namespace

void enter_spmd(steelyard_idws& self, std::uint64_t team, std::uint32_t members, std::uint32_t number,
                std::uint64_t iterations, std::uint32_t flags) noexcept {
  self = {};
  if (number >= members) return;
  const bool one_try = (flags & STEELYARD_ONE_TRY) != 0 || settings().one_try;
  for (;;) {
    try {
      self.loop = &team_of(team, members).enter(number, iterations, one_try);
      return;
    } catch (const std::bad_alloc&) {
      sched_yield();  // as in spmd_team::enter
    }
  }
}

steelyard_piece claim_spmd(steelyard_idws& self) noexcept {
  if (self.loop == nullptr) return {};
  auto& own = *static_cast<seat*>(self.loop);
  auto& range = self.range;
  if (range.at < range.until) {
    const auto got = own.in->shares().claim_slowly(own.number, {range.at, range.step});
    range.at = got.first + got.count;
    if (got.count != 0) return got;
  } else if (range.head != nullptr) {
    own.claims.look(range.at);
  }
  return claim_next(own, range);
}

void leave_spmd(steelyard_idws& self) noexcept {
  if (self.loop == nullptr) return;
  auto& own = *static_cast<seat*>(std::exchange(self.loop, nullptr));
  own.in->shares().leave(own.number);
  own.answers.reset();
}

}  // namespace steelyard::loop
