// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <steelyard/detail/never.hpp>
#include <steelyard/detail/operations.hpp>
#include <steelyard/join.hpp>

/// @file
/// Many calls at once.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// A call f(i) in its slot, of a family of calls that are forked together.
template <class F>
struct family_member {
  using value = std::remove_cvref_t<std::invoke_result_t<F&, std::size_t>>;
  static constexpr bool in_slot = fits<value, STEELYARD_PAYLOAD>;

  F* f;
  std::size_t i;

  static int run(steelyard_task* self) noexcept {
    const auto mine = in<family_member>(self);
    int how = 0;
    try {
      if constexpr (in_slot) {
        ::new (static_cast<void*>(self->payload)) value((*mine.f)(mine.i));
      } else {
        ::new (static_cast<void*>(self->payload)) value*(new value((*mine.f)(mine.i)));
      }
    } catch (...) {
      ::new (static_cast<void*>(self->payload)) std::exception_ptr(std::current_exception());
      how = 1;
    }
    if (__builtin_expect(has_forked(), 0)) return end_forked(self, how, drop_result);
    return how;
  }
  static void drop_result(steelyard_task* task) noexcept {
    if constexpr (!in_slot) delete in<value*>(task);
  }
  /// What a thief has left there.
  static value result(steelyard_task* task) {
    if constexpr (in_slot) {
      return in<value>(task);
    } else {
      const std::unique_ptr<value> there(in<value*>(task));
      return std::move(*there);
    }
  }
};

/// Calls that have been forked and not taken back yet: slots from `first` on, the youngest in front of `end`. If they are left
/// by an exception, those that nobody has begun do not run, and the others are waited for.
template <class F>
class family {
 public:
  family(steelyard_tasks* own, F& f, std::size_t first, std::size_t n) noexcept
      : own_(own), first_(own->tail), end_(first_) {
    // The last call is the oldest task, so they run in order here, and thieves get the last ones.
    for (std::size_t i = n - 1; i != 0; --i, ++end_) {
      ::new (static_cast<void*>(end_->payload)) family_member<F>{&f, first + i};
      end_->run = family_member<F>::run;
      hand_over(end_);
    }
    if (__builtin_expect(!push_to(own_words{own}, end_), 0)) {
      static_cast<void>(steelyard_task_pushed(own));  // there is room: see join_each
    }
  }
  ~family() {
    while (end_ != first_) {
      own_words{own_}.pop_tail(--end_);
      drop(steelyard_task_popped(own_, end_));
    }
  }
  family(const family&) = delete;
  family& operator=(const family&) = delete;

  /// The next call: 0, it is the caller's; else see steelyard_task_popped, and `youngest` has what it left.
  [[gnu::always_inline]] int take_back() noexcept {
    if (__builtin_expect(pop_to(own_words{own_}, --end_), 1)) return 0;
    return steelyard_task_popped(own_, end_);
  }
  [[nodiscard]] steelyard_task* youngest() const noexcept { return end_; }

 private:
  void drop(int how) noexcept {
    if (how == 2) {
      static_cast<void>(taken_exception(end_));
    } else if (how == 1) {
      family_member<F>::drop_result(end_);
    }
  }

  steelyard_tasks* own_;
  steelyard_task* first_;
  steelyard_task* end_;
};

/// How many calls are forked at once; more are forked in halves.
inline constexpr std::size_t most_in_family = 4096;

/// Combines f(first) … f(first+n-1), n > 0, in this order.
template <class F, class Combine>
void for_family(std::size_t first, std::size_t n, F& f, Combine&& combine) {
  using member = family_member<F>;
  family<F> rest(steelyard_forks, f, first, n);
  for (std::size_t i = 0; i != n; ++i) {
    // One call of f in the source, so that compilers inline it.
    const int how = i == 0 ? 0 : rest.take_back();
    if (__builtin_expect(how == 0, 1)) {
      combine(f(first + i));
    } else if (how == 2) {
      std::rethrow_exception(taken_exception(rest.youngest()));
    } else {
      combine(member::result(rest.youngest()));
    }
  }
}

/// Whether so many more forks have room: usually known from `limit`.
[[nodiscard]] inline bool has_room(const steelyard_tasks* own, std::size_t n) noexcept {
  if (own == nullptr) return false;
  const auto end = reinterpret_cast<std::uintptr_t>(__atomic_load_n(&own->limit, __ATOMIC_RELAXED));  // D4
  return reinterpret_cast<std::uintptr_t>(own->tail + n) <= end || n <= steelyard_forks_left(own);
}

template <class T, class F, class Op>
T reduce_family(std::size_t first, std::size_t n, T init, F& f, Op& op) {
  if (n > most_in_family) {
    const auto half = n / 2;
    const auto middle = first + half;
    const auto left = [&] { return reduce_family(first, half, std::move(init), f, op); };
    const auto right = [&] { return reduce_family(middle + 1, n - half - 1, T(f(middle)), f, op); };
    auto both = join_pair(left, right);
    return op(std::move(both.first), std::move(both.second));
  }
  if (!has_room(steelyard_forks, n)) {
    for (std::size_t i = first; i != first + n; ++i) init = op(std::move(init), f(i));
  } else {
    for_family(first, n, f, [&](auto&& value) { init = op(std::move(init), std::forward<decltype(value)>(value)); });
  }
  return init;
}

}  // namespace detail

namespace detail {

/// What is wrong with a call of join_reduce.
enum class reduce_fault { none, function, type, fraction, operation };

template <class T, class F, class Op>
consteval reduce_fault reduce_fault_of() {
  if constexpr (!std::invocable<F&, std::size_t>) {
    return reduce_fault::function;
  } else {
    using value = std::remove_cvref_t<std::invoke_result_t<F&, std::size_t>>;
    if constexpr (!std::is_constructible_v<T, value>) {
      return reduce_fault::type;
    } else if constexpr (loses_fraction<value, T> && is_plus<Op>) {
      return reduce_fault::fraction;
    } else if constexpr (!std::invocable<Op&, T, value> || !std::invocable<Op&, T, T>) {
      return reduce_fault::operation;
    } else {
      return std::is_convertible_v<std::invoke_result_t<Op&, T, T>, T> &&
                     std::is_assignable_v<T&, std::invoke_result_t<Op&, T, value>>
                 ? reduce_fault::none
                 : reduce_fault::operation;
    }
  }
}

/// Whether it is right; else the compiler says why not.
template <class T, class F, class Op>
consteval bool may_reduce() {
  constexpr auto fault = reduce_fault_of<T, F, Op>();
  static_assert(fault != reduce_fault::function, "join_reduce: the function cannot be called with a std::size_t");
  static_assert(fault != reduce_fault::type, "join_reduce: what the function returns does not become the type of init");
  static_assert(fault != reduce_fault::fraction,
                "join_reduce: init is an integer, so the results lose their fractions; write 0.0");
  static_assert(
      fault != reduce_fault::operation,
      "join_reduce: the operation cannot be called with init and what the function returns, or with two of the "
      "type of init, or does not return that type");
  return fault == reduce_fault::none;
}

/// How many tasks n calls are, with so many in each. Throws std::invalid_argument where that is none.
inline std::size_t tasks_of(std::size_t n, std::size_t grain) {
  if (grain == 0) throw std::invalid_argument("a grain of 0 calls: give 1 or more");
  return n == 0 ? 0 : (n - 1) / grain + 1;
}

}  // namespace detail

/// @addtogroup tasks
/// @{

/// init + f(0) + … + f(n-1), for any op instead of +, combined in this order, so with the same bits whoever runs what. Each call
/// is a task of its own, as in a tree of joins, and costs less: f may run for a few nanoseconds. Exceptions as those of join: the
/// first in this order is thrown here, and calls that have not begun by then do not run. No memory is allocated for values of at
/// most 48 bytes that may be copied like bytes.
/// @param n how many calls.
/// @param init what the results are combined with, from the left.
/// @param f called with a std::size_t, by several threads at the same time.
/// @param op called with the result so far and one of f, or with two results, by several threads at the same time; associative.
/// @return the result.
template <class T, class F, class Op = std::plus<>>
T join_reduce(std::size_t n, T init, F&& f, Op op = {}) {
  if constexpr (detail::may_reduce<T, F, Op>()) {
    if (n == 0) return init;
    const detail::entered here(steelyard_forks == nullptr);
    return detail::reduce_family(0, n, std::move(init), f, op);
  } else {
    return init;
  }
}

/// The same, with several calls in one task, combined by op among each other first. Throws std::invalid_argument where the grain
/// is 0.
/// @param n how many calls.
/// @param init what the results are combined with, from the left.
/// @param f called with a std::size_t, by several threads at the same time.
/// @param op called with two results, by several threads at the same time; associative.
/// @param grain calls that follow each other in one task, at least 1.
/// @return the result.
template <class T, class F, class Op>
T join_reduce(std::size_t n, T init, F&& f, Op op, std::size_t grain) {
  if constexpr (detail::may_reduce<T, F, Op>()) {
    const auto part = [&](std::size_t i) {
      const std::size_t first = i * grain, count = std::min(grain, n - first);
      T all(f(first));
      for (std::size_t k = 1; k != count; ++k) all = op(std::move(all), f(first + k));
      return all;
    };
    return join_reduce(detail::tasks_of(n, grain), std::move(init), part, op);
  } else {
    return init;
  }
}

/// Calls f(0) … f(n-1), each a task; returns when all have returned. Exceptions as those of join_reduce. No memory is allocated.
/// @param n how many calls.
/// @param f called with a std::size_t, by several threads at the same time.
template <class F>
void join_each(std::size_t n, F&& f) {
  constexpr bool is_function = std::invocable<F&, std::size_t>;
  static_assert(is_function, "join_each: the function cannot be called with a std::size_t");
  if constexpr (is_function) {
    const auto call = [&f](std::size_t i) {
      f(i);
      return nothing{};
    };
    join_reduce(n, nothing{}, call, [](nothing, nothing) { return nothing{}; });
  }
}

/// The same, with several calls in one task. Throws std::invalid_argument where the grain is 0.
/// @param n how many calls.
/// @param f called with a std::size_t, by several threads at the same time.
/// @param grain calls that follow each other in one task, at least 1.
template <class F>
void join_each(std::size_t n, F&& f, std::size_t grain) {
  constexpr bool is_function = std::invocable<F&, std::size_t>;
  static_assert(is_function, "join_each: the function cannot be called with a std::size_t");
  if constexpr (is_function) {
    const auto part = [&](std::size_t i) {
      for (std::size_t k = i * grain, end = k + std::min(grain, n - k); k != end; ++k) f(k);
    };
    join_each(detail::tasks_of(n, grain), part);
  }
}

/// @cond
// What no call can be, for the compiler to say so.
template <class F, class N>
requires(!std::convertible_to<F, std::size_t>) void join_each(F&&, N&&) {
  static_assert(detail::never<F>, "join_each: first how many calls, then the function");
}
/// @endcond

/// @}

}  // namespace v1
}  // namespace steelyard
