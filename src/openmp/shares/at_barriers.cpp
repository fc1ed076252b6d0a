// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/at_barriers.hpp"

#include <algorithm>
#include <utility>

#include "openmp/host/slab.hpp"
#include "openmp/shares/prices.hpp"
#include "openmp/shares/static_loop.hpp"
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
  of.known = slab_make<learn::shares>();
  if (of.known != nullptr && of.before != nullptr) *of.known = *of.before;
  return of.known;
}

void learn_from(dealt& of, const std::uint64_t* took) noexcept {
  learn::shares* const known = learning(of, took);
  if (known == nullptr) return;
  std::uint64_t equal[learn::shares::most_members];
  schedules::deal::equal_ends(of.iterations, of.members, equal);
  const std::uint64_t* const ends = of.ends != nullptr ? of.ends : equal;
  if (!known->learn(of.iterations, of.members, ends, took)) return;
  of.ends = known->deal(of.iterations, of.members, of.own_ends) ? of.own_ends : nullptr;
}

/// Returns what the region owes for it, in ticks.
std::uint64_t deal_all_anew(dealt* all, const char* barred) noexcept {
  const std::uint64_t began = support::ticks();
  std::uint64_t blocks = 0;
  for (dealt* each = all; each != nullptr; each = each->next) {
    if (!each->may_change) continue;
    blocks += each->of(0).loops.read();
    if (barred != nullptr && !each->first->by_rule) each->keeps.set(barred);
    deal_anew(*each);
  }
  return blocks != 0 ? debt_of(support::ticks() - began, blocks) : 0;
}

/// Every other time one barrier more passes: where loops take turns, one of them would pay for the others for ever, and not be timed.
void pay(region& team, std::uint64_t passed) noexcept {
  team.owed -= std::min(team.owed, passed);
  if (team.owed == 0 && std::exchange(team.one_more, false)) team.owed = 1;
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

void come_to_barrier(implicit_task& in) noexcept {
  region* const team = in.team;
  if (team == nullptr || !team->at_barriers) return;
  if (in.members == 0) learn_team(in);
  if (in.members < 2 || !team->came.is_last(in.barriers++, in.members)) return;
  if (is_timed(*team)) {
    dealt* const all = team->dealt_loops.load(sync::acquire, sync::site{"R7"});
    team->owed = deal_all_anew(all, team->shares->barred());
    team->one_more = team->timings++ % 2 != 0;
  } else {
    pay(*team, support::ticks() - team->last_barrier);
  }
  team->last_barrier = support::ticks();
}

}  // namespace steelyard::openmp
