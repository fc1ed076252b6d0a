// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {

/// How many iterations a member claims at once from its open range, so that claiming costs less than a percent, and how many claims
/// it makes between two looks at the clock and at the flag (loop.md): it learns both while it runs. What has become wrong is left soon.
class pace {
 public:
  /// `fixed`: that is how many, whatever they take.
  explicit constexpr pace(std::uint64_t first_step, bool fixed = false) noexcept
      : step_(first_step), claims_(first_step > 1 && !fixed ? most_claims : 1), fixed_(fixed) {
    STEELYARD_ASSERT(first_step != 0 && first_step <= most_in_one_claim, "loop.md: a claim is of some iterations");
  }

  /// What steelyard_range promises of `step`: a claim's end is no overflow.
  static constexpr std::uint64_t most_in_one_claim = std::uint64_t{1} << 62;

  [[nodiscard]] std::uint64_t step() const noexcept { return step_; }

  /// Where a member that stands at `at` looks at the clock again.
  [[nodiscard]] std::uint64_t until(std::uint64_t at) const noexcept {
    return at + std::min(step_, most_in_one_claim / claims_) * claims_;
  }

  /// The member stands at `at`, and begins to run.
  void begin(std::uint64_t at) noexcept {
    first_ = at;
    began_ = support::ticks();
  }

  /// It has come to `at` of the same range.
  void look(std::uint64_t at) noexcept { ran(at, support::ticks() - began_); }

  /// The same, which took so many ticks.
  void ran(std::uint64_t at, std::uint64_t took) noexcept {
    STEELYARD_ASSERT(at >= first_, "sync/open_range.md, [I2]: a member's claims go forward");
    const auto done = at - first_;
    // What was claimed slowly at the end of a range is too little to learn from.
    if (done / claims_ < step_ || took == 0) return;
    const bool says_enough = claims_ == most_claims || took > long_while;
    if (took < short_while) {
      claims_ = std::min(claims_ * 4, most_claims);
    } else if (took > long_while) {
      claims_ = std::max<std::uint64_t>(claims_ / 4, 1);
    }
    if (says_enough && !fixed_) step_ = std::min(ticks_between_claims * done / took + 1, most_claimed_at_once);
  }

 private:
  /// A claim with what surrounds it, the call of the body above all, costs some fifty ticks. A hundred times that between
  /// two claims is a percent.
  static constexpr std::uint64_t ticks_between_claims = 5000;
  /// Between two looks at the clock, which cost as much as some twenty.
  static constexpr std::uint64_t most_claims = 256;
  static constexpr std::uint64_t short_while = 250'000;
  static constexpr std::uint64_t long_while = 4'000'000;  ///< whoever stops a loop waits for that
  static constexpr std::uint64_t most_claimed_at_once = std::uint64_t{1} << 20;

  std::uint64_t step_;
  std::uint64_t claims_;
  std::uint64_t first_ = 0;
  std::uint64_t began_ = 0;
  bool fixed_;
};

}  // namespace steelyard::loop
