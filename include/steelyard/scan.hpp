// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <steelyard/detail/front.hpp>
#include <steelyard/detail/never.hpp>
#include <steelyard/reduce.hpp>

/// @file
/// Scans (prefix sums).
namespace steelyard {
inline namespace v1 {

namespace detail {

/// What a scan computes, leaf by leaf, and the front that goes over the leaves.
template <class In, class Out, class T, class Combine>
class scan {
 public:
  scan(In in, std::uint64_t n, Out out, const T& identity, Combine& combine, order how, std::size_t members)
      : in_(in), out_(out), identity_(identity), combine_(combine), how_(how), parts_(n), front_(parts_.count()),
        behind_(members, {}) {
    front_[0].before = identity;
  }

  [[nodiscard]] const leaves& parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return parts_.count(); }

  /// A member's turn; `count()` of them. See `front`.
  void turn(std::size_t member) { front_.turn(*this, behind_[member]); }
  std::uint64_t claim() noexcept { return front_.claim(); }
  void run(std::uint64_t number, std::size_t member) { front_.run(*this, number, behind_[member]); }

  /// After all turns: the leaves that are still to be written.
  [[nodiscard]] std::vector<std::uint64_t> rest() {
    std::vector<std::uint64_t> all;
    for (std::size_t m = 0; m < behind_.size(); ++m) {
      front_.for_each(behind_[m], [&all](std::uint64_t number) { all.push_back(number); });
    }
    return all;
  }

  // What the front needs.

  void add_up(std::uint64_t number) {
    T sum = identity_;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i) sum = combined(std::move(sum), value(i));
    front_[number].sum = std::move(sum);
  }

  void comes_before(std::uint64_t number, const T& sum) { front_[number].before = sum; }
  [[nodiscard]] T before(std::uint64_t number) const { return front_[number].before; }
  T over(std::uint64_t number, T&& before) { return combined(std::move(before), T(front_[number].sum)); }

  T write(std::uint64_t number) {
    T all = front_[number].before;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i)
      put(i, all = combined(std::move(all), value(i)));
    return all;
  }

  T write_at_front(std::uint64_t number) {
    if (how_ == order::any) return write(number);
    T all = front_[number].before;
    T sum = identity_;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i) {
      T next = value(i);
      sum = combined(std::move(sum), T(next));
      put(i, all = combined(std::move(all), std::move(next)));
    }
    return combined(before(number), std::move(sum));
  }

 private:
  struct alignas(64) leaf : front_link<program_atomics> {
    T sum{};
    T before{};
  };
  using scan_front = front<program_atomics, leaf>;

  T value(std::uint64_t i) const { return static_cast<T>(in_[static_cast<std::iter_difference_t<In>>(i)]); }

  T combined(T&& a, T&& b) { return static_cast<T>(combine_(std::move(a), std::move(b))); }

  void put(std::uint64_t i, const T& result) { out_[static_cast<std::iter_difference_t<Out>>(i)] = result; }

  In in_;
  Out out_;
  const T& identity_;
  Combine& combine_;
  order how_;
  leaves parts_;
  scan_front front_;
  per_member<typename scan_front::list> behind_;
};

/// What is wrong with a call of parallel_scan.
enum class scan_fault { none, range, value, type, fraction, out, combine };

template <class In, class Out, class T, class Combine>
consteval scan_fault scan_fault_of() {
  if constexpr (!std::random_access_iterator<In> || !std::random_access_iterator<Out>) {
    return scan_fault::range;
  } else if constexpr (!std::copyable<T> || !std::default_initializable<T>) {
    return scan_fault::value;
  } else if constexpr (!std::is_constructible_v<T, std::iter_reference_t<In>>) {
    return scan_fault::type;
  } else if constexpr (loses_fraction<std::iter_reference_t<In>, T>) {
    return scan_fault::fraction;
  } else if constexpr (!std::is_assignable_v<std::iter_reference_t<Out>, const T&>) {
    return scan_fault::out;
  } else if constexpr (!std::invocable<Combine&, T, T>) {
    return scan_fault::combine;
  } else {
    return std::is_constructible_v<T, std::invoke_result_t<Combine&, T, T>> ? scan_fault::none : scan_fault::combine;
  }
}

/// Whether it is right; else the compiler says why not.
template <class In, class Out, class T, class Combine>
consteval bool may_scan() {
  constexpr auto fault = scan_fault_of<In, Out, T, Combine>();
  static_assert(fault != scan_fault::range, "parallel_scan: in, end and out are random-access iterators");
  static_assert(fault != scan_fault::value,
                "parallel_scan: the type of identity cannot be copied, or has no default constructor");
  static_assert(fault != scan_fault::type,
                "parallel_scan: an element of the input does not become the type of identity");
  static_assert(fault != scan_fault::fraction,
                "parallel_scan: identity is an integer, so the input loses its fractions; write 0.0");
  static_assert(fault != scan_fault::out,
                "parallel_scan: an element of the output cannot be assigned one of the type of identity");
  static_assert(
      fault != scan_fault::combine,
      "parallel_scan: combine cannot be called with two of the type of identity, or does not return that type");
  return fault == scan_fault::none;
}

template <class In, class Out, class T, class Combine>
bool scan_all(In in, In end, Out out, const T& identity, Combine& combine, const loop_options& options, order how) {
  if (options.schedule != nullptr) check_schedule(options.schedule);
  if (!(in < end)) return true;
  const auto n = static_cast<std::uint64_t>(end - in);
  const auto members = most_members(options);
  scan<In, Out, T, Combine> all(in, n, out, identity, combine, how, members);
  const auto begin = [parts = all.parts()](std::uint64_t leaf) { return parts.begin(leaf); };
  auto in_order = options_of_parts(options, begin, n);
  in_order.schedule = "dynamic,1";
  in_order.chunk = 0;
  one_by_one read([&](std::uint64_t, steelyard_member* self) { all.turn(steelyard_member_number(self)); });
  if (!run_loop(all.count(), read, in_order, members)) return false;
  const auto rest = all.rest();
  one_by_one write([&](std::uint64_t i, steelyard_member*) { all.write(rest[i]); });
  loop_options then = options;
  then.cost = {};
  then.progress = {};
  return run_loop(rest.size(), write, then);
}

}  // namespace detail

/// @addtogroup loops
/// @{

/// Writes to out[i] what combine makes of identity and in[0] … in[i]: an inclusive scan. With order::fixed the terms are grouped in
/// the same way for every number of threads, hence the same bits. p threads take 2n/(p+1) steps, one takes n (with order::fixed
/// nearly twice as many, in as many accesses of memory); Traoré, Roch, Maillard, Gautier & Bernard 2008. The schedule in `options`
/// applies to what is left when every part of the input has been read; costs are not used. Throws as parallel_for does.
/// @param in a random-access iterator, where the terms begin.
/// @param end behind their last.
/// @param out where the results begin; may be `in`.
/// @param identity neutral for `combine`; T is copyable and default-constructible.
/// @param combine called with two T, returns a T; associative; a sum if not given.
/// @param options how the loop runs.
/// @param how which grouping; it may also stand in front of the options.
/// @return false: it was stopped, and some of `out` was not written.
template <class In, class Out, class T, detail::no_option Combine = std::plus<>>
bool parallel_scan(In in, In end, Out out, T identity, Combine&& combine = {},
                   const loop_options& options = detail::usual_options(), order how = order::any) {
  if constexpr (detail::may_scan<In, Out, T, Combine>()) {
    return detail::scan_all(in, end, out, identity, combine, options, how);
  } else {
    return false;
  }
}

/// @cond
/// The same, `how` and options the other way round: they may come in any order.
template <class In, class Out, class T, detail::no_option Combine>
bool parallel_scan(In in, In end, Out out, T identity, Combine&& combine, order how,
                   const loop_options& options = detail::usual_options()) {
  return parallel_scan(in, end, out, identity, combine, options, how);
}
/// @endcond

/// Sums.
/// @param in a random-access iterator, where the terms begin.
/// @param end behind their last.
/// @param out where the sums begin; may be `in`.
/// @param identity what the first is added to, neutral.
/// @param how which grouping; it may also stand behind the options.
/// @param options how the loop runs.
/// @return false: it was stopped, and some of `out` was not written.
template <class In, class Out, class T>
bool parallel_scan(In in, In end, Out out, T identity, order how,
                   const loop_options& options = detail::usual_options()) {
  return parallel_scan(in, end, out, identity, std::plus<>{}, options, how);
}
/// @cond
template <class In, class Out, class T>
bool parallel_scan(In in, In end, Out out, T identity, const loop_options& options, order how = order::any) {
  return parallel_scan(in, end, out, identity, std::plus<>{}, options, how);
}
// What no call can be, for the compiler to say so.
template <class In, class Out>
bool parallel_scan(const In&, const Out&) {
  static_assert(detail::never<In>, "parallel_scan: it takes three iterators and identity: in, end, out, 0.0");
  return false;
}
template <class In, class End, class T>
bool parallel_scan(const In&, const End&, const T&) {
  constexpr bool of_range = std::ranges::range<In>;
  static_assert(!of_range, "parallel_scan: it takes iterators, not a container: in.begin(), in.end(), out.begin()");
  static_assert(of_range, "parallel_scan: behind end comes out, where the results begin, and then identity");
  return false;
}
/// @endcond

/// @}

}  // namespace v1
}  // namespace steelyard
