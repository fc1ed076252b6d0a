// SPDX-License-Identifier: Apache-2.0
// How equal costs are, and what changes of phases cost the ways of `automatic`.
#include <algorithm>
#include <array>

#include "learn/automatic.hpp"
#include "learn/averages.hpp"
#include "schedules/draw.hpp"
#include "schedules/roots.hpp"

namespace steelyard::learn {
namespace {

/// Blocks are equal up to that part of one.
constexpr double borne_by_even = 1.0 / 8;

using ends_of_blocks = std::array<double, automatic::most_shares>;

ends_of_blocks equal_ends(std::uint32_t blocks) noexcept {
  ends_of_blocks ends;
  for (std::uint32_t m = 0; m < blocks; ++m) ends[m] = (m + 1.0) / blocks;
  return ends;
}

/// What the longest of these blocks costs by that picture, in mean blocks.
template <class Picture>
double longest(const Picture& costs, const ends_of_blocks& ends, std::uint32_t blocks) noexcept {
  std::array<double, automatic::most_shares> parts;
  costs.parts(ends.data(), blocks, parts.data());
  return *std::max_element(parts.begin(), parts.begin() + blocks) * blocks;
}

}  // namespace

/// Whether the longest of equal blocks is about as long as all others, as far as iterations do not deviate from what their places say.
bool automatic::is_even() const noexcept {
  if (members_ > most_shares) return false;
  const auto in_block = static_cast<double>(std::max<std::uint64_t>(iterations_ / members_, 1));
  const auto deviates = 3 * static_cast<double>(deviation_) / 1024 / schedules::square_root(in_block);
  return longest(spread_, equal_ends(members_), members_) - 1 + deviates <= borne_by_even;
}

/// The one before has ended. What is preassigned suffers from that alike.
void automatic::begin_phase() noexcept {
  const auto is_fixed = [](const known& each) { return each.how.schedule->about.preassigned; };
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    const bool is_like_it = which == now_ || (is_fixed(its) && is_fixed(ways_[now_]));
    its.change_costs = is_like_it && losing_ != 0 ? static_cast<std::uint16_t>(losing_) : its.change_costs / 2;
    its.missed = static_cast<std::uint16_t>(its.missed -
                                            its.missed / (is_restless() ? 8 : 4));  // a trial may have been disturbed
  }
  saves_ /= 2;
  phase_length_ = instances_ - phase_began_;
  phase_began_ = instances_;
  before_ = sketch(spread_);
}

/// Phases come again: what blocks that suit this one would cost in the one before.
void automatic::foresee_change() noexcept {
  for (std::uint32_t which = 0; phase_length_ != 0 && which < count_; ++which) {
    auto& its = ways_[which];
    const auto blocks = its.how.members;
    if (!its.how.schedule->about.preassigned || blocks > most_shares) continue;
    auto ends = equal_ends(blocks);
    if (its.how.by_shares) spread_.cut(blocks, ends.data());
    const auto of_mean = longest(before_, ends, blocks);
    const auto lost = of_mean > 1 ? static_cast<std::uint64_t>((of_mean - 1) * 64) : 0;
    its.change_costs = std::max(its.change_costs, static_cast<std::uint16_t>(std::min(lost, most_lost)));
  }
}

/// What the next change of phases costs a way that takes so long, spread over the instances until then.
std::uint64_t automatic::risk_of(const known& its, std::uint64_t takes) const noexcept {
  return takes / 64 * its.change_costs / std::max<std::uint64_t>({phase_length_, instances_ - phase_began_, 1});
}

/// By what an observation has found that was to find the same as the last one. Instances that differ as much as any may, though it did find the same,
/// are not all alike either.
void automatic::note_change(bool is_same) noexcept {
  if (is_same && (surprise_ == 0 || tolerance_ != most_tolerance)) {
    if (is_restless()) until_ = after_some();
    changes_ -= std::min(changes_, 1U);
    return;
  }
  const bool was_restless = is_restless();
  const bool comes_soon =
      was_restless || instances_ - last_change_ < soon || paid_ / times_the_price < 4 * price_of_observing;
  changes_ = comes_soon ? changes_ + 1 : 1;
  last_change_ = instances_;
  if (is_restless()) changes_ = 2 * restless_from;
  if (is_restless() && !was_restless) until_ = after_some();
}

/// At random, as levels may come in turn.
std::uint64_t automatic::after_some() noexcept { return observed_again + schedules::draw(dice_) % 16; }

/// After so many instances a settled loop is observed in any case.
std::uint64_t automatic::next_observation() noexcept {
  if (!is_restless()) return until_ * 2;
  return phases_ < many_phases ? after_some() : std::min(until_ * 2, 16 * after_some());
}

/// What was foretold for it counts as much as for each of the phases before, or of the last many_phases.
void automatic::add_phase() noexcept {
  phases_ = std::min(phases_ + 1, many_phases);
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    if (its.expected == 0) continue;
    const auto expected = its.expected + its.expected / 64 * its.missed;
    its.in_all = its.in_all == 0 ? expected : its.in_all / phases_ * (phases_ - 1) + expected / phases_;
  }
}

/// Shares are those of one phase. Another way than the base has to be better by as much as that of a short loop. False: only shares may be chosen.
bool automatic::choose_for_all_phases() noexcept {
  auto least = ~std::uint64_t{0};
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& its = ways_[which];
    const bool may_be = which == base ? may_steal() : !its.how.by_shares;
    const auto doubt = which == base ? 0 : its.in_all / doubt_of(its.how, true);
    const auto costs = sum(its.in_all - saved_by(its.how, its.in_all), doubt);
    if (!may_be || its.in_all == 0 || costs >= least) continue;
    least = costs;
    now_ = which;
  }
  if (least == ~std::uint64_t{0}) return false;
  settled_ = true;
  usual_ = 0;
  if (settled_after_ == 0) settled_after_ = instances_;
  return true;
}

}  // namespace steelyard::learn
