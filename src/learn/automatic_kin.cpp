// SPDX-License-Identifier: Apache-2.0
// What loops of one trip count tell of those of another one, at the same place.
#include <algorithm>
#include <utility>

#include "learn/automatic.hpp"
#include "learn/averages.hpp"

namespace steelyard::learn {
namespace {

/// Loops that have more times as many iterations, or fewer, are too unlike.
constexpr std::uint64_t most_times = 4;
/// A way that takes so much longer than was taken over, in 64ths, tells that loops of this place differ.
constexpr std::uint64_t disappoints = 16;

/// Chunks into which the loop falls.
std::uint64_t parts_of(std::uint64_t n, std::uint64_t chunk) noexcept { return n / std::max<std::uint64_t>(chunk, 1); }

}  // namespace

/// As if it had been foretold: what was measured or foretold of the other one, by the number of iterations.
void automatic::begin_like(const automatic& other, std::uint64_t n, std::uint32_t members) noexcept {
  if (other.members_ != members || !(other.among_ == among_) || is_for(n, members)) return;
  if (n / most_times > other.iterations_ || other.iterations_ / most_times > n) return;
  begin_anew(n, members);
  early_ = other.early_;
  misled_ = other.misled_;
  if (misled_ || other.due_ || other.observes_ || other.ways_[stealing].expected == 0) return;
  const auto scaled = [&](std::uint64_t ticks) { return std::max<std::uint64_t>(other.of_as_many(ticks, n), 1); };
  spread_ = other.spread_;
  deviation_ = other.deviation_;
  hand_over_ = other.hand_over_;
  work_ = scaled(other.work_);
  seen_ = scaled(other.seen_);
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto* const like = other.way_like(ways_[which].how, n);
    if (like == nullptr) continue;
    const auto takes = like->measured != 0 ? like->measured : like->expected;
    ways_[which].expected = takes != 0 ? scaled(takes) : 0;
    ways_[which].change_costs = like->change_costs;
  }
  phase_length_ = other.phase_length_;
  before_ = other.before_;
  observes_ = false;
  is_borrowed_ = is_untried_ = true;
  choose();
}

/// What so many iterations take of which `iterations_` take so long.
std::uint64_t automatic::of_as_many(std::uint64_t ticks, std::uint64_t n) const noexcept {
  using wide = unsigned __int128;
  const auto all = wide{ticks} * n / std::max<std::uint64_t>(iterations_, 1);
  return static_cast<std::uint64_t>(std::min(all, wide{~std::uint64_t{0} / 256}));
}

/// That of a loop of n iterations; nullptr: there is none. Of several chunks the one that makes about as many.
const automatic::known* automatic::way_like(const way& how, std::uint64_t n) const noexcept {
  const known* found = nullptr;
  std::uint64_t nearest = ~std::uint64_t{0};
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& its = ways_[which].how;
    const bool is_same = its.schedule == how.schedule && its.members == how.members && its.by_shares == how.by_shares;
    if (!is_same || (its.chunk == 0) != (how.chunk == 0)) continue;
    const auto here = parts_of(iterations_, its.chunk);
    const auto there = parts_of(n, how.chunk);
    const auto apart = std::max(here, there) - std::min(here, there);
    if (its.chunk != 0 && apart >= nearest) continue;
    nearest = apart;
    found = &ways_[which];
  }
  return found;
}

/// True: what was taken over is worth nothing. It begins as the first one of its place did, but has to pay before it is observed.
bool automatic::is_misled(const sample& it) noexcept {
  const auto expected = ways_[now_].expected;
  const bool first = std::exchange(is_untried_, false);
  if (!first || now_ == stealing || it.ticks / (64 + disappoints) <= expected / 64) return false;
  begin_anew(iterations_, members_);
  misled_ = true;
  return true;
}

}  // namespace steelyard::learn
