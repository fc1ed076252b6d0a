// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "support/assert.hpp"
#include "sync/real.hpp"

/// Locks, and what is made once, where another thread of the process may call fork at any time: forks.md.
namespace steelyard::sync {

/// How often this process, or one before it, was forked.
[[nodiscard]] std::uint32_t forks() noexcept;

/// A lock that is free in a child of fork, whichever thread of the parent has it.
template <class Sync>
class fork_safe_lock {
 public:
  /// In a process of that number, see `forks`. False: a thread has left what it guards in the middle, because a fork left it
  /// behind.
  bool lock(std::uint32_t process) noexcept {
    const std::uint32_t mine = process + 1;
    STEELYARD_ASSERT(mine != 0, "[I2] a process has a number that is not nobody's");
    for (std::uint32_t turn = 0;; ++turn) {
      std::uint32_t found = holder_.load(relaxed, site{"O1"});
      if (found != mine && holder_.compare_exchange(found, mine, acquire, relaxed, site{"O2"})) return found == 0;
      Sync::relax(turn);
    }
  }
  void unlock() noexcept { holder_.store(0, release, site{"O3"}); }

 private:
  typename Sync::template atomic<std::uint32_t> holder_{};  ///< its process and 1; 0: nobody
};

/// Holds such a lock.
class one_at_a_time {
 public:
  explicit one_at_a_time(fork_safe_lock<real>& lock) noexcept : lock_(lock), is_whole_(lock.lock(forks())) {}
  ~one_at_a_time() { lock_.unlock(); }
  one_at_a_time(const one_at_a_time&) = delete;
  one_at_a_time& operator=(const one_at_a_time&) = delete;

  /// Whether what it guards is, see fork_safe_lock::lock.
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }

 private:
  fork_safe_lock<real>& lock_;
  bool is_whole_;
};

/// What is made when somebody first asks for it, as a function's static is. Those wait for ever in a child of fork, if another
/// thread of the parent was making them.
template <class T>
class made_once {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  constexpr made_once() noexcept : none_() {}

  template <class Make>
  const T& get(Make make) {
    if (is_made_.load(acquire, site{"O4"})) return value_;
    const one_at_a_time here(lock_);
    if (!is_made_.load(relaxed, site{"O6"})) {
      std::construct_at(std::addressof(value_), make());
      is_made_.store(true, release, site{"O5"});
    }
    return value_;
  }

 private:
  fork_safe_lock<real> lock_;
  real::atomic<bool> is_made_{};
  union {
    char none_;
    T value_;
  };
};

}  // namespace steelyard::sync
