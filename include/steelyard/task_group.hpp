// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <steelyard/detail/first_exception.hpp>
#include <steelyard/detail/never.hpp>
#include <steelyard/join.hpp>

/// @file
/// Any number of calls that are waited for together.
namespace steelyard {
inline namespace v1 {

template <class T>
class future;
template <class T>
class ordered_output;

namespace detail {
class job;
template <class F, class... A>
inline constexpr bool is_task =
    std::is_constructible_v<std::decay_t<F>, F&&>&& std::is_invocable_v<std::decay_t<F>&, A...>;
}  // namespace detail

/// @addtogroup tasks
/// @{

/// Tasks that are waited for together. Its own thread makes it, waits for it and destroys it; tasks of the group, and of
/// others, may spawn into it, from any thread of the pool. While it waits, this thread runs only tasks of the group and what
/// descends from them. src/runtime/join.md.
class task_group {
 public:
  /// Without tasks. Waits first for tasks of dataflow that the running task has forked.
  task_group() noexcept {
    core_.owner = steelyard_spawned;
    if (core_.owner != nullptr) core_.start = core_.owner->tail;
  }
  /// Waits for all tasks; what they throw is dropped.
  ~task_group() { steelyard_group_wait(&core_); }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Calls f(), some time before `wait` returns, on any thread of the pool. At once where this thread is in no pool, or has
  /// millions of tasks that have not begun. Not at all once a task of the group has thrown. O(1); no memory is allocated for a
  /// function of at most 32 bytes that may be copied like bytes. What copying f throws is thrown.
  /// @param f is copied or moved.
  template <class F>
  void spawn(F&& f) {
    static_assert(detail::is_task<F>, "spawn: the task cannot be called without arguments, or not be copied or moved");
    if constexpr (detail::is_task<F>) {
      if (__builtin_expect(steelyard_forks == nullptr, 0)) return spawn_outside(std::forward<F>(f));
      spawn_in(steelyard_spawned, std::forward<F>(f));
    }
  }

  /// @cond
  template <class F, class... More>
  requires(sizeof...(More) != 0) void spawn(F&&, More&&...) {
    static_assert(detail::never<F>, "spawn: it takes one function without arguments, as in spawn([x] { f(x); })");
  }
  /// @endcond

  /// Returns when all tasks have ended, those that they spawned into it included. The first exception of a task is thrown
  /// here, and tasks that have not begun by then are dropped; a group that has failed, or was cancelled, stays so.
  void wait() {
    steelyard_group_wait(&core_);
    if (failed_.is_kept()) failed_.rethrow();
  }

  /// Calls f() as spawn does. O(1), with one allocation. Throws std::bad_alloc, and what copying f throws.
  /// @param f is copied or moved.
  /// @return a future of what f returns, by value; of `nothing` where it returns nothing.
  template <class F>
  auto async(F&& f) {
    static_assert(detail::is_task<F>, "async: the task cannot be called without arguments, or not be copied or moved");
    if constexpr (detail::is_task<F>) return after(std::forward<F>(f));
  }
  /// @cond
  template <class F, class... More>
  requires(sizeof...(More) != 0) void async(F&&, More&&...) {
    static_assert(detail::never<F>,
                  "async: it takes one function without arguments, as in async([x] { return f(x); })");
  }
  /// @endcond
  /// Calls f(values…) when all the futures, which are of this group, have theirs; not if one of them has failed. Nobody waits
  /// for it: who ends the last of them pushes it. With async and spawn these are any graph of tasks without cycles. Throws
  /// std::future_error when one of the futures is of no task; std::bad_alloc; what copying f throws.
  /// @param f is copied or moved.
  /// @param inputs what it is called with.
  /// @return a future of what f returns.
  template <class F, class... T>
  auto after(F&& f, const future<T>&... inputs);

  /// Tasks that have not begun are dropped from now on, and `wait` returns when the others have ended; what those throw is dropped, too.
  /// For any task of the group, or whoever knows it.
  void cancel() noexcept { failed_.keep_none(); }

  /// Whether a task has thrown, or somebody has cancelled it.
  /// @return true if so: no task of the group is begun any more.
  [[nodiscard]] bool has_failed() const noexcept { return failed_.is_kept(); }

 private:
  friend class detail::job;
  template <class T>
  friend class ordered_output;

  template <class F, class... T>
  auto start(F&& f, const future<T>&... inputs);

  struct header {
    steelyard_group* core;
    task_group* group;
  };
  static constexpr std::size_t room = STEELYARD_PAYLOAD - sizeof(header);

  /// A task more; what has been put into the deque since its last push.
  void count(const steelyard_tasks* own) noexcept {
    if (own != nullptr && own == core_.owner) {
      ++core_.here;
    } else {
      steelyard_group_push(&core_);
    }
  }
  void push(steelyard_tasks* own) noexcept {
    steelyard_task* const task = own->tail;
    if (own == core_.owner && task < core_.start) core_.start = task;  // a wait for an older group has made room
    detail::hand_over(task);
    if (__builtin_expect(!detail::push_to(detail::own_words{own}, task + 1), 0)) {
      static_cast<void>(steelyard_task_pushed(own));
    }
  }

  void* behind_header(steelyard_task* into) noexcept {
    ::new (static_cast<void*>(into->payload)) header{&core_, this};
    return into->payload + sizeof(header);
  }

  template <class F>
  void spawn_in(steelyard_tasks* own, F&& f) {
    put(own, std::forward<F>(f));
    count(own);
    push(own);
  }

  /// This thread is in no pool, or has tasks pending, which come first.
  template <class F>
  [[gnu::noinline]] void spawn_outside(F&& f) {
    const detail::entered here;
    if (steelyard_forks == nullptr) return run_here(f);
    spawn_in(steelyard_spawned, std::forward<F>(f));
  }

  template <class F>
  void run_here(F& f) noexcept {
    if (failed_.is_kept()) return;
    try {
      const detail::own_task here;
      f();
      detail::own_task::end();
    } catch (...) {
      failed_.keep();
    }
  }

  /// Into the next slot. What copies f may use tasks, which lie there for a while.
  template <class F>
  void put(const steelyard_tasks* own, F&& f) {
    using G = std::decay_t<F>;
    if constexpr (detail::fits<G, room>) {
      const G copy(std::forward<F>(f));
      steelyard_task* const into = own->tail;
      ::new (behind_header(into)) G(copy);
      into->run = [](steelyard_task* self) noexcept {
        G g = detail::in<G>(self, sizeof(header));
        detail::in<header>(self).group->run_here(g);
        return 0;
      };
    } else {
      auto* const elsewhere = new G(std::forward<F>(f));
      steelyard_task* const into = own->tail;
      ::new (behind_header(into)) G*(elsewhere);
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
/// @param f called with a task_group&.
template <class F>
void scope(F&& f) {
  constexpr bool is_function = std::invocable<F&, task_group&>;
  static_assert(is_function, "scope: the function cannot be called with a task_group&");
  if constexpr (is_function) {
    task_group group;
    f(group);
    group.wait();
  }
}

/// @}

}  // namespace v1
}  // namespace steelyard
