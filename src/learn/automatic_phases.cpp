// SPDX-License-Identifier: Apache-2.0
// What changes of phases cost the ways of `automatic`.
#include <algorithm>
#include <array>

#include "learn/automatic.hpp"

namespace steelyard::learn {

/// The one before has ended. What is preassigned suffers from that alike.
void automatic::begin_phase() noexcept {
  const auto is_fixed = [](const known& each) { return each.how.schedule->about.preassigned; };
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    const bool is_like_it = which == now_ || (is_fixed(its) && is_fixed(ways_[now_]));
    its.change_costs = is_like_it && losing_ != 0 ? losing_ : its.change_costs / 2;
  }
  phase_length_ = instances_ - phase_began_;
  phase_began_ = instances_;
  before_ = spread_;
}

/// Phases come again: what blocks that suit this one would cost in the one before.
void automatic::foresee_change() noexcept {
  for (std::uint32_t which = 0; phase_length_ != 0 && which < count_; ++which) {
    auto& its = ways_[which];
    const auto blocks = its.how.members;
    if (!its.how.schedule->about.preassigned || blocks > most_shares) continue;
    std::array<double, most_shares> ends;
    std::array<double, most_shares> parts;
    for (std::uint32_t m = 0; m < blocks; ++m) ends[m] = (m + 1.0) / blocks;
    if (its.how.by_shares) spread_.cut(blocks, ends.data());
    before_.parts(ends.data(), blocks, parts.data());
    const auto longest = *std::max_element(parts.begin(), parts.begin() + blocks) * blocks;
    const auto lost = longest > 1 ? static_cast<std::uint64_t>((longest - 1) * 64) : 0;
    its.change_costs = std::max(its.change_costs, std::min(lost, most_lost));
  }
}

/// What the next change of phases costs a way that takes so long, spread over the instances until then.
std::uint64_t automatic::risk_of(const known& its, std::uint64_t takes) const noexcept {
  return takes / 64 * its.change_costs / std::max<std::uint64_t>({phase_length_, instances_ - phase_began_, 1});
}

}  // namespace steelyard::learn
