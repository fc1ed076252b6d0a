// SPDX-License-Identifier: Apache-2.0
#include "learn/automatic.hpp"

#include <algorithm>

#include "learn/predict.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

using schedules::shape;

constexpr std::uint64_t least_tolerance = 10;  ///< in 64ths
constexpr std::uint64_t most_tolerance = 64;
constexpr std::uint64_t lately = 8;
/// Costs lie as before where that part of them has not moved.
constexpr double moved = 0.08;
/// So small a part of what an instance took may be left out by all forecasts.
constexpr std::uint64_t believed = 32;
/// Seed of forecasts: the same for all.
constexpr std::uint64_t seed = 1;

constexpr bool is_about(std::uint64_t value, std::uint64_t other, std::uint64_t tolerance) noexcept {
  const auto apart = value > other ? value - other : other - value;
  return apart / tolerance <= other / 64;
}

}  // namespace

automatic::automatic() noexcept = default;

void automatic::add(const char* name, std::uint64_t chunk, std::uint32_t members, bool by_shares) noexcept {
  const auto* const row = schedules::find(name);
  if (row == nullptr || count_ == most_ways || members < 2) return;
  ways_[count_++] = {{row, chunk, members, by_shares}, 0, 0};
}

/// Chunks of a member's share: fewer than sixteen keep members waiting at the end, more than 256 cost more than they gain.
void automatic::list_ways() noexcept {
  count_ = 0;
  ways_ = {};
  const auto share = std::max<std::uint64_t>(iterations_ / members_, 1);
  add("steal", 0, members_, false);
  const bool few = members_ <= most_shares;
  if (few) add("nustatic", 0, members_, true);
  for (const char* name : {"static", "guided", "factoring", "trapezoid", "wsri", "wsri:paper"})
    add(name, 0, members_, false);
  std::uint64_t before = 0;
  for (const std::uint64_t parts : {16U, 64U, 256U}) {
    const auto chunk = std::max<std::uint64_t>(share / parts, 1);
    if (chunk != before) add("dynamic", chunk, members_, false);
    before = chunk;
  }
  add("steal", 0, (members_ + 1) / 2, false);
  if (few) add("nustatic", 0, (members_ + 1) / 2, true);
}

void automatic::begin_anew(std::uint64_t n, std::uint32_t members) noexcept {
  iterations_ = n;
  members_ = members;
  list_ways();
  observes_ = true;
  settled_ = false;
  due_ = false;
  now_ = stealing;
  work_ = 0;
  usual_ = 0;
  tolerance_ = least_tolerance;
  until_ = observed_again;
}

bool automatic::is_like_last(std::uint64_t n, std::uint32_t members) const noexcept {
  return members == members_ && is_about(n, iterations_, 16);
}

automatic::way automatic::meanwhile(std::uint64_t n, std::uint32_t members) const noexcept {
  return is_like_last(n, members) ? ways_[now_].how : way{nullptr, 0, members, false};
}

automatic::plan automatic::next(std::uint64_t n, std::uint32_t members) noexcept {
  if (!is_like_last(n, members)) begin_anew(n, members);
  ++instances_;
  if (++since_ >= until_ && settled_) {
    until_ *= 2;
    observes_ = true;
  }
  if (!observes_) return {ways_[now_].how, false};
  profile_.begin(n);
  return {ways_[stealing].how, true};
}

void automatic::cut(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) const noexcept {
  std::array<double, most_shares> at;
  spread_.cut(members, at.data());
  for (std::uint32_t m = 0; m + 1 < members; ++m) {
    ends[m] = std::min(static_cast<std::uint64_t>(at[m] * static_cast<double>(n)), n);
  }
  ends[members - 1] = n;
}

bool automatic::took(std::uint64_t ticks, std::uint64_t hand_over) noexcept {
  ticks = std::max<std::uint64_t>(ticks, 1);
  if (observes_) {
    hand_over_ = hand_over;
    due_ = observed(ticks);
  } else if (settled_) {
    ran(ticks);
  } else if (!due_) {
    tried(ticks);
  }
  return due_;
}

/// Part of the costs that lies elsewhere.
double automatic::distance(const density& other) const noexcept {
  constexpr std::uint32_t blocks = 32;
  std::array<double, blocks> ends;
  std::array<double, blocks> here;
  std::array<double, blocks> there;
  for (std::uint32_t b = 0; b < blocks; ++b) ends[b] = (b + 1.0) / blocks;
  spread_.parts(ends.data(), blocks, here.data());
  other.parts(ends.data(), blocks, there.data());
  double apart = 0;
  for (std::uint32_t b = 0; b < blocks; ++b) apart += std::max(here[b] - there[b], there[b] - here[b]);
  return apart / 2;
}

/// True: it is another phase, or the first.
bool automatic::observed(std::uint64_t ticks) noexcept {
  observes_ = false;
  since_ = 0;
  density found;
  if (!profile_.spread(found)) return false;
  const auto work = profile_.work();
  const bool same = settled_ && is_about(work, work_, least_tolerance) && distance(found) < moved;
  ways_[stealing].measured = ticks;
  if (same && (now_ == stealing || ticks >= usual_ - usual_ / 64)) {
    tolerance_ = std::min(tolerance_ * 2, most_tolerance);
    return false;
  }
  now_ = stealing;
  settled_ = false;
  spread_ = found;
  work_ = work;
  deviation_ = profile_.deviation();
  return true;
}

shape automatic::shape_of(const way& how, std::uint64_t* ends) const noexcept {
  shape loop{iterations_, how.members, how.chunk, seed};
  loop.front_end.contiguous = true;
  if (how.by_shares) {
    cut(iterations_, how.members, ends);
    loop.known.ends = ends;
  }
  return loop;
}

std::size_t automatic::room_to_forecast() const noexcept {
  std::size_t most = 0;
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& how = ways_[which].how;
    std::array<std::uint64_t, most_shares> ends;
    most = std::max(most, room_to_predict(*how.schedule, shape_of(how, ends.data())));
  }
  return most;
}

void automatic::forecast(void* room) noexcept {
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    std::array<std::uint64_t, most_shares> ends;
    const auto loop = shape_of(its.how, ends.data());
    its.expected = predict(*its.how.schedule, loop, {&spread_, work_, deviation_, hand_over_}, room);
    if (which != stealing) its.measured = 0;
  }
  // What a forecast of the observed instance leaves out, opening the loop for example, others have, too. Only so much is believed: it
  // may also be costs that lie otherwise than is known, which another way may bear.
  const auto& seen = ways_[stealing];
  const auto beside = std::min(seen.measured - std::min(seen.expected, seen.measured), seen.measured / believed);
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    its.expected = its.expected == not_predicted ? 0 : its.expected + beside;
  }
  trials_ = 0;
  due_ = false;
  choose();
}

/// A forecast may be a little too good: it has to be better than what was measured by a hundredth.
void automatic::choose() noexcept {
  std::uint32_t best = stealing;
  std::uint64_t least = ways_[stealing].measured;
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& its = ways_[which];
    const bool may_be_tried = its.measured == 0 && its.expected != 0 && trials_ < most_trials;
    if (its.measured == 0 && !may_be_tried) continue;
    const auto takes = its.measured != 0 ? its.measured : its.expected + its.expected / 100;
    if (takes < least) {
      least = takes;
      best = which;
    }
  }
  now_ = best;
  settled_ = ways_[best].measured != 0;
  if (!settled_) return;
  usual_ = ways_[best].measured;
  if (settled_after_ == 0) settled_after_ = instances_;
}

void automatic::tried(std::uint64_t ticks) noexcept {
  ++trials_;
  ways_[now_].measured = ticks;
  choose();
}

void automatic::ran(std::uint64_t ticks) noexcept {
  if (!is_about(ticks, usual_, tolerance_)) {
    observes_ = true;
    return;
  }
  usual_ = ticks > usual_ ? usual_ + (ticks - usual_) / lately : usual_ - (usual_ - ticks) / lately;
  ways_[now_].measured = usual_;
}

}  // namespace steelyard::learn
