// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <steelyard/detail/task_core.h>
#include <steelyard/detail/forked.hpp>

/// A call in the slot of a task: itself, or its address.
namespace steelyard {
inline namespace v1 {

struct nothing;

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
inline constexpr bool fits<T, Bytes> = std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                                       std::is_trivially_destructible_v<T> && sizeof(T) <= Bytes && alignof(T) <= 16;

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
    return detail::call(g);
  }
  value_of<G> result(steelyard_task* task) noexcept { return in<value_of<G>>(task); }
  std::exception_ptr thrown(steelyard_task* task) noexcept { return taken_exception(task); }
  static int run(steelyard_task* self) noexcept {
    const G g = in<const G>(self);
    int how = 0;
    try {
      ::new (static_cast<void*>(self->payload)) value_of<G>(detail::call(g));
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
  value_of<G> run_here(steelyard_task*) { return detail::call(g); }
  value_of<G> result(steelyard_task*) { return std::move(*value); }
  std::exception_ptr thrown(steelyard_task*) noexcept { return std::move(exception); }
  static int run(steelyard_task* self) noexcept {
    auto& here = *in<distant_fork*>(self);
    try {
      const own_task its;
      here.value.emplace(detail::call(here.g));
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

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
