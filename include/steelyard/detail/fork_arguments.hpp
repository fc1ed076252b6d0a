// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <memory>
#include <tuple>
#include <utility>

#include <steelyard/access.hpp>
#include <steelyard/detail/pending.hpp>
#include <steelyard/detail/task_fault.hpp>
#include <steelyard/detail/task_record.hpp>

/// What a fork does to the arguments of the task: objects that are renamed, and what must not be used from now on.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// Whether a task with that parameter writes that argument, and does not read it: it may get another object.
template <class P, class A>
inline constexpr bool may_renew = false;
template <class T>
inline constexpr bool may_renew<w<T>, shared<T>> = true;
template <class T>
inline constexpr bool may_renew<wp<T>, shared<T>> = true;

template <class P, class A>
void renew(P& writer, A& of) {
  if constexpr (may_renew<P, A>) {
    if (of.renew()) writer.rebind(of.handle());
  }
}
/// Behind the fork: objects that have been replaced end; or, if there was none, they are what they were.
template <class P, class A>
void retire(A& of, bool forked) noexcept {
  if constexpr (may_renew<P, A>) of.retire(forked);
}

template <class... P, class... A>
void retire_all(const std::tuple<P...>*, [[maybe_unused]] bool forked, A&... args) noexcept {
  (detail::retire<P>(args, forked), ...);
}

template <class... P, class... A>
void renew_all(std::tuple<P...>& values, A&... args) {
  if constexpr ((... || may_renew<P, A>)) {
    // Who gets an object twice gets one.
    const auto comes_once = [&](const void* object) {
      return (0 + ... + (std::addressof(args) == object ? 1 : 0)) == 1;
    };
    try {
      std::apply([&](P&... value) { ((comes_once(std::addressof(args)) ? detail::renew(value, args) : void()), ...); },
                 values);
    } catch (...) {
      retire_all(&values, false, args...);
      throw;
    }
  }
}

/// Behind the fork: what the task that has forked must not use until it has waited.
template <class P, class A>
void note([[maybe_unused]] const A& of) noexcept {
  if constexpr (accesses<P> && (is_shared<A> || accesses<A>)) {
    constexpr auto its = P::its_right;
    if constexpr (accesses<A>) {
      if constexpr (A::its_right == right::write || A::its_right == right::both) note_pending(of.access());
    } else if constexpr (its != right::read && its != right::pass_read) {
      note_pending(reference<typename P::accessed>::access(of.handle(), STEELYARD_WRITE));
    }
  }
}
template <class... P, class... A>
void note_all(const std::tuple<P...>*, const A&... args) noexcept {
  (detail::note<P>(args), ...);
}

/// What the record's contents are made of is `it`, or leads to it. Its copies may have used tasks, so the frame is looked for
/// behind them.
template <class Record, class Held, class... A>
[[gnu::always_inline]] inline void fork_or_call(typename Record::what& it, Held&& held, A&... args) {
  steelyard_frame* const here = frame_here();
  if (__builtin_expect(here == nullptr, 0)) {
    std::apply(it.f, std::move(it.values));
  } else {
    renew_all(it.values, args...);
    push<Record>(here, &Record::kind, std::forward<Held>(held));
    retire_all(static_cast<const decltype(it.values)*>(nullptr), true, args...);
    note_all(static_cast<const decltype(it.values)*>(nullptr), args...);
  }
}

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
