// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include <steelyard/detail/fold.hpp>
#include <steelyard/detail/index.hpp>
#include <steelyard/detail/never.hpp>
#include <steelyard/detail/reduction_fault.hpp>
#include <steelyard/detail/run_loop.hpp>

/// @file
/// Reductions.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// A value of each member, on lines of their own.
template <class T>
class per_member {
 public:
  per_member(std::size_t members, const T& initial) : all_(std::make_unique<slot[]>(members)), members_(members) {
    for (std::size_t m = 0; m < members; ++m) all_[m].value = initial;
  }
  T& operator[](std::size_t m) noexcept { return all_[m].value; }
  [[nodiscard]] std::size_t size() const noexcept { return members_; }

 private:
  struct alignas(128) slot {
    T value{};
  };
  std::unique_ptr<slot[]> all_;
  std::size_t members_;
};

/// How many members a loop gets at most: to be asked once, for that it may be fewer a moment later.
inline std::uint32_t most_members(const loop_options& options) noexcept {
  const std::uint32_t most = options.on != nullptr ? options.on->threads() : threads();
  return options.threads != 0 ? std::min(options.threads, most) : most;
}

/// At most 4,096 parts of n, which depend on n alone; not so many where n is small, for a part has its price.
class leaves {
 public:
  explicit leaves(std::uint64_t n) noexcept : n_(n), count_(std::min<std::uint64_t>({n, 64 + n / 4096, 4096})) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t begin(std::uint64_t leaf) const noexcept {
    return n_ / count_ * leaf + std::min(leaf, n_ % count_);
  }

 private:
  std::uint64_t n_;
  std::uint64_t count_;
};

/// Combines neighbours, then neighbours of those, until one is left.
template <class T, class Combine>
T tree(T* values, std::uint64_t count, Combine& combine) {
  for (; count > 1; count = (count + 1) / 2) {
    for (std::uint64_t i = 0; i < count / 2; ++i) {
      values[i] = static_cast<T>(combine(std::move(values[2 * i]), std::move(values[2 * i + 1])));
    }
    if (count % 2 != 0) values[count / 2] = std::move(values[count - 1]);
  }
  return std::move(values[0]);
}

/// Sums what a member runs into the member's value.
template <index I, class T, class Term, class Combine>
struct summing {
  I start;
  per_member<T>& values;
  Term& term;
  Combine& combine;

  void range(std::uint64_t first, std::uint64_t count, steelyard_member* self) {
    T& mine = values[steelyard_member_number(self)];
    mine = fold<false>(std::move(mine), at(start, first), count, term, combine);
  }
};

}  // namespace detail

/// @addtogroup loops
/// @{

/// How a reduction or a scan may regroup its terms.
enum class order {
  /// Each thread adds up what it runs, several partial results side by side: `combine` must be associative and commutative.
  any,
  /// The same grouping, hence the same bits, for every number of threads and schedule, from the number of terms alone; in the
  /// order of the terms: `combine` must be associative.
  fixed
};

namespace detail {

/// See parallel_reduce.
template <class I, class J, class T, class Term, class Combine>
T reduce(I first, J last, T identity, Term&& term, Combine&& combine, const loop_options& options, order how) {
  using Index = std::common_type_t<I, J>;
  if (options.schedule != nullptr) detail::check_schedule(options.schedule);
  const Index start = detail::first_of(first, last);
  const auto n = detail::length_of(first, last);
  if (n == 0) return identity;
  if (how == order::fixed) {
    const detail::leaves parts(n);
    const auto values = std::make_unique<T[]>(parts.count());
    detail::one_by_one each([&](std::uint64_t leaf, steelyard_member*) {
      const auto begin = parts.begin(leaf);
      values[leaf] =
          detail::fold<true>(T(identity), detail::at(start, begin), parts.begin(leaf + 1) - begin, term, combine);
    });
    for (std::uint64_t leaf = 0; leaf < parts.count(); ++leaf) values[leaf] = identity;
    detail::run_loop(parts.count(), each,
                     detail::options_of_parts(
                         options, [parts](std::uint64_t leaf) { return parts.begin(leaf); }, n));
    return detail::tree(values.get(), parts.count(), combine);
  }
  const auto members = detail::most_members(options);
  detail::per_member<T> values(members, identity);
  detail::summing<Index, T, std::remove_reference_t<Term>, std::remove_reference_t<Combine>> each{start, values, term,
                                                                                                  combine};
  detail::run_loop(n, each, options, members);
  T value = std::move(values[0]);
  for (std::size_t m = 1; m < values.size(); ++m) {
    value = static_cast<T>(combine(std::move(value), std::move(values[m])));
  }
  return value;
}

/// What is no option is a function, and the compiler says what is wrong with it.
template <class Combine>
concept no_option =
    !std::same_as<std::remove_cvref_t<Combine>, order> && !std::convertible_to<Combine, const loop_options&>;

}  // namespace detail

/// combine(… combine(combine(identity, term(first)), term(first+1)) …) up to last-1, regrouped as `how` says; where first and last
/// are random-access iterators, of term(*first), term(*(first+1)) …. What was not run
/// because of `stop` is left out. `combine` is called once for each term, and once for each part that is shared out. Values of at
/// most 16 bytes that are trivially copyable are gathered by the block and added where no addition has to wait for the last one;
/// that is vectorised where `term` is. O(threads) values of memory, with order::fixed at most 4,096; costs are not used then. Throws
/// as parallel_for does.
/// @param first the first index, or a random-access iterator.
/// @param last the index behind the last, or an iterator of the same type.
/// @param identity neutral for `combine`; T is copyable and default-constructible.
/// @param term called with an index or an element, by several threads at the same time; what it returns becomes a T.
/// @param combine called with two T, returns a T; a sum if not given.
/// @param options how the loop runs.
/// @param how which grouping; it may also stand in front of the options.
/// @return the result.
template <class I, class J, detail::is_identity<I, J> T, detail::no_option Term,
          detail::no_option Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, Combine&& combine = {},
                                const loop_options& options = detail::usual_options(), order how = order::any) {
  using detail::reduction_fault;
  constexpr auto fault = detail::reduction_fault_of<I, J, T, Term, Combine>();
  static_assert(fault != reduction_fault::range,
                "parallel_reduce: first and last are integers, or random-access iterators of one type");
  static_assert(fault != reduction_fault::value,
                "parallel_reduce: the type of identity cannot be copied, or has no default constructor");
  static_assert(fault != reduction_fault::term,
                "parallel_reduce: the term cannot be called with an index of the loop, or an element of the range");
  static_assert(fault != reduction_fault::type, "parallel_reduce: a term does not become the type of identity");
  static_assert(fault != reduction_fault::fraction,
                "parallel_reduce: identity is an integer, so the terms lose their fractions; write 0.0");
  static_assert(
      fault != reduction_fault::combine,
      "parallel_reduce: combine cannot be called with two of the type of identity, or does not return that type");
  if constexpr (fault != reduction_fault::none) {
    return identity;
  } else if constexpr (detail::index<I>) {
    return detail::reduce(first, last, std::move(identity), term, combine, options, how);
  } else {
    const auto of_element = [&term, first](std::int64_t i) -> detail::term_of<Term, I> {
      return std::invoke(term, first[static_cast<std::iter_difference_t<I>>(i)]);
    };
    return detail::reduce(std::int64_t{0}, static_cast<std::int64_t>(last - first), std::move(identity), of_element,
                          combine, options, how);
  }
}

/// @cond
/// The same, `how` and options the other way round: they may come in any order.
template <class I, class J, class T, detail::no_option Term, detail::no_option Combine>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, Combine&& combine, order how,
                                const loop_options& options = detail::usual_options()) {
  return parallel_reduce(first, last, std::move(identity), term, combine, options, how);
}
/// @endcond

/// The sum of the terms.
/// @param first the first index, or a random-access iterator.
/// @param last the index behind the last, or an iterator of the same type.
/// @param identity what the sum begins with, neutral.
/// @param term called with an index or an element.
/// @param how which grouping; it may also stand behind the options.
/// @param options how the loop runs.
/// @return the sum.
template <class I, class J, class T, detail::no_option Term>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, order how,
                                const loop_options& options = detail::usual_options()) {
  return parallel_reduce(first, last, std::move(identity), term, std::plus<>{}, options, how);
}
/// @cond
template <class I, class J, class T, detail::no_option Term>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, const loop_options& options,
                                order how = order::any) {
  return parallel_reduce(first, last, std::move(identity), term, std::plus<>{}, options, how);
}
/// @endcond

/// The sum of the elements.
/// @param first a random-access iterator.
/// @param last one of the same type.
/// @param identity what the sum begins with, neutral.
/// @param how which grouping; it may also stand behind the options.
/// @param options how the loop runs.
/// @return the sum.
template <std::random_access_iterator It, class T>
[[nodiscard]] T parallel_reduce(It first, It last, T identity, order how = order::any,
                                const loop_options& options = detail::usual_options()) {
  return parallel_reduce(first, last, std::move(identity), std::identity{}, std::plus<>{}, options, how);
}

/// @cond
template <std::random_access_iterator It, class T>
[[nodiscard]] T parallel_reduce(It first, It last, T identity, const loop_options& options, order how = order::any) {
  return parallel_reduce(first, last, std::move(identity), std::identity{}, std::plus<>{}, options, how);
}
/// @endcond

/// @}

/// @cond
// What no call can be, for the compiler to say so.
template <class I, class J, class T>
requires(!std::same_as<I, J> || !std::random_access_iterator<I>) detail::anything
    parallel_reduce(const I&, const J&, const T&) {
  constexpr bool of_range = std::ranges::range<I>;
  constexpr bool no_identity = detail::is_term<const T, I, J>;
  static_assert(!of_range, "parallel_reduce: it takes iterators, not a container: v.begin(), v.end()");
  static_assert(!no_identity,
                "parallel_reduce: between last and the term comes identity, as in parallel_reduce(0, n, 0.0, term)");
  static_assert(of_range || no_identity,
                "parallel_reduce: behind identity comes the term, unless there are random-access iterators");
  return {};
}
template <class I, class J, detail::is_term<I, J> T, detail::no_option Term>
detail::anything parallel_reduce(I, J, T, Term&&) {
  static_assert(detail::never<T>,
                "parallel_reduce: between last and the term comes identity, as in parallel_reduce(0, n, 0.0, term)");
  return {};
}
template <std::ranges::range Range, class T>
detail::anything parallel_reduce(const Range&, const T&) {
  static_assert(detail::never<T>, "parallel_reduce: it takes iterators, not a container: v.begin(), v.end()");
  return {};
}
template <class I, class J, class T, detail::no_option Term, detail::no_option Combine, detail::no_option Rest>
T parallel_reduce(I, J, T identity, Term&&, Combine&&, Rest&&) {
  static_assert(detail::never<I>, "parallel_reduce: behind combine come loop_options and steelyard::order");
  return identity;
}
/// @endcond

}  // namespace v1
}  // namespace steelyard
