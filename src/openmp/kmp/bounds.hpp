// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "openmp/team/team.hpp"

namespace steelyard::openmp::kmp {

/// `lower … upper` inclusive by `step`, as Clang states it.
template <class T>
[[nodiscard, gnu::always_inline]] inline bounds bounds_of(T lower, T upper, std::make_signed_t<T> step) noexcept {
  using U = std::make_unsigned_t<T>;
  bounds loop{static_cast<std::uint64_t>(lower), static_cast<std::uint64_t>(static_cast<std::int64_t>(step)),
              static_cast<std::uint64_t>(upper)};
  const U first = static_cast<U>(lower);
  const U last = static_cast<U>(upper);
  if (step > 0 && lower <= upper) {
    loop.iterations = std::uint64_t{static_cast<U>(last - first) / static_cast<U>(step)} + 1;
  } else if (step < 0 && lower >= upper) {
    loop.iterations = std::uint64_t{static_cast<U>(first - last) / static_cast<U>(0 - static_cast<U>(step))} + 1;
  }
  return loop;
}

/// A loop of 2^64 iterations does not fit its own trip count.
template <class T>
[[nodiscard]] bool countable(const bounds& loop, T lower, T upper, std::make_signed_t<T> step) noexcept {
  return loop.iterations != 0 || (step > 0 ? lower > upper : lower < upper);
}

}  // namespace steelyard::openmp::kmp
