// SPDX-License-Identifier: Apache-2.0
#include "loop/costs.hpp"

#include <algorithm>
#include <new>

#include "loop/settings.hpp"
#include "support/ticks.hpp"

steelyard_costs::steelyard_costs(steelyard_cost_function evaluate, void* context, std::uint32_t flags) noexcept
    : sums({}, steelyard::loop::settings().applied) {
  if (evaluate != nullptr) known.each = {evaluate, context};
  known.equal = (flags & STEELYARD_EQUAL_COSTS) != 0;
  known.guarded = (flags & STEELYARD_GUARDED_COSTS) != 0;
}

namespace steelyard::loop {
namespace {

/// Loops that read costs take so many times as long as that: it is a quarter of a percent.
constexpr std::uint64_t times_as_long = 400;

using support::ticks;

void add(sync::real::atomic<std::uint64_t>& sum, std::uint64_t more) noexcept {
  sum.store(sum.load(sync::relaxed, sync::site{"A11"}) + more, sync::relaxed, sync::site{"A11"});
}

bool pays(const history* known, std::uint64_t expected) noexcept {
  return !settings().spares || known == nullptr ||
         known->until_reading.load(sync::relaxed, sync::site{"A12"}) <= expected;
}

/// The first time is not counted: it is the longest, and says little of the next.
void pay_for(history& known, std::uint64_t took) noexcept {
  if (known.has_read.load(sync::relaxed, sync::site{"A12"})) {
    const auto left = known.until_reading.load(sync::relaxed, sync::site{"A12"});
    known.until_reading.store(left + took * times_as_long, sync::relaxed, sync::site{"A12"});
  }
  known.has_read.store(true, sync::relaxed, sync::site{"A12"});
}

void pay_off(history& known, std::uint64_t took) noexcept {
  const auto left = known.until_reading.load(sync::relaxed, sync::site{"A12"});
  if (left != 0) known.until_reading.store(left - std::min(left, took), sync::relaxed, sync::site{"A12"});
}

}  // namespace

costs_in_use::costs_in_use(steelyard_costs* costs, schedules::shape& loop, history* known,
                           std::uint64_t expected) noexcept
    : known_(known) {
  if (costs == nullptr || costs->in_use.exchange(true, sync::acquire, sync::site{"A7"})) return;
  held_ = costs;
  costs->known.version = costs->version.load(sync::relaxed, sync::site{"A10"});
  if (!costs->sums.would_read(loop, costs->known)) {
    loop = costs->sums.apply(loop, costs->known);
  } else if (pays(known, expected)) {
    read(loop);
  }
  began_ = ticks();
}

void costs_in_use::read(schedules::shape& loop) noexcept {
  const auto began = ticks();
  const auto wanted = schedules::work_sums::size_for(loop);
  if (wanted > held_->room) {
    held_->memory.reset(new (std::nothrow) double[wanted]);
    held_->room = held_->memory != nullptr ? wanted : 0;  // without costs, then
    held_->sums = schedules::work_sums({held_->memory.get(), held_->room}, settings().applied);
  }
  loop = held_->sums.apply(loop, held_->known);
  const auto took = ticks() - began;
  if (known_ != nullptr) pay_for(*known_, took);
  add(held_->reading, took);
}

costs_in_use::~costs_in_use() {
  if (held_ == nullptr) return;
  const auto took = ticks() - began_;
  if (known_ != nullptr) pay_off(*known_, took);
  add(held_->running, took);
  held_->in_use.store(false, sync::release, sync::site{"A8"});
}

}  // namespace steelyard::loop
