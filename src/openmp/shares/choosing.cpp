// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/choosing.hpp"

#include <algorithm>
#include <array>

#include "learn/rate.hpp"

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

std::uint64_t rate_known(std::uint64_t alone, std::uint64_t together) noexcept {
  return alone == 0 || together == 0 ? std::max(alone, together) : std::min(alone, together);
}

constexpr const char* names[choosing::count] = {"learnt shares", "one member",          "dynamic",
                                                "guided",        "half of the members", "equal blocks"};
constexpr const char* faster = "faster than one block for each member";
constexpr const char* reasons[choosing::count] = {nullptr, "too short to share",        faster,
                                                  faster,  "more of them did not help", "learnt shares were no faster"};

}  // namespace

const char* chosen::name() const noexcept { return names[number]; }
const char* chosen::reason() const noexcept { return reasons[number]; }

/// From the moment at which member 0 comes, until the last one is through. One that has no block is through when it comes.
std::uint64_t choosing::ticks_of(const instance& it) const noexcept {
  const auto some = members_with_blocks(it.how, it.members);
  const auto others = some > 1 ? *std::max_element(it.took + 1, it.took + some) : 0;
  return std::max(it.took[0], late_ + others);
}

/// The first instance of a short loop tells how late members come that had to be made or woken first. So it is not compared.
void choosing::learn(const instance& it) noexcept {
  late_ = instances_ == 0 ? it.late : std::min(came_late_, it.late);
  came_late_ = it.late;
  iterations_ = it.iterations;
  members_ = it.members;
  note(it);
  const bool is_short = learn::ticks_at(together_, it.iterations) <= learn::doubtful * late_;
  if (instances_++ != 0 || !is_short) {
    const auto phase = it.known != nullptr ? it.known->phase_number() : 0;
    chooser_.took({it.how.number, it.iterations, ticks_of(it), phase, it.cut_anew});
  }
  plan(it);
}

void choosing::note(const instance& it) noexcept {
  const auto all = learn::rate_of(sum_of(it.took, members_with_blocks(it.how, it.members)), it.iterations);
  if (it.how.number == ways::alone) alone_ = all;
  if (it.how.number == ways::shares || it.how.number == equal) together_ = all;
  if (!it.in_equal_blocks) return;
  equal_ = learn::rate_of(*std::max_element(it.took, it.took + it.members), it.iterations);
}

void choosing::plan(const instance& it) noexcept {
  const auto n = it.iterations;
  ways::facts known;
  known.iterations = n;
  known.members = it.members;
  known.rate = rate_known(alone_, together_);
  known.together = learn::ticks_at(together_, n);
  known.alone = alone_ != 0 ? std::max(learn::ticks_at(alone_, n), late_) : 0;
  known.even = late_;
  known.first_block =
      it.known != nullptr ? it.known->first_block(known.together, it.members) : known.together / it.members;
  known.fixed_fetch = costs_of_fetches.of(learn::fetches::mechanism::fixed, it.members);
  known.guided_fetch = costs_of_fetches.of(learn::fetches::mechanism::guided, it.members);
  const auto found = ways::of(known);

  std::array<std::uint64_t, count> least{};
  std::copy(found.least.begin(), found.least.end(), least.begin());
  const bool is_short = known.together <= learn::doubtful * late_;
  if (!it.in_chunks) least[ways::fixed] = learn::chooser::never;
  if (!it.in_chunks || is_short) least[ways::guided] = learn::chooser::never;
  if (!is_short) least[ways::alone] = least[ways::half] = learn::chooser::never;
  const bool differs = it.known != nullptr && it.known->phase_number() != 0;
  least[equal] = differs ? learn::ticks_at(equal_, n) + late_ : learn::chooser::never;

  const auto as = [&](std::uint32_t number) {
    return chosen{number, number == equal ? way{way::kind::shares, it.members, 0} : found.all[number]};
  };
  trial_ = as(chooser_.next(n, least));
  settled_ = chooser_.is_settled(n);
  usual_ = as(chooser_.chosen(n));
  if (!is_over_before_all_come(n)) return;
  trial_ = usual_ = as(ways::alone);
  settled_ = true;
}

/// Then no other way is faster than one member. Once members may come late because they had to be made or woken.
bool choosing::is_over_before_all_come(std::uint64_t n) const noexcept {
  return instances_ > 1 && learn::ticks_at(alone_ != 0 ? alone_ : together_, n) <= late_;
}

chosen choosing::usual(std::uint64_t iterations, std::uint32_t members) const noexcept {
  const bool for_short_ones = usual_.number == ways::alone || usual_.number == ways::half;
  const chosen in_shares{ways::shares, {way::kind::shares, members, 0}};
  return for_short_ones && (iterations > iterations_ || members != members_) ? in_shares : usual_;
}

void equal_blocks(std::uint64_t iterations, std::uint32_t members, std::uint64_t* ends) noexcept {
  const std::uint64_t each = iterations / members;
  const std::uint64_t more = iterations % members;
  for (std::uint32_t m = 0; m < members; ++m) ends[m] = each * (m + 1) + std::min<std::uint64_t>(m + 1, more);
}

bool blocks_of(const chosen& how, const learn::shares* known, std::uint64_t iterations, std::uint32_t members,
               std::uint64_t* ends) noexcept {
  if (how.number == choosing::equal || how.is_handed_out()) return false;
  const auto some = members_with_blocks(how, members);
  const bool unequal = known != nullptr && some > 1 && known->deal(iterations, some, ends);
  if (some == members) return unequal;
  if (!unequal) equal_blocks(iterations, some, ends);
  std::fill(ends + some, ends + members, iterations);
  return true;
}

}  // namespace steelyard::openmp
