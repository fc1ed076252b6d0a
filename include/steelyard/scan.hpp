// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <steelyard/reduce.hpp>

/// Scans (prefix sums).
namespace steelyard {
inline namespace v1 {

namespace detail {

/// A scan in one pass by whoever is at the front, while the others go ahead.
///
/// Who claims the leaf at the front, whose predecessors' sum is known, writes its output at once. The others claim leaves
/// further on, add them up, and write them when the front has passed; the next one that nobody has claimed they leave to
/// whoever comes from the front, who else would meet a leaf that is being added up. The front moves over leaves that are
/// added up by one `combine` each. So p members take 2n/(p+1) steps where two passes take 2n/p, one member takes n, and a
/// leaf is mostly written by the member that has just read it. (Traoré, Roch, Maillard, Gautier & Bernard 2008: one runs
/// the sequential algorithm and jumps over what others have prepared.)
///
/// A leaf is `fresh` until somebody has added it up or the front is there, whichever comes first; both exchange its state,
/// so the second of the two sees the first, and moves the front on. Nobody waits for anybody.
template <class In, class Out, class T, class Combine>
class scan {
 public:
  scan(In in, std::uint64_t n, Out out, const T& identity, Combine& combine, order how, std::size_t members)
      : in_(in), out_(out), identity_(identity), combine_(combine), how_(how), parts_(n),
        leaves_(std::make_unique<leaf[]>(parts_.count())),
        claimed_(std::make_unique<std::atomic<bool>[]>(parts_.count())), behind_(members, {none, none}) {
    leaves_[0].before = identity;
    leaves_[0].state.store(reached, std::memory_order_relaxed);  // H9
  }

  [[nodiscard]] const leaves& parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return parts_.count(); }

  /// A member's turn; `count()` of them. Each claims a leaf: as long as one has found none, the others have not claimed all.
  void turn(std::size_t member) {
    write_reached(behind_[member]);
    run(claim(), member);
  }

  /// The leaf at the front, else the second one behind it that nobody has claimed, else any.
  std::uint64_t claim() noexcept {
    const auto front = front_.load(std::memory_order_relaxed);  // H8
    if (try_claim(front)) return front;
    bool left_one = false;
    for (auto l = front + 1; l < count(); ++l) {
      if (is_claimed(l)) continue;
      if (left_one && try_claim(l)) return l;
      left_one = true;
    }
    for (auto l = front;; l = l + 1 == count() ? 0 : l + 1) {
      if (try_claim(l)) return l;
    }
  }

  /// A leaf that this member has claimed.
  void run(std::uint64_t number, std::size_t member) {
    leaf& here = leaves_[number];
    if (here.state.load(std::memory_order_acquire) == reached) {  // H10
      return move_front(number + 1, write_at_front(number));
    }
    here.sum = sum_of(number);
    if (here.state.exchange(summed, std::memory_order_acq_rel) == reached) {  // H11
      move_front(number + 1, combined(T(here.before), T(here.sum)));
      write(number);
    } else {
      keep(number, behind_[member]);
    }
  }

  /// After all turns: the leaves that are still to be written.
  [[nodiscard]] std::vector<std::uint64_t> rest() {
    std::vector<std::uint64_t> all;
    for (std::size_t m = 0; m < behind_.size(); ++m) {
      for (auto l = behind_[m].first; l != none; l = leaves_[l].next) all.push_back(l);
    }
    return all;
  }

  /// The output of a leaf that the front has reached; returns the last of it.
  T write(std::uint64_t number) {
    T all = leaves_[number].before;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i)
      put(i, all = combined(std::move(all), value(i)));
    return all;
  }

 private:
  enum phase : std::uint8_t { fresh, summed, reached };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  struct alignas(64) leaf {
    T sum{};
    T before{};
    std::uint64_t next = none;  ///< of those that a member is still to write
    std::atomic<phase> state{fresh};
  };
  /// Leaves that a member has added up and not written, in ascending order.
  struct list {
    std::uint64_t first = none;
    std::uint64_t last = none;
  };

  [[nodiscard]] bool is_claimed(std::uint64_t number) const noexcept {
    return claimed_[number].load(std::memory_order_relaxed);  // H12
  }
  [[nodiscard]] bool try_claim(std::uint64_t number) noexcept {
    return !is_claimed(number) && !claimed_[number].exchange(true, std::memory_order_relaxed);  // H12
  }

  void write_reached(list& mine) {
    for (; mine.first != none && is_reached(mine.first); mine.first = leaves_[mine.first].next) write(mine.first);
  }

  T value(std::uint64_t i) const { return static_cast<T>(in_[static_cast<std::iter_difference_t<In>>(i)]); }

  T combined(T&& a, T&& b) { return static_cast<T>(combine_(std::move(a), std::move(b))); }

  void put(std::uint64_t i, const T& result) { out_[static_cast<std::iter_difference_t<Out>>(i)] = result; }

  /// The same where nobody has added it up; returns what comes before the next leaf.
  T write_at_front(std::uint64_t number) {
    if (how_ == order::any) return write(number);
    T all = leaves_[number].before;
    T sum = identity_;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i) {
      T next = value(i);
      sum = combined(std::move(sum), T(next));
      put(i, all = combined(std::move(all), std::move(next)));
    }
    return combined(T(leaves_[number].before), std::move(sum));
  }

  T sum_of(std::uint64_t number) {
    T sum = identity_;
    for (auto i = parts_.begin(number); i != parts_.begin(number + 1); ++i) sum = combined(std::move(sum), value(i));
    return sum;
  }

  [[nodiscard]] bool is_reached(std::uint64_t number) const noexcept {
    return leaves_[number].state.load(std::memory_order_acquire) == reached;  // H10
  }

  void keep(std::uint64_t number, list& mine) noexcept {
    (mine.first == none ? mine.first : leaves_[mine.last].next) = number;
    mine.last = number;
  }

  /// To leaf `number`, with what comes before it, and over all that are added up.
  void move_front(std::uint64_t number, T before) {
    for (; number != parts_.count(); ++number) {
      leaf& here = leaves_[number];
      here.before = before;
      front_.store(number, std::memory_order_relaxed);                                // H8
      if (here.state.exchange(reached, std::memory_order_acq_rel) != summed) return;  // H11
      before = combined(std::move(before), T(here.sum));
    }
  }

  In in_;
  Out out_;
  const T& identity_;
  Combine& combine_;
  order how_;
  leaves parts_;
  std::unique_ptr<leaf[]> leaves_;
  std::unique_ptr<std::atomic<bool>[]> claimed_;  ///< close together: who looks for one looks at many
  per_member<list> behind_;
  alignas(64) std::atomic<std::uint64_t> front_{0};  ///< a hint: the last leaf that was reached
};

/// What is wrong with a call of parallel_scan.
enum class scan_fault { none, range, value, type, out, combine };

template <class In, class Out, class T, class Combine>
consteval scan_fault scan_fault_of() {
  if constexpr (!std::random_access_iterator<In> || !std::random_access_iterator<Out>) {
    return scan_fault::range;
  } else if constexpr (!std::copyable<T> || !std::default_initializable<T>) {
    return scan_fault::value;
  } else if constexpr (!std::is_constructible_v<T, std::iter_reference_t<In>>) {
    return scan_fault::type;
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

/// Writes to out[i] what combine makes of identity and in[0] … in[i]: an inclusive scan. `combine` must be associative;
/// with order::fixed the terms are grouped in the same way for every number of threads, hence the same bits. `in` and `out`
/// may be the same. T is as for parallel_reduce. p threads take 2n/(p+1) steps, one takes n (with order::fixed nearly twice
/// as many, in as many accesses of memory). False: stopped, and some of `out` was not written. The schedule in `options`
/// applies to what is left when every part of the input has been read; costs are not used.
template <class In, class Out, class T, detail::no_option Combine = std::plus<>>
bool parallel_scan(In in, In end, Out out, T identity, Combine&& combine = {}, const loop_options& options = {},
                   order how = order::any) {
  if constexpr (detail::may_scan<In, Out, T, Combine>()) {
    return detail::scan_all(in, end, out, identity, combine, options, how);
  } else {
    return false;
  }
}

/// The same, `how` and options the other way round: they may come in any order.
template <class In, class Out, class T, detail::no_option Combine>
bool parallel_scan(In in, In end, Out out, T identity, Combine&& combine, order how, const loop_options& options = {}) {
  return parallel_scan(in, end, out, identity, combine, options, how);
}

/// Sums, grouped as `how` says.
template <class In, class Out, class T>
bool parallel_scan(In in, In end, Out out, T identity, order how, const loop_options& options = {}) {
  return parallel_scan(in, end, out, identity, std::plus<>{}, options, how);
}
template <class In, class Out, class T>
bool parallel_scan(In in, In end, Out out, T identity, const loop_options& options, order how = order::any) {
  return parallel_scan(in, end, out, identity, std::plus<>{}, options, how);
}

}  // namespace v1
}  // namespace steelyard
