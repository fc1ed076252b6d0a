// SPDX-License-Identifier: Apache-2.0
// The C interface of work and span.
#include "dataflow/frames.hpp"
#include "runtime/callers_pool.hpp"

#include <new>

#include <steelyard/detail/task_core.h>

namespace {

struct measured_call {
  void (*call)(void* context);
  void* context;
  bool entered = false;

  /// The thread has tasks as long as it lasts, so all of it is measured.
  static void run(void* at) {
    auto& its = *static_cast<measured_call*>(at);
    const struct seat {
      bool taken = steelyard_tasks_enter() != 0;
      ~seat() {
        if (!taken) return;
        steelyard::dataflow::drop(steelyard_frame_sync());
        steelyard_tasks_leave();
      }
    } here;
    its.entered = here.taken;
    its.call(its.context);
  }
};

int tell(const steelyard_pool& pool, steelyard_work_span* into) noexcept {
  const auto& its = pool.threads.its_tasks().measuring;
  const bool known = its.has_result();
  *into = known ? its.so_far() : steelyard_work_span{};
  return known ? 1 : 0;
}

}  // namespace

int steelyard_measure_work_span(void (*call)(void*), void* context, steelyard_work_span* into) {
  *into = {};
  steelyard_pool alone(0);
  alone.threads.measure_tasks();
  measured_call its{call, context};
  steelyard_pool_run(&alone, measured_call::run, &its);
  return its.entered ? tell(alone, into) : 0;
}

int steelyard_pool_work_span(const steelyard_pool* pool, steelyard_work_span* into) noexcept {
  return tell(steelyard::runtime::pool_for(pool), into);
}
