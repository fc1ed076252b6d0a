// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/board.hpp"
#include "runtime/idle_wait.hpp"
#include "runtime/parking.hpp"
#include "runtime/tasks.hpp"
#include "sync/forks.hpp"
#include "sync/real.hpp"
#include "topology/processors.hpp"

namespace steelyard::runtime {

/// Work that several members share, a loop for instance.
class shared_work {
 public:
  /// Takes part as `member`: 0 on the caller, 1 … on workers that join, each number once. Returns when this member finds
  /// nothing more to do; the work is done when all who took part have returned. An exception must not leave it.
  virtual void run(std::uint32_t member) noexcept = 0;

 protected:
  shared_work() = default;
  shared_work(const shared_work&) = default;
  shared_work& operator=(const shared_work&) = default;
  ~shared_work() = default;
};

/// Keeps a worker off the processor of who wakes it. Kernels may put a woken thread beside the one that wakes it although
/// other processors are idle: see pool.md.
class other_processors {
 public:
  /// On the worker; `workers` of them need a processor each. Asks nothing of the system when `processor` is the same as last
  /// time.
  void keep_off(int processor, std::uint32_t workers) noexcept;

 private:
  int avoided_ = -1;
  topology::processors usual_;
  topology::processors bound_;
};

/// Threads that help whoever calls `run`. Any thread may, several at once, workers inside shared work included: the
/// caller takes part itself and never needs a worker to finish, so nesting needs no further threads and cannot deadlock.
///
/// Idle workers spin for some ten microseconds, or as long as waking one takes here where that is longer and every member
/// has a processor, and then sleep. They are named steelyard/N, block all signals, and run on whatever the process may use
/// (topology::of_process), however the thread that started them is bound. In the child of a fork a pool has lost its
/// workers and starts them anew when it is first used. Where the workers can do without the processor of the thread that woke
/// them last, they stay off it.
class pool {
 public:
  static constexpr std::uint32_t most_workers = board<sync::real, shared_work>::most_seats;

  /// Starts `workers` threads (at most most_workers), or as many as the system grants: `workers()` tells.
  explicit pool(std::uint32_t workers);
  /// No `run` may be under way. Returns when all workers have ended.
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Lets all workers end: nobody helps from now on, and `run` does everything itself. Waits for none.
  void retire() noexcept;

  [[nodiscard]] std::uint32_t workers() const noexcept { return count_.load(sync::relaxed, sync::site{"W11"}); }

  /// Whether a worker would have to be woken, or has not begun yet.
  [[nodiscard]] bool some_sleep() const noexcept {
    return parking_.some_sleep() || begun_.load(sync::relaxed, sync::site{"W9"}) < workers();
  }

  /// How long workers spin before they sleep, in support::ticks; 0: none has slept yet.
  [[nodiscard]] std::uint64_t spinning() const noexcept { return spun_.load(sync::relaxed, sync::site{"W8"}); }

  /// Runs `work` on the caller and on workers that have nothing else to do, `members` together at most. Returns when it is
  /// done.
  void run(shared_work& work, std::uint32_t members) noexcept;

  /// Before anything else in a child of fork that may have more than one thread: the workers are there again.
  void renew() {
    if (__builtin_expect(born_.load(sync::acquire, sync::site{"W5"}) != sync::forks(), 0)) start_anew();
  }

  /// What was made with it, for the layer above.
  void* context = nullptr;
  /// The pool whose worker the calling thread is; nullptr: none's.
  [[nodiscard]] static pool* of_this_worker() noexcept;

  /// Makes the calling thread one that has tasks here, see seats::enter.
  bool enter_tasks() noexcept;
  /// See measuring::start.
  bool measure_tasks() noexcept { return tasks_->measuring.start(); }
  [[nodiscard]] const tasks& its_tasks() const noexcept { return *tasks_; }

 private:
  struct worker {
    pool* of = nullptr;
    std::uint32_t number = 0;
    pthread_t thread{};
    other_processors place;  // here, not on its stack, which a fork would leave behind with what it owns
  };
  void start(std::uint32_t workers);
  void start_anew();
  static void* work_until_stopped(void* started) noexcept;
  using its_board = board<sync::real, shared_work>;
  using membership = its_board::membership;
  void take_part(const membership& joined, std::uint32_t number) noexcept;
  bool help(std::uint32_t first, bool tasks_too) noexcept;
  bool help_soon(std::uint32_t first) noexcept;
  void live(worker& self) noexcept;
  [[gnu::tls_model("initial-exec")]] static thread_local worker* worker_here;  ///< the calling thread, if it is one

  sync::real::atomic<std::uint32_t> born_;    ///< after how many forks
  std::optional<topology::processors> bind_;  ///< workers to these; nothing: as who started them
  std::uint32_t asked_;                       ///< how many workers, before the system refused some
  its_board board_;
  parking<sync::real> parking_;
  wake_ups waking_;
  sync::real::atomic<std::uint64_t> spun_{};
  sync::real::atomic<std::uint32_t> begun_{};  ///< workers that have looked for work
  sync::real::atomic<bool> stopping_{};
  sync::real::atomic<std::uint32_t> count_{};  ///< how many there are
  std::unique_ptr<worker[]> workers_;          ///< room for those asked for
  tasks* tasks_ = nullptr;                     ///< see tasks::of_parent
};

}  // namespace steelyard::runtime
