// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/ticks.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// What blocks of a loop are measured by: ticks, or the instructions that their thread has retired in user mode, where somebody asks for
/// that and the kernel counts them. Instructions are the same whether a thread was kept from its core or not. They are no time where
/// iterations wait for memory.
///
/// One thread that gets no counter, for want of files say, makes all read ticks from then on: the measurements that are under way are
/// spoilt, as by a disturbance.
class work_clock {
 public:
  /// Where counters come from: the kernel, or a test.
  struct source {
    int (*open)();                     ///< one of the calling thread; below 0: -errno
    const void* (*page)(int counter);  ///< of memory that it may be read from; nullptr: by `read` only
    bool (*read)(int counter, std::uint64_t& count);
    void (*close)(int counter);
  };

  constexpr work_clock() noexcept = default;
  /// What a reading gives; differences of two by the same thread mean something.
  [[nodiscard]] std::uint64_t now() noexcept {
    if (__builtin_expect(!counts_instructions(), 1)) return support::ticks();
    return count();
  }

  /// By one thread, once. 0, or why (errno) it goes on with ticks.
  int count_instructions(const source& from) noexcept;
  [[nodiscard]] bool counts_instructions() const noexcept { return counts_.load(sync::acquire, sync::site{"W1"}); }
  /// What a reading of the counter takes, in ticks; 0: it is ticks that are read.
  [[nodiscard]] std::uint64_t price() const noexcept { return counts_instructions() ? price_ : 0; }
  /// What so many units are in ticks, at least.
  [[nodiscard]] std::uint64_t least_ticks(std::uint64_t units) const noexcept {
    return counts_instructions() ? units / most_in_a_tick : units;
  }

 private:
  static constexpr std::uint64_t most_in_a_tick = 4;

  [[nodiscard]] std::uint64_t count() noexcept;

  sync::real::atomic<bool> counts_{};
  std::uint64_t price_ = 0;
};

/// Counters of the kernel (perf_event_open), read without it where it lets us.
extern const work_clock::source instructions_of_kernel;

/// Of this process. Its counters are closed when their threads end.
extern constinit work_clock work;

}  // namespace steelyard::learn
