// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "runtime/task_thread.hpp"
#include "sync/real.hpp"

namespace steelyard::runtime {

/// Who sits where: the threads of a pool that have tasks. A worker has its own seat, all others take one of those for guests for
/// as long as they need it. join.md, "Which threads have tasks".
class seats {
 public:
  static constexpr std::uint32_t guests = 64;

  seats(tasks& of, std::uint32_t workers);

  /// Makes the calling thread, a worker, one that has tasks: its two deques are steelyard_forks and steelyard_spawned from now
  /// on; NULL as before where there is no memory.
  void enter_worker(std::uint32_t number) noexcept;
  /// The same for a thread that is no worker. True: `leave` is due, once for each time. False: it is a worker,
  /// or there is no memory, or there are `guests` already.
  bool enter() noexcept;
  /// When all that the calling thread has pushed since have ended.
  static void leave() noexcept;
  /// Does what `leave` could not do yet: joins that were under way have ended.
  static void leave_at_last() noexcept;

  [[nodiscard]] std::uint32_t workers() const noexcept { return workers_; }
  [[nodiscard]] std::uint32_t threads() const noexcept { return workers_ + guests; }
  /// Workers first, then guests; taken or not.
  [[nodiscard]] task_thread& operator[](std::uint32_t number) const noexcept { return threads_[number]; }
  /// A hint: how many may have tasks.
  [[nodiscard]] std::uint32_t taken() const noexcept {
    return workers_ + static_cast<std::uint32_t>(std::popcount(guests_taken_.load(sync::relaxed, sync::site{"K5"})));
  }
  [[nodiscard]] steelyard_task_counts counts(std::uint32_t first, std::uint32_t last) const noexcept;

  /// Whether f(thread) is true of one that has tasks: the workers, then the guests. It calls no more after that.
  template <class F>
  bool any(F f) const noexcept {
    for (std::uint32_t i = 0; i < workers_; ++i) {
      if (f(threads_[i])) return true;
    }
    for (auto left = guests_taken_.load(sync::acquire, sync::site{"K5"}); left != 0; left &= left - 1) {
      if (f(threads_[workers_ + static_cast<std::uint32_t>(std::countr_zero(left))])) return true;
    }
    return false;
  }
  /// The same, those before number `first` of them last.
  template <class F>
  bool any_from(std::uint32_t first, F f) const noexcept {
    std::uint32_t met = 0;
    if (any([&](task_thread& thread) { return met++ >= first && f(thread); })) return true;
    met = 0;
    return any([&](task_thread& thread) { return met++ < first && f(thread); });
  }
  /// The same of their deques.
  template <class F>
  bool any_deque(F f) const noexcept {
    return any([f](task_thread& thread) { return f(thread.forks) || f(thread.spawned); });
  }

  /// Maps the number of a thread to what it asks for.
  [[nodiscard]] auto finder() const noexcept {
    return [this](std::uint32_t number) -> auto& { return threads_[number].wish; };
  }

 private:
  static bool sit_down(task_thread& thread) noexcept;
  void stand_up(task_thread& thread) noexcept;

  std::uint32_t workers_;
  std::unique_ptr<task_thread[]> threads_;
  sync::real::atomic<std::uint64_t> guests_taken_{};  ///< a bit for each seat that is taken
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
