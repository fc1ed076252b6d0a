// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <iterator>
#include <ranges>
#include <type_traits>

#include <steelyard/detail/index.hpp>
#include <steelyard/detail/never.hpp>
#include <steelyard/loop_options.hpp>

/// What no call of parallel_for can be, for the compiler to say so.
namespace steelyard {
inline namespace v1 {

struct extent;

namespace detail {

template <class First, class Last>
concept bounds = (index<First> && index<Last>) || (std::same_as<First, Last> && std::forward_iterator<First>);
template <class First, class Last>
concept not_bounds = !bounds<First, Last> && !std::convertible_to<First, extent> && !std::ranges::forward_range<First>;
template <class Options>
concept not_options = !std::convertible_to<Options, const loop_options&>;

/// What a braced list of options may hold that loop_options refuses. An overload that takes it is there wherever the right one is,
/// and loses, because its range is converted, too.
struct any_option {
  template <class T>
  any_option(T&&) noexcept {}  // NOLINT: meant to convert
};
struct any_options {
  any_option schedule{0}, chunk{0}, shares{0}, cost{0}, on{0}, threads{0}, always_parallel{0}, stop{0}, progress{0};
};
struct any_bound {
  template <class T>
  requires(index<T> || std::forward_iterator<T>) any_bound(const T&)
  noexcept {}  // NOLINT: meant to convert
};
struct any_range {
  template <std::ranges::forward_range T>
  any_range(T&&) noexcept {}  // NOLINT: meant to convert
};

template <class Body>
constexpr bool refuse_options() {
  static_assert(
      never<Body>,
      "parallel_for: an option has the wrong type: .schedule is a const char*, .chunk and .threads are whole numbers, "
      ".shares a list of numbers, .cost a function of the iteration's number or an array, .on a pool*, .stop a "
      "std::stop_token, .progress a function of two numbers");
  return false;
}
template <class Body>
constexpr bool refuse_order() {
  static_assert(never<Body>, "parallel_for: the body comes before the options");
  return false;
}

}  // namespace detail

template <class First, class Last, class... Rest>
requires detail::not_bounds<First, Last>
bool parallel_for(const First&, const Last&, Rest&&...) {
  static_assert(detail::never<First>, "parallel_for: first and last are integers, or forward iterators of one type");
  return false;
}
template <class First, class Last, class Body, class Options, class... Rest>
requires(detail::bounds<First, Last> &&
         (sizeof...(Rest) > 0 || detail::not_options<Options>)) bool parallel_for(const First&, const Last&, Body&&,
                                                                                  Options&&, Rest&&...) {
  constexpr bool is_number = detail::index<std::remove_cvref_t<Body>>;
  static_assert(!is_number,
                "parallel_for: behind first and last comes the body; there is no step, and two loops in one are "
                "parallel_for({0, rows}, {0, columns}, body)");
  static_assert(is_number, "parallel_for: behind the body come loop_options, as in {.schedule = \"idws\"}");
  return false;
}
template <class Range, class Body, detail::not_options Options>
requires(std::ranges::forward_range<Range> &&
         !detail::bounds<std::decay_t<Range>, std::decay_t<Body>>) bool parallel_for(Range&&, Body&&, Options&&) {
  static_assert(detail::never<Range>, "parallel_for: behind the body come loop_options, as in {.schedule = \"idws\"}");
  return false;
}
template <class Body>
bool parallel_for(detail::any_bound, detail::any_bound, const loop_options&, Body&&) {
  return detail::refuse_order<Body>();
}
template <class Body>
bool parallel_for(detail::any_range, const loop_options&, Body&&) {
  return detail::refuse_order<Body>();
}
template <class First, class Last>
requires detail::bounds<First, Last>
bool parallel_for(const First&, const Last&) {
  static_assert(detail::never<First>, "parallel_for: behind first and last comes the body");
  return false;
}
template <std::ranges::forward_range Range>
bool parallel_for(Range&&) {
  static_assert(detail::never<Range>, "parallel_for: behind the range comes the body");
  return false;
}
template <class Body>
bool parallel_for(const extent&, Body&&, const loop_options& = {}) {
  static_assert(detail::never<Body>, "parallel_for: one extent is no grid; write parallel_for(first, last, body)");
  return false;
}
template <class Body>
bool parallel_for(detail::any_bound, detail::any_bound, Body&&, const detail::any_options&) {
  return detail::refuse_options<Body>();
}
template <class Body>
bool parallel_for(detail::any_range, Body&&, const detail::any_options&) {
  return detail::refuse_options<Body>();
}

}  // namespace v1
}  // namespace steelyard
