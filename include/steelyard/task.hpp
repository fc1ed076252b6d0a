// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
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

/// What a task in its slot has thrown.
inline std::exception_ptr taken_exception(steelyard_task* task) noexcept {
  auto& there = in<std::exception_ptr>(task);
  auto taken = std::move(there);
  there.~exception_ptr();
  return taken;
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

/// A call f(i) in its slot, of a family of calls that are forked together.
template <class F>
struct family_member {
  using T = std::remove_cvref_t<std::invoke_result_t<F&, std::size_t>>;
  static constexpr bool is_void = std::is_void_v<T>;
  using value = std::conditional_t<is_void, nothing, T>;
  static constexpr bool in_slot = fits<value, STEELYARD_PAYLOAD>;

  F* f;
  std::size_t i;

  static value call_it(F& f, std::size_t i) {
    if constexpr (is_void) {
      f(i);
      return {};
    } else {
      return f(i);
    }
  }
  static int run(steelyard_task* self) noexcept {
    const auto mine = in<family_member>(self);
    try {
      if constexpr (in_slot) {
        ::new (static_cast<void*>(self->payload)) value(call_it(*mine.f, mine.i));
      } else {
        ::new (static_cast<void*>(self->payload)) value*(new value(call_it(*mine.f, mine.i)));
      }
      return 0;
    } catch (...) {
      ::new (static_cast<void*>(self->payload)) std::exception_ptr(std::current_exception());
      return 1;
    }
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
  static std::exception_ptr thrown(steelyard_task* task) noexcept { return taken_exception(task); }
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
    }
    __atomic_store_n(&own->tail, end_, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(end_ > __atomic_load_n(&own->limit, __ATOMIC_RELAXED), 0)) {
      static_cast<void>(steelyard_task_pushed(own));  // there is room: see join_each
    }
  }
  ~family() {
    while (end_ != first_) {
      if (take_back_slowly() != 0) drop(how_);
    }
  }
  family(const family&) = delete;
  family& operator=(const family&) = delete;

  /// The next call: 0, it is the caller's; else see steelyard_task_popped, and `youngest` has what it left.
  [[gnu::always_inline]] int take_back() noexcept {
    __atomic_store_n(&own_->tail, --end_, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(end_ < __atomic_load_n(&own_->bound, __ATOMIC_RELAXED), 0)) {
      return steelyard_task_popped(own_, end_);
    }
    return 0;
  }
  [[nodiscard]] steelyard_task* youngest() const noexcept { return end_; }

 private:
  int take_back_slowly() noexcept {
    __atomic_store_n(&own_->tail, --end_, __ATOMIC_RELAXED);
    return how_ = steelyard_task_popped(own_, end_);
  }
  void drop(int how) noexcept {
    if (how == 2) {
      static_cast<void>(family_member<F>::thrown(end_));
    } else if constexpr (!family_member<F>::in_slot) {
      delete in<typename family_member<F>::value*>(end_);
    }
  }

  steelyard_tasks* own_;
  steelyard_task* first_;
  steelyard_task* end_;
  int how_ = 0;
};

/// How many calls are forked at once; more are forked in halves.
inline constexpr std::size_t most_in_family = 4096;

/// Combines f(first) … f(first+n-1), n > 0, in this order.
template <class F, class Combine>
void for_family(std::size_t first, std::size_t n, F& f, Combine&& combine) {
  using member = family_member<F>;
  family<F> rest(steelyard_forks, f, first, n);
  combine(member::call_it(f, first));
  for (std::size_t i = 1; i != n; ++i) {
    const int how = rest.take_back();
    if (__builtin_expect(how == 0, 1)) {
      combine(member::call_it(f, first + i));
    } else if (how == 2) {
      std::rethrow_exception(member::thrown(rest.youngest()));
    } else {
      combine(member::result(rest.youngest()));
    }
  }
}

/// Whether so many more forks have room: usually known from `limit`.
[[nodiscard]] inline bool has_room(const steelyard_tasks* own, std::size_t n) noexcept {
  if (own == nullptr) return false;
  const auto end = reinterpret_cast<std::uintptr_t>(__atomic_load_n(&own->limit, __ATOMIC_RELAXED));
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

/// init + f(0) + … + f(n-1), for any op instead of +, combined in this order, so with the same bits whoever runs what. Each call
/// is a task of its own, as in a tree of joins, and costs less: f may run for a few nanoseconds. Exceptions as those of join: the
/// first in this order is thrown here, and calls that have not begun by then do not run.
template <class T, class F, class Op = std::plus<>>
requires std::invocable<F&, std::size_t> T join_reduce(std::size_t n, T init, F&& f, Op op = {}) {
  if (n == 0) return init;
  const detail::entered here(steelyard_forks == nullptr);
  return detail::reduce_family(0, n, std::move(init), f, op);
}

/// Calls f(0) … f(n-1), each a task; returns when all have returned. As join_reduce.
template <class F>
requires std::invocable<F&, std::size_t>
void join_each(std::size_t n, F&& f) {
  const auto call = [&f](std::size_t i) {
    f(i);
    return nothing{};
  };
  join_reduce(n, nothing{}, call, [](nothing, nothing) { return nothing{}; });
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
