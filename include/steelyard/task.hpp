// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <steelyard/task_core.h>
#include <steelyard/first_exception.hpp>

/// Fork-join tasks, for C++20. They run on the same threads as loops: those of the pool that the calling thread is in.
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

/// A fork in its slot.
template <class G>
struct copied_fork {
  explicit copied_fork(G&) noexcept {}
  void put(steelyard_task* into, const G& g) noexcept {
    ::new (static_cast<void*>(into->payload)) G(g);
    into->run = run;
  }
  value_of<G> result(steelyard_task* task) noexcept { return in<value_of<G>>(task); }
  std::exception_ptr thrown(steelyard_task* task) noexcept {
    auto& there = in<std::exception_ptr>(task);
    const auto taken = std::move(there);
    there.~exception_ptr();
    return taken;
  }
  static int run(steelyard_task* self) noexcept {
    const G g = in<const G>(self);
    try {
      ::new (static_cast<void*>(self->payload)) value_of<G>(call(g));
      return 0;
    } catch (...) {
      ::new (static_cast<void*>(self->payload)) std::exception_ptr(std::current_exception());
      return 1;
    }
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
      here.value.emplace(call(here.g));
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
  entered() noexcept : mine_(steelyard_tasks_enter() != 0) {}
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

/// Tasks that are waited for together. Its own thread makes it, waits for it and destroys it; tasks of the group, and of
/// others, may spawn into it, from any thread of the pool.
class task_group {
 public:
  task_group() noexcept {
    core_.owner = steelyard_spawned;
    if (core_.owner != nullptr) core_.start = core_.owner->tail;
  }
  /// Waits for all tasks; what they throw is dropped.
  ~task_group() { steelyard_group_wait(&core_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Calls f(), some time before `wait` returns, on any thread of the pool. At once where this thread is in no pool, or has
  /// millions of tasks that have not begun. Not at all once a task of the group has thrown.
  template <class F>
  requires std::invocable < std::decay_t<F>
  & > void spawn(F&& f) {
    steelyard_tasks* const own = steelyard_spawned;
    if (__builtin_expect(own == nullptr, 0)) return run_here(f);
    steelyard_task* const task = own->tail;
    put(task, std::forward<F>(f));
    if (own == core_.owner) {
      ++core_.here;
    } else {
      steelyard_group_push(&core_);
    }
    __atomic_store_n(&own->tail, task + 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(task + 1 > __atomic_load_n(&own->limit, __ATOMIC_RELAXED), 0)) {
      static_cast<void>(steelyard_task_pushed(own));
    }
  }

  /// Returns when all tasks have ended, those that they spawned into it included. The first exception of a task is thrown
  /// here, and tasks that have not begun by then are dropped.
  void wait() {
    steelyard_group_wait(&core_);
    if (failed_.is_kept()) failed_.rethrow();
  }

  [[nodiscard]] bool has_failed() const noexcept { return failed_.is_kept(); }

 private:
  struct header {
    steelyard_group* core;
    task_group* group;
  };
  static constexpr std::size_t room = STEELYARD_PAYLOAD - sizeof(header);

  template <class F>
  void run_here(F& f) noexcept {
    if (failed_.is_kept()) return;
    try {
      f();
    } catch (...) {
      failed_.keep();
    }
  }

  template <class F>
  void put(steelyard_task* into, F&& f) {
    using G = std::decay_t<F>;
    ::new (static_cast<void*>(into->payload)) header{&core_, this};
    void* const behind = into->payload + sizeof(header);
    if constexpr (detail::fits<G, room>) {
      ::new (behind) G(std::forward<F>(f));
      into->run = [](steelyard_task* self) noexcept {
        G g = detail::in<G>(self, sizeof(header));
        detail::in<header>(self).group->run_here(g);
        return 0;
      };
    } else {
      ::new (behind) G*(new G(std::forward<F>(f)));
      into->run = [](steelyard_task* self) noexcept {
        const std::unique_ptr<G> g(detail::in<G*>(self, sizeof(header)));
        detail::in<header>(self).group->run_here(*g);
        return 0;
      };
    }
  }

  const detail::entered here_;
  steelyard_group core_{};
  detail::first_exception failed_;
};

/// Calls f(group), and returns when all tasks that were spawned into the group have ended. What f throws is thrown here, else
/// the first exception of a task.
template <class F>
requires std::invocable<F&, task_group&>
void scope(F&& f) {
  task_group group;
  f(group);
  group.wait();
}

}  // namespace v1
}  // namespace steelyard
