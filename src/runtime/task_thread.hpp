// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/deque.hpp"
#include "runtime/meter.hpp"
#include "runtime/slots.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"
#include "topology/place.hpp"

#include <steelyard/detail/dataflow_core.h>

namespace steelyard::runtime {

using task_deque = deque<sync::real, task_slot>;

struct tasks;

/// A thread that has tasks: a worker of the pool, or a guest.
struct alignas(support::line_size) task_thread {
  task_deque forks;
  task_deque spawned;
  asker<sync::real, task_slot> wish;
  // Others read this and it seldom changes.
  /// Where it was when it last looked for a task.
  alignas(support::line_size) sync::real::atomic<topology::place> place{};
  std::uint32_t number = 0;
  tasks* of = nullptr;
  slots memory[2];
  // Its own.
  alignas(support::line_size) task_slot* got = nullptr;  ///< what it asked for and was given
  const lineage* above = &no_roots;                      ///< of the task that it runs
  const steelyard_group* left_over = nullptr;            ///< that of the stolen task whose leftovers it runs
  std::uint32_t dice = 0;                                ///< for victims at random
  // Of its requests.
  sync::real::atomic<std::uint64_t> stolen{};
  sync::real::atomic<std::uint64_t> refused{};
  sync::real::atomic<std::uint64_t> analysed{};  ///< tasks whose dependencies it has found
  meter* measured = nullptr;                     ///< its own; see measuring

  static constexpr lineage no_roots{};

  task_thread() = default;
  ~task_thread() { delete measured; }
  task_thread(const task_thread&) = delete;
  task_thread& operator=(const task_thread&) = delete;

  /// Its deques are steelyard_forks and steelyard_spawned of the calling thread from now on; nullptr: that has none.
  static void use(task_thread* thread) noexcept;
  /// The calling thread's joins find its deques again, unless it has none: the running task has no tasks pending.
  static void show_deques() noexcept;
  /// It has found the dependencies of so many tasks more.
  static void count_analysed(std::uint64_t more) noexcept;

  /// Where the calling thread, which this is, runs; others will look for it there. They all have the line, until it is written.
  topology::place be_here() noexcept {
    const auto here = topology::place_here();
    if (place.load(sync::relaxed, sync::site{"K13"}) != here) place.store(here, sync::relaxed, sync::site{"K13"});
    return here;
  }
};

/// The calling thread, if it has tasks.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local task_thread* own;

static_assert(std::is_standard_layout_v<task_thread>);
/// Whose deque of spawned tasks that is.
inline task_thread& thread_of(steelyard_tasks& spawned) noexcept {
  return *reinterpret_cast<task_thread*>(reinterpret_cast<std::byte*>(&spawned) - offsetof(task_thread, spawned));
}

}  // namespace steelyard::runtime
