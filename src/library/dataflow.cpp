// SPDX-License-Identifier: Apache-2.0
// The C interface of dataflow.
#include "dataflow/accumulation.hpp"
#include "dataflow/frames.hpp"
#include "dataflow/recording.hpp"
#include "runtime/callers_pool.hpp"

#include <new>
#include <utility>

#include <steelyard/detail/dataflow_core.h>

struct steelyard_recording : steelyard::dataflow::recording {};

namespace {

/// Makes the calling thread one that has tasks. True: as a guest.
bool enter() noexcept { return steelyard::runtime::pool_for(nullptr).threads.enter_tasks(); }

}  // namespace

steelyard_frame* steelyard_frame_open() noexcept { return steelyard::dataflow::open(enter); }

void steelyard_frame_look() noexcept { steelyard::dataflow::look(); }

void* steelyard_frame_sync() noexcept { return steelyard::dataflow::sync(); }

steelyard_frame* steelyard_frame_call() noexcept {
  steelyard::dataflow::refuse_calls();
  return std::exchange(steelyard_frame_here, &steelyard::runtime::calls_only);
}

steelyard_recording* steelyard_recording_begin() noexcept {
  auto* const it = new (std::nothrow) steelyard_recording;
  if (it == nullptr || it->begin()) return it;
  delete it;
  return nullptr;
}

int steelyard_recording_end(steelyard_recording* recording) noexcept { return recording->end() ? 1 : 0; }

int steelyard_recording_is_full(const steelyard_recording* recording) noexcept { return recording->is_full() ? 1 : 0; }

void* steelyard_recording_run(steelyard_recording* recording) noexcept { return recording->run(enter); }

void steelyard_recording_destroy(steelyard_recording* recording) noexcept { delete recording; }

void steelyard_cumulate_begin(const void* object) noexcept { steelyard::dataflow::lock_of(object).lock(); }

void steelyard_cumulate_end(const void* object) noexcept { steelyard::dataflow::lock_of(object).unlock(); }
