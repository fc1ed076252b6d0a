// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/detail/never.hpp>
#include <steelyard/detail/operations.hpp>
#include <steelyard/detail/pending.hpp>
#include <steelyard/parts.hpp>

/// @file
/// What tasks of dataflow may do with what they share.
namespace steelyard {
inline namespace v1 {

template <class T>
class shared;

namespace detail {

/// How tasks get at what they share: at an object by its address, at parts of arrays by themselves.
template <class T>
struct reference {
  using handle = T*;
  static T& value(handle at) noexcept { return *at; }
  static const T& read(handle at) noexcept { return *at; }
  static steelyard_access access(handle at, std::uintptr_t how) noexcept {
    return {at, how, 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE};
  }
};
template <class Part>
struct reference_to_part {
  using handle = Part;
  static Part value(handle at) noexcept { return at; }
  static auto read(handle at) noexcept { return at.as_const(); }
  static steelyard_access access(handle at, std::uintptr_t how) noexcept { return at.access(how); }
};
template <class T>
struct reference<range<T>> : reference_to_part<range<T>> {};
template <class T>
struct reference<block<T>> : reference_to_part<block<T>> {};
template <class T>
inline constexpr bool is_part = std::is_same_v<typename reference<T>::handle, T>;

/// What a task may do itself, or only pass on to those it forks.
enum class right { read, write, both, cumulate, pass_read, pass_write, pass_both, pass_cumulate };

/// What a task passes on it uses itself only before, or after sync_tasks().
constexpr bool passes(right given, right wanted) noexcept {
  switch (given) {
    case right::read:
    case right::pass_read:
      return wanted == right::read || wanted == right::pass_read;
    case right::write:
    case right::pass_write:
      return wanted == right::write || wanted == right::pass_write;
    case right::cumulate:
    case right::pass_cumulate:
      return wanted == right::cumulate || wanted == right::pass_cumulate;
    case right::both:
    case right::pass_both:
      return true;
  }
  return false;
}
constexpr bool is_any(right given) noexcept { return given == right::both || given == right::pass_both; }

template <class Op>
inline constexpr char operation_mark = 0;

/// What the parameters of tasks have in common.
template <class T, right Right, class Op = void>
class accessor {
 public:
  using accessed = T;
  static constexpr right its_right = Right;
  using operation = Op;

  accessor(shared<T>& of) noexcept requires(!is_part<T>);               // NOLINT(google-explicit-constructor)
  accessor(const T& part) noexcept requires(is_part<T>) : at_(part) {}  // NOLINT(google-explicit-constructor)
  /// From a task to one that it forks.
  template <right Given, class Other>
  accessor(const accessor<T, Given, Other>& from) noexcept  // NOLINT(google-explicit-constructor)
      requires(passes(Given, Right) && (std::is_same_v<Op, Other> || is_any(Given)))
      : at_(from.handle()) {}

  /// Those below that read or write have their own.
  [[nodiscard]] decltype(auto) operator*() const noexcept {
    static_assert(never<T>, "*x is for r, w and rw: a cw<T> has x.add(value), and rp, wp, rwp and cwp only pass on");
    return reference<T>::value(at_);
  }

  [[nodiscard]] typename reference<T>::handle handle() const noexcept { return at_; }
  void rebind(typename reference<T>::handle to) noexcept { at_ = to; }
  [[nodiscard]] steelyard_access access() const noexcept {
    switch (Right) {
      case right::read:
      case right::pass_read:
        return reference<T>::access(at_, STEELYARD_READ);
      case right::cumulate:
      case right::pass_cumulate:
        return reference<T>::access(at_, reinterpret_cast<std::uintptr_t>(&operation_mark<Op>));
      default:
        return reference<T>::access(at_, STEELYARD_WRITE);
    }
  }

 private:
  typename reference<T>::handle at_;
};

/// One that reads, or writes.
template <class T, right Right>
class user : public accessor<T, Right> {
 public:
  using accessor<T, Right>::accessor;

  [[nodiscard]] decltype(auto) operator*() const noexcept {
    if constexpr (Right != right::read) {
      expect_not_pending(this->access(), "a task uses what it has passed on to another before sync_tasks()");
    }
    if constexpr (Right == right::read) {
      return reference<T>::read(this->handle());
    } else {
      return reference<T>::value(this->handle());
    }
  }
  [[nodiscard]] auto operator->() const noexcept requires(!is_part<T>) { return std::addressof(**this); }
};

}  // namespace detail

/// @addtogroup dataflow
/// @{

/// A task with a parameter `r<T> x` reads what it is given: a shared<T>, a range or a block. `*x` is a const T&, or the range or
/// block with const elements; `x->member` is one of its members.
template <class T>
using r = detail::user<T, detail::right::read>;
/// A task with a parameter `w<T> x` writes what it is given, and does not care what was there. `*x` is a T&, or the range or block.
template <class T>
using w = detail::user<T, detail::right::write>;
/// A task with a parameter `rw<T> x` reads and writes what it is given. `*x` is a T&, or the range or block.
template <class T>
using rw = detail::user<T, detail::right::both>;

/// A task with a parameter `cw<T, Op> x` adds to what it is given, in any order and at the same time as others. (An operation on
/// values, as `+`: integers give the result of the calls, floating-point numbers one that depends on the order.)
template <class T, class Op = std::plus<>>
class cw : public detail::accessor<T, detail::right::cumulate, Op> {
 public:
  using detail::accessor<T, detail::right::cumulate, Op>::accessor;

  /// Calls Op{}(*x, value), which changes *x, or returns its new value as std::multiplies does; *x += value where Op is std::plus.
  /// One at a time, under a lock that others spin for, and that some objects have in common. So Op should be short, and may use no tasks, no loops and no `add`. What Op throws is thrown.
  /// @param value what is added.
  template <class V>
  void add(V&& value) const {
    const struct guard {
      const void* object;
      explicit guard(const void* of) noexcept : object(of) { steelyard_cumulate_begin(of); }
      ~guard() { steelyard_cumulate_end(object); }
      guard(const guard&) = delete;
      guard& operator=(const guard&) = delete;
    } here(this->access().of);
    decltype(auto) it = detail::reference<T>::value(this->handle());
    if constexpr (detail::is_plus<Op>) {
      it += std::forward<V>(value);
    } else if constexpr (detail::makes_value<Op, std::remove_cvref_t<decltype(it)>, V>) {
      it = static_cast<std::remove_cvref_t<decltype(it)>>(Op{}(it, std::forward<V>(value)));
    } else {
      Op{}(it, std::forward<V>(value));
    }
  }
};

/// A task with a parameter of this type reads nothing itself, and passes the right on to tasks that it forks: to r and rp.
template <class T>
using rp = detail::accessor<T, detail::right::pass_read>;
/// Passes on the right to write, to w and wp.
template <class T>
using wp = detail::accessor<T, detail::right::pass_write>;
/// Passes on the right to read and write, to any.
template <class T>
using rwp = detail::accessor<T, detail::right::pass_both>;
/// Passes on the right to add, to cw and cwp with the same Op.
template <class T, class Op = std::plus<>>
using cwp = detail::accessor<T, detail::right::pass_cumulate, Op>;

/// @}

}  // namespace v1
}  // namespace steelyard
