// SPDX-License-Identifier: Apache-2.0
#include "learn/automatic.hpp"

#include <algorithm>

#include "learn/averages.hpp"
#include "learn/chunk_bounds.hpp"
#include "learn/predict.hpp"
#include "learn/rate.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

using schedules::shape;

constexpr std::uint64_t least_tolerance = 10;  ///< in 64ths
constexpr std::uint32_t most_idle_borne = 32;
/// Loops are alike whose trip counts differ by a quarter at most, in 64ths.
constexpr std::uint64_t alike = 16;
/// Costs lie as before where that part of them has not moved.
constexpr double moved = 0.08;
/// So small a part of what an instance took may be left out by all forecasts.
constexpr std::uint64_t believed = 32;
/// The same of what surprises have cost.
constexpr std::uint64_t times_when_losing = 4;
/// Seed of forecasts: the same for all.
constexpr std::uint64_t seed = 1;

constexpr bool is_about(std::uint64_t value, std::uint64_t other, std::uint64_t tolerance) noexcept {
  const auto apart = value > other ? value - other : other - value;
  return apart / tolerance <= other / 64;
}

}  // namespace

automatic::automatic() noexcept = default;

void automatic::begin_anew(std::uint64_t n, std::uint32_t members) noexcept {
  forget();
  iterations_ = n;
  members_ = members;
  tolerance_ = least_tolerance;
  equal_blocks_ = schedules::find("static");
  by_thirds_ = schedules::find("steal:even");
  list_base();
}

bool automatic::is_for(std::uint64_t n, std::uint32_t members) const noexcept {
  return members == members_ && is_about(n, iterations_, alike);
}

bool lesson::is_for(std::uint64_t n, std::uint32_t by) const noexcept {
  return by == members && is_about(n, iterations, alike);
}

bool automatic::looks_first() noexcept {
  const bool is_long_ago = since_ != 0 && may_observe() && !is_restless();
  observes_ = observes_ || is_long_ago;
  return is_long_ago;
}

bool automatic::may_observe() const noexcept { return paid_ / times_the_price >= price_of_observing; }

automatic::plan automatic::next(std::uint64_t n, std::uint32_t members, std::uint64_t now) noexcept {
  if (!is_for(n, members)) begin_anew(n, members);
  ++instances_;
  planned_ = n;
  if (++since_ >= until_ && settled_ && may_observe() && !is_tiny() && !periods_.runs()) {
    until_ = next_observation();
    observes_ = true;
  }
  note_period(now);
  if (is_to_be_observed()) return {ways_[base].how, true};
  if (is_waiting()) return {meanwhile(), false};
  return {ways_[periods_.is_others_turn() ? other_ : now_].how, false};
}

std::uint64_t automatic::rate() const noexcept {
  if (iterations_ == 0) return 0;
  if (work_ != 0) return rate_of(work_, iterations_);
  return is_compared() ? rate_of(early_.takes(iterations_) * members_, iterations_) : 0;
}

void automatic::cut(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) const noexcept {
  spread_.cut(members, n, ends);
}

/// What a loop of so many iterations took, as one of `iterations_` would.
std::uint64_t automatic::as_usual(std::uint64_t ticks, std::uint64_t n) const noexcept {
  using wide = unsigned __int128;
  const auto usual = wide{ticks} * iterations_ / std::max<std::uint64_t>(n, 1);
  return static_cast<std::uint64_t>(std::min(usual, wide{~std::uint64_t{0} / 256}));
}

bool automatic::took(std::uint64_t ticks, const observation& seen) noexcept {
  last_took_ = ticks = std::max<std::uint64_t>(ticks, 1);
  if (seen.chunks != nullptr && observes_) {
    due_ = observed(as_usual(ticks, planned_), seen);
    paid_ = 0;
  } else if (is_waiting()) {
    early_.took(ticks, saved_by(meanwhile(), ticks), planned_, evens_ != 0);
    learnt_ = learnt_ && (settled_ || early_.has_chosen());
  } else if (!periods_.runs()) {
    measured(ticks, seen.finished);
  }
  paid_ = sum(paid_, ticks);
  return due_;
}

void automatic::measured(std::uint64_t ticks, std::uint64_t finished) noexcept {
  if (!sampled_.add(ticks, planned_, finished, enough / members_)) return;
  const auto it = sample_of(sampled_.take());
  settled_ ? ran(it) : tried(it);
}

automatic::sample automatic::sample_of(const lot& some) const noexcept {
  using wide = unsigned __int128;
  const auto all = wide{some.ticks} * members_;
  const auto busy = static_cast<std::uint32_t>(std::min(wide{some.finished} * 64 / std::max(all, wide{1}), wide{64}));
  return {std::max<std::uint64_t>(as_usual(some.ticks, some.iterations), 1),
          some.finished == lot::not_known ? not_known : 64 - busy, some.instances};
}

void automatic::stopped() noexcept {
  withdrawn();
  periods_.stop();
  if (!observes_) return;
  pays_first_ = true;
  paid_ = 0;
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

/// What holds up a short instance looks like other costs: these have to be seen twice in a row. True: the next one is observed, too.
bool automatic::looks_again(bool is_other, std::uint64_t ticks) noexcept {
  observes_ = doubts_ = is_other && !doubts_ && ticks < enough / members_;
  return doubts_;
}

/// True: it is another phase, or the first.
bool automatic::observed(std::uint64_t ticks, const observation& seen) noexcept {
  observes_ = pays_first_ = false;
  since_ = 0;
  sampled_.forget();
  density found;
  const auto all = seen.chunks->sum_up(found);
  if (all.work == 0) return due_;
  hand_over_ = seen.hand_over;
  const auto work = as_usual(all.work, planned_);
  // Of what another process has found no other way is known: it is foretold here as soon as something was observed.
  const bool is_known = settled_ && !learnt_;
  const bool same = is_known && is_about(work, work_, least_tolerance) && distance(found) < moved;
  const bool was_restless = is_restless();
  if (looks_again(is_known && !same && !was_restless, ticks)) return due_;
  if (is_known) note_change(same);
  if (same && !was_restless && !is_restless() && (now_ == base || ticks >= usual_ - usual_ / 64)) {
    costs_lie_as_before(ticks);
    return false;
  }
  if (is_known && !same) {
    early_ = {};
    begin_phase();
  }
  losing_ = 0;
  surprise_ = 0;
  stays_ = false;
  if (!was_restless || !is_restless()) {
    now_ = base;
    settled_ = false;
  }
  learnt_ = false;
  spread_ = found;
  work_ = work;
  seen_ = ticks;
  deviation_ = all.deviation;
  evens_ = is_even() ? evens_ + 1 : 0;
  if (evens_ == 0 && early_.has_chosen() && !is_brief_early()) early_.steal();
  list_others();
  return true;
}

/// An observed instance took so long, the reading of clocks included.
void automatic::costs_lie_as_before(std::uint64_t ticks) noexcept {
  stays_ = surprise_ != 0;
  losing_ = 0;
  if (stays_) tolerance_ = std::min(tolerance_ * 2, most_tolerance);
  auto& of_base = ways_[base].measured;
  if (now_ != base) of_base = of_base == 0 ? ticks : std::min(of_base, ticks);
  // What a change of phases may cost is less by now: one that was left for that may be tried.
  if (phase_length_ != 0) trials_ = std::min(trials_, most_trials - 1);
  const auto before = now_;
  choose();
  if (now_ == before) return;
  surprise_ = 0;
  stays_ = false;
}

shape automatic::shape_of(const way& how, std::uint64_t* ends) const noexcept {
  shape loop{iterations_, how.members, how.chunk, seed};
  loop.front_end.contiguous = true;
  know_rate(loop, rate());
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
  chunk_costs costs({&spread_, work_, deviation_, takes_a_chunk()}, iterations_);
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    std::array<std::uint64_t, most_shares> ends;
    its.expected = hands_out_crumbs(its.how) ? not_predicted
                                             : predict(*its.how.schedule, shape_of(its.how, ends.data()), costs, room);
    its.measured = 0;
  }
  // What a forecast of the observed instance leaves out, opening the loop for example, others have, too. Only so much is believed: it
  // may also be costs that lie otherwise than is known, which another way may bear.
  auto& of_base = ways_[base].expected;
  const auto beside = std::min(seen_ - std::min(of_base, seen_), seen_ / believed);
  const auto when_not_predicted = among_.empty() ? 0 : seen_;
  for (std::uint32_t which = 0; which < count_; ++which) {
    auto& its = ways_[which];
    its.expected = its.expected == not_predicted ? when_not_predicted : its.expected + beside;
  }
  // Observing it has cost something. And it was seen to be no slower than that.
  of_base = of_base == 0 ? seen_ : std::min(of_base, seen_);
  leave_out_equal_shares();
  foresee_change();
  trials_ = 0;
  due_ = false;
  add_phase();
  if (!is_restless() || !choose_for_all_phases()) choose();
}

/// A forecast may be a little too good: that of another way than the base has to be better by a hundredth, of a short loop by a 32nd. So it has to
/// where the program's chunks are handed out as it says, which may help it in ways that no forecast knows of. Equal blocks find their data in the caches where they
/// left it, which no forecast knows of either. So once the base is measured they are tried where they are foretold to be slower than it by no more than a
/// 16th.
std::uint64_t automatic::hoped_of(const known& its, bool is_base, bool is_doubted) const noexcept {
  if (is_base) return its.expected;
  const auto missed = its.expected / 64 * its.missed;
  if (is_equal_blocks(its.how) && ways_[base].measured != 0 && !is_as_written())
    return its.expected - its.expected / 16 + missed;
  return its.expected + its.expected / doubt_of(its.how, is_doubted) + missed;
}

/// What was just tried, beside what the base was foretold and takes.
std::uint16_t automatic::missed_by(const known& its) const noexcept {
  using wide = unsigned __int128;
  const auto& of_base = ways_[base];
  const bool is_known = of_base.measured != 0 && of_base.expected != 0;
  const auto foretold = is_known ? wide{its.expected} * of_base.measured / of_base.expected : wide{its.expected};
  if (foretold == 0 || its.measured <= foretold) return 0;
  return static_cast<std::uint16_t>(std::min((its.measured - foretold) * 64 / foretold, wide{64}));
}

/// By what part of its forecast a way has to be better than the base. That of steal:even is as good as that of steal.
std::uint64_t automatic::doubt_of(const way& how, bool is_doubted) const noexcept {
  const bool is_like_base = how.schedule == by_thirds_ && !is_as_written();
  return is_doubted && !is_like_base ? 32 : 100;
}

/// What moves during a loop, as another program on a core, is borne by all ways but equal blocks. So these stay where they are faster by a 64th.
std::uint64_t automatic::borne_of(const known& its) const noexcept {
  const bool bears = !is_equal_blocks(its.how) || its.measured < early_choice::brief;
  return its.measured + (bears ? 0 : its.measured / 64);
}

void automatic::choose() noexcept {
  const bool is_doubted = seen_ < enough / members_ || is_as_written();
  std::uint32_t best = base;
  auto least = ~std::uint64_t{0};
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& its = ways_[which];
    if (which == base && !may_steal()) continue;
    const bool may_be_tried = which == base || (its.expected != 0 && trials_ < most_trials);
    if (its.measured == 0 && !may_be_tried) continue;
    const auto takes = its.measured != 0 ? borne_of(its) : hoped_of(its, which == base, is_doubted);
    const auto saved = std::min(takes, sum(saved_by(its.how, takes), which == other_ ? saves_ : 0));
    const auto costs = sum(takes - saved, risk_of(its, takes));
    if (costs < least) {
      least = costs;
      best = which;
    }
  }
  if (best != now_) as_usual_ = 0;
  now_ = best;
  settled_ = ways_[best].measured != 0;
  if (!settled_) return;
  usual_ = ways_[best].measured;
  usual_idle_ = ways_[best].idle;
  if (settled_after_ == 0) settled_after_ = instances_;
}

std::uint32_t automatic::foretold_idle(const known& its) const noexcept {
  using wide = unsigned __int128;
  if (its.expected == 0) return 0;
  return 64 - static_cast<std::uint32_t>(std::min(wide{work_} * 64 / (wide{its.expected} * members_), wide{64}));
}

void automatic::tried(const sample& it) noexcept {
  if (now_ != base) ++trials_;
  auto& its = ways_[now_];
  its.measured = it.ticks;
  if (now_ != base) its.missed = missed_by(its);
  // Far more idle than was foretold: as if it were not usual, for costs may lie elsewhere by now.
  its.idle = it.idle == not_known ? not_known : std::min(it.idle, foretold_idle(its) + most_idle_borne / 2);
  choose();
}

/// Where costs lie as before and it takes as long again, that is what this way takes now: another one may be better.
void automatic::surprised(const sample& it, std::uint64_t lost) noexcept {
  losing_ = std::min(sum(losing_, std::min(lost, most_lost) * std::min(it.instances, most_lost)), most_lost);
  if (stays_ && is_about(it.ticks, surprise_, least_tolerance)) {
    ways_[now_].measured = it.ticks;
    ways_[now_].idle = it.idle;
    learnt_ = stays_ = false;
    surprise_ = losing_ = 0;
    return choose();
  }
  surprise_ = it.ticks;
  stays_ = false;
  // What goes on being lost may be more than observing costs.
  observes_ = may_observe() || usual_ / 64 * losing_ >= times_when_losing * price_of_observing;
}

void automatic::ran(const sample& it) noexcept {
  if (is_restless()) {
    usual_ = usual_ == 0 ? it.ticks : average(usual_, it.ticks);
    ways_[now_].measured = usual_;
    return;
  }
  if (is_tiny() && it.ticks < early_choice::tiny) return as_expected(it);
  if (usual_idle_ == not_known) usual_idle_ = it.idle;
  const auto idle = it.idle == not_known ? usual_idle_ : it.idle;
  const auto more_idle = idle - std::min(idle, usual_idle_);
  // Members that steal are idle only where there is nothing, or come late.
  const auto& about = ways_[now_].how.schedule->about;
  const bool is_uneven =
      (about.preassigned || about.ascending) && more_idle > std::min<std::uint64_t>(tolerance_, most_idle_borne);
  if (is_uneven || !is_about(it.ticks, usual_, tolerance_)) {
    // More work is no loss; what members wait for is.
    const auto each = std::max<std::uint64_t>(usual_ / 64, 1);
    const auto longer = (it.ticks - std::min(it.ticks, usual_)) / each;
    return surprised(it, it.idle == not_known ? longer : std::min(it.ticks / each, most_lost) * more_idle / 64);
  }
  as_expected(it);
}

void automatic::as_expected(const sample& it) noexcept {
  surprise_ = losing_ = 0;
  stays_ = false;
  usual_ = average(usual_, it.ticks);
  ways_[now_].measured = usual_;
}

}  // namespace steelyard::learn
