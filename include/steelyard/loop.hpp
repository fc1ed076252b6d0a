// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>

#include <steelyard/detail/index.hpp>
#include <steelyard/detail/places.hpp>
#include <steelyard/detail/run_loop.hpp>
#include <steelyard/reduce.hpp>
#include <steelyard/scan.hpp>

/// @file
/// Parallel loops that need no chunk size, for C++20. Everything here is inline over the C interface of
/// <steelyard/steelyard.h>.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// A body that a copy of cannot be told from: it is called as const, and copying is copying bytes. Each run of neighbours
/// gets one, whose captures the compiler knows that nothing else writes, and keeps in registers.
template <class Body, class Argument>
inline constexpr bool is_better_copied = false;
template <class Body, class Argument>
requires std::is_object_v<Body>
inline constexpr bool is_better_copied<Body, Argument> =
    std::is_trivially_copyable_v<Body> && std::is_constructible_v<std::remove_cv_t<Body>, Body&> &&
    std::is_invocable_v<const Body&, Argument> && sizeof(Body) <= 128;

/// run(body), or run(a copy).
template <class Argument, class Body, class Run>
void near(Body& body, Run run) {
  if constexpr (is_better_copied<Body, Argument>) {
    const std::remove_cv_t<Body> copy(body);
    run(copy);
  } else {
    run(body);
  }
}

/// body(i) for indices from `start` on; loops over them as one would write them, so that compilers vectorise them.
template <index T, class Body>
struct indices {
  Body& body;
  T start;
  void range(std::uint64_t first, std::uint64_t count, steelyard_member*) {
    near<T>(body, [i = at(start, first), end = at(start, first + count)](auto& here) mutable {
      for (; i != end; ++i) here(i);
    });
  }
};

/// body(*it) for iterators from `start` on.
template <class It, class Body>
struct elements {
  Body& body;
  It start;
  using difference = std::iter_difference_t<It>;
  void range(std::uint64_t first, std::uint64_t count, steelyard_member*) {
    near<std::iter_reference_t<It>>(body, [&](auto& here) {
      const It end = start + static_cast<difference>(first + count);
      for (It it = start + static_cast<difference>(first); it != end; ++it) std::invoke(here, *it);
    });
  }
};

}  // namespace detail

/// @addtogroup loops
/// @{

/// Calls body(i) for each i of first … last-1, once, in any order, on the caller and on idle threads of the pool; returns
/// when all calls have. A small body of which a copy cannot be told apart (trivially copyable, called as const) is called as
/// a copy, which lets the compiler keep its captures in registers. Loops may be nested to any depth. The first exception
/// that a call throws stops the loop and is thrown here; of what others have begun, up to 65,536 iterations or the eighth of a
/// member's share run on, whichever is less. O(threads) beside the calls; O(1) where the loop is too short to share. Where `automatic`
/// chooses, the caller foretells schedules now and then, in a hundredth of the loops' time.
///
/// Throws std::invalid_argument when there is no such schedule, or when first is negative and last is unsigned; nothing has
/// been called then.
/// @param first the first index, of any integer type.
/// @param last the index behind the last; where it is not above first there is no call.
/// @param body called with an index, by several threads at the same time.
/// @param options how the loop runs.
/// @return false: `stop` was requested, and some calls may not have been made.
template <detail::index I, detail::index J, class Body>
bool parallel_for(I first, J last, Body&& body, const loop_options& options = detail::usual_options()) {
  using index = std::common_type_t<I, J>;
  constexpr bool is_body = std::invocable<Body&, index>;
  static_assert(is_body, "parallel_for: the body cannot be called with an index of the loop");
  if constexpr (is_body) {
    detail::indices<index, std::remove_reference_t<Body>> each{body, detail::first_of(first, last)};
    return detail::run_loop(detail::length_of(first, last), each, options);
  } else {
    return false;
  }
}

/// The same with body(*it) for each it of [first, last). Through iterators that only go forward the caller walks first: O(last -
/// first) steps, and 8,192 iterators of memory at most. What is shared then are as many parts of neighbours; `chunk` counts those,
/// and costs, which are of iterations, are not used. Throws std::bad_alloc then, too.
/// @param first a forward iterator, at least.
/// @param last one of the same type.
/// @param body called with an element.
/// @param options how the loop runs.
/// @return false: it was stopped.
template <std::random_access_iterator It, class Body>
bool parallel_for(It first, It last, Body&& body, const loop_options& options = detail::usual_options()) {
  constexpr bool is_body = std::invocable<Body&, std::iter_reference_t<It>>;
  static_assert(is_body, "parallel_for: the body cannot be called with an element of the range");
  if constexpr (is_body) {
    detail::elements<It, std::remove_reference_t<Body>> each{body, first};
    return detail::run_loop(first < last ? static_cast<std::uint64_t>(last - first) : 0, each, options);
  } else {
    return false;
  }
}

/// @cond
template <std::forward_iterator It, class Body>
requires(!std::random_access_iterator<It> &&
         !std::integral<It>) bool parallel_for(It first, It last, Body&& body,
                                               const loop_options& options = detail::usual_options()) {
  constexpr bool is_body = std::invocable<Body&, std::iter_reference_t<It>>;
  static_assert(is_body, "parallel_for: the body cannot be called with an element of the range");
  if constexpr (is_body) {
    const detail::places<It> all(first, last);
    detail::one_by_one each([&](std::uint64_t part, steelyard_member*) { all.run(part, body); });
    const auto begin = [&all](std::uint64_t part) { return all.begin(part); };
    return detail::run_loop(all.parts(), each, detail::options_of_parts(options, begin, all.size()));
  } else {
    return false;
  }
}
/// @endcond

/// The same with the elements of a container or another range.
/// @param range its iterators go forward at least.
/// @param body called with an element.
/// @param options how the loop runs.
/// @return false: it was stopped.
template <std::ranges::forward_range Range, class Body>
requires std::ranges::common_range<Range>
bool parallel_for(Range&& range, Body&& body, const loop_options& options = detail::usual_options()) {
  return parallel_for(std::ranges::begin(range), std::ranges::end(range), body, options);
}

/// One dimension of a blocked range: first … last-1 in blocks of `block` (the last may be shorter).
struct extent {
  std::int64_t first = 0;  ///< its first index
  std::int64_t last = 0;   ///< the index behind its last
  std::int64_t block = 1;  ///< indices in a block, at least 1

  /// @return how many blocks it has.
  [[nodiscard]] std::uint64_t blocks() const noexcept {
    const auto size = detail::distance(first, last);
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(block, 1));
    return size / length + (size % length != 0 ? 1 : 0);
  }
  /// A block as an extent of its own.
  /// @param k its number, from 0.
  /// @return that extent.
  [[nodiscard]] extent at(std::uint64_t k) const noexcept {
    const auto length = std::max<std::int64_t>(block, 1);
    const auto begin = detail::at(first, k * static_cast<std::uint64_t>(length));
    const bool whole = detail::distance(begin, last) > static_cast<std::uint64_t>(length);
    return {begin, whole ? begin + length : last, length};
  }
};

namespace detail {

/// The blocks of a grid. Throws std::invalid_argument where they have no size, std::length_error where they are more than a loop
/// can have.
template <class... Extents>
std::uint64_t blocks_of(const Extents&... extents) {
  if (std::min({extents.block...}) < 1) throw std::invalid_argument("a loop with blocks of no size: give 1 or more");
  if ((... || (extents.blocks() == 0))) return 0;
  std::uint64_t all = 1;
  if ((... || __builtin_mul_overflow(all, extents.blocks(), &all))) {
    throw std::length_error("a loop of 2^64 blocks or more: give larger blocks");
  }
  return all;
}

}  // namespace detail

/// Calls body(i, j) for each i of `rows` and j of `columns`, block by block: a block of rows.block × columns.block is one
/// iteration of the loop, and within it j runs fastest. Throws std::length_error when there are 2^64 blocks or more,
/// std::invalid_argument when a block is below 1. An extent without numbers makes the whole grid empty. Costs are those of blocks.
/// @param rows the outer dimension.
/// @param columns the inner one.
/// @param body called with two indices, std::int64_t.
/// @param options how the loop runs.
/// @return false: it was stopped.
template <class Body>
bool parallel_for(extent rows, extent columns, Body&& body, const loop_options& options = detail::usual_options()) {
  constexpr bool is_body = std::invocable<Body&, std::int64_t, std::int64_t>;
  static_assert(is_body, "parallel_for: the body cannot be called with two indices, std::int64_t");
  if constexpr (is_body) {
    const auto across = columns.blocks();
    detail::one_by_one each([&](std::uint64_t k, steelyard_member*) {
      const extent y = rows.at(k / across);
      const extent x = columns.at(k % across);
      for (auto i = y.first; i < y.last; ++i) {
        for (auto j = x.first; j < x.last; ++j) body(i, j);
      }
    });
    return detail::run_loop(detail::blocks_of(rows, columns), each, options);
  } else {
    return false;
  }
}

/// The same in three dimensions: body(i, j, k).
/// @param planes the outer dimension.
/// @param rows the middle one.
/// @param columns the inner one.
/// @param body called with three indices, std::int64_t.
/// @param options how the loop runs.
/// @return false: it was stopped.
template <class Body>
requires(!std::convertible_to<Body, const loop_options&>) bool parallel_for(
    extent planes, extent rows, extent columns, Body&& body, const loop_options& options = detail::usual_options()) {
  constexpr bool is_body = std::invocable<Body&, std::int64_t, std::int64_t, std::int64_t>;
  static_assert(is_body, "parallel_for: the body cannot be called with three indices, std::int64_t");
  if constexpr (is_body) {
    const auto across = columns.blocks();
    const auto down = rows.blocks();
    detail::one_by_one each([&](std::uint64_t k, steelyard_member*) {
      const extent z = planes.at(k / across / down);
      const extent y = rows.at(k / across % down);
      const extent x = columns.at(k % across);
      for (auto h = z.first; h < z.last; ++h) {
        for (auto i = y.first; i < y.last; ++i) {
          for (auto j = x.first; j < x.last; ++j) body(h, i, j);
        }
      }
    });
    return detail::run_loop(detail::blocks_of(planes, rows, columns), each, options);
  } else {
    return false;
  }
}

/// @}

}  // namespace v1
}  // namespace steelyard

#include <steelyard/detail/refused_loop.hpp>
