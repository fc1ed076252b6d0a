// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/seats.hpp"
#include "sync/real.hpp"

namespace steelyard::runtime {

/// Work and span of the one thread that uses a pool's tasks (meter.md): every push and every pop of that comes here.
class measuring {
 public:
  explicit measuring(const seats& all) noexcept : all_(all) {}

  /// Before any thread has tasks: measures from now on. False: there are workers.
  bool start() noexcept;
  [[nodiscard]] bool is_on() const noexcept { return on_; }
  /// By a thread that has sat down, where it is on.
  void begin(task_thread& self) noexcept;

  /// While nothing runs. False: there is none, as several threads have used these tasks, or there was no memory.
  [[nodiscard]] bool has_result() const noexcept;
  [[nodiscard]] steelyard_work_span so_far() const noexcept;

  // On a thread that measures.

  /// After a push. The next one comes here, too, and so does the pop of a fork.
  static void push(task_thread& self, bool forked) noexcept;
  /// The youngest has been taken back, and is a call.
  static void forget_fork(task_thread& self) noexcept;
  /// A fork that nobody has taken runs as if a thief had it: beside the first half, whose end is here. As steelyard_task_popped.
  static int run_fork(task_thread& self, task_slot& task) noexcept;
  /// The spawned task that has just been popped.
  static void run_youngest(task_thread& self) noexcept;
  /// The group has ended.
  static void wait(task_thread& self, const steelyard_group& group) noexcept;

 private:
  const seats& all_;
  bool on_ = false;
  sync::real::atomic<std::uint32_t> crowded_{};  ///< others have come than the one thread that can be measured
};

}  // namespace steelyard::runtime
