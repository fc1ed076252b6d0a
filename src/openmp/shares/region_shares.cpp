// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/region_shares.hpp"

#include <algorithm>
#include <new>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "schedules/deal.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

#include "learn/work_clock.hpp"

namespace steelyard::openmp {
namespace {

using support::ticks;

/// Timing takes no more than so small a part of the loops' time.
constexpr std::uint64_t part = 100;
constexpr std::uint64_t longest_pause = 1024;

constinit sync::real::atomic<region_shares*> all_shares{};

template <class T>
T* take_new(std::size_t bytes = sizeof(T)) noexcept {
  void* const memory = slab_take(bytes);
  return memory != nullptr ? ::new (memory) T : nullptr;
}

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

std::size_t bytes_of_ends(std::uint32_t members) noexcept { return members * sizeof(std::uint64_t); }

/// Whether blocks that end there hold each iteration once.
[[maybe_unused]] bool partition(const std::uint64_t* ends, std::uint32_t members, std::uint64_t iterations) noexcept {
  return std::is_sorted(ends, ends + members) && ends[members - 1] == iterations;
}

/// Why a loop should have kept the blocks that it was not given; nullptr: all is well.
const char* first_kept_too_late(const dealt* all) noexcept {
  for (; all != nullptr; all = all->next) {
    if (all->ends != nullptr && !all->first->by_rule && all->keeps.get() != nullptr) return all->keeps.get();
  }
  return nullptr;
}

/// Once a process.
void say_wrong_count(std::uint32_t given, std::uint32_t members) noexcept {
  static sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"R8"})) return;
  say("shares are given for %u members and a team has %u; its loops get learnt ones", given, members);
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
  give_back_all(all);
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
  until_measured_.set(pause_after(ticks() - began, blocks, longest));
}

std::uint64_t pause_after(std::uint64_t learning, std::uint64_t blocks, std::uint64_t longest) noexcept {
  const std::uint64_t price = learning + blocks * (block_price + 2 * learn::work.price());
  longest = learn::work.least_ticks(longest);
  return longest != 0 ? std::min(price * part / longest, longest_pause) : longest_pause;
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
  return known != nullptr && known->known != nullptr && known->keeps == nullptr ? known : nullptr;
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

/// A line of `record` for each member's times.
std::byte* region_shares::make_times(dealt& record, void* at) noexcept {
  record.times = static_cast<dealt::taken*>(at);
  for (std::uint32_t m = 0; m < record.members; ++m) ::new (&record.of(m)) dealt::taken;
  return reinterpret_cast<std::byte*>(record.times + record.members);
}

dealt* region_shares::deal(const wanted& by) const noexcept {
  constexpr std::size_t head = (sizeof(dealt) + support::line_size - 1) / support::line_size * support::line_size;
  STEELYARD_ASSERT(by.entered || !by.timed, "[I1] only a region that has entered times its blocks");
  STEELYARD_ASSERT(by.members >= 2 && by.iterations >= by.members,
                   "shares.md: a share is of a team, and of more than nothing");
  const bool given = is_given(by);
  const static_loops* const from = unequal(by);
  const bool ready = from != nullptr && from->iterations == by.iterations && from->members == by.members;
  const std::size_t lines = by.timed ? by.members * sizeof(dealt::taken) : 0;
  const bool may_change =
      by.at_barriers && by.timed && !given && by.first->forced.at_barriers && by.members <= learn::shares::most_members;
  const bool has_own = given || may_change || (from != nullptr && !ready);
  const std::size_t bytes = head + lines + (has_own ? bytes_of_ends(by.members) : 0);
  auto* const record = take_new<dealt>(bytes);
  if (record == nullptr) return nullptr;
  auto* const behind = reinterpret_cast<std::byte*>(record) + head;
  record->bytes = bytes;
  record->first = by.first;
  record->only = by.only;
  record->iterations = by.iterations;
  record->members = by.members;
  if (by.entered) record->keeps.set(why_kept(by));
  auto* const own_ends = reinterpret_cast<std::uint64_t*>(by.timed ? make_times(*record, behind) : behind);
  if (may_change) {
    record->own_ends = own_ends;
    record->before = from != nullptr ? from->known : nullptr;
  }
  if (given) {
    by.first->forced.shares.cut(by.iterations, own_ends);
    record->ends = own_ends;
  } else if (ready) {
    record->ends = from->ends;
  } else if (from != nullptr && from->known->deal(by.iterations, by.members, own_ends)) {
    record->ends = own_ends;
  }
  STEELYARD_ASSERT(record->ends == nullptr || partition(record->ends, by.members, by.iterations),
                   "[I3] a record holds each iteration once");
  return record;
}

void region_shares::give_back(dealt* record) noexcept {
  if (record->known != nullptr) slab_give(record->known, sizeof(learn::shares));
  slab_give(record, record->bytes);
}

void region_shares::give_back_all(dealt* all) noexcept {
  while (all != nullptr) {
    dealt* const next = all->next;
    give_back(all);
    all = next;
  }
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
    if (made->ends != nullptr) slab_give(made->ends, bytes_of_ends(made->members));
    made->ends = nullptr;
  } else {
    made = take_new<static_loops>();
    if (made == nullptr) return nullptr;
    made->next = loops_;
    loops_ = made;
    ++count_;
  }
  made->first = from.first;
  made->only = from.only;
  made->iterations = from.iterations;
  made->keeps = found != nullptr ? found->keeps : nullptr;
  if (found != nullptr && found->known != nullptr) {
    if (made->known == nullptr) made->known = take_new<learn::shares>();
    if (made->known != nullptr) *made->known = *found->known;
  } else if (made->known != nullptr) {
    slab_give(made->known, sizeof(learn::shares));
    made->known = nullptr;
  }
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
  std::uint64_t equal[learn::shares::most_members];
  for (std::uint32_t m = 0; m < members; ++m) took[m] = from.times[m].ticks.read();
  if (of->known == nullptr) {
    if (from.known == nullptr && learn::shares::alike(took, members)) return;
    of->known = take_new<learn::shares>();
    if (of->known == nullptr) return;
  }
  if (from.known != nullptr) {
    *of->known = *from.known;
    return cut(*of, members);
  }
  const std::uint64_t* ends = from.ends;
  if (ends == nullptr) {
    schedules::deal::equal_ends(from.iterations, members, equal);
    ends = equal;
  }
  if (of->known->learn(from.iterations, members, ends, took) || of->members != members) cut(*of, members);
}

/// The blocks of its next instance.
void region_shares::cut(static_loops& of, std::uint32_t members) noexcept {
  std::uint64_t ends[learn::shares::most_members];
  const bool unequal = of.known->deal(of.iterations, members, ends);
  if (of.ends != nullptr && (!unequal || of.members != members)) {
    slab_give(of.ends, bytes_of_ends(of.members));
    of.ends = nullptr;
  }
  of.members = members;
  if (unequal && of.ends == nullptr) of.ends = static_cast<std::uint64_t*>(slab_take(bytes_of_ends(members)));
  STEELYARD_ASSERT(!unequal || partition(ends, members, of.iterations), "[I3] a cut holds each iteration once");
  if (of.ends != nullptr) std::copy_n(ends, members, of.ends);
}

void region_shares::look_whether_equal() noexcept {
  bool unequal = false;
  for (const static_loops* each = loops_; each != nullptr; each = each->next) {
    unequal = unequal || (each->ends != nullptr && each->keeps == nullptr);
  }
  unequal_.set(unequal);
}

region_shares* shares_of(site& fork, const void* body) noexcept {
  region_shares* known = fork.shares.load(sync::acquire, sync::site{"R6"});
  if (known != nullptr) return known;
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

region_shares* first_shares() noexcept { return all_shares.load(sync::acquire, sync::site{"R9"}); }

void forget_bodies() noexcept {
  for (region_shares* each = first_shares(); each != nullptr; each = each->next) each->forget_body();
}

}  // namespace steelyard::openmp
