// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/choosing.hpp"

#include <algorithm>
#include <array>

#include "learn/chunk_bounds.hpp"
#include "learn/rate.hpp"
#include "schedules/deal.hpp"

namespace steelyard::openmp {

constinit learn::fetches costs_of_fetches;

namespace {

using learn::way;
using learn::ways;

std::uint64_t sum_of(const std::uint64_t* took, std::uint32_t members) noexcept {
  std::uint64_t all = 0;
  for (std::uint32_t m = 0; m < members; ++m) all += took[m];
  return all;
}

constexpr const char* names[choosing::count] = {"learnt shares", "one member",          "dynamic",
                                                "guided",        "half of the members", "equal blocks"};
constexpr const char* faster = "faster than one block for each member";
constexpr const char* reasons[choosing::count] = {nullptr, "too short to share",        faster,
                                                  faster,  "more of them did not help", "learnt shares were no faster"};

}  // namespace

const char* chosen::name() const noexcept { return names[number]; }
const char* chosen::reason() const noexcept { return reasons[number]; }

/// What the loop takes beyond the time in which members come, which is no way's affair: as if member 0 came first, and all others
/// when the last one does. One that has no block is through when it comes.
std::uint64_t choosing::ticks_of(const instance& it) const noexcept {
  const auto some = members_with_blocks(it.how, it.members);
  const auto others = some > 1 ? *std::max_element(it.took + 1, it.took + some) : 0;
  return std::max({beyond_coming(it.took[0]), others, std::uint64_t{1}});
}

std::uint64_t choosing::beyond_coming(std::uint64_t took) const noexcept { return took - std::min(took, late_.get()); }

/// The first instance of a short loop tells how late members come that had to be made or woken first. So it is not compared. Nor is
/// one whose data had to come from other members' caches first: the next one has the same way, and tells what that takes.
void choosing::learn(const instance& it) noexcept {
  late_.add(it.late);
  iterations_ = it.iterations;
  members_ = it.members;
  if (it.elsewhere) {
    ++instances_;
    trial_ = it.how;
    return;
  }
  note(it);
  if (instances_++ != 0 || !is_short(it.iterations)) {
    const auto phase = it.known != nullptr ? it.known->phase_number() : 0;
    tried_ |= std::uint32_t{1} << it.how.number;
    chooser_.took({it.how.number, it.iterations, ticks_of(it), phase, it.cut_anew});
  }
  plan(it);
  if (settled_ && settled_after_ == 0) settled_after_ = instances_;
}

void choosing::note(const instance& it) noexcept {
  const auto all = learn::rate_of(sum_of(it.took, members_with_blocks(it.how, it.members)), it.iterations);
  if (it.how.number == ways::alone) alone_.add(all);
  if (it.how.number == ways::shares || it.how.number == equal) together_.add(all);
  const auto longest = learn::rate_of(*std::max_element(it.took, it.took + it.members), it.iterations);
  if (it.in_equal_blocks) {
    equal_.add(longest);
  } else if (it.how.number == ways::shares) {
    unequal_.add(longest);
  }
}

ways::facts choosing::facts_of(const instance& it) const noexcept {
  using learn::fetches;
  const auto n = it.iterations;
  const auto alone = alone_.get();
  const auto together = together_.get();
  ways::facts known;
  known.iterations = n;
  known.members = it.members;
  known.rate = learn::least_known(alone, together);
  known.together = learn::ticks_at(together, n);
  known.alone = alone != 0 ? std::max<std::uint64_t>(beyond_coming(learn::ticks_at(alone, n)), 1) : 0;
  known.even = late_.get();
  known.first_block =
      it.known != nullptr ? it.known->first_block(known.together, it.members) : known.together / it.members;
  known.fixed_fetch = costs_of_fetches.of(fetches::mechanism::fixed, it.members);
  known.guided_fetch = costs_of_fetches.of(fetches::mechanism::guided, it.members);
  return known;
}

std::array<std::uint64_t, choosing::count> choosing::least_of(const instance& it, const ways& found) const noexcept {
  constexpr auto never = learn::chooser::never;
  const auto n = it.iterations;
  std::array<std::uint64_t, count> least{};
  std::copy(found.least.begin(), found.least.end(), least.begin());
  if (!it.in_chunks) least[ways::fixed] = never;
  if (!it.in_chunks || is_short(n)) least[ways::guided] = never;
  if (!is_short(n)) least[ways::alone] = least[ways::half] = never;
  // Shares that were disturbed once are no reason to do without them.
  const bool may_be_equal = unequal_.is_known_twice() && equal_.get() < unequal_.get();
  least[equal] = may_be_equal ? learn::ticks_at(equal_.get(), n) : never;

  // One that was not compared counts, too: what was not tried in time is tried later.
  if (settled_after_ == 0 && instances_ >= learn::chooser::most_trials) {
    for (std::uint32_t each = 0; each < count; ++each) {
      if ((tried_ >> each & 1U) == 0) least[each] = never;
    }
  }
  return least;
}

void choosing::plan(const instance& it) noexcept {
  const auto n = it.iterations;
  const auto found = ways::of(facts_of(it));
  const auto least = least_of(it, found);
  const auto as = [&](std::uint32_t number) {
    return chosen{number, number == equal ? way{way::kind::shares, it.members, 0} : found.all[number]};
  };
  trial_ = as(chooser_.next(n, least));
  settled_ = chooser_.is_settled(n);
  usual_ = as(chooser_.chosen(n));
  if (!is_too_short(n)) return;
  trial_ = usual_ = as(ways::alone);
  settled_ = true;
}

/// So short that fewer members may do better: src/learn/learn.md, "Alone or together". Where members come very late, because they
/// share their cores with other programs, a trial on one of them could still be dear.
bool choosing::is_short(std::uint64_t n) const noexcept {
  constexpr std::uint64_t at_most = 20 * learn::chunk_bounds::ticks_worth_waiting_for;
  return learn::ticks_at(together_.get(), n) <= std::min(learn::doubtful * late_.get(), at_most);
}

/// Sharing can save no more than what one member takes; here that is little beside the time in which they come, which nothing
/// shortens. Of the first instance nothing is concluded: members had to be made or woken.
bool choosing::is_too_short(std::uint64_t n) const noexcept {
  constexpr std::uint64_t times_as_long = 32;
  const auto rate = alone_.get() != 0 ? alone_.get() : together_.get();
  return instances_ > 1 && learn::ticks_at(rate, n) <= late_.get() / times_as_long;
}

chosen choosing::alike(bool timed, std::uint64_t iterations, std::uint32_t members) const noexcept {
  const bool same_team = members == members_;
  const chosen& how = timed && same_team ? trial_ : usual_;
  const bool for_short_ones = how.number == ways::alone || how.number == ways::half;
  const chosen in_shares{ways::shares, {way::kind::shares, members, 0}};
  return for_short_ones && (iterations / 2 > iterations_ || !same_team) ? in_shares : how;
}

bool blocks_of(const chosen& how, const learn::shares* known, std::uint64_t iterations, std::uint32_t members,
               std::uint64_t* ends) noexcept {
  if (how.number == choosing::equal || how.is_handed_out()) return false;
  const auto some = members_with_blocks(how, members);
  const bool unequal = known != nullptr && some > 1 && known->deal(iterations, some, ends);
  if (some == members) return unequal;
  if (!unequal) schedules::deal::equal_ends(iterations, some, ends);
  std::fill(ends + some, ends + members, iterations);
  return true;
}

}  // namespace steelyard::openmp
