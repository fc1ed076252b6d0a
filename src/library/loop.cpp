// SPDX-License-Identifier: Apache-2.0
// The C interface of loops and pools.
#include <new>

#include "loop/costs.hpp"
#include "loop/pool_history.hpp"
#include "loop/run.hpp"
#include "loop/spmd.hpp"
#include "loop/team.hpp"
#include "runtime/callers_pool.hpp"
#include "runtime/pending.hpp"

using steelyard::runtime::pool_for;

steelyard_pool* steelyard_pool_create(uint32_t threads) noexcept try {
  if (threads == 0 || threads - 1 > steelyard::runtime::pool::most_workers) return nullptr;
  auto* const made = new steelyard_pool(threads - 1);
  steelyard::runtime::measure_if_told(*made);
  return made;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void steelyard_pool_destroy(steelyard_pool* pool) noexcept {
  if (pool != nullptr) steelyard::runtime::report_work_and_span(*pool);
  delete pool;
}

uint32_t steelyard_pool_threads(const steelyard_pool* pool) noexcept { return pool_for(pool).threads.workers() + 1; }

uint64_t steelyard_pool_steals(const steelyard_pool* pool) noexcept {
  return steelyard::loop::steals_of(pool_for(pool));
}

void steelyard_pool_run(steelyard_pool* pool, void (*call)(void*), void* context) {
  steelyard_pool& its = pool_for(pool);
  using steelyard::runtime::has_frame_here;
  if (has_frame_here() && &its != &pool_for(nullptr) && !steelyard::runtime::settle_pending()) return call(context);
  const steelyard::runtime::pool_in_use here(its);
  const struct waiting {
    bool in_no_task = steelyard_frame_here == nullptr;
    ~waiting() {
      if (!in_no_task) return;
      steelyard::runtime::drop_pending();
      steelyard::runtime::seats::leave_at_last();
    }
  } at_the_end;
  call(context);
}

uint32_t steelyard_member_number(const steelyard_member* self) noexcept { return self->number; }

uint32_t steelyard_member_count(const steelyard_member* self) noexcept {
  return self->of != nullptr ? self->of->members() : 1;
}

void steelyard_member_stop(steelyard_member* self) noexcept {
  if (self->of != nullptr) {
    self->of->stop();
  } else {
    self->stopped_alone = true;
  }
}

int steelyard_member_stopped(const steelyard_member* self) noexcept {
  return (self->of != nullptr ? self->of->stopped() : self->stopped_alone) ? 1 : 0;
}

steelyard_range steelyard_member_range(steelyard_member* self) noexcept { return self->of->range_of(*self); }

steelyard_piece steelyard_member_claim(steelyard_member* self, uint64_t first, uint64_t count) noexcept {
  return self->of->claim(self->number, {first, count});
}

steelyard_costs* steelyard_costs_create(steelyard_cost_function evaluate, void* context, uint32_t flags) noexcept {
  return new (std::nothrow) steelyard_costs(evaluate, context, flags);
}

void steelyard_costs_changed(steelyard_costs* costs) noexcept {
  if (costs != nullptr) costs->changed();
}

double steelyard_costs_overhead(const steelyard_costs* costs) noexcept {
  return costs != nullptr ? costs->overhead() : 0;
}

double steelyard_costs_known(const steelyard_costs* costs) noexcept {
  return costs != nullptr ? costs->known_part() : 0;
}

void steelyard_costs_destroy(steelyard_costs* costs) noexcept { delete costs; }

steelyard_result steelyard_loop_run(const steelyard_loop* loop) {
  if (loop == nullptr || loop->size < sizeof *loop) return STEELYARD_INVALID;
  return steelyard::loop::run(*loop);
}

void steelyard_idws_enter(steelyard_idws* self, uint64_t team, uint32_t members, uint32_t number, uint64_t iterations,
                          uint32_t flags) noexcept {
  steelyard::loop::enter_spmd(*self, team, members, number, iterations, flags);
}

steelyard_piece steelyard_idws_claim(steelyard_idws* self) noexcept { return steelyard::loop::claim_spmd(*self); }

void steelyard_idws_leave(steelyard_idws* self) noexcept { steelyard::loop::leave_spmd(*self); }
