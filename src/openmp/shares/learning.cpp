// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/learning.hpp"

#include <algorithm>
#include <numeric>

#include "learn/work_clock.hpp"
#include "openmp/host/slab.hpp"
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
  const std::uint64_t* ends = from.ends;
  if (ends == nullptr) {
    schedules::deal::equal_ends(from.iterations, members, equal);
    ends = equal;
  }
  return of.known->learn(from.iterations, members, ends, took);
}

/// By what one loop took, where there were several.
void choose(static_loops& of, const dealt& from, std::uint64_t* took, bool cut_anew) noexcept {
  if (of.choice == nullptr || (of.members != 0 && of.members != from.members)) {
    const choosing nothing_known;
    slab_copy(of.choice, &nothing_known);
    if (of.choice == nullptr) return;
  }
  for (std::uint32_t m = 0; m < from.members; ++m) took[m] /= of.loops;
  const bool in_equal_blocks = from.ends == nullptr && !from.how.is_handed_out();
  of.choice->learn({from.how, from.iterations, from.members, took, late_in(from), from.only != nullptr, in_equal_blocks,
                    of.known, cut_anew});
}

/// In place of that of another team, perhaps.
void keep_cut(const static_loops& of, const chosen& how, std::uint32_t members, std::uint64_t*& at) noexcept {
  std::uint64_t parts[shares::most_members];
  const bool unequal = blocks_of(how, of.known, whole, members, parts);
  if (at != nullptr && (!unequal || of.members != members)) {
    slab_give(at, bytes_of_ends(of.members));
    at = nullptr;
  }
  if (unequal && at == nullptr) at = static_cast<std::uint64_t*>(slab_take(bytes_of_ends(members)));
  if (at != nullptr) std::copy_n(parts, members, at);
}

/// The blocks of its next instance.
void cut(static_loops& of, std::uint32_t members) noexcept {
  keep_cut(of, of.how(), members, of.cut);
  if (of.choice != nullptr) keep_cut(of, of.choice->trial(), members, of.trial);
  of.members = members;
}

/// The longest of equal blocks takes so much longer than that of others, of a loop that takes so many ticks of all members together.
std::uint64_t gain_of(const static_loops& of, std::uint64_t work) noexcept {
  if (of.cut == nullptr || of.known == nullptr || of.how().number != learn::ways::shares) return unknown_gain;
  std::uint64_t ends[shares::most_members];
  schedules::deal::equal_ends(of.iterations, of.members, ends);
  const std::uint64_t equal = of.known->longest(of.iterations, of.members, ends, work);
  cut_by(of.cut, of.members, of.iterations, ends);
  return equal - std::min(equal, of.known->longest(of.iterations, of.members, ends, work));
}

}  // namespace

bool learn_from(const dealt& from, static_loops& of, bool cold) noexcept {
  if (const char* const why = from.keeps.get(); why != nullptr) of.keeps = why;
  const std::uint32_t members = from.members;
  of.loops = std::max<std::uint64_t>(from.times[0].loops.read(), 1);
  if (of.keeps != nullptr || members > shares::most_members) return false;
  std::uint64_t took[shares::most_members];
  for (std::uint32_t m = 0; m < members; ++m) took[m] = from.times[m].ticks.read();
  // Between barriers only the longest is added up.
  const std::uint64_t work = std::accumulate(took, took + members, from.longest * members) / of.loops;
  const bool alike = shares::alike(took, members);
  const bool waits = cold && !from.chooses;
  if (from.known != nullptr) {  // learnt at barriers
    slab_copy<shares>(of.known, from.known);
    cut(of, members);
  } else {
    const bool cut_anew = !waits && learn_shares(of, from, took);
    if (from.chooses) choose(of, from, took, cut_anew);
    if (cut_anew || of.choice != nullptr || of.members != members) cut(of, members);
  }
  // The lesser of the last two, so that a member that was stopped once decides nothing.
  const std::uint64_t gain = gain_of(of, of.work != 0 ? std::min(work, of.work) : work);
  of.gain = from.chooses ? gain : learn::work.least_ticks(gain);
  of.work = cold ? 0 : work;
  return waits ? !alike : of.known != nullptr && of.known->is_in_doubt();
}

}  // namespace steelyard::openmp
