// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <steelyard/detail/index.hpp>

/// Terms of a reduction that one thread combines: by the block where that is fast.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// Whether terms are gathered by the block before they are combined: small values whose copies cost nothing.
template <class T>
inline constexpr bool in_blocks = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

/// Terms of a block, and partial results that grow side by side: as many as it takes for the next addition not to wait for the
/// last one, and to fill a vector register or four.
inline constexpr std::size_t lanes = 8;

// Loops over a block are unrolled at every level of optimisation: then it lies in registers.
#if defined(__GNUC__) && !defined(__clang__)
#define STEELYARD_UNROLL _Pragma("GCC unroll 8")
#else
#define STEELYARD_UNROLL
#endif

/// Combines the terms of one block with neighbours, in their order.
template <class T, class Combine>
[[gnu::always_inline]] inline T of_block(T* block, Combine& combine) {
  static_assert(lanes == 8);
  const auto two = [&](T& left, T& right) { return static_cast<T>(combine(std::move(left), std::move(right))); };
  T pairs[4] = {two(block[0], block[1]), two(block[2], block[3]), two(block[4], block[5]), two(block[6], block[7])};
  T halves[2] = {two(pairs[0], pairs[1]), two(pairs[2], pairs[3])};
  return two(halves[0], halves[1]);
}

/// combine(value, all terms from `begin` on that fill blocks, the i-th of them in lane i % lanes). `gather` fills the next block;
/// there is one at least.
template <class T, class Gather, class Combine, std::size_t... L>
[[gnu::always_inline]] inline T in_lanes(T value, std::uint64_t blocks, Gather& gather, Combine& combine,
                                         std::index_sequence<L...>) {
  T block[lanes];
  gather(block);
  T sums[lanes] = {block[L]...};
  while (--blocks != 0) {
    gather(block);
    ((sums[L] = static_cast<T>(combine(std::move(sums[L]), std::move(block[L])))), ...);
  }
  return static_cast<T>(combine(std::move(value), of_block(sums, combine)));
}

/// combine(… combine(value, term(first)) …, term(first + count - 1)), regrouped; in the order of the terms if that is `kept`. It
/// calls `combine` count times. Compilers vectorise the blocks where they can inline `term`.
template <bool Kept, index I, class T, class Term, class Combine>
T fold(T value, I first, std::uint64_t count, Term& term, Combine& combine) {
  std::uint64_t done = 0;
  if constexpr (in_blocks<T>) {
    const auto gather = [&](T * block) __attribute__((always_inline)) {
      const I begin = at(first, done);
      STEELYARD_UNROLL
      for (std::size_t l = 0; l < lanes; ++l) block[l] = static_cast<T>(term(at(begin, l)));
      done += lanes;
    };
    if constexpr (Kept) {
      T block[lanes];
      while (count - done >= lanes) {
        gather(block);
        value = static_cast<T>(combine(std::move(value), of_block(block, combine)));
      }
    } else if (count >= lanes) {
      value = in_lanes(std::move(value), count / lanes, gather, combine, std::make_index_sequence<lanes>{});
    }
  }
  for (; done < count; ++done) {
    value = static_cast<T>(combine(std::move(value), static_cast<T>(term(at(first, done)))));
  }
  return value;
}
#undef STEELYARD_UNROLL

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
