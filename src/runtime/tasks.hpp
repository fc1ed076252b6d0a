// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/board.hpp"
#include "runtime/deque.hpp"
#include "runtime/idle_wait.hpp"
#include "runtime/meter.hpp"
#include "runtime/parking.hpp"
#include "runtime/slots.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"
#include "topology/place.hpp"

#include <steelyard/detail/dataflow_core.h>

namespace steelyard::runtime {

using task_deque = deque<sync::real, task_slot>;

class shared_work;
class tasks;

/// A thread that has tasks: a worker of the pool, or a guest.
struct alignas(support::line_size) task_thread {
  task_deque forks;
  task_deque spawned;
  asker<sync::real, task_slot> wish;
  slots memory[2];
  tasks* of = nullptr;
  std::uint32_t number = 0;
  sync::real::atomic<topology::place> place{};  ///< where it was when it last looked for a task
  task_slot* got = nullptr;                     ///< what it asked for and was given
  const steelyard_group* left_over = nullptr;   ///< that of the stolen task whose leftovers it runs
  std::uint32_t dice = 0;                       ///< for victims at random
  // Of its requests.
  sync::real::atomic<std::uint64_t> stolen{};
  sync::real::atomic<std::uint64_t> refused{};
  sync::real::atomic<std::uint64_t> analysed{};  ///< tasks whose dependencies it has found
  meter* measured = nullptr;                     ///< its own; see tasks::measure

  task_thread() = default;
  ~task_thread() { delete measured; }
  task_thread(const task_thread&) = delete;
  task_thread& operator=(const task_thread&) = delete;
};

/// The tasks of a pool's threads: who has some, stealing, and waiting for those that were stolen. Idle workers sleep in
/// the pool's parking, and so does who waits. Discipline and bounds: join.md.
class tasks {
 public:
  static constexpr std::uint32_t guests = 64;

  using open_work = board<sync::real, shared_work>;

  /// `of_parent`: in the child of a fork those of before; groups that began then are still theirs. They go with it.
  tasks(std::uint32_t workers, const open_work& others, parking<sync::real>& sleepers, wake_ups& waking,
        tasks* of_parent);

  /// Makes the calling thread, a worker, one that has tasks: its two deques are steelyard_forks and steelyard_spawned from now
  /// on; NULL as before where there is no memory.
  void enter_worker(std::uint32_t number) noexcept;
  /// The same for a thread that is no worker. True: `leave` is due, once for each time. False: it is a worker,
  /// or there is no memory, or there are `guests` already.
  bool enter() noexcept;

  /// A worker with nothing to do takes a task of somebody's, runs it, and what that has left. False: there is none.
  bool help(std::uint32_t worker) noexcept;

  /// After a worker has taken part in something else than a task: runs what that has left in its deques.
  void clear_up(std::uint32_t worker) noexcept;

  /// A worker that may have been woken for a task does something else: wakes another, if there are tasks.
  void pass_on() noexcept;

  /// For something that has just been published and that so many may do: wakes as many, or all, where some of those that sleep
  /// may do nothing but one task's descendants.
  void wake(std::uint32_t count) noexcept;

  /// Before somebody that has announced its sleep sleeps: from now on whoever pushes a task sees that. False: there are
  /// tasks already that descend from `root`, or any, where that is nullptr.
  bool may_sleep(const void* root) noexcept;

  // On a thread that has tasks; for leave, all that it has pushed since have ended. See <steelyard/detail/task_core.h>.
  static void leave() noexcept;
  /// Does what `leave` could not do yet: joins that were under way have ended.
  static void leave_at_last() noexcept;
  static bool pushed(steelyard_tasks& words) noexcept;
  static std::uint64_t forks_left() noexcept;
  static int popped(task_slot& task) noexcept;
  static void push_elsewhere(steelyard_group& group) noexcept;
  static void end_elsewhere(steelyard_group& group) noexcept;
  static void wait(steelyard_group& group) noexcept;
  /// Or as soon as enough(context) is not 0: who makes that so nudges. The group is not over then.
  static void wait(steelyard_group& group, int (*enough)(const void* context), const void* context) noexcept;

  // For a layer above, on a thread that has tasks.

  /// Pushes a task of the group. It has `run` and up to 32 bytes that lie behind the group's address in the payload.
  static void spawn(steelyard_group& group, int (*run)(steelyard_task*), const void* what, std::size_t bytes) noexcept;
  /// Runs what this thread has spawned since its deque was `down_to`, and no thief has, youngest first.
  static void run_spawned_since(void* down_to) noexcept;
  /// Returns when all tasks of the group have ended; or all but so many, unless that is 0. The group is not over then.
  static void wait(steelyard_group& group, const sync::real::atomic<std::uint32_t>& but) noexcept;
  /// By a task of the group: how many cannot end before it does. Itself; and the one that this thread has stolen, if it is left
  /// over from that.
  [[nodiscard]] static std::uint32_t held_here(const steelyard_group& group) noexcept;
  /// Whoever waits like that looks again.
  static void nudge(steelyard_group& group) noexcept;
  /// Of the group, by its owner: how many have not ended.
  [[nodiscard]] static std::int64_t pending(const steelyard_group& group) noexcept;
  /// A hint: whether there is something for a thread that has nothing to do, but for what the owner of `but` has spawned.
  [[nodiscard]] static bool is_work_about(const steelyard_group* but) noexcept;
  static void count_analysed(std::uint64_t more) noexcept;

  /// What steelyard_frame_here is where the calling thread calls what it would fork, and in a task that has forked nothing yet.
  static steelyard_frame calls_only;
  static steelyard_frame unopened;

  /// The calling thread's joins find its deques again, unless it has none: the running task has no tasks pending.
  static void show_deques() noexcept;

  [[nodiscard]] steelyard_task_counts counts() const noexcept;
  /// Of one: 0 stands for all that are no workers, 1 … for workers.
  [[nodiscard]] steelyard_task_counts counts_of(std::uint32_t which) const noexcept;

  /// Before any thread has tasks: measures work and span from now on, of the one thread that uses these. False: there are workers.
  bool measure() noexcept;
  [[nodiscard]] bool measures() const noexcept { return measures_; }
  /// What that has found, while nothing runs; false: nothing, as several threads have used these, or there was no memory.
  [[nodiscard]] bool is_measured() const noexcept;
  [[nodiscard]] steelyard_work_span measured_so_far() const noexcept;
  /// Of the calling thread; nullptr: it does not measure.
  [[nodiscard]] static runtime::meter* meter_here() noexcept;

 private:
  [[nodiscard]] auto finder() noexcept;
  [[nodiscard]] steelyard_task_counts counts_in(std::uint32_t first, std::uint32_t last) const noexcept;
  bool sit_down(task_thread& thread) noexcept;
  void stand_up(task_thread& thread) noexcept;
  /// Whether f(thread) is true of one of them: the workers, from that one on, then the guests. It calls no more after that.
  template <class F>
  bool any_thread(std::uint32_t first, F f) const noexcept;
  [[nodiscard]] bool some(const void* root) const noexcept;
  static bool may_help() noexcept;
  bool steal(task_thread& self, const void* root) noexcept;
  template <class F>
  bool at_random(task_thread& self, F f) const noexcept;
  static topology::place be_here(task_thread& self) noexcept;
  bool steal_from(task_thread& self, task_deque& victim, const void* root) noexcept;
  void run_stolen(task_thread& self, bool forked) noexcept;
  void run_fork(task_thread& self, task_slot& task) noexcept;
  void run_spawned(task_thread& self, task_slot& task) noexcept;
  void ended(steelyard_group* group) noexcept;
  void run_leftovers(task_thread& self, task_slot* down_to) noexcept;
  void run_youngest(task_thread& self) noexcept;
  void begin_measuring(task_thread& self) noexcept;
  static void measure_push(task_thread& self, bool forked) noexcept;
  static void forget_measured_fork(task_thread& self) noexcept;
  static int run_measured_fork(task_thread& self, task_slot& task) noexcept;
  void run_measured_leftovers(task_thread& self, task_slot* down_to) noexcept;
  void run_measured_youngest(task_thread& self) noexcept;
  static void measure_wait(task_thread& self, const steelyard_group& group) noexcept;
  template <class Ended, class SayAsleep>
  void await(task_thread& self, const void* root, Ended ended, SayAsleep say_asleep) noexcept;
  void wake_all() noexcept;
  void wake_next() noexcept;

  template <class Ended>
  static void wait_until(steelyard_group& group, Ended ended) noexcept;

  std::uint32_t workers_;
  bool at_random_;  ///< whom thieves ask; otherwise the nearest first
  bool measures_ = false;
  /// While it measures: others have come than the one thread that can be measured.
  sync::real::atomic<std::uint32_t> crowded_{};
  std::unique_ptr<tasks> of_parent_;
  const open_work& open_work_;
  parking<sync::real>& parking_;
  wake_ups& waking_;
  std::unique_ptr<task_thread[]> threads_;       ///< workers, then guests
  sync::real::atomic<std::uint64_t> seated_{};   ///< guests, a bit each
  sync::real::atomic<std::uint32_t> used_{};     ///< whether any thread has ever had tasks
  sync::real::atomic<std::uint32_t> waiting_{};  ///< threads that sleep, or are about to, until one task has ended
};

/// For a while, the calling thread's tasks are out of sight, because it uses another pool.
class tasks_aside {
 public:
  /// `other`: it is in another pool than that, where it may not have had tasks yet.
  explicit tasks_aside(const tasks& used, bool other = false) noexcept;
  ~tasks_aside();
  tasks_aside(const tasks_aside&) = delete;
  tasks_aside& operator=(const tasks_aside&) = delete;

 private:
  bool aside_;  ///< or they are that pool's already
  task_thread* before_;
  std::uint32_t depth_;
  std::uint32_t left_;
  bool hidden_;
  steelyard_frame* frame_;
};

}  // namespace steelyard::runtime
