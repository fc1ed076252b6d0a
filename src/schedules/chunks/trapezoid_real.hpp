// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/in_batches.hpp"
#include "schedules/chunks/trapezoid.hpp"

namespace steelyard::schedules {

/// Trapezoid self-scheduling as published (Tzen & Ni 1993): the k-th chunk has f - k·d iterations, rounded down, d = (f - l) / (S - 1)
/// not a whole number.
class trapezoid_real_rule {
 public:
  static constexpr traits about{"trapezoid:real", "a shared counter, chunks that shrink linearly by a real number",
                                "iterations in the last chunk (1)", true, false};
  static constexpr bool single = true;

  explicit trapezoid_real_rule(const shape& loop) noexcept : of_(loop) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t, std::uint64_t number) const noexcept {
    if (number >= of_.chunks - 1) return of_.last;
    const auto fall = static_cast<unsigned __int128>(of_.first - of_.last) * number;
    return of_.first - static_cast<std::uint64_t>((fall + of_.chunks - 2) / (of_.chunks - 1));
  }

 private:
  trapezium of_;
};

template <class Sync>
using trapezoid_real = in_batches<Sync, trapezoid_real_rule>;

}  // namespace steelyard::schedules
