// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::schedules {

/// ⌈n / d⌉ without the overflow of (n + d - 1) / d.
template <class Number>
[[nodiscard]] constexpr Number ceil_div(Number n, Number d) noexcept {
  return static_cast<Number>(n / d + (n % d != 0 ? 1 : 0));
}

/// n^(1/4) rounded to the nearest whole number, in integers: the drop-in links no libm.
[[nodiscard]] constexpr std::uint64_t fourth_root(std::uint64_t n) noexcept {
  std::uint64_t root = 0;
  for (std::uint64_t bit = 1U << 15; bit != 0; bit >>= 1) {
    const auto r = root | bit;
    if (r * r * r * r <= n) root = r;
  }
  // (r + 1/2)^4 = r^4 + 2 r^3 + r (3 r + 1) / 2 + 1/16, and the middle terms are whole.
  const auto half_way = 2 * root * root * root + root * (3 * root + 1) / 2;
  return n - root * root * root * root > half_way ? root + 1 : root;
}

/// A number below 2^32 to divide others by, some five times as fast as by hardware (Lemire, Kaser & Kurz, Faster remainder by
/// direct computation, 2019).
class divisor {
 public:
  constexpr explicit divisor(std::uint32_t by) noexcept : by_(by), inverse_(by > 1 ? ~std::uint64_t{0} / by + 1 : 0) {}
  constexpr operator std::uint32_t() const noexcept { return by_; }  // NOLINT: it is that number
  [[nodiscard]] constexpr std::uint32_t quotient(std::uint32_t n) const noexcept {
    if (by_ <= 1) return n;
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(inverse_) * n) >> 64);
  }
  [[nodiscard]] constexpr std::uint32_t remainder(std::uint32_t n) const noexcept { return n - quotient(n) * by_; }

 private:
  std::uint32_t by_;
  std::uint64_t inverse_;
};

}  // namespace steelyard::schedules
