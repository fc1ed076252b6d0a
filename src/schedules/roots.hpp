// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

/// Roots and logarithms to the last bit or two, for the drop-in links no libm.
namespace steelyard::schedules {

namespace roots {

/// x > 0 with its exponent divided by n: within a few percent of the n-th root.
constexpr double first_guess(double x, std::uint64_t n) noexcept {
  constexpr std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) / n + (one - one / n));
}

}  // namespace roots

/// √x by Newton's method; 0 for what is not above 0.
[[nodiscard]] constexpr double square_root(double x) noexcept {
  if (!(x > 0)) return 0;
  double root = roots::first_guess(x, 2);
  for (int i = 0; i < 5; ++i) root = (root + x / root) / 2;
  return root;
}

/// The same, of the third root.
[[nodiscard]] constexpr double cube_root(double x) noexcept {
  if (!(x > 0)) return 0;
  double root = roots::first_guess(x, 3);
  for (int i = 0; i < 5; ++i) root = (2 * root + x / (root * root)) / 3;
  return root;
}

/// The natural logarithm of x > 0: that of its exponent and, by the series of the inverse hyperbolic tangent, of its mantissa
/// between √½ and √2.
[[nodiscard]] constexpr double logarithm(double x) noexcept {
  constexpr double ln_2 = 0.693147180559945309417;
  constexpr double root_of_2 = 1.41421356237309504880;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
  auto mantissa = std::bit_cast<double>((bits & 0xfffffffffffffU) | std::bit_cast<std::uint64_t>(1.0));
  if (mantissa > root_of_2) {
    mantissa /= 2;
    ++exponent;
  }
  const double ratio = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * ratio * ratio + 1.0 / k;
  return static_cast<double>(exponent) * ln_2 + 2 * ratio * sum;
}

/// x rounded down or up to a whole number of at most `most`; 0 for what is negative or no number.
[[nodiscard]] constexpr std::uint64_t whole(double x, std::uint64_t most) noexcept {
  if (!(x > 0)) return 0;
  return x < static_cast<double>(most) ? static_cast<std::uint64_t>(x) : most;
}
[[nodiscard]] constexpr std::uint64_t whole_up(double x, std::uint64_t most) noexcept {
  const auto below = whole(x, most);
  return below < most && static_cast<double>(below) < x ? below + 1 : below;
}

}  // namespace steelyard::schedules
