// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

/// Steps that are too long to be written out, as arithmetic progressions.
namespace steelyard::tool::check {

/// first, first + stride, …: `count` > 0 of them, stride > 0, none beyond 2^64 - 1.
struct progression {
  std::uint64_t first;
  std::uint64_t stride;
  std::uint64_t count;

  [[nodiscard]] std::uint64_t last() const noexcept { return first + (count - 1) * stride; }
  [[nodiscard]] bool has(std::uint64_t value) const noexcept {
    return value >= first && value <= last() && (value - first) % stride == 0;
  }
};

/// x with a · x = 1 modulo m, for coprime a and m; by the extended Euclidean algorithm.
inline std::uint64_t inverse(std::uint64_t a, std::uint64_t m) noexcept {
  using wide = __int128;
  wide rest = m;
  wide value = a % m;
  wide before = 0;
  wide now = 1;
  while (value > 1) {
    const wide times = rest / value;
    const wide next = before - times * now;
    rest -= times * value;
    before = now;
    now = next;
    const wide smaller = rest;
    rest = value;
    value = smaller;
  }
  if (m == 1) return 0;
  return static_cast<std::uint64_t>(now < 0 ? now + wide{m} : now);
}

/// The least number that is in both, by the Chinese remainder theorem. O(log stride).
inline std::optional<std::uint64_t> first_common(const progression& a, const progression& b) noexcept {
  using wide = unsigned __int128;
  if (b.first < a.first) return first_common(b, a);
  const std::uint64_t divisor = std::gcd(a.stride, b.stride);
  const std::uint64_t apart = b.first - a.first;
  if (apart % divisor != 0) return std::nullopt;
  const std::uint64_t modulus = b.stride / divisor;
  const wide steps = wide{apart / divisor % modulus} * inverse(a.stride / divisor % modulus, modulus) % modulus;
  wide common = a.first + steps * a.stride;
  const wide period = wide{a.stride / divisor} * b.stride;
  if (common < b.first) common += (b.first - common + period - 1) / period * period;
  if (common > std::min(a.last(), b.last())) return std::nullopt;
  return static_cast<std::uint64_t>(common);
}

}  // namespace steelyard::tool::check
