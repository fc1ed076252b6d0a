// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include "execution.hpp"
#include "sync/access.hpp"

namespace steelyard::model {

template <class T>
[[nodiscard]] std::uint64_t encode(const T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "a protocol word must be lock-free");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
[[nodiscard]] T decode(std::uint64_t bits) noexcept {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// The door to the model: the members of sync::real, and the operations of later protocols.
struct door {
  template <class T>
  class atomic {
   public:
    atomic() noexcept : atomic(T{}) {}
    explicit atomic(T initial) noexcept
        : place_(execution::current().construct(this, sizeof(atomic), sizeof(T), encode(initial))) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    void will_write() const noexcept {}
    [[nodiscard]] T load(sync::order how, sync::site where) const noexcept {
      return decode<T>(execution::current().load(place_, this, how, where.name));
    }
    void store(T desired, sync::order how, sync::site where) noexcept {
      execution::current().store(place_, this, encode(desired), how, where.name);
    }
    T exchange(T desired, sync::order how, sync::site where) noexcept {
      return decode<T>(execution::current().exchange(place_, this, encode(desired), how, where.name));
    }
    T fetch_add(T amount, sync::order how, sync::site where) noexcept {
      return decode<T>(execution::current().fetch_add(place_, this, encode(amount), how, where.name));
    }
    bool compare_exchange(T& expected, T desired, sync::order success, sync::order failure, sync::site where) noexcept {
      auto bits = encode(expected);
      const bool done =
          execution::current().compare_exchange(place_, this, bits, encode(desired), success, failure, where.name);
      expected = decode<T>(bits);
      return done;
    }

    /// For tests: a load that waits until it reads a value that is `good`. One event, however long it takes.
    template <class Good>
    T await(sync::order how, sync::site where, Good good) const {
      return decode<T>(execution::current().await(place_, this, how, where.name,
                                                  [good](std::uint64_t bits) { return good(decode<T>(bits)); }));
    }

   private:
    int place_;
  };

  /// A word that threads sleep on. What the kernel does is not mutated; a wake-up that is not asked for is a mutant.
  class futex : public atomic<std::uint32_t> {
   public:
    using atomic<std::uint32_t>::atomic;

    void wait(std::uint32_t expected, sync::site) noexcept {
      const std::uint32_t self = std::uint32_t{1} << execution::current().running();
      queue_.fetch_add(self, sync::seq_cst, kernel);
      fence(sync::seq_cst, kernel);
      if (this->load(sync::seq_cst, kernel) == expected) {
        queue_.await(sync::seq_cst, kernel, [self](std::uint32_t queued) { return (queued & self) == 0; });
      } else {
        change_queue([self](std::uint32_t queued) { return queued & ~self; });
      }
    }

    void wake(std::uint32_t count, sync::site where) noexcept {
      atomic<std::uint32_t> asked;
      asked.store(count, sync::relaxed, where);
      const std::uint32_t most = asked.load(sync::relaxed, kernel);
      fence(sync::seq_cst, kernel);  // futex_wake orders what the caller wrote before it looks at the queue
      change_queue([most](std::uint32_t queued) {
        for (std::uint32_t woken = 0; woken < most; ++woken) queued &= queued - 1;
        return queued;
      });
    }

   private:
    static constexpr sync::site kernel{"kernel"};

    template <class Change>
    void change_queue(Change change) noexcept {
      std::uint32_t queued = queue_.load(sync::seq_cst, kernel);
      while (change(queued) != queued &&
             !queue_.compare_exchange(queued, change(queued), sync::seq_cst, sync::seq_cst, kernel)) {
      }
    }

    atomic<std::uint32_t> queue_;  ///< a bit for each thread that sleeps or is about to
  };

  static void fence(sync::order how, sync::site where) noexcept { execution::current().fence(how, where.name); }
  static void pause() noexcept { execution::current().pause(); }
  static constexpr std::uint32_t turns_before_help = 1;
  static void relax(std::uint32_t) noexcept { pause(); }

  /// A fence in this thread and, at whatever point they have reached, in all others; there it orders what the other
  /// thread did before and after a `light_fence`.
  static bool membarrier(sync::site where) noexcept {
    execution::current().membarrier(where.name);
    return true;
  }
  static void prepare_membarrier() noexcept {}
  static void light_fence(sync::site where) noexcept { execution::current().light_fence(where.name); }
};

/// A cell that is not atomic: two accesses, one of them a write, that do not happen one before the other are a failure.
template <class T>
class data {
 public:
  data() : data(T{}) {}
  explicit data(T initial) : value_(initial), cell_(execution::current().construct_data(this, sizeof(data))) {}
  data(const data&) = delete;
  data& operator=(const data&) = delete;

  [[nodiscard]] T read() const {
    execution::current().access_data(cell_, this, false);
    return value_;
  }
  void write(T value) {
    execution::current().access_data(cell_, this, true);
    value_ = value;
  }

 private:
  T value_;
  int cell_;
};

/// The execution fails, with its trace.
[[noreturn]] inline void fail(const std::string& message) { execution::current().fail(message); }
inline void check(bool holds, const char* message) {
  if (!holds) fail(message);
}
/// What the execution came to; `explore` returns the set.
inline void outcome(const std::string& text) { execution::current().note_outcome(text); }
/// The handler of the calling thread; signals sent to the thread run it between any two of its operations.
inline void on_signal(std::function<void()> handler) { execution::current().on_signal(std::move(handler)); }
inline void signal(unsigned thread) { execution::current().signal(thread); }

}  // namespace steelyard::model

namespace steelyard::sync {

/// `schedules::steal<sync::model>` is the protocol under the model.
using model = steelyard::model::door;

}  // namespace steelyard::sync
