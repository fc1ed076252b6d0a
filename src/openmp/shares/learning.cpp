// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/learning.hpp"

#include <algorithm>

#include "learn/rate.hpp"
#include "learn/work_clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/shares/prices.hpp"
#include "schedules/deal.hpp"

namespace steelyard::openmp {
namespace {

using learn::shares;

/// What nobody can say of a way that was measured to be the fastest.
constexpr std::uint64_t unknown_gain = std::uint64_t{1} << 32;

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

/// Where blocks end; nullptr stands for equal ones, for which there is room.
const std::uint64_t* ends_or_equal(const std::uint64_t* ends, std::uint64_t iterations, std::uint32_t members,
                                   std::uint64_t* room) noexcept {
  if (ends != nullptr) return ends;
  schedules::deal::equal_ends(iterations, members, room);
  return room;
}

/// True: the next cut is another one. Of members that all had a block, and one only.
bool learn_shares(static_loops& of, const dealt& from, const std::uint64_t* took) noexcept {
  const std::uint32_t members = members_with_blocks(from.how, from.members);
  if (members < 2 || from.how.is_handed_out()) return false;
  if (of.known == nullptr) {
    if (from.known == nullptr && shares::alike(took, members)) return false;
    of.known = slab_make<shares>();
    if (of.known == nullptr) return false;
  }
  std::uint64_t equal[shares::most_members];
  return of.known->learn(from.iterations, members, ends_or_equal(from.ends, from.iterations, members, equal), took);
}

/// By what one loop took, where there were several.
void choose(static_loops& of, const dealt& from, std::uint64_t* took, bool cut_anew, bool elsewhere) noexcept {
  if (of.choice == nullptr || (of.members != 0 && of.members != from.members)) {
    const choosing nothing_known;
    slab_copy(of.choice, &nothing_known);
    if (of.choice == nullptr) return;
  }
  for (std::uint32_t m = 0; m < from.members; ++m) took[m] /= of.loops;
  const bool in_equal_blocks = from.ends == nullptr && !from.how.is_handed_out();
  of.choice->learn({from.how, from.iterations, from.members, took, late_in(from), from.only != nullptr, in_equal_blocks,
                    of.known, cut_anew, elsewhere});
}

/// In place of that of another team, perhaps. nullptr: equal blocks.
void put(const static_loops& of, const std::uint64_t* ends, std::uint32_t members, std::uint64_t*& at) noexcept {
  if (at != nullptr && (ends == nullptr || of.members != members)) {
    slab_give(at, bytes_of_ends(of.members));
    at = nullptr;
  }
  if (ends != nullptr && at == nullptr) at = static_cast<std::uint64_t*>(slab_take(bytes_of_ends(members)));
  if (at != nullptr) std::copy_n(ends, members, at);
}

void keep_cut(const static_loops& of, const chosen& how, std::uint32_t members, std::uint64_t*& at) noexcept {
  std::uint64_t parts[shares::most_members];
  const bool unequal = blocks_of(how, of.known, whole, members, parts);
  put(of, unequal ? parts : nullptr, members, at);
}

/// How many iterations another member had in the instance before. Of chunks nobody knows: all.
std::uint64_t moved(const static_loops& of, const dealt& from, bool follows) noexcept {
  if (from.how.is_handed_out() || of.members != from.members) return 0;
  if ((follows ? of.last_how : of.how()).is_handed_out()) return from.iterations;
  std::uint64_t usual[shares::most_members];
  std::uint64_t equal[shares::most_members];
  const auto* const before = ends_or_equal(follows ? of.last : of.blocks(usual), from.iterations, from.members, equal);
  const auto* const now = ends_or_equal(from.ends, from.iterations, from.members, equal);
  std::uint64_t all = 0;
  for (std::uint32_t m = 0; m < from.members; ++m) all += std::max(now[m], before[m]) - std::min(now[m], before[m]);
  return std::min(all, from.iterations);
}

/// Twice in a row it is believed: blocks may change all the time.
bool is_elsewhere(static_loops& of, std::uint64_t moved) noexcept {
  constexpr std::uint64_t few = 64;
  of.elsewhere = moved > of.iterations / few && !of.elsewhere;
  return of.elsewhere;
}

/// True: the next cut is another one.
bool learn_costs(static_loops& of, const dealt& from, std::uint64_t* took, bool follows) noexcept {
  if (!from.chooses) return learn_shares(of, from, took);
  const std::uint64_t others = moved(of, from, follows);
  const bool elsewhere = is_elsewhere(of, others);
  // After chunks any data may be anywhere, which says nothing of how costs are spread.
  const bool cut_anew = (!elsewhere || others != from.iterations) && learn_shares(of, from, took);
  choose(of, from, took, cut_anew, elsewhere);
  of.last_how = from.how;
  if (of.choice != nullptr) put(of, from.ends, from.members, of.last);
  return cut_anew;
}

/// The longest of equal blocks takes so much longer than that of others, by what is known of how costs are spread.
std::uint64_t gain_by(const static_loops& of, const std::uint64_t* cut, std::uint32_t members) noexcept {
  if (cut == nullptr) return 0;
  std::uint64_t ends[shares::most_members];
  schedules::deal::equal_ends(of.iterations, members, ends);
  const std::uint64_t equal = of.known->longest(of.iterations, members, ends, of.work.get());
  cut_by(cut, members, of.iterations, ends);
  return equal - std::min(equal, of.known->longest(of.iterations, members, ends, of.work.get()));
}

std::uint64_t expected_gain(const static_loops& of) noexcept {
  if (of.cut == nullptr) return 0;
  if (of.known == nullptr || of.how().number != learn::ways::shares) return unknown_gain;
  return gain_by(of, of.cut, of.members);
}

/// Whether the cut of a phase that may be another one is to be tried by an instance that is timed, while all others keep theirs.
bool is_to_be_tried(const static_loops& of, std::uint32_t members) noexcept {
  if (of.choice != nullptr || of.members != members || of.known == nullptr || !of.known->is_in_doubt()) return false;
  // A disturbance may look like even costs. Of a loop that has become short no cut pays.
  const std::uint64_t at_most = of.cut != nullptr ? of.work.get() : gain_by(of, of.trial, members);
  return learn::work.least_ticks(at_most) > price_of_deal();
}

/// The blocks of its next instance.
void cut(static_loops& of, std::uint32_t members) noexcept {
  keep_cut(of, of.choice != nullptr ? of.choice->trial() : of.how(), members, of.trial);
  of.doubtful = is_to_be_tried(of, members);
  if (!of.doubtful) keep_cut(of, of.how(), members, of.cut);
  of.members = members;
}

/// The same by what both have taken.
std::uint64_t seen_gain(const static_loops& of) noexcept {
  const std::uint64_t equal = learn::ticks_at(of.in_equal.get(), of.iterations);
  return equal - std::min(equal, learn::ticks_at(of.in_shares.get(), of.iterations));
}

/// A small gain is not believed before it was seen: the blocks of short loops take what chance wants.
std::uint64_t gain_of(const static_loops& of) noexcept {
  constexpr std::uint64_t small = 16;
  const std::uint64_t expected = expected_gain(of);
  const bool seen = of.in_equal.get() != 0 && of.in_shares.is_known_twice();
  return seen && expected < small * price_of_deal() ? std::min(expected, seen_gain(of)) : expected;
}

void note(static_loops& of, const dealt& from, std::uint64_t work, std::uint64_t longest) noexcept {
  of.work.add(work);
  if (from.how.number != learn::ways::shares) return;
  (from.ends == nullptr ? of.in_equal : of.in_shares).add(learn::rate_of(longest, from.iterations));
}

}  // namespace

bool learn_from(const dealt& from, static_loops& of, when it) noexcept {
  if (const char* const why = from.keeps.get(); why != nullptr) of.keeps = why;
  const std::uint32_t members = from.members;
  of.loops = std::max<std::uint64_t>(from.times[0].loops.read(), 1);
  if (of.keeps != nullptr || members > shares::most_members) return false;
  std::uint64_t took[shares::most_members];
  std::uint64_t work = from.longest * members;  // between barriers only the longest is added up
  std::uint64_t longest = 0;
  for (std::uint32_t m = 0; m < members; ++m) {
    took[m] = from.times[m].ticks.read();
    work += took[m];
    longest = std::max(longest, took[m]);
  }
  if (!it.cold) note(of, from, work / of.loops, longest / of.loops);
  const bool alike = shares::alike(took, members);
  const bool waits = it.cold && !from.chooses;
  if (from.known != nullptr) {  // learnt at barriers
    slab_copy<shares>(of.known, from.known);
    cut(of, members);
  } else {
    const bool cut_anew = !waits && learn_costs(of, from, took, it.follows);
    if (cut_anew || of.tries() || of.members != members) cut(of, members);
  }
  if (!of.doubtful) of.gain = from.chooses ? gain_of(of) : learn::work.least_ticks(gain_of(of));
  return waits ? !alike : of.known != nullptr && of.known->is_in_doubt();
}

}  // namespace steelyard::openmp
