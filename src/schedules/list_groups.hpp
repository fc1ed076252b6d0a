// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedules/deal.hpp"

namespace steelyard::schedules {

/// Where the prefix sums of a cyclic deal stand (`cost_knowledge::sums`). Of each list, in the order in which the loop has its units, there
/// is one at the beginning and one behind each group of 2^k units, the smallest k with which a list has at most so many groups;
/// the last group of a list may be short. So sums are few enough to stay in a core's own cache, and a place between two of them
/// is guessed wrong by less than a thousandth of a list. Behind the last list stands the sum of all.
class list_groups {
 public:
  static constexpr std::uint32_t most = 1024;

  constexpr explicit list_groups(const deal::cyclic& deal) noexcept : members_(deal.positions() / deal.longest()) {
    while (((deal.longest() - 1) >> shift_) >= most) ++shift_;
    groups_ = ((deal.longest() - 1) >> shift_) + 1;
  }

  /// k, see above.
  [[nodiscard]] constexpr unsigned shift() const noexcept { return shift_; }
  /// Of the longest list.
  [[nodiscard]] constexpr std::uint32_t groups() const noexcept { return groups_; }
  /// Where the sums of a list begin.
  [[nodiscard]] constexpr std::size_t of_list(std::uint32_t owner) const noexcept {
    return std::size_t{owner} * (groups_ + 1);
  }
  /// Where the sum of all stands; how many others there are.
  [[nodiscard]] constexpr std::size_t of_all() const noexcept { return of_list(members_); }

  /// Work of the first `units` of a list that has `length`; `sums` are those of that list. O(1).
  [[nodiscard]] double before(const double* sums, std::uint32_t units, std::uint32_t length) const noexcept {
    const auto group = units >> shift_;
    const auto rest = units - (group << shift_);
    if (rest == 0) return sums[group];
    return sums[group] + (sums[group + 1] - sums[group]) * rest / size_of(group, length);
  }

  /// The first place in (first, last] of a list with about that much work before it; `last` at the latest. `search` finds the
  /// first of some sums that is not below a value, as std::lower_bound does. O(log groups) by that.
  template <class Search>
  [[nodiscard]] std::uint32_t reaching(const double* sums, std::uint32_t first, std::uint32_t last,
                                       std::uint32_t length, double work, const Search& search) const noexcept {
    const auto end = ((last - 1) >> shift_) + 1;
    const auto behind = static_cast<std::uint32_t>(search(sums + (first >> shift_) + 1, sums + end, work) - sums);
    const auto group = behind - 1;
    const auto size = size_of(group, length);
    const double part = (work - sums[group]) / (sums[behind] - sums[group]) * size;
    // Not so for NaN.
    const auto whole = part > 0 && part < size ? static_cast<std::uint32_t>(part) : size;
    const auto more = whole < size && whole < part ? 1U : 0U;
    return std::clamp((group << shift_) + whole + more, first + 1, last);
  }

 private:
  [[nodiscard]] constexpr std::uint32_t size_of(std::uint32_t group, std::uint32_t length) const noexcept {
    return std::min(1U << shift_, length - (group << shift_));
  }

  std::uint32_t members_;
  std::uint32_t groups_ = 1;
  unsigned shift_ = 0;
};

}  // namespace steelyard::schedules
