// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/single_threaded.h>

#include <cstdint>

#include "runtime/pool.hpp"
#include "sync/real.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::runtime {

/// What those who use pools have learnt of one. It goes with the pool.
class pool_knowledge {
 public:
  virtual ~pool_knowledge() = default;

 protected:
  pool_knowledge() = default;
  pool_knowledge(const pool_knowledge&) = default;
  pool_knowledge& operator=(const pool_knowledge&) = default;
};

}  // namespace steelyard::runtime

/// A pool as programs name it.
struct steelyard_pool {
  explicit steelyard_pool(std::uint32_t workers) : threads((prepare(), workers)) { threads.context = this; }
  ~steelyard_pool() { delete of_loops.load(steelyard::sync::relaxed, steelyard::sync::site{"A18"}); }
  steelyard_pool(const steelyard_pool&) = delete;
  steelyard_pool& operator=(const steelyard_pool&) = delete;

  steelyard::runtime::pool threads;
  steelyard::sync::real::atomic<steelyard::runtime::pool_knowledge*> of_loops{};  ///< nullptr: none has run on it

 private:
  /// The kernel registers a process for membarriers at once while it has one thread; later it waits until all processors
  /// have been through its scheduler, 16 ms here.
  static void prepare() noexcept {
    if (__libc_single_threaded) steelyard::sync::real::prepare_membarrier();
  }
};

namespace steelyard::runtime {

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
  tasks_aside aside_;
};

/// STEELYARD_SPAN=1: a pool that has just been made measures work and span; or says once that it has too many threads for that.
void measure_if_told(steelyard_pool& pool);

/// What a pool has measured, on standard error; nothing when it has run no task, or does not measure by STEELYARD_SPAN.
void report_work_and_span(const steelyard_pool& pool) noexcept;

}  // namespace steelyard::runtime
