// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <steelyard/access.hpp>

/// What fork_task asks of a task and its arguments.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// The parameter types of a callable that is not a template.
template <class Function>
struct parameters;
template <class P>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<shared<T>> = true;
template <class R, class... P>
struct parameters<std::function<R(P...)>> {
  static constexpr bool has_object = (... || is_shared<std::remove_cvref_t<P>>);
  static constexpr bool returns = !std::is_void_v<R>;
  static constexpr bool has_reference =
      (... || (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>));
  static constexpr bool has_too_many =
      (0 + ... + (requires { typename P::accessed; } ? 1 : 0)) > STEELYARD_MOST_ACCESSES;
  using values = std::tuple<std::remove_cvref_t<P>...>;
};
template <class F>
using parameters_of = parameters<decltype(std::function(std::declval<std::decay_t<F>>()))>;

/// What is wrong with a call of fork_task.
enum class task_fault { none, no_task, object, result, reference, accesses, task_copy, count, argument_copy, argument };

template <class F, class... A>
consteval task_fault task_fault_of() {
  if constexpr (!requires { typename parameters_of<F>::values; }) {
    return task_fault::no_task;
  } else {
    using its = parameters_of<F>;
    if (its::has_object) return task_fault::object;
    if (its::returns) return task_fault::result;
    if (its::has_reference) return task_fault::reference;
    if (its::has_too_many) return task_fault::accesses;
    if (!std::is_constructible_v<std::decay_t<F>, F&&>) return task_fault::task_copy;
    if constexpr (std::tuple_size_v<typename its::values> != sizeof...(A)) {
      return task_fault::count;
    } else {
      if (std::is_constructible_v<typename its::values, A&&...>) return task_fault::none;
      return std::is_constructible_v<typename its::values, std::remove_reference_t<A>&&...> ? task_fault::argument_copy
                                                                                            : task_fault::argument;
    }
  }
}

}  // namespace detail

}  // namespace v1
}  // namespace steelyard
