// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <steelyard/task_core.h>
#include <steelyard/sync_tasks.hpp>

/// Two calls at once.
namespace steelyard {
inline namespace v1 {

/// What a function that returns nothing contributes to a pair of results.
struct nothing {};

namespace detail {

template <class F>
using result_of = std::remove_cvref_t<std::invoke_result_t<F&>>;
template <class F>
using value_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F&>>, nothing, result_of<F>>;

/// f(), with nothing for void.
template <class F>
[[gnu::always_inline]] inline value_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return {};
  } else {
    return f();
  }
}

template <class T, std::size_t Bytes>
inline constexpr bool fits = std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T> && sizeof(T) <= Bytes
                             && alignof(T) <= 16;

/// Whether a task may run as a copy that lies in its slot, which spares a cache line: nobody can tell it from the original.
template <class F>
inline constexpr bool runs_as_copy =
    fits<F, STEELYARD_PAYLOAD>&& std::is_invocable_v<const F&>&& fits<value_of<F>, STEELYARD_PAYLOAD>;

/// How rare paths get a function: small ones as a copy, whose captures may stay in registers on the usual path then.
template <class F>
using handed = std::conditional_t<runs_as_copy<F>, F, F&>;

template <class T>
T& in(steelyard_task* task, std::size_t offset = 0) noexcept {
  return *std::launder(reinterpret_cast<T*>(task->payload + offset));
}

/// What a task in its slot has thrown.
inline std::exception_ptr taken_exception(steelyard_task* task) noexcept {
  auto& there = in<std::exception_ptr>(task);
  auto taken = std::move(there);
  there.~exception_ptr();
  return taken;
}

/// Behind a task in its slot that has forked, and left what `how` tells: what those threw replaces a result, which drop(self)
/// drops.
template <class Drop = void (*)(steelyard_task*)>
[[gnu::noinline, gnu::cold]] int end_forked(
    steelyard_task* self, int how, Drop drop = [](steelyard_task*) {}) noexcept {
  auto thrown = thrown_by_forked();
  if (how == 1 || thrown == nullptr) return how;
  drop(self);
  ::new (static_cast<void*>(self->payload)) std::exception_ptr(std::move(thrown));
  return 1;
}

/// A fork in its slot.
template <class G>
struct copied_fork {
  explicit copied_fork(G&) noexcept {}
  void put(steelyard_task* into, const G& g) noexcept {
    ::new (static_cast<void*>(into->payload)) G(g);
    into->run = run;
  }
  value_of<G> result(steelyard_task* task) noexcept { return in<value_of<G>>(task); }
  std::exception_ptr thrown(steelyard_task* task) noexcept { return taken_exception(task); }
  static int run(steelyard_task* self) noexcept {
    const G g = in<const G>(self);
    int how = 0;
    try {
      ::new (static_cast<void*>(self->payload)) value_of<G>(call(g));
    } catch (...) {
      ::new (static_cast<void*>(self->payload)) std::exception_ptr(std::current_exception());
      how = 1;
    }
    return __builtin_expect(has_forked(), 0) ? end_forked(self, how) : how;
  }
};

/// A fork on the stack of the join, with its address in the slot.
template <class G>
struct distant_fork {
  explicit distant_fork(G& given) noexcept : g(given) {}
  void put(steelyard_task* into, G&) noexcept {
    ::new (static_cast<void*>(into->payload)) distant_fork*(this);
    into->run = run;
  }
  value_of<G> result(steelyard_task*) { return std::move(*value); }
  std::exception_ptr thrown(steelyard_task*) noexcept { return std::move(exception); }
  static int run(steelyard_task* self) noexcept {
    auto& here = *in<distant_fork*>(self);
    try {
      const own_task its;
      here.value.emplace(call(here.g));
      own_task::end();
      return 0;
    } catch (...) {
      here.exception = std::current_exception();
      return 1;
    }
  }

  G& g;
  std::optional<value_of<G>> value;
  std::exception_ptr exception;
};

template <class G>
using fork = std::conditional_t<runs_as_copy<G>, copied_fork<G>, distant_fork<G>>;

/// What a join does whose fork a thief has taken, or may have.
template <class G>
[[gnu::noinline, gnu::cold]] value_of<G> end_fork(steelyard_tasks* own, steelyard_task* task, fork<G>& forked,
                                                  handed<G> g) {
  const int how = steelyard_task_popped(own, task);
  if (how == 0) return call(g);
  if (how == 2) std::rethrow_exception(forked.thrown(task));
  return forked.result(task);
}

/// The first half has thrown: a fork that nobody has begun does not run.
template <class G>
[[gnu::noinline, gnu::cold]] void give_up_fork(steelyard_tasks* own, steelyard_task* task, fork<G>& forked) noexcept {
  __atomic_store_n(&own->tail, task, __ATOMIC_RELAXED);
  const int how = steelyard_task_popped(own, task);
  if (how == 2) static_cast<void>(forked.thrown(task));
}

template <class F, class G>
[[gnu::always_inline]] inline std::pair<value_of<F>, value_of<G>> join_in(steelyard_tasks* own, F& f, G& g) {
  steelyard_task* const task = own->tail;
  fork<G> forked(g);
  forked.put(task, g);
  __atomic_store_n(&own->tail, task + 1, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(task + 1 > __atomic_load_n(&own->limit, __ATOMIC_RELAXED), 0)) {
    if (steelyard_task_pushed(own) == 0) {
      auto first = call(f);
      return {std::move(first), call(g)};
    }
  }
  auto first = [&]() -> value_of<F> {
    try {
      return call(f);
    } catch (...) {
      give_up_fork<G>(own, task, forked);
      throw;
    }
  }();
  __atomic_store_n(&own->tail, task, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(task < __atomic_load_n(&own->bound, __ATOMIC_RELAXED), 0)) {
    return {std::move(first), end_fork<G>(own, task, forked, g)};
  }
  return {std::move(first), call(g)};
}

/// For a while, a thread that has tasks.
class entered {
 public:
  explicit entered(bool wanted = true) noexcept : mine_(wanted && steelyard_tasks_enter() != 0) {}
  ~entered() {
    if (mine_) steelyard_tasks_leave();
  }
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;

 private:
  bool mine_;
};

template <class F, class G>
[[gnu::noinline]] std::pair<value_of<F>, value_of<G>> join_outside(handed<F> f, handed<G> g) {
  const entered here;
  if (steelyard_forks != nullptr) return join_in<F, G>(steelyard_forks, f, g);
  auto first = call(f);
  return {std::move(first), call(g)};
}

template <class F, class G>
[[gnu::always_inline]] inline std::pair<value_of<F>, value_of<G>> join_pair(F& f, G& g) {
  steelyard_tasks* const own = steelyard_forks;
  if (__builtin_expect(own == nullptr, 0)) return join_outside<F, G>(f, g);
  return join_in(own, f, g);
}

}  // namespace detail

/// Calls f() and g(), at the same time if a thread of the pool has nothing to do, and returns when both have returned: a pair
/// of what they returned, by value, `nothing` standing for void; void where both return void. If nobody comes f() runs before
/// g(), both on this thread. What f throws is thrown here, once g has ended; g does not begin then unless it has. Else what g
/// throws. A g of at most 48 bytes that may be copied like bytes and called as const is called as a copy.
///
/// Some 20 instructions beside the two calls; no memory is allocated. While it waits for a g that a thief has, this
/// thread runs only tasks that descend from that g: it takes no lock twice that the program would not take twice if f and g
/// were called one after the other, and its stack grows no higher than it would then. src/runtime/join.md.
template <std::invocable F, std::invocable G>
auto join(F&& f, G&& g) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>> && std::is_void_v<std::invoke_result_t<G&>>) {
    static_cast<void>(detail::join_pair(f, g));
  } else {
    return detail::join_pair(f, g);
  }
}

}  // namespace v1
}  // namespace steelyard
