// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/region_shares.hpp"

#include <algorithm>
#include <new>

#include "learn/work_clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "schedules/deal.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

using support::ticks;

/// Timing takes no more than so small a part of the loops' time.
constexpr std::uint64_t part = 100;
constexpr std::uint64_t longest_pause = 1024;

constinit sync::real::atomic<region_shares*> all_shares{};

/// What a member pays for a block that is timed, in ticks: two readings of the clock, and what it notes. Rounded up, because
/// clocks differ: some tick less often than they can be read.
std::uint64_t price_of_block() noexcept {
  constexpr std::uint64_t blocks = 8;
  dealt::taken noted;
  std::uint64_t least = ~std::uint64_t{0};
  for (int round = 0; round < 4; ++round) {
    const std::uint64_t began = ticks();
    for (std::uint64_t each = 0; each < blocks; ++each) {
      const std::uint64_t block_began = ticks();
      noted.ticks.add(ticks() - block_began);
      noted.loops.add(1);
    }
    least = std::min(least, ticks() - began);
  }
  return (least + blocks - 1) / blocks;
}

/// On this machine; measured when the library is loaded.
const std::uint64_t block_price = price_of_block();

/// Why a loop should have kept the blocks that it was not given; nullptr: all is well.
const char* first_kept_too_late(const dealt* all) noexcept {
  for (; all != nullptr; all = all->next) {
    if (all->ends != nullptr && !all->first->by_rule && all->keeps.get() != nullptr) return all->keeps.get();
  }
  return nullptr;
}

void give_ends(std::uint64_t*& ends, std::uint32_t members) noexcept {
  if (ends != nullptr) slab_give(ends, bytes_of_ends(members));
  ends = nullptr;
}

/// What another record begins with.
template <class T>
void copy_known(T*& to, const T* from) noexcept {
  if (from == nullptr) {
    slab_give(to, sizeof(T));
    to = nullptr;
    return;
  }
  if (to == nullptr) to = slab_make<T>();
  if (to != nullptr) *to = *from;
}

/// How much later than the first the last member came.
std::uint64_t late_in(const dealt& of) noexcept {
  std::uint64_t first = of.times[0].began.get();
  std::uint64_t last = first;
  for (std::uint32_t m = 1; m < of.members; ++m) {
    first = std::min(first, of.times[m].began.get());
    last = std::max(last, of.times[m].began.get());
  }
  return last - first;
}

/// Once a process.
void say_wrong_count(std::uint32_t given, std::uint32_t members) noexcept {
  static sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"R8"})) return;
  say("shares are given for %u members and a team has %u; its loops get learnt ones", given, members);
}

void write_down(const region_shares::wanted& by, dealt& record) noexcept {
  record.first = by.first;
  record.only = by.only;
  record.iterations = by.iterations;
  record.chooses = by.chooses;
  record.how.way.members = by.members;
}

/// To a team of as many members, and a loop of as many iterations, as that is known of.
void deal_again(const static_loops& from, dealt& record) noexcept {
  const bool tries = record.times != nullptr && from.choice != nullptr;
  record.deal(tries ? from.trial : from.ends);
  if (from.choice != nullptr) record.how = tries ? from.choice->trial() : from.choice->usual();
}

/// To another.
void deal_alike(const static_loops& from, dealt& record) noexcept {
  if (from.choice != nullptr)
    record.how = from.choice->alike(record.times != nullptr, record.iterations, record.members);
  std::uint64_t* const ends = record.own_ends;
  if (blocks_of(record.how, from.known, record.iterations, record.members, ends)) record.deal(ends);
}

}  // namespace

void region_shares::leave(dealt* all, bool timed) noexcept {
  const char* const too_late = first_kept_too_late(all);
  if (!timed && too_late == nullptr) {
    turns_.leave();
  } else if (turns_.leave_to_change()) {
    timed ? learn_all(all) : keep_all(all);
    turns_.changed();
  } else if (too_late != nullptr) {
    bar(too_late);  // nothing of single loops can be changed just now
  }
  dealt::give_back_all(all);
}

void region_shares::keep_all(const dealt* all) noexcept {
  for (const dealt* each = all; each != nullptr; each = each->next) {
    if (each->keeps.get() == nullptr) continue;
    if (static_loops* const of = find_or_make(*each); of != nullptr) of->keeps = each->keeps.get();
  }
  look_whether_equal();
}

void region_shares::learn_all(dealt* all) noexcept {
  const std::uint64_t began = ticks();
  ++regions_;
  std::uint64_t longest = 0;
  std::uint64_t blocks = 0;
  if (is_due_.get()) learn_again();
  for (dealt* each = all; each != nullptr; each = each->next) {
    STEELYARD_ASSERT(each->times != nullptr, "shares.md: what a region that is timed deals is timed");
    std::uint64_t most = 0;
    for (std::uint32_t m = 0; m < each->members; ++m) most = std::max(most, each->of(m).ticks.read());
    longest += most + each->longest;
    blocks += each->of(0).loops.read();
    learn(*each);
  }
  look_whether_equal();
  until_measured_.set(pause_after(debt_of(ticks() - began, blocks), blocks, longest));
}

std::uint64_t debt_of(std::uint64_t learning, std::uint64_t blocks) noexcept {
  return part * (learning + blocks * (block_price + 2 * learn::work.price()));
}

/// Without loops it is longer each time: a team of one has none to deal.
std::uint64_t region_shares::pause_after(std::uint64_t debt, std::uint64_t blocks, std::uint64_t longest) noexcept {
  empty_pause_ = blocks != 0 ? 0 : std::min(2 * empty_pause_ + 1, longest_pause);
  if (blocks == 0) return empty_pause_;
  longest = learn::work.least_ticks(longest);
  return longest != 0 ? std::min(debt / longest, longest_pause) : longest_pause;
}

void region_shares::learn_again() noexcept {
  is_due_.set(false);
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->known != nullptr) each->known->learn_again();
  }
}

bool region_shares::is_time_to_measure() noexcept {
  begun_.set(begun_.get() + 1);
  const auto* const again = again_.get();
  if (again != nullptr && again->is_due(begun_.get())) is_due_.set(true);
  if (is_due_.get()) return true;
  const std::uint64_t left = until_measured_.get();
  if (left == 0) return true;
  until_measured_.set(left - 1);
  return false;
}

static_loops* region_shares::find(const site* first, const site* only, std::uint64_t iterations) const noexcept {
  static_loops* same_place = nullptr;
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->first != first || each->only != only) continue;
    if (each->iterations == iterations) return each;
    if (same_place == nullptr || each->last_used > same_place->last_used) same_place = each;
  }
  return same_place;
}

const static_loops* region_shares::unequal(const wanted& by) const noexcept {
  if (!by.entered || is_given(by)) return nullptr;
  const static_loops* const known = find(by.first, by.only, by.iterations);
  if (known == nullptr || known->keeps != nullptr) return nullptr;
  return known->known != nullptr || known->choice != nullptr ? known : nullptr;
}

/// Whoever writes a loops file knows the program. Otherwise a first region shows whether it may get other blocks.
bool region_shares::is_given(const wanted& by) const noexcept {
  const site& first = *by.first;
  const std::uint32_t given = first.forced.shares.members();
  if (given == 0) return false;
  if (given != by.members) {
    say_wrong_count(given, by.members);
    return false;
  }
  if (first.by_rule || by.only != nullptr) return true;
  if (!by.entered || barred() != nullptr) return false;
  const static_loops* const known = find(by.first, by.only, by.iterations);
  return known != nullptr && known->keeps == nullptr;
}

/// Why the loops of this trip count, or the last one there, have kept equal blocks; nullptr: they need not, or are not known.
const char* region_shares::why_kept(const wanted& by) const noexcept {
  const static_loops* const known = find(by.first, by.only, by.iterations);
  return known != nullptr ? known->keeps : nullptr;
}

dealt* region_shares::deal(const wanted& by) const noexcept {
  STEELYARD_ASSERT(by.entered || !by.timed, "[I1] only a region that has entered times its blocks");
  STEELYARD_ASSERT(by.members >= 2 && by.iterations >= by.members,
                   "shares.md: a share is of a team, and of more than nothing");
  const bool given = is_given(by);
  const static_loops* const from = unequal(by);
  const bool ready = from != nullptr && from->iterations == by.iterations && from->members == by.members;
  const bool may_change =
      by.at_barriers && by.timed && !given && by.first->forced.at_barriers && by.members <= learn::shares::most_members;
  auto* const record = dealt::make(by.members, by.timed, given || may_change || (from != nullptr && !ready));
  if (record == nullptr) return nullptr;
  write_down(by, *record);
  record->may_change = may_change;
  record->before = may_change && from != nullptr ? from->known : nullptr;
  record->is_new = from == nullptr && !given;
  if (by.entered) record->keeps.set(why_kept(by));
  if (given) {
    by.first->forced.shares.cut(by.iterations, record->own_ends);
    record->deal(record->own_ends);
  } else if (ready) {
    deal_again(*from, *record);
  } else if (from != nullptr) {
    deal_alike(*from, *record);
  }
  return record;
}

/// In place of what was used the longest ago, when there are too many. What is known of other trip counts there is what the
/// first instance of one begins with.
static_loops* region_shares::find_or_make(const dealt& from) noexcept {
  static_loops* const found = find(from.first, from.only, from.iterations);
  if (found != nullptr && found->iterations == from.iterations) return found;
  static_loops* made = nullptr;
  if (count_ == most_loops) {
    made = loops_;
    for (static_loops* each = loops_; each != nullptr; each = each->next) {
      if (each->last_used < made->last_used) made = each;
    }
    if (made == nullptr || made == found) return nullptr;
    give_ends(made->ends, made->members);
    give_ends(made->trial, made->members);
  } else {
    made = slab_make<static_loops>();
    if (made == nullptr) return nullptr;
    made->next = loops_;
    loops_ = made;
    ++count_;
  }
  made->first = from.first;
  made->only = from.only;
  made->iterations = from.iterations;
  made->keeps = found != nullptr ? found->keeps : nullptr;
  copy_known(made->known, found != nullptr ? found->known : nullptr);
  copy_known(made->choice, found != nullptr ? found->choice : nullptr);
  return made;
}

void region_shares::learn(const dealt& from) noexcept {
  static_loops* const of = find_or_make(from);
  if (of == nullptr) return;
  of->last_used = regions_;
  if (const char* const why = from.keeps.get(); why != nullptr) of->keeps = why;
  const std::uint32_t members = from.members;
  if (of->keeps != nullptr || members > learn::shares::most_members) return;
  std::uint64_t took[learn::shares::most_members];
  for (std::uint32_t m = 0; m < members; ++m) took[m] = from.times[m].ticks.read();
  if (from.known != nullptr) {  // learnt at barriers
    copy_known(of->known, from.known);
    return cut(*of, members);
  }
  const bool cut_anew = learn_shares(*of, from, took);
  if (from.chooses) choose(*of, from, took, cut_anew);
  if (cut_anew || of->choice != nullptr || of->members != members) cut(*of, members);
}

/// True: the next cut is another one. Of members that all had a block, and one only.
bool region_shares::learn_shares(static_loops& of, const dealt& from, const std::uint64_t* took) noexcept {
  const std::uint32_t members = members_with_blocks(from.how, from.members);
  if (members < 2 || from.how.is_handed_out()) return false;
  if (of.known == nullptr) {
    if (from.known == nullptr && learn::shares::alike(took, members)) return false;
    of.known = slab_make<learn::shares>();
    if (of.known == nullptr) return false;
  }
  std::uint64_t equal[learn::shares::most_members];
  const std::uint64_t* ends = from.ends;
  if (ends == nullptr) {
    schedules::deal::equal_ends(from.iterations, members, equal);
    ends = equal;
  }
  return of.known->learn(from.iterations, members, ends, took);
}

/// By what one loop took, where there were several.
void region_shares::choose(static_loops& of, const dealt& from, std::uint64_t* took, bool cut_anew) noexcept {
  if (of.choice == nullptr || (of.members != 0 && of.members != from.members)) {
    const choosing nothing_known;
    copy_known(of.choice, &nothing_known);
    if (of.choice == nullptr) return;
  }
  const std::uint64_t loops = std::max<std::uint64_t>(from.times[0].loops.read(), 1);
  for (std::uint32_t m = 0; m < from.members; ++m) took[m] /= loops;
  const bool in_equal_blocks = from.ends == nullptr && !from.how.is_handed_out();
  of.choice->learn({from.how, from.iterations, from.members, took, late_in(from), from.only != nullptr, in_equal_blocks,
                    of.known, cut_anew});
}

namespace {

/// In place of those of another team, perhaps.
void keep_blocks(const static_loops& of, const chosen& how, std::uint32_t members, std::uint64_t*& at) noexcept {
  std::uint64_t ends[learn::shares::most_members];
  const bool unequal = blocks_of(how, of.known, of.iterations, members, ends);
  if (!unequal || of.members != members) give_ends(at, of.members);
  if (unequal && at == nullptr) at = static_cast<std::uint64_t*>(slab_take(bytes_of_ends(members)));
  STEELYARD_ASSERT(!unequal || partition(ends, members, of.iterations), "[I3] a cut holds each iteration once");
  if (at != nullptr) std::copy_n(ends, members, at);
}

}  // namespace

/// The blocks of its next instance.
void region_shares::cut(static_loops& of, std::uint32_t members) noexcept {
  const chosen in_shares{learn::ways::shares, {learn::way::kind::shares, members, 0}};
  keep_blocks(of, of.choice != nullptr ? of.choice->usual() : in_shares, members, of.ends);
  if (of.choice != nullptr) keep_blocks(of, of.choice->trial(), members, of.trial);
  of.members = members;
}

void region_shares::look_whether_equal() noexcept {
  bool unequal = false;
  for (const static_loops* each = loops_; each != nullptr; each = each->next) {
    const bool handed_out = each->choice != nullptr && each->choice->usual().is_handed_out();
    unequal = unequal || ((each->ends != nullptr || handed_out) && each->keeps == nullptr);
  }
  unequal_.set(unequal);
}

region_shares* shares_of(site& fork, const void* body) noexcept {
  region_shares* known = fork.shares.load(sync::acquire, sync::site{"R6"});
  // A fork that ends its function is a jump: then several bodies may be forked at one place, that which the caller returns to.
  if (known != nullptr && (known->body() == body || known->body() == nullptr)) return known;
  const auto alike = [=](const region_shares& other) { return other.body() == body; };
  for (known = first_shares(); known != nullptr && !alike(*known);) known = known->next;
  if (known == nullptr) {
    void* const memory = slab_take(sizeof(region_shares));
    if (memory == nullptr) return nullptr;
    auto* const fresh = ::new (memory) region_shares(body);
    known = push<sync::real>(all_shares, fresh, alike);
    if (known != fresh) slab_give(fresh, sizeof(region_shares));
  }
  fork.shares.store(known, sync::release, sync::site{"R6"});
  return known;
}

const char* why_kept(const site& loop) noexcept {
  const region_shares* const of = loop.shares.load(sync::acquire, sync::site{"R6"});
  if (of == nullptr || loop.by_rule || loop.stated.get() != clause::fixed) return nullptr;
  const char* why = of->barred();
  tell_shares(loop, [&why](const static_loops& loops) { why = why != nullptr ? why : loops.keeps; });
  return why;
}

region_shares* first_shares() noexcept { return all_shares.load(sync::acquire, sync::site{"R9"}); }

void forget_bodies() noexcept {
  for (region_shares* each = first_shares(); each != nullptr; each = each->next) each->forget_body();
}

}  // namespace steelyard::openmp
