// SPDX-License-Identifier: Apache-2.0
// What a loop's way does to what follows it: `automatic` compares periods.
#include <algorithm>
#include <array>

#include "learn/automatic.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

/// What follows is compared where it takes an eighth of the loop or more, and four times as much at most: else too little, or too much, is in a period.
constexpr std::uint64_t longest_rest = 4;
constexpr std::uint64_t shortest_rest = 8;
/// A way that is tried takes no more than a 32nd longer itself.
constexpr std::uint64_t borne = 32;

}  // namespace

/// Members that take chunks of a counter go through a loop side by side, as one front. That leaves data, and what is built, most differently from blocks
/// of their own, which they have by stealing, too. Of these ways the one with neither the largest chunks nor the finest; now_: it is foretold, or
/// known, to take longer.
std::uint32_t automatic::as_one_front() const noexcept {
  const auto how = by_all(schedules::find("trapezoid"));
  const auto end = ways_.begin() + count_;
  const auto* const found = std::find_if(ways_.begin(), end, [&](const known& each) { return each.how == how; });
  if (found == end) return now_;
  const bool is_tried = found->measured != 0;
  const auto takes = is_tried ? found->measured : found->expected;
  const auto usually = is_tried ? usual_ : ways_[now_].expected;
  const bool is_borne = takes != 0 ? takes <= usually + usually / borne : learnt_ && !is_dear_first();
  return is_borne ? static_cast<std::uint32_t>(found - ways_.begin()) : now_;
}

/// Whether the first chunk of a front, half of a member's share, costs more than a whole one on average.
bool automatic::is_dear_first() const noexcept {
  const std::array<double, 2> ends{0.5 / members_, 1};
  std::array<double, 2> parts{};
  spread_.parts(ends.data(), 2, parts.data());
  return parts[0] * members_ > 1;
}

/// Once, when the loop has settled by a way of the whole team that is no front.
bool automatic::may_compare_periods(std::uint64_t period) const noexcept {
  const auto& how = ways_[now_].how;
  const bool is_front = how.schedule->about.ascending && !how.schedule->about.preassigned;
  const auto rest = period - std::min(period, last_took_);
  const bool may_help = rest >= usual_ / shortest_rest && rest / longest_rest <= usual_;
  return may_help && !compared_ && !is_waiting() && !is_restless() && work_ != 0 && usual_ >= enough / members_ &&
         how.members == members_ && !is_front;
}

/// An instance begins at that time.
void automatic::note_period(std::uint64_t now) noexcept {
  const auto period = began_ != 0 && now > began_ ? now - began_ : 0;
  began_ = now;
  if (periods_.runs()) {
    if (period == 0) return periods_.stop();
    if (periods_.add(period, last_took_)) compare_periods();
    return;
  }
  // The last instance ran as usual, and so did the one before.
  const bool follows_its_like = as_usual_ >= 2;
  as_usual_ = settled_ && !is_to_be_observed() && !is_waiting() ? as_usual_ + 1 : 0;
  if (period == 0 || !follows_its_like || as_usual_ == 0 || !may_compare_periods(period)) return;
  compared_ = true;
  other_ = as_one_front();
  if (other_ != now_) periods_.begin(period, last_took_, now >> 4);
}

/// The last one has ended.
void automatic::compare_periods() noexcept {
  saves_ = periods_.saves();
  if (saves_ == 0) return;
  ways_[other_].measured = std::max<std::uint64_t>(periods_.took(), 1);
  choose();
  learnt_ = learnt_ && now_ != other_;
}

}  // namespace steelyard::learn
