// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <pthread.h>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

/// @file
/// Values of which each thread has its own.
namespace steelyard {
inline namespace v1 {

/// @addtogroup loops
/// @{

/// A T for each thread that asks for one: for sums, buffers and generators that loops and tasks would otherwise share. Threads of the
/// pool, of OpenMP and any others may ask. A thread that waits in a join or a group runs other tasks meanwhile, which get the same
/// T: do not hold on to it across one.
///
///     steelyard::per_thread<std::vector<int>> found;
///     steelyard::parallel_for(0, n, [&](int i) { if (fits(i)) found.local().push_back(i); });
///     found.for_each([&](std::vector<int>& some) { all.insert(all.end(), some.begin(), some.end()); });
template <class T>
class per_thread {
 public:
  /// Each begins as T().
  per_thread() requires std::default_initializable<T> : make_([] { return T(); }) {}
  /// Each begins as a copy.
  /// @param initial of this.
  explicit per_thread(T initial) requires std::copy_constructible<T>
      : make_([initial = std::move(initial)] { return T(initial); }) {}
  /// Each begins as what a function returns.
  /// @param make called on the thread that asks, maybe at the same time as on others.
  template <class Make>
  requires(std::is_invocable_r_v<T, const Make&> && !std::same_as<Make, T>) explicit per_thread(Make make)
      : make_(std::move(make)) {}
  /// All go; no thread may use its own any more.
  ~per_thread() {
    for (auto& list : lists_) {
      for (const slot* one = list.load(std::memory_order_relaxed); one != nullptr;) {  // H5
        const slot* const gone = one;
        one = one->next;
        delete gone;
      }
    }
  }
  per_thread(const per_thread&) = delete;
  per_thread& operator=(const per_thread&) = delete;

  /// The calling thread's, made when it asks for the first time: a few nanoseconds from then on. A thread that begins when another has
  /// ended may get that one's. Throws what making it throws.
  /// @return the value, which stays where it is.
  T& local() {
    const pthread_t thread = pthread_self();
    std::atomic<slot*>& list = list_of(thread);
    slot* const newest = list.load(std::memory_order_acquire);  // H6
    for (slot* one = newest; one != nullptr; one = one->next) {
      if (pthread_equal(one->thread, thread) != 0) return one->value;
    }
    auto* const mine = new slot(thread, newest, make_);
    while (!list.compare_exchange_weak(mine->next, mine, std::memory_order_release, std::memory_order_relaxed)) {  // H7
    }
    return mine->value;
  }

  /// How many threads have one. While others may ask it is a number from the past. O(threads), as the next two.
  /// @return their number.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t count = 0;
    each([&count](const T&) { ++count; });
    return count;
  }

  /// Calls f for each, in any order, when no other thread uses its own any more. What f throws is thrown.
  /// @param f called with a T&.
  template <class F>
  void for_each(F&& f) {
    static_assert(std::invocable<F&, T&>, "per_thread::for_each: the function cannot be called with a T&");
    if constexpr (std::invocable<F&, T&>) each([&f](T& value) { std::invoke(f, value); });
  }

  /// combine(… combine(first, second) …) of all, in any order. What it throws is thrown.
  /// @param two called with a T and a const T&, returns a T.
  /// @return the result; where no thread has one, what one begins as.
  template <class Combine>
  [[nodiscard]] T combine(Combine&& two) const {
    constexpr bool is_operation = std::is_invocable_r_v<T, Combine&, T, const T&>;
    static_assert(
        is_operation,
        "per_thread::combine: the operation cannot be called with a T and a const T&, or does not return a T");
    std::optional<T> all;
    if constexpr (is_operation) {
      each([&](const T& value) { all.emplace(all ? T(std::invoke(two, std::move(*all), value)) : value); });
    }
    return all ? std::move(*all) : make_();
  }

 private:
  struct alignas(128) slot {
    slot(pthread_t its, slot* behind, const std::function<T()>& make) : thread(its), next(behind), value(make()) {}
    pthread_t thread;
    slot* next;
    T value;
  };
  static constexpr std::size_t lists = 64;

  std::atomic<slot*>& list_of(pthread_t thread) noexcept {
    return lists_[(std::uint64_t(thread) * UINT64_C(0x9e3779b97f4a7c15)) >> 58];
  }
  template <class F>
  void each(F f) const {
    for (auto& list : lists_) {
      for (slot* one = list.load(std::memory_order_acquire); one != nullptr; one = one->next) f(one->value);  // H6
    }
  }

  std::function<T()> make_;
  std::atomic<slot*> lists_[lists]{};
};

/// @}

}  // namespace v1
}  // namespace steelyard
