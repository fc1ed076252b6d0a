// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::cost {

/// Where the costs of a loop's iterations come from: a function that evaluates them in blocks, or an array with one
/// number for each iteration. It owns nothing; two sources are the same if they read the same place in the same way.
///
/// Any unit will do, the same for all iterations. A cost is at least 0 and finite: `valid` is what stands for another.
class source {
 public:
  /// Writes the costs of iterations first … first+count-1 to out[0] … out[count-1].
  using block_function = void (*)(void* context, std::uint64_t first, std::uint64_t count, double* out);

  constexpr source() noexcept = default;
  constexpr source(block_function evaluate, void* context) noexcept : evaluate_(evaluate), context_(context) {}

  /// `costs[i]` of iteration i, e.g. the degrees of a graph's vertices.
  static source of(const double* costs) noexcept { return array(costs); }
  static source of(const float* costs) noexcept { return array(costs); }
  static source of(const std::uint32_t* costs) noexcept { return array(costs); }
  static source of(const std::uint64_t* costs) noexcept { return array(costs); }

  /// Whether there is anything to read.
  explicit constexpr operator bool() const noexcept { return evaluate_ != nullptr; }

  /// As `block_function`; the costs as the source has them.
  void read(std::uint64_t first, std::uint64_t count, double* out) const { evaluate_(context_, first, count, out); }

  friend constexpr bool operator==(const source&, const source&) noexcept = default;

 private:
  template <class Number>
  static source array(const Number* costs) noexcept {
    const auto copy = [](void* context, std::uint64_t first, std::uint64_t count, double* out) {
      const auto* const from = static_cast<const Number*>(context) + first;
      for (std::uint64_t i = 0; i < count; ++i) out[i] = static_cast<double>(from[i]);
    };
    // Only `copy` gets it back, which does not write.
    return {copy, const_cast<Number*>(costs)};
  }

  block_function evaluate_ = nullptr;
  void* context_ = nullptr;
};

/// A cost that is negative or NaN counts as 0. An infinite one stays: no sum with it is finite, and who sums looks.
[[nodiscard]] constexpr double valid(double cost) noexcept { return cost > 0 ? cost : 0; }

}  // namespace steelyard::cost
