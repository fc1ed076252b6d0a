// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/in_batches.hpp"
#include "schedules/chunks/trapezoid.hpp"

namespace steelyard::schedules {

/// Trapezoid factoring self-scheduling (Chronopoulos, Andonie, Benche & Grosu 2001): batches of P chunks, each the mean of the P chunks
/// that `trapezoid` has in its place, rounded down.
class tfss_rule {
 public:
  static constexpr traits about{"tfss", "a shared counter, batches of P chunks that shrink linearly",
                                "iterations in the last chunk (1)", true, false};
  static constexpr bool single = false;

  explicit tfss_rule(const shape& loop) noexcept : of_(loop), members_(loop.members) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t, std::uint64_t number) const noexcept {
    using wide = unsigned __int128;
    const auto twice_fall =
        static_cast<wide>(of_.decrement) * (2 * static_cast<wide>(number) * members_ + members_ - 1);
    const auto twice_first = static_cast<wide>(of_.first) * 2;
    return twice_fall < twice_first ? static_cast<std::uint64_t>((twice_first - twice_fall) / 2) : 0;
  }

 private:
  trapezium of_;
  std::uint32_t members_;
};

template <class Sync>
using tfss = in_batches<Sync, tfss_rule>;

}  // namespace steelyard::schedules
