// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

#include <steelyard/detail/task_core.h>
#include <steelyard/detail/hand_over.hpp>
#include <steelyard/detail/slot.hpp>
#include <steelyard/detail/young_end.hpp>
#include <steelyard/sync_tasks.hpp>

/// @file
/// Two calls at once.
namespace steelyard {
inline namespace v1 {

/// @addtogroup tasks
/// @{

/// What a function that returns nothing contributes to a pair of results.
struct nothing {};

namespace detail {

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
      auto first = detail::call(f);
      return {std::move(first), detail::call(g)};
    }
  }
  auto first = [&]() -> value_of<F> {
    try {
      return detail::call(f);
    } catch (...) {
      give_up_fork<G>(own, task, forked);
      throw;
    }
  }();
  if (__builtin_expect(!pop_to(own_words{own}, task), 0)) {
    return {std::move(first), end_fork<G>(own, task, forked)};
  }
  return {std::move(first), detail::call(g)};
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
  if (steelyard_forks != nullptr) return detail::join_in<F, G>(steelyard_forks, f, g);
  auto first = detail::call(f);
  return {std::move(first), detail::call(g)};
}

/// That, of functions in words.
template <class F, class G, class = std::make_index_sequence<words_of<F>>,
          class = std::make_index_sequence<words_of<G>>>
struct outside;
template <class F, class G, std::size_t... I, std::size_t... J>
struct outside<F, G, std::index_sequence<I...>, std::index_sequence<J...>> {
  [[gnu::always_inline]] static std::pair<value_of<F>, value_of<G>> join(F& f, G& g) {
    const auto of_f = detail::to_words(f);
    const auto of_g = detail::to_words(g);
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
    return detail::enter_and_join<F, G>(from_words<F>(of_f), from_words<G>(of_g));
  }
};

template <class F, class G>
[[gnu::always_inline]] inline std::pair<value_of<F>, value_of<G>> join_pair(F& f, G& g) {
  steelyard_tasks* const own = steelyard_forks;
  if (__builtin_expect(own == nullptr, 0)) return outside<F, G>::join(f, g);
  return detail::join_in(own, f, g);
}

template <class F, class G>
concept both_return_nothing = std::is_void_v<std::invoke_result_t<F&>> && std::is_void_v<std::invoke_result_t<G&>>;

}  // namespace detail

/// Calls f() and g(), at the same time if a thread of the pool is idle, and returns when both have returned. If nobody
/// comes f() runs before g(), both on this thread. What f throws is thrown here, once g has ended; g does not begin then unless it
/// has. Else what g throws. A g of at most 48 bytes that may be copied like bytes and called as const is called as a copy.
///
/// Some 20 instructions beside the two calls; no memory is allocated. While it waits for a g that a thief has, this
/// thread runs only tasks that descend from that g. So it takes no lock twice that the program would not take twice if f and g
/// were called one after the other, and its stack grows no higher than then. Thieves take by the T.H.E. protocol (Frigo,
/// Leiserson & Randall 1998), whose fence is theirs here; who waits leapfrogs (Wagner & Calder 1993). src/runtime/join.md.
/// @param f the first function, called without arguments.
/// @param g the second.
/// @return a pair of what they returned, by value, `nothing` standing for void; void where both return void.
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

/// @cond
// Functions that leave their results where they are captured by reference cost the same only where this is inlined, which GCC does
// not do by itself at -O2.
template <std::invocable F, std::invocable G>
requires detail::both_return_nothing<F, G>
[[gnu::always_inline]] inline void join(F&& f, G&& g) { static_cast<void>(detail::join_pair(f, g)); }
/// @endcond

/// @}

/// @cond
template <class... F>
requires(sizeof...(F) != 2) void join(F&&...) {
  static_assert(sizeof...(F) == 2, "join: it takes two functions; more go into a join_each or a task_group");
}
/// @endcond

}  // namespace v1
}  // namespace steelyard
