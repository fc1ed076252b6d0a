// SPDX-License-Identifier: Apache-2.0
#include "loop/costs.hpp"

#include <new>

#include "loop/settings.hpp"

steelyard_costs::steelyard_costs(steelyard_cost_function evaluate, void* context, std::uint32_t flags) noexcept
    : sums({}, steelyard::loop::settings().applied) {
  if (evaluate != nullptr) known.each = {evaluate, context};
  known.equal = (flags & STEELYARD_EQUAL_COSTS) != 0;
  known.guarded = (flags & STEELYARD_GUARDED_COSTS) != 0;
}

namespace steelyard::loop {

costs_in_use::costs_in_use(steelyard_costs* costs, schedules::shape& loop) noexcept {
  if (costs == nullptr || costs->in_use.exchange(true, sync::acquire, sync::site{"A7"})) return;
  held_ = costs;
  costs->known.version = costs->version.load(sync::relaxed, sync::site{"A10"});
  const auto wanted =
      schedules::work_sums::wants_sums(costs->known, settings().applied) ? schedules::work_sums::size_for(loop) : 0;
  if (wanted > costs->room) {
    costs->memory.reset(new (std::nothrow) double[wanted]);
    costs->room = costs->memory != nullptr ? wanted : 0;  // without costs, then
    costs->sums = schedules::work_sums({costs->memory.get(), costs->room}, settings().applied);
  }
  loop = costs->sums.apply(loop, costs->known);
}

costs_in_use::~costs_in_use() {
  if (held_ != nullptr) held_->in_use.store(false, sync::release, sync::site{"A8"});
}

}  // namespace steelyard::loop
