// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/detail/task_core.h>

/// The end of a deque at which its owner pushes and pops (src/runtime/deque.md), and that of a frame, where it only pushes
/// (src/dataflow/program_order.md). Programs, the library and the model checker compile this one source; `Words` says how they reach the words
/// that it needs.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// Publishes the tasks below `end`. False: the library has to be told, steelyard_task_pushed or steelyard_frame_look.
template <class Words, class Task>
[[gnu::always_inline]] inline bool push_to(Words&& words, Task* end) noexcept {
  words.push_tail(end);
  words.fence_of_push();
  return end <= words.limit();
}

/// Takes back the youngest task, at `task`. False: maybe a thief has it, steelyard_task_popped knows.
template <class Words, class Task>
[[gnu::always_inline]] inline bool pop_to(Words&& words, Task* task) noexcept {
  words.pop_tail(task);
  words.fence_of_pop();
  return words.bound() <= task;
}

/// A deque's, in a program.
struct own_words {
  steelyard_tasks* own;
  void push_tail(steelyard_task* end) const noexcept { __atomic_store_n(&own->tail, end, __ATOMIC_RELEASE); }      // D2
  static void fence_of_push() noexcept { __atomic_signal_fence(__ATOMIC_SEQ_CST); }                                // D3
  [[nodiscard]] steelyard_task* limit() const noexcept { return __atomic_load_n(&own->limit, __ATOMIC_RELAXED); }  // D4
  void pop_tail(steelyard_task* task) const noexcept { __atomic_store_n(&own->tail, task, __ATOMIC_RELAXED); }     // D6
  static void fence_of_pop() noexcept { __atomic_signal_fence(__ATOMIC_SEQ_CST); }                                 // D7
  [[nodiscard]] steelyard_task* bound() const noexcept { return __atomic_load_n(&own->bound, __ATOMIC_RELAXED); }  // D8
};

/// A frame's, in a program.
struct frame_words {
  steelyard_frame* own;
  void push_tail(steelyard_record* end) const noexcept { __atomic_store_n(&own->tail, end, __ATOMIC_RELEASE); }  // G2
  static void fence_of_push() noexcept { __atomic_signal_fence(__ATOMIC_SEQ_CST); }                              // G3
  [[nodiscard]] steelyard_record* limit() const noexcept {
    return __atomic_load_n(&own->limit, __ATOMIC_RELAXED);  // G4
  }
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
