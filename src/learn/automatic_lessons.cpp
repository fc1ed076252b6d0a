// SPDX-License-Identifier: Apache-2.0
// What `automatic` tells other processes, and learns from them.
#include <algorithm>
#include <array>

#include "learn/automatic.hpp"

namespace steelyard::learn {

/// Not where more was known, here or in an earlier process.
bool automatic::teach_early(lesson& to) const noexcept {
  if (learnt_ || had_costs_ || settled_after_ != 0 || !early_.has_chosen() || !among_.empty()) return false;
  const way compared = is_equal_early() ? by_all(equal_blocks_) : ways_[base].how;
  to = {iterations_, members_, compared, early_.takes(iterations_), 0, 0, 0, {}};
  return true;
}

bool automatic::teach(lesson& to) const noexcept {
  if (!settled_) return teach_early(to);
  if (learnt_ || work_ == 0 || usual_ == 0 || !among_.empty()) return false;
  // No way is that far below the limit: another instance has other costs than the one that was observed.
  if (usual_ < work_ / members_ / 4 * 3) return false;
  to = {iterations_, members_, ways_[now_].how, usual_, work_, deviation_, hand_over_, {}};
  spread_.scaled(4095, to.costs);
  return true;
}

/// Costs are observed as soon as that is paid.
bool automatic::learn_early(const lesson& from) noexcept {
  const bool in_equal_blocks = is_equal_blocks(from.how);
  if (!among_.empty() || (!in_equal_blocks && from.how != ways_[base].how)) return false;
  early_.learn(in_equal_blocks, from.usual, from.iterations);
  pays_first_ = learnt_ = true;
  return true;
}

bool automatic::learn_costs(const lesson& from) noexcept {
  std::array<double, density::bins> costs;
  std::copy(from.costs.begin(), from.costs.end(), costs.begin());
  list_others();
  const auto end = ways_.begin() + count_;
  const auto* const found = std::find_if(ways_.begin(), end, [&](const known& each) { return each.how == from.how; });
  if (found == end || (found == ways_.begin() && !may_steal())) return false;
  now_ = static_cast<std::uint32_t>(found - ways_.begin());
  ways_[now_].measured = usual_ = from.usual;
  spread_.set(costs.data());
  work_ = from.work;
  deviation_ = from.deviation;
  hand_over_ = from.hand_over;
  paid_ = times_the_price * price_of_observing;
  observes_ = false;
  settled_ = learnt_ = had_costs_ = true;
  return true;
}

bool automatic::learn(const lesson& from) noexcept {
  const bool has_costs = std::any_of(from.costs.begin(), from.costs.end(), [](auto cost) { return cost != 0; });
  if (from.members < 2 || from.iterations == 0 || from.usual == 0 || has_costs != (from.work != 0)) return false;
  automatic fresh;
  fresh.set_as(*this);
  fresh.begin_anew(from.iterations, from.members);
  if (!(has_costs ? fresh.learn_costs(from) : fresh.learn_early(from))) return false;
  *this = fresh;
  return true;
}

}  // namespace steelyard::learn
