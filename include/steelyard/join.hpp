// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <steelyard/detail/task_core.h>
#include <steelyard/detail/hand_over.hpp>
#include <steelyard/detail/young_end.hpp>
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
inline constexpr bool fits = false;
template <class T, std::size_t Bytes>
requires std::is_object_v<T>
inline constexpr bool fits<T, Bytes> =
    std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && sizeof(T) <= Bytes && alignof(T) <= 16;

/// Whether a task may run as a copy that lies in its slot, which spares a cache line: nobody can tell it from the original.
template <class F>
inline constexpr bool runs_as_copy =
    fits<F, STEELYARD_PAYLOAD>&& std::is_invocable_v<const F&>&& fits<value_of<F>, STEELYARD_PAYLOAD>;

/// How a rare path gets a function: a small one as a copy in so many words, others by their address. Words go through a call in
/// registers; an object would lie on the stack, and be written there on the usual path, too.
template <class F>
inline constexpr std::size_t words_of = (sizeof(std::conditional_t<runs_as_copy<F>, F, void*>) + 7) / 8;
template <class F>
[[gnu::always_inline]] inline std::array<std::uint64_t, words_of<F>> to_words(F& f) noexcept {
  std::array<std::uint64_t, words_of<F>> words{};
  if constexpr (runs_as_copy<F>) {
    std::memcpy(words.data(), &f, sizeof(F));
  } else {
    words[0] = reinterpret_cast<std::uint64_t>(&f);
  }
  return words;
}
template <class F>
F& from_words(std::byte* words) noexcept {
  if constexpr (runs_as_copy<F>) {
    return *std::launder(reinterpret_cast<F*>(words));
  } else {
    std::uint64_t at = 0;
    std::memcpy(&at, words, sizeof at);
    return *reinterpret_cast<F*>(at);
  }
}

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
  /// On this thread: nobody has taken it.
  value_of<G> run_here(steelyard_task* task) {
    const G g = in<const G>(task);
    return call(g);
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
  value_of<G> run_here(steelyard_task*) { return call(g); }
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
[[gnu::noinline, gnu::cold]] value_of<G> end_fork(steelyard_tasks* own, steelyard_task* task, fork<G>& forked) {
  const int how = steelyard_task_popped(own, task);
  if (how == 0) return forked.run_here(task);
  if (how == 2) std::rethrow_exception(forked.thrown(task));
  return forked.result(task);
}

/// The first half has thrown: a fork that nobody has begun does not run.
template <class G>
[[gnu::noinline, gnu::cold]] void give_up_fork(steelyard_tasks* own, steelyard_task* task, fork<G>& forked) noexcept {
  own_words{own}.pop_tail(task);
  const int how = steelyard_task_popped(own, task);
  if (how == 2) static_cast<void>(forked.thrown(task));
}

template <class F, class G>
[[gnu::always_inline]] inline std::pair<value_of<F>, value_of<G>> join_in(steelyard_tasks* own, F& f, G& g) {
  steelyard_task* const task = own->tail;
  fork<G> forked(g);
  forked.put(task, g);
  hand_over(task);
  if (__builtin_expect(!push_to(own_words{own}, task + 1), 0)) {
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
  if (__builtin_expect(!pop_to(own_words{own}, task), 0)) {
    return {std::move(first), end_fork<G>(own, task, forked)};
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

/// The thread is in no pool, or has tasks pending, which come first.
template <class F, class G>
std::pair<value_of<F>, value_of<G>> enter_and_join(F& f, G& g) {
  const entered here;
  if (steelyard_forks != nullptr) return join_in<F, G>(steelyard_forks, f, g);
  auto first = call(f);
  return {std::move(first), call(g)};
}

/// That, of functions in words.
template <class F, class G, class = std::make_index_sequence<words_of<F>>,
          class = std::make_index_sequence<words_of<G>>>
struct outside;
template <class F, class G, std::size_t... I, std::size_t... J>
struct outside<F, G, std::index_sequence<I...>, std::index_sequence<J...>> {
  [[gnu::always_inline]] static std::pair<value_of<F>, value_of<G>> join(F& f, G& g) {
    const auto of_f = to_words(f);
    const auto of_g = to_words(g);
    return join_words(of_f[I]..., of_g[J]...);
  }

 private:
  [[gnu::noinline, gnu::cold]] static std::pair<value_of<F>, value_of<G>> join_words(decltype(I, std::uint64_t{})... f,
                                                                                     decltype(J,
                                                                                              std::uint64_t{})... g) {
    const std::uint64_t words_of_f[] = {f...}, words_of_g[] = {g...};
    // Copied as bytes, they are what they were.
    alignas(16) std::byte of_f[sizeof words_of_f];
    alignas(16) std::byte of_g[sizeof words_of_g];
    std::memcpy(of_f, words_of_f, sizeof of_f);
    std::memcpy(of_g, words_of_g, sizeof of_g);
    return enter_and_join<F, G>(from_words<F>(of_f), from_words<G>(of_g));
  }
};

template <class F, class G>
[[gnu::always_inline]] inline std::pair<value_of<F>, value_of<G>> join_pair(F& f, G& g) {
  steelyard_tasks* const own = steelyard_forks;
  if (__builtin_expect(own == nullptr, 0)) return outside<F, G>::join(f, g);
  return join_in(own, f, g);
}

template <class F, class G>
concept both_return_nothing = std::is_void_v<std::invoke_result_t<F&>> && std::is_void_v<std::invoke_result_t<G&>>;

}  // namespace detail

/// Calls f() and g(), at the same time if a thread of the pool has nothing to do, and returns when both have returned: a pair
/// of what they returned, by value, `nothing` standing for void; void where both return void. If nobody comes f() runs before
/// g(), both on this thread. What f throws is thrown here, once g has ended; g does not begin then unless it has. Else what g
/// throws. A g of at most 48 bytes that may be copied like bytes and called as const is called as a copy.
///
/// Some 20 instructions beside the two calls; no memory is allocated. While it waits for a g that a thief has, this
/// thread runs only tasks that descend from that g: it takes no lock twice that the program would not take twice if f and g
/// were called one after the other, and its stack grows no higher than it would then. src/runtime/join.md.
template <class F, class G>
auto join(F&& f, G&& g) {
  static_assert(std::invocable<F&>, "join: its first function cannot be called without arguments");
  static_assert(!std::invocable<F&> || std::invocable<G&>,
                "join: its second function cannot be called without arguments");
  if constexpr (!std::invocable<F&> || !std::invocable<G&>) {
    return;
  } else {
    return detail::join_pair(f, g);
  }
}

// Functions that leave their results where they are captured by reference cost the same only where this is inlined, which GCC does
// not do by itself at -O2.
template <std::invocable F, std::invocable G>
requires detail::both_return_nothing<F, G>
[[gnu::always_inline]] inline void join(F&& f, G&& g) { static_cast<void>(detail::join_pair(f, g)); }

template <class... F>
requires(sizeof...(F) != 2) void join(F&&...) {
  static_assert(sizeof...(F) == 2, "join: it takes two functions; more go into a join_each or a task_group");
}

}  // namespace v1
}  // namespace steelyard
