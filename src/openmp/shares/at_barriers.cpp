// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/at_barriers.hpp"

#include <algorithm>
#include <new>

#include "openmp/host/slab.hpp"
#include "schedules/deal.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

/// What the members' blocks took since the last barrier, which is forgotten then; returns the longest.
std::uint64_t take_times(dealt& of, std::uint64_t* took) noexcept {
  std::uint64_t longest = 0;
  for (std::uint32_t m = 0; m < of.members; ++m) {
    took[m] = of.of(m).ticks.read();
    longest = std::max(longest, took[m]);
    of.of(m).ticks.clear();
    of.of(m).loops.clear();
  }
  return longest;
}

/// What is learnt in this region begins with what earlier ones have shown. nullptr: there is no memory, or nothing to learn.
learn::shares* learning(dealt& of, const std::uint64_t* took) noexcept {
  if (of.known != nullptr || (of.before == nullptr && learn::shares::alike(took, of.members))) return of.known;
  void* const memory = slab_take(sizeof(learn::shares));
  if (memory == nullptr) return nullptr;
  of.known = ::new (memory) learn::shares;
  if (of.before != nullptr) *of.known = *of.before;
  return of.known;
}

void learn_from(dealt& of, const std::uint64_t* took) noexcept {
  learn::shares* const known = learning(of, took);
  if (known == nullptr) return;
  std::uint64_t equal[learn::shares::most_members];
  for (std::uint32_t m = 0; m < of.members; ++m) {
    const schedules::deal::block<std::uint64_t> its(of.iterations, of.members, m);
    equal[m] = its.first + its.count;
  }
  const std::uint64_t* const ends = of.ends != nullptr ? of.ends : equal;
  if (!known->learn(of.iterations, of.members, ends, took)) return;
  of.ends = known->deal(of.iterations, of.members, of.own_ends) ? of.own_ends : nullptr;
}

std::uint64_t deal_all_anew(dealt* all, const char* barred) noexcept {
  const std::uint64_t began = support::ticks();
  std::uint64_t longest = 0;
  std::uint64_t readings = 0;
  for (dealt* each = all; each != nullptr; each = each->next) {
    if (each->own_ends == nullptr) continue;
    readings += each->of(0).loops.read();
    const std::uint64_t before = each->longest;
    if (barred != nullptr && !each->first->by_rule) each->keeps.set(barred);
    deal_anew(*each);
    longest += each->longest - before;
  }
  if (readings == 0) return 0;  // there was no loop
  return pause_after(support::ticks() - began, readings, longest);
}

}  // namespace

void deal_anew(dealt& of) noexcept {
  std::uint64_t took[learn::shares::most_members];
  const std::uint64_t longest = take_times(of, took);
  of.longest += longest;
  if (of.keeps.get() != nullptr) {
    of.ends = nullptr;
  } else if (!of.stays.get() && longest != 0) {
    learn_from(of, took);
  }
}

void come_to_barrier(frame& in) noexcept {
  region* const team = in.team;
  if (team == nullptr || !team->at_barriers) return;
  if (in.members == 0) learn_team(in);
  if (in.members < 2 || !team->came.is_last(in.barriers++, in.members)) return;
  if (team->until_timed != 0) {
    --team->until_timed;
  } else {
    dealt* const all = team->dealt_loops.load(sync::acquire, sync::site{"R7"});
    team->until_timed = deal_all_anew(all, team->shares->barred());
  }
}

}  // namespace steelyard::openmp
