// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/single_threaded.h>

#include "loop/history.hpp"
#include "runtime/pool.hpp"
#include "schedules/choice.hpp"
#include "sync/real.hpp"

#include <steelyard/steelyard.h>

/// A pool, and what opening a loop on it costs.
struct steelyard_pool {
  explicit steelyard_pool(std::uint32_t workers) : threads((prepare(), workers)) { threads.context = this; }

  steelyard::runtime::pool threads;
  /// From the caller's decision until it begins itself, and until the first worker comes; when workers spin, and sleep.
  steelyard::loop::average opening[2];
  steelyard::loop::average arrival[2];
  /// About when the last loop on it ended, in ticks.
  steelyard::sync::real::atomic<std::uint64_t> last_end{};
  steelyard::sync::real::atomic<std::uint64_t> steals{};  ///< of all its loops' members, added as they leave
  [[nodiscard]] std::uint64_t steals_so_far() const noexcept {
    return steals.load(steelyard::sync::relaxed, steelyard::sync::site{"M4"});
  }

 private:
  /// The kernel registers a process for membarriers at once while it has one thread; later it waits until all processors
  /// have been through its scheduler, 16 ms here.
  static void prepare() noexcept {
    if (__libc_single_threaded) steelyard::sync::real::prepare_membarrier();
  }
};

namespace steelyard::loop {

/// The pool named; nullptr: that of the calling thread's loops that name none, and of its tasks. Its threads are there, in a
/// child of fork too.
[[nodiscard]] steelyard_pool& pool_for(const steelyard_pool* named);

/// Makes a pool the calling thread's until it goes.
class pool_in_use {
 public:
  explicit pool_in_use(steelyard_pool& pool) noexcept;
  ~pool_in_use();
  pool_in_use(const pool_in_use&) = delete;
  pool_in_use& operator=(const pool_in_use&) = delete;

 private:
  steelyard_pool* before_;
  runtime::tasks_aside aside_;
};

/// See steelyard_loop_run.
steelyard_result run(const steelyard_loop& asked);

}  // namespace steelyard::loop
