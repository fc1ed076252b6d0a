// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

/// How long iterations take: a rate is ticks of 1,024 of them, for one may take less than a tick. 0: not known.
namespace steelyard::learn {

inline constexpr std::uint64_t iterations_of_rate = 1024;

/// Of so many iterations, at least one, that took so long.
[[nodiscard]] constexpr std::uint64_t rate_of(std::uint64_t ticks, std::uint64_t iterations) noexcept {
  std::uint64_t all = 0;
  return (__builtin_mul_overflow(ticks, iterations_of_rate, &all) ? ~std::uint64_t{0} : all) / iterations;
}

/// What so many iterations take at that rate.
[[nodiscard]] constexpr std::uint64_t ticks_at(std::uint64_t rate, std::uint64_t iterations) noexcept {
  std::uint64_t all = 0;
  return __builtin_mul_overflow(rate, iterations, &all) ? ~std::uint64_t{0} : all / iterations_of_rate;
}

/// How many iterations take so long at that rate; 0 where it is not known.
[[nodiscard]] constexpr std::uint64_t iterations_in(std::uint64_t ticks, std::uint64_t rate) noexcept {
  return rate != 0 ? ticks * iterations_of_rate / rate : 0;
}

/// The rate of one member, by the rate on it alone and that of several together; 0: that one is not known.
[[nodiscard]] constexpr std::uint64_t least_known(std::uint64_t alone, std::uint64_t together) noexcept {
  return alone == 0 || together == 0 ? std::max(alone, together) : std::min(alone, together);
}

}  // namespace steelyard::learn
