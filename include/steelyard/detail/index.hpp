// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

/// Indices of loops: integers of any type, as numbers.
namespace steelyard {
inline namespace v1 {
namespace detail {

template <class T>
concept index = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= sizeof(std::uint64_t);

/// How many steps lie between; 0 when last is not behind first.
template <index I>
constexpr std::uint64_t distance(I first, I last) noexcept {
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

/// first < last as numbers, whatever their types.
template <index I, index J>
constexpr bool is_before(I first, J last) noexcept {
  if constexpr (std::is_signed_v<I> == std::is_signed_v<J>) {
    return first < last;
  } else if constexpr (std::is_signed_v<I>) {
    return first < 0 || static_cast<std::uint64_t>(first) < last;
  } else {
    return last > 0 && first < static_cast<std::uint64_t>(last);
  }
}

/// The first of a range of integers of two types, in their common type. Throws std::invalid_argument where that cannot hold
/// it: a negative first with an unsigned last.
template <index I, index J>
constexpr std::common_type_t<I, J> first_of(I first, J last) {
  using T = std::common_type_t<I, J>;
  if constexpr (std::is_signed_v<I> && !std::is_signed_v<T>) {
    if (first < 0 && is_before(first, last)) {
      throw std::invalid_argument("a loop from a negative number to an unsigned one: give both the same type");
    }
  }
  return static_cast<T>(first);
}
/// Its length.
template <index I, index J>
constexpr std::uint64_t length_of(I first, J last) noexcept {
  using T = std::common_type_t<I, J>;
  return is_before(first, last) ? distance(static_cast<T>(first), static_cast<T>(last)) : 0;
}

template <index I>
constexpr I at(I first, std::uint64_t i) noexcept {
  return static_cast<I>(static_cast<std::uint64_t>(first) + i);
}

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
