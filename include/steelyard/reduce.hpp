// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include <steelyard/run_loop.hpp>

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

inline std::size_t most_members(const loop_options& options) noexcept {
  return options.on != nullptr ? options.on->threads() : threads();
}

/// Sums what a member runs into the member's value; neighbours in a variable of their own, which may stay in a register.
template <index I, class T, class Term, class Combine>
struct summing {
  I start;
  per_member<T>& values;
  Term& term;
  Combine& combine;

  void range(std::uint64_t first, std::uint64_t count, steelyard_member* self) {
    T& mine = values[steelyard_member_number(self)];
    T sum = std::move(mine);
    for (I i = at(start, first), end = at(start, first + count); i != end; ++i)
      sum = static_cast<T>(combine(std::move(sum), static_cast<T>(term(i))));
    mine = std::move(sum);
  }
};

/// At most 4,096 parts of n, which depend on n alone; not so many where n is small, for a part has its price.
class leaves {
 public:
  explicit leaves(std::uint64_t n) noexcept : n_(n), count_(std::min<std::uint64_t>({n, 64 + n / 4096, 4096})) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t begin(std::uint64_t leaf) const noexcept {
    return n_ / count_ * leaf + std::min(leaf, n_ % count_);
  }
  /// For a loop over the leaves: progress in terms, and no costs, which are of terms.
  [[nodiscard]] loop_options options_from(const loop_options& of_terms) const {
    loop_options of_leaves = of_terms;
    of_leaves.cost = {};
    if (of_terms.progress) {
      of_leaves.progress = [*this, report = of_terms.progress](std::uint64_t taken, std::uint64_t) {
        report(begin(taken), n_);
      };
    }
    return of_leaves;
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

}  // namespace detail

/// How a reduction may regroup its terms.
enum class order {
  any,   ///< each thread sums what it runs: `combine` must be associative and commutative
  fixed  ///< the same grouping, hence the same bits, for every number of threads and schedule; in the order of the terms
};

/// combine(… combine(combine(identity, term(first)), term(first+1)) …) up to last-1, regrouped as `how` says. T must be
/// copyable and default-constructible, `combine(T, T)` return a T, and `identity` be neutral for it. What was not run
/// because of `stop` is left out. O(threads) values of memory, with order::fixed at most 4,096; costs are not used then.
template <class I, class J, class T, class Term, class Combine = std::plus<>>
requires detail::index<I> && detail::index<J> && std::invocable<Term&, std::common_type_t<I, J>> &&
    std::invocable<Combine&, T, T>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, Combine&& combine = {},
                                const loop_options& options = {}, order how = order::any) {
  using Index = std::common_type_t<I, J>;
  if (options.schedule != nullptr) detail::check_schedule(options.schedule);
  const Index start = detail::first_of(first, last);
  const auto n = detail::length_of(first, last);
  if (n == 0) return identity;
  if (how == order::fixed) {
    const detail::leaves parts(n);
    const auto values = std::make_unique<T[]>(parts.count());
    detail::one_by_one each([&](std::uint64_t leaf, steelyard_member*) {
      T value = identity;
      for (auto i = parts.begin(leaf); i != parts.begin(leaf + 1); ++i) {
        value = static_cast<T>(combine(std::move(value), static_cast<T>(term(detail::at(start, i)))));
      }
      values[leaf] = std::move(value);
    });
    for (std::uint64_t leaf = 0; leaf < parts.count(); ++leaf) values[leaf] = identity;
    detail::run_loop(parts.count(), each, parts.options_from(options));
    return detail::tree(values.get(), parts.count(), combine);
  }
  detail::per_member<T> values(detail::most_members(options), identity);
  detail::summing<Index, T, std::remove_reference_t<Term>, std::remove_reference_t<Combine>> each{start, values, term,
                                                                                                  combine};
  detail::run_loop(n, each, options);
  T value = std::move(values[0]);
  for (std::size_t m = 1; m < values.size(); ++m) {
    value = static_cast<T>(combine(std::move(value), std::move(values[m])));
  }
  return value;
}

/// The sum of the terms, grouped as `how` says.
template <class I, class J, class T, class Term>
requires detail::index<I> && detail::index<J> && std::invocable<Term&, std::common_type_t<I, J>>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, order how, const loop_options& options = {}) {
  return parallel_reduce(first, last, std::move(identity), term, std::plus<>{}, options, how);
}

/// The sum of the terms.
template <class I, class J, class T, class Term>
requires detail::index<I> && detail::index<J> && std::invocable<Term&, std::common_type_t<I, J>>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, const loop_options& options) {
  return parallel_reduce(first, last, std::move(identity), term, std::plus<>{}, options);
}

}  // namespace v1
}  // namespace steelyard
