// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "sync/access.hpp"

namespace steelyard::sync {

/// The door to the machine's own atomics. Every protocol is a template over `Sync`; the other doors are the model of
/// the tests (tests/model) and the virtual machine of the simulator (sync/virtual.hpp), with these same members.
struct real {
  /// One shared location. Zero-cost over std::atomic; the order and the site are spelled out at every access.
  template <class T>
  class atomic {
   public:
    static_assert(std::atomic<T>::is_always_lock_free, "a protocol word must be lock-free");

    constexpr atomic() noexcept : value_(T{}) {}
    explicit constexpr atomic(T initial) noexcept : value_(initial) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    /// No access, but a hint to the core: this thread is about to change what is there. The line comes once, to be written, and not
    /// first to be read. A core that does not know the instruction ignores it.
    void will_write() const noexcept {
#if defined(__x86_64__)
      asm volatile("prefetchw %0" : : "m"(value_));
#else
      __builtin_prefetch(&value_, 1);
#endif
    }

    [[nodiscard]] T load(order how, site) const noexcept { return value_.load(how); }
    void store(T desired, order how, site) noexcept { value_.store(desired, how); }
    T exchange(T desired, order how, site) noexcept { return value_.exchange(desired, how); }
    T fetch_add(T amount, order how, site) noexcept { return value_.fetch_add(amount, how); }

    /// Strong compare-and-swap; on failure `expected` receives the value found.
    bool compare_exchange(T& expected, T desired, order success, order failure, site) noexcept {
      return value_.compare_exchange_strong(expected, desired, success, failure);
    }

    /// The bare location, for C code that accesses it as the protocol says.
    [[nodiscard]] volatile T* location() noexcept {
      static_assert(sizeof(value_) == sizeof(T));
      return reinterpret_cast<volatile T*>(&value_);
    }

   private:
    std::atomic<T> value_;
  };

  /// A word of this process that threads sleep on; see futex(2).
  class futex : public atomic<std::uint32_t> {
   public:
    using atomic<std::uint32_t>::atomic;

    /// Sleeps if the word is `expected`, until a `wake` or for no reason.
    void wait(std::uint32_t expected, site) noexcept { call(FUTEX_WAIT_PRIVATE, expected); }
    /// Wakes up to `count` threads.
    void wake(std::uint32_t count, site) noexcept { call(FUTEX_WAKE_PRIVATE, count); }

   private:
    void call(int what, std::uint32_t value) noexcept {
      const int before = errno;
      syscall(SYS_futex, this, what, value, nullptr, nullptr, 0);
      errno = before;
    }
  };

  /// A word that belongs to the program, which writes it by an atomic store or in a signal handler.
  template <class T>
  [[nodiscard]] static T load_foreign(const volatile T& word, site) noexcept {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
  }

  static void fence(order how, site) noexcept { std::atomic_thread_fence(how); }

  /// Orders what this thread does before and after it for handlers of signals that run on this thread.
  static void signal_fence(site) noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// Orders a store before it and a load behind it, as a fence would, for threads that call `membarrier` between theirs.
  static void light_fence(site) noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (__builtin_expect(fences(), 0)) std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  /// A full fence in this thread and, at whatever point it has reached, in every other thread of the process: see
  /// membarrier(2), private expedited. False: the kernel refused, and there was none.
  static bool membarrier(site) noexcept {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (fences() || call_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return true;
    // A new image of the process has to register again.
    return call_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
           call_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  }

  /// Before the first `light_fence` that a `membarrier` is to meet. Where the kernel has none, or a filter of system calls
  /// forbids it, every light fence is a full one from then on.
  static void prepare_membarrier() noexcept {
    if (barriers_.load(std::memory_order_relaxed) != barriers::unknown) return;
    const bool offered = call_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    barriers_.store(offered ? barriers::offered : barriers::none, std::memory_order_relaxed);
  }

  /// Whether a light fence is a full one.
  [[nodiscard]] static bool fences() noexcept { return barriers_.load(std::memory_order_relaxed) == barriers::none; }

  /// A hint to the core inside a short busy-wait.
  static void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
  }

  /// Turns for which a thief waits for an answer before it helps itself: some ten microseconds, about what a membarrier takes.
  static constexpr std::uint32_t turns_before_help = 256;

  /// A turn of a busy-wait for another thread, which may have lost its core.
  static void relax(std::uint32_t turn) noexcept {
    if (turn < 64) {
      pause();
    } else {
      sched_yield();
    }
  }

 private:
  static bool call_membarrier(int command) noexcept {
    const int before = errno;
    const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
    errno = before;
    return done;
  }

  enum class barriers : std::uint8_t { unknown, offered, none };
  static constinit inline std::atomic<barriers> barriers_{barriers::unknown};
};

}  // namespace steelyard::sync
