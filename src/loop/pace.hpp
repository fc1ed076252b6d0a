// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {

/// How many iterations a member claims at once from its open range, so that claiming costs less than a percent (loop.md): it
/// learns that while it runs. A first step that is too small is left soon, one that has become wrong after so many claims.
class pace {
 public:
  explicit constexpr pace(std::uint64_t first_step) noexcept : step_(first_step) {
    STEELYARD_ASSERT(first_step != 0 && first_step <= most_in_one_claim, "loop.md: a claim is of some iterations");
  }

  /// What steelyard_range promises of `step`: a claim's end is no overflow.
  static constexpr std::uint64_t most_in_one_claim = std::uint64_t{1} << 62;

  [[nodiscard]] std::uint64_t step() const noexcept { return step_; }

  /// Where a member that stands at `at` looks at the clock again.
  [[nodiscard]] std::uint64_t until(std::uint64_t at) const noexcept {
    return at + std::min(step_, most_in_one_claim / claims_for_a_while) * claims_for_a_while;
  }

  /// The member stands at `at`, and begins to run.
  void begin(std::uint64_t at) noexcept {
    first_ = at;
    began_ = support::ticks();
  }

  /// It has come to `at` of the same range.
  void look(std::uint64_t at) noexcept {
    STEELYARD_ASSERT(at >= first_, "sync/open_range.md, [I2]: a member's claims go forward");
    const auto took = support::ticks() - began_;
    const auto done = at - first_;
    // What was claimed slowly at the end of a range is too little to learn from.
    if (done < step_ * claims_for_a_while || took == 0) return;
    step_ = std::min(ticks_between_claims * done / took + 1, most_claimed_at_once);
  }

 private:
  /// A claim with what surrounds it, the call of the body above all, costs some fifty ticks. A hundred times that between
  /// two claims is a percent.
  static constexpr std::uint64_t ticks_between_claims = 5000;
  /// Claims between two looks at the clock, which cost as much as some twenty.
  static constexpr std::uint64_t claims_for_a_while = 256;
  static constexpr std::uint64_t most_claimed_at_once = std::uint64_t{1} << 20;

  std::uint64_t step_;
  std::uint64_t first_ = 0;
  std::uint64_t began_ = 0;
};

}  // namespace steelyard::loop
