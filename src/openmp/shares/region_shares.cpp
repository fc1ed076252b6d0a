// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/region_shares.hpp"

#include <algorithm>
#include <new>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

using support::ticks;

/// Timing takes no more than so small a part of the loops' time.
constexpr std::uint64_t part = 100;
/// Two readings of the clock by each member, in ticks, at most.
constexpr std::uint64_t two_readings = 120;
constexpr std::uint64_t longest_pause = 1024;

constinit sync::real::atomic<region_shares*> all_shares{};

template <class T>
T* take_new(std::size_t bytes = sizeof(T)) noexcept {
  void* const memory = slab_take(bytes);
  return memory != nullptr ? ::new (memory) T : nullptr;
}

std::size_t bytes_of_ends(std::uint32_t members) noexcept { return members * sizeof(std::uint64_t); }

/// Blocks as OpenMP's static schedule has them: the first N mod P members get one iteration more.
void equal_ends(std::uint64_t iterations, std::uint32_t members, std::uint64_t* ends) noexcept {
  const std::uint64_t each = iterations / members;
  const std::uint64_t more = iterations % members;
  for (std::uint32_t m = 0; m < members; ++m) ends[m] = each * (m + 1) + std::min<std::uint64_t>(m + 1, more);
}

/// Once a process.
void say_wrong_count(std::uint32_t given, std::uint32_t members) noexcept {
  static sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"R8"})) return;
  say("shares are given for %u members and a team has %u; its loops get learnt ones", given, members);
}

}  // namespace

void region_shares::leave(dealt* all, bool timed) noexcept {
  if (!timed) {
    turns_.leave();
  } else if (turns_.leave_to_change()) {
    learn_all(all);
    turns_.changed();
  }
  seen_.set(true);
  give_back_all(all);
}

void region_shares::learn_all(dealt* all) noexcept {
  const std::uint64_t began = ticks();
  ++regions_;
  std::uint64_t longest = 0;
  std::uint64_t readings = 0;
  for (dealt* each = all; each != nullptr; each = each->next) {
    std::uint64_t most = 0;
    for (std::uint32_t m = 0; m < each->members; ++m) most = std::max(most, each->of(m).ticks.read());
    longest += most;
    readings += each->of(0).loops.read();
    learn(*each);
  }
  look_whether_equal();
  const std::uint64_t price = ticks() - began + readings * two_readings;
  until_measured_.set(longest != 0 ? std::min(price * part / longest, longest_pause) : longest_pause);
}

bool region_shares::is_time_to_measure() noexcept {
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
  return first.by_rule || by.only != nullptr ||
         (seen_.get() && barred() == nullptr && by.entered && why_kept(by) == nullptr);
}

/// Why the loops of this trip count have kept equal blocks; nullptr: they need not, or are not known.
const char* region_shares::why_kept(const wanted& by) const noexcept {
  const static_loops* const known = find(by.first, by.only, by.iterations);
  return known != nullptr && known->iterations == by.iterations ? known->keeps : nullptr;
}

dealt* region_shares::deal(const wanted& by) const noexcept {
  constexpr std::size_t head = (sizeof(dealt) + support::line_size - 1) / support::line_size * support::line_size;
  const bool given = is_given(by);
  const static_loops* const from = unequal(by);
  const bool ready = from != nullptr && from->iterations == by.iterations && from->members == by.members;
  const std::size_t lines = by.timed ? by.members * sizeof(dealt::taken) : 0;
  const std::size_t bytes = head + lines + (given || (from != nullptr && !ready) ? bytes_of_ends(by.members) : 0);
  auto* const record = take_new<dealt>(bytes);
  if (record == nullptr) return nullptr;
  auto* const behind = reinterpret_cast<std::byte*>(record) + head;
  record->bytes = bytes;
  record->first = by.first;
  record->only = by.only;
  record->iterations = by.iterations;
  record->members = by.members;
  if (by.entered) record->keeps.set(why_kept(by));
  if (by.timed) {
    record->times = reinterpret_cast<dealt::taken*>(behind);
    for (std::uint32_t m = 0; m < by.members; ++m) ::new (&record->of(m)) dealt::taken;
  }
  auto* const own_ends = reinterpret_cast<std::uint64_t*>(behind + lines);
  if (given) {
    by.first->forced.shares.cut(by.iterations, own_ends);
    record->ends = own_ends;
  } else if (ready) {
    record->ends = from->ends;
  } else if (from != nullptr && from->known->deal(by.iterations, by.members, own_ends)) {
    record->ends = own_ends;
  }
  return record;
}

void region_shares::give_back(dealt* record) noexcept { slab_give(record, record->bytes); }

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
    if (learn::shares::alike(took, members)) return;
    of->known = take_new<learn::shares>();
    if (of->known == nullptr) return;
  }
  const std::uint64_t* ends = from.ends;
  if (ends == nullptr) {
    equal_ends(from.iterations, members, equal);
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
