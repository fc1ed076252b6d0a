// SPDX-License-Identifier: Apache-2.0
#include "loop/costs.hpp"

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

/// The loops must take so many times as long as reading does: half a percent is what COWS has on average (figure 21).
constexpr std::uint64_t times_as_long = 200;

using support::ticks;

void add(sync::real::atomic<std::uint64_t>& sum, std::uint64_t more) noexcept {
  sum.store(sum.load(sync::relaxed, sync::site{"A11"}) + more, sync::relaxed, sync::site{"A11"});
}

bool pays(const steelyard_costs& costs, std::uint64_t iterations, const history* known,
          std::uint64_t expected) noexcept {
  if (!settings().spares || known == nullptr || expected == 0) return true;
  const auto price = scaled(known->reading.get(), iterations);
  const auto read = costs.reading.load(sync::relaxed, sync::site{"A11"});
  const auto run = costs.running.load(sync::relaxed, sync::site{"A11"});
  const auto budget = (run + expected) / times_as_long;
  return price == 0 || (price <= budget && read <= budget - price);
}

}  // namespace

costs_in_use::costs_in_use(steelyard_costs* costs, schedules::shape& loop, history* known,
                           std::uint64_t expected) noexcept {
  if (costs == nullptr || costs->in_use.exchange(true, sync::acquire, sync::site{"A7"})) return;
  held_ = costs;
  costs->known.version = costs->version.load(sync::relaxed, sync::site{"A10"});
  if (!costs->sums.would_read(loop, costs->known)) {
    loop = costs->sums.apply(loop, costs->known);
  } else if (pays(*costs, loop.iterations, known, expected)) {
    read(loop, known);
  }
  began_ = ticks();
}

void costs_in_use::read(schedules::shape& loop, history* known) noexcept {
  const auto began = ticks();
  const auto wanted = schedules::work_sums::size_for(loop);
  if (wanted > held_->room) {
    held_->memory.reset(new (std::nothrow) double[wanted]);
    held_->room = held_->memory != nullptr ? wanted : 0;  // without costs, then
    held_->sums = schedules::work_sums({held_->memory.get(), held_->room}, settings().applied);
  }
  loop = held_->sums.apply(loop, held_->known);
  const auto took = ticks() - began;
  if (known != nullptr) known->reading.add(per_1024(took, loop.iterations));
  add(held_->reading, took);
}

costs_in_use::~costs_in_use() {
  if (held_ == nullptr) return;
  add(held_->running, ticks() - began_);
  held_->in_use.store(false, sync::release, sync::site{"A8"});
}

}  // namespace steelyard::loop
