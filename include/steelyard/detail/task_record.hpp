// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/detail/hand_over.hpp>
#include <steelyard/detail/pending.hpp>
#include <steelyard/detail/young_end.hpp>

/// A task of dataflow with its arguments, as a record in a frame.
namespace steelyard {
inline namespace v1 {
namespace detail {

template <class P>
concept accesses = requires(const P& p) {
  typename P::accessed;
  { p.access() } -> std::same_as<steelyard_access>;
};

template <class... P>
constexpr std::uint32_t count_accesses(const std::tuple<P...>*) noexcept {
  return (0U + ... + (accesses<P> ? 1U : 0U));
}

/// Whether it is copied as it says. Containers say so of any elements.
template <class T, int Depth = 4>
inline constexpr bool can_be_copied = std::is_copy_constructible_v<T>;
template <class T, int Depth>
requires(Depth > 0 && requires { typename T::value_type; }) inline constexpr bool can_be_copied<T, Depth> =
    std::is_copy_constructible_v<T> && can_be_copied<typename T::value_type, Depth - 1>;
template <class... T, int Depth>
inline constexpr bool can_be_copied<std::tuple<T...>, Depth> = (... && can_be_copied<T, Depth>);
template <class T, class U, int Depth>
inline constexpr bool can_be_copied<std::pair<T, U>, Depth> = can_be_copied<T, Depth>&& can_be_copied<U, Depth>;

/// A task and its arguments.
template <class F, class Values>
struct bound {
  [[no_unique_address]] F f;
  Values values;
};

template <class... P>
void list_accesses(const std::tuple<P...>& values, steelyard_access* into) noexcept {
  const auto add = [&into](const auto& value) {
    if constexpr (accesses<std::remove_cvref_t<decltype(value)>>) *into++ = value.access();
  };
  std::apply([&add](const auto&... each) { (add(each), ...); }, values);
}

/// Where it is too large for a record: its address, and what it accesses, which is asked for when it has gone, too.
template <class What, std::size_t Count>
struct bound_elsewhere {
  explicit bound_elsewhere(std::unique_ptr<What> given) noexcept : what(std::move(given)) {
    list_accesses(what->values, its.data());
  }
  std::unique_ptr<What> what;
  std::array<steelyard_access, Count> its;
};

/// A record with that. `Running` tells those compiled with NDEBUG from others, whose functions differ.
template <class F, class Values, class Running = running_task>
struct forked : steelyard_record {
  using what = bound<F, Values>;
  static constexpr std::size_t most = STEELYARD_MOST_BYTES - 64;
  static constexpr bool is_near =
      sizeof(what) <= most && alignof(what) <= 16 && std::is_nothrow_move_constructible_v<what>;
  static constexpr std::uint32_t count = count_accesses(static_cast<const Values*>(nullptr));
  using held = std::conditional_t<is_near, what, bound_elsewhere<what, count>>;

  held it;

  static void* run(steelyard_record* self) noexcept {
    [[maybe_unused]] const Running now;
    auto& here = static_cast<forked*>(self)->it;
    held mine(std::move(here));
    here.~held();
    try {
      if constexpr (is_near) {
        std::apply(mine.f, std::move(mine.values));
      } else {
        std::apply(mine.what->f, std::move(mine.what->values));
      }
      hand_over(steelyard_spawned);
      return nullptr;
    } catch (...) {
      auto* const thrown = new std::exception_ptr(std::current_exception());
      hand_over(steelyard_spawned);
      return thrown;
    }
  }
  static void drop(steelyard_record* self) noexcept { static_cast<forked*>(self)->it.~held(); }
  static void list(const steelyard_record* self, steelyard_access* into) noexcept {
    const auto& here = static_cast<const forked*>(self)->it;
    if constexpr (is_near) {
      list_accesses(here.values, into);
    } else {
      std::copy(here.its.begin(), here.its.end(), into);
    }
  }
  static constexpr std::uint32_t bytes = (sizeof(steelyard_record) + sizeof(held) + 31) / 16 * 16;
  static constexpr bool is_repeatable = std::is_copy_constructible_v<F> && can_be_copied<Values>;
  static void* run_again(const steelyard_record* self) noexcept {
    if constexpr (is_repeatable) {
      [[maybe_unused]] const Running now;
      try {
        const auto& here = static_cast<const forked*>(self)->it;
        const auto call = [](what mine) { std::apply(mine.f, std::move(mine.values)); };
        if constexpr (is_near) {
          call(here);
        } else {
          call(*here.what);
        }
        hand_over(steelyard_spawned);
      } catch (...) {
        auto* const thrown = new std::exception_ptr(std::current_exception());
        hand_over(steelyard_spawned);
        return thrown;
      }
    }
    return nullptr;
  }
  static constexpr steelyard_task_kind kind{run, drop, is_repeatable ? run_again : nullptr, list, bytes, count};
};

/// The frame of the running task; nullptr: tasks are called.
inline steelyard_frame* frame_here() noexcept {
  steelyard_frame* const here = steelyard_frame_here;
  return __builtin_expect(here != nullptr && here->tail != nullptr, 1) ? here : steelyard_frame_open();
}

template <class Forked, class... A>
[[gnu::always_inline]] inline void push(steelyard_frame* here, const steelyard_task_kind* kind, A&&... held) {
  steelyard_record* const at = here->tail;
  auto* const record = static_cast<Forked*>(at);
  ::new (static_cast<void*>(&record->it)) typename Forked::held(std::forward<A>(held)...);
  at->kind = kind;
  hand_over(steelyard_spawned);
  auto* const end = reinterpret_cast<steelyard_record*>(reinterpret_cast<std::byte*>(at) + kind->bytes);
  steelyard_forks = nullptr;
  if (__builtin_expect(!push_to(frame_words{here}, end), 0)) steelyard_frame_look();
}

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
