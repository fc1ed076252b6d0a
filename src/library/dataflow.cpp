// SPDX-License-Identifier: Apache-2.0
// The C interface of dataflow.
#include "dataflow/accumulation.hpp"
#include "dataflow/frames.hpp"
#include "loop/run.hpp"

#include <utility>

#include <steelyard/dataflow_core.h>

namespace {

/// Makes the calling thread one that has tasks; a worker calls what it would fork.
bool enter() noexcept {
  return steelyard::runtime::pool::of_this_worker() == nullptr && steelyard::loop::current_pool().threads.enter_tasks();
}

}  // namespace

steelyard_frame* steelyard_frame_open() noexcept { return steelyard::dataflow::open(enter); }

void steelyard_frame_look() noexcept { steelyard::dataflow::look(); }

void* steelyard_frame_sync() noexcept { return steelyard::dataflow::sync(); }

steelyard_frame* steelyard_frame_call() noexcept {
  return std::exchange(steelyard_frame_here, &steelyard::runtime::tasks::calls_only);
}

void steelyard_cumulate_begin(const void* object) noexcept { steelyard::dataflow::lock_of(object).lock(); }

void steelyard_cumulate_end(const void* object) noexcept { steelyard::dataflow::lock_of(object).unlock(); }
