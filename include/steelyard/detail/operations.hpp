// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <functional>
#include <type_traits>

/// What operations do with values.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// Whether values become integers that are none.
template <class From, class To>
inline constexpr bool loses_fraction = std::integral<To>&& std::floating_point<std::remove_cvref_t<From>>;

template <class Op>
inline constexpr bool is_plus = false;
template <class T>
inline constexpr bool is_plus<std::plus<T>> = true;

/// Whether it returns the new value, as std::multiplies does, and does not write it itself. (What returns something else, as whether it has
/// written, or a reference, has.)
template <class Op, class T, class V>
inline constexpr bool makes_value = false;
template <class Op, class T, class V>
requires std::invocable<Op, T&, V>
inline constexpr bool makes_value<Op, T, V> = [] {
  using made = std::invoke_result_t<Op, T&, V>;
  using value = std::remove_cvref_t<made>;
  constexpr bool is_reference = std::is_lvalue_reference_v<made> && !std::is_const_v<std::remove_reference_t<made>>;
  constexpr bool is_promoted = std::integral<T> && sizeof(T) < sizeof(int) && std::same_as<value, int>;
  return !is_reference && (std::same_as<value, T> || is_promoted);
}();

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
