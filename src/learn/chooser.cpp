// SPDX-License-Identifier: Apache-2.0
#include "learn/chooser.hpp"

#include <algorithm>
#include <bit>

#include "learn/averages.hpp"
#include "learn/rate.hpp"

namespace steelyard::learn {
namespace {

/// Trials may cost so small a part of the time.
constexpr std::uint64_t part = 128;
/// Trials of a way that seems to be faster are so many instances apart.
constexpr std::uint32_t apart = 8;
/// So many instances are to go before all is tried anew that was tried.
constexpr std::uint32_t until_anew = 32;
/// After so many instances a way is tried again that was left when it took far longer, once.
constexpr std::uint64_t while_doubted = 16;

/// No difference in measure.
constexpr bool is_faster(std::uint64_t rate, std::uint64_t than) noexcept { return rate + rate / 64 < than; }

constexpr bool is_far(std::uint64_t rate, std::uint64_t from) noexcept {
  return rate > from + from / 4 || rate < from - from / 4;
}

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t all = 0;
  return __builtin_mul_overflow(a, b, &all) ? ~std::uint64_t{0} : all;
}

std::uint32_t size_of(std::uint64_t n) noexcept { return static_cast<std::uint32_t>(std::bit_width(n)); }

}  // namespace

std::uint32_t chooser::number_of(std::uint64_t phase, std::uint64_t n) const noexcept {
  std::uint32_t which = 0;
  while (which != most_phases && (choices_[which].size != size_of(n) || choices_[which].phase != phase)) ++which;
  return which;
}

/// In place of the one that was used the longest ago, when there are too many.
chooser::choice& chooser::turn_to(std::uint64_t phase, std::uint64_t n) noexcept {
  const auto before = number_of(phase_, n);
  phase_ = phase;
  const auto which = number_of(phase, n);
  if (which != most_phases) return choices_[which];
  const auto used_before = [](const choice& a, const choice& b) { return a.last_used < b.last_used; };
  choice& fresh = *std::min_element(choices_.begin(), choices_.end(), used_before);
  const choice last = before != most_phases ? choices_[before] : choice{};
  fresh = {};
  fresh.phase = phase;
  fresh.size = size_of(n);
  carry_over(last, fresh);
  return fresh;
}

/// Which ways are dear: what costs them most, data in other caches or a fetch of a chunk, is the same in all phases.
void chooser::carry_over(const choice& from, choice& to) noexcept {
  for (std::uint32_t way = shares + 1; way < most_ways; ++way) to.ways[way].is_dear = from.ways[way].is_dear;
}

bool chooser::is_settled(std::uint64_t n) const noexcept {
  const auto which = number_of(phase_, n);
  return which != most_phases && choices_[which].settled;
}

std::uint32_t chooser::chosen(std::uint64_t n) const noexcept {
  const auto which = number_of(phase_, n);
  return which != most_phases ? choices_[which].chosen : shares;
}

std::uint32_t chooser::next(std::uint64_t n, predictions least) noexcept {
  const auto which = number_of(phase_, n);
  if (which == most_phases || choices_[which].looks) return shares;
  choice& now = choices_[which];
  if (!now.settled) {
    if (const auto way = to_try(now, n, least); way != none) return way;
    settle(now, n, least);
  }
  const auto way = due(now, least);
  if (way == none) return now.chosen < least.size() && least[now.chosen] != never ? now.chosen : shares;
  now.since_trial = 0;
  plan(now, way, n, least);
  return way;
}

/// Learnt shares again where they can be measured with a better cut; then whatever may be faster than all before.
std::uint32_t chooser::to_try(const choice& now, std::uint64_t n, predictions least) noexcept {
  if (now.instances >= most_trials) return none;
  if (now.ways[shares].rate == 0 || (now.cut_anew && now.instances < 2)) return shares;
  std::uint64_t best = never;
  for (const known& each : now.ways) {
    if (each.rate != 0) best = std::min(best, each.rate);
  }
  for (std::uint32_t way = 0; way < least.size(); ++way) {
    const known& its = now.ways[way];
    if (its.rate == 0 && !its.is_dear && least[way] != never && rate_of(least[way], n) < best) return way;
  }
  return none;
}

void chooser::settle(choice& now, std::uint64_t n, predictions least) noexcept {
  now.settled = true;
  for (std::uint32_t way = 0; way < least.size(); ++way) {
    const auto rate = now.ways[way].rate;
    const auto best = now.ways[now.chosen].rate;
    if (rate != 0 && (best == 0 || rate < best)) now.chosen = way;
  }
  for (std::uint32_t way = 0; way < least.size(); ++way) plan(now, way, n, least);
}

/// When a way is tried again: so that it is paid for. What took more than twice what was to be expected may have been disturbed,
/// once.
void chooser::plan(choice& now, std::uint32_t way, std::uint64_t n, predictions least) noexcept {
  const auto best = now.ways[now.chosen].rate;
  const auto expected = std::max(best, least[way] != never ? rate_of(least[way], n) : 0);
  const known& its = now.ways[way];
  const auto believed = its.is_sure ? its.rate : std::min(its.rate, product(expected, 2));
  const auto rate = its.rate != 0 ? believed : expected;
  const auto cost = std::max(ticks_at(rate - std::min(rate, best), n), ticks_at(best, n) / 4);
  now.ways[way].due = sum(now.clock, product(cost, part * least.size()));
}

std::uint32_t chooser::due(const choice& now, predictions least) noexcept {
  if (now.contender < least.size() && least[now.contender] != never) return now.contender;
  const auto best = now.ways[now.chosen].rate;
  for (std::uint32_t way = 0; way < least.size(); ++way) {
    if (way == now.chosen || least[way] == never) continue;
    const known& its = now.ways[way];
    const bool seems_faster = its.rate != 0 && is_faster(its.rate, best) && now.since_trial >= apart;
    if (its.due <= now.clock || seems_faster) return way;
  }
  return none;
}

void chooser::took(const instance& it) noexcept {
  const auto before = number_of(phase_, it.iterations);
  choice& now = turn_to(it.phase, it.iterations);
  const bool arrived = before == most_phases || &now != &choices_[before];
  const bool looked = before != most_phases && choices_[before].looks && it.way == shares;
  if (looked) choices_[before].looks = false;
  known& way = now.ways[it.way];
  const bool other_phases_cut = arrived && way.rate != 0;
  const auto rate = std::max<std::uint64_t>(rate_of(it.ticks, it.iterations), 1);
  now.last_used = ++instances_;
  const auto usual = now.settled ? ticks_at(now.ways[now.chosen].rate, it.iterations) : it.ticks;
  now.clock = sum(now.clock, std::min(it.ticks, product(usual, 2)));
  ++now.instances;
  ++now.since_trial;
  if (other_phases_cut) return;
  const auto of_usual = now.settled ? now.ways[now.chosen].rate : now.ways[shares].rate;
  if (it.way != now.chosen) way.is_dear = of_usual != 0 && rate > of_usual + of_usual / 4;
  if (looked && !arrived && now.instances > until_anew) {
    begin_anew(now, rate);
  } else if (!now.settled || (it.way == shares && now.cut_anew)) {
    way.rate = rate;
  } else if (it.way == now.chosen) {
    took_chosen(now, rate, usual);
  } else {
    took_other(now, it.way, rate, it.ticks);
  }
  if (it.way == shares) now.cut_anew = it.cut_anew;
}

/// All is tried again. Learnt shares were, just now.
void chooser::begin_anew(choice& now, std::uint64_t rate) noexcept {
  const choice before = now;
  now.ways = {};
  carry_over(before, now);
  now.ways[shares].rate = rate;
  now.chosen = shares;
  now.last = 0;
  now.contender = none;
  now.instances = 1;
  now.settled = false;
}

/// To a way that is about as fast, for a while: until the chosen one is tried again that costs no more than one instance. Shares
/// are learnt from, so they neither are left like this nor fallen back to.
bool chooser::fall_back(choice& now, std::uint64_t usual) noexcept {
  if (now.chosen == shares) return false;
  known& left = now.ways[now.chosen];
  std::uint32_t best = none;
  for (std::uint32_t way = shares + 1; way < most_ways; ++way) {
    const auto rate = now.ways[way].rate;
    if (way == now.chosen || rate == 0 || rate > left.rate + left.rate / while_doubted) continue;
    if (best == none || rate < now.ways[best].rate) best = way;
  }
  if (best == none) return false;
  left.rate = std::max(left.rate, now.ways[best].rate);
  left.due = sum(now.clock, product(usual, while_doubted));
  now.chosen = best;
  now.last = 0;
  now.doubted = false;
  return true;
}

void chooser::took_chosen(choice& now, std::uint64_t rate, std::uint64_t usual) noexcept {
  auto& usually = now.ways[now.chosen].rate;
  now.last = rate;
  if (!is_far(rate, usually)) {
    now.doubted = false;
    usually = average(usually, rate);
    return;
  }
  if (rate > usually && fall_back(now, usual)) return;
  now.doubted = !now.doubted;
  if (now.doubted) return;
  usually = rate;
  if (now.chosen != shares) {
    now.looks = true;
  } else if (now.instances > until_anew) {
    begin_anew(now, rate);
  }
}

void chooser::took_other(choice& now, std::uint32_t way, std::uint64_t rate, std::uint64_t ticks) noexcept {
  now.ways[way].is_sure = now.ways[way].rate != 0;
  now.ways[way].rate = rate;
  const auto average = now.ways[now.chosen].rate;
  const bool faster = is_faster(rate, now.last != 0 ? std::min(average, now.last) : average);
  if (faster && now.contender == way) {
    now.ways[now.chosen].due = sum(now.clock, product(ticks, part));
    now.chosen = way;
    now.last = rate;
    now.doubted = false;
  }
  now.contender = faster && now.chosen != way ? way : none;
}

}  // namespace steelyard::learn
