// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <iterator>
#include <type_traits>

#include <steelyard/detail/index.hpp>
#include <steelyard/detail/operations.hpp>

/// What can be wrong with a call of parallel_reduce, for the compiler to say so.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// What a term is called with: an index, or an element.
template <class I, class J>
struct reduced;
template <index I, index J>
struct reduced<I, J> {
  using argument = std::common_type_t<I, J>;
};
template <std::random_access_iterator It>
struct reduced<It, It> {
  using argument = std::iter_reference_t<It>;
};
template <class I, class J>
using argument_of = typename reduced<I, J>::argument;
template <class I, class J>
concept is_reduced = requires {
  typename argument_of<I, J>;
};

/// What a term makes of an element: no reference to one that goes at once, as what a view makes.
template <class Term, class It, class Made = std::invoke_result_t<Term&, std::iter_reference_t<It>>>
using term_of =
    std::conditional_t<std::is_lvalue_reference_v<std::iter_reference_t<It>>, Made, std::remove_cvref_t<Made>>;

/// Whether a term stands where identity should.
template <class T, class I, class J>
concept is_term = requires(T& term, argument_of<I, J> of) {
  term(of);
};
template <class T, class I, class J>
concept is_identity = !is_term<T, I, J>;

/// What is wrong with a call of parallel_reduce.
enum class reduction_fault { none, range, value, term, type, fraction, combine };

template <class I, class J, class T, class Term, class Combine>
consteval reduction_fault reduction_fault_of() {
  if constexpr (!is_reduced<I, J>) {
    return reduction_fault::range;
  } else if constexpr (!std::copyable<T> || !std::default_initializable<T>) {
    return reduction_fault::value;
  } else if constexpr (!std::invocable<Term&, argument_of<I, J>>) {
    return reduction_fault::term;
  } else if constexpr (!std::is_constructible_v<T, std::invoke_result_t<Term&, argument_of<I, J>>>) {
    return reduction_fault::type;
  } else if constexpr (loses_fraction<std::invoke_result_t<Term&, argument_of<I, J>>, T>) {
    return reduction_fault::fraction;
  } else if constexpr (!std::invocable<Combine&, T, T>) {
    return reduction_fault::combine;
  } else {
    return std::is_constructible_v<T, std::invoke_result_t<Combine&, T, T>> ? reduction_fault::none
                                                                            : reduction_fault::combine;
  }
}

/// What a call that is refused returns, so that the compiler says nothing more.
struct anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
