// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// A half-open interval of units in one 64-bit word, so that one compare-and-swap moves both ends:
///
///     63            32 31             0
///     |      end      |     begin     |
///
/// The owner takes at the front, thieves take at the back.
class range {
 public:
  constexpr range() noexcept = default;
  constexpr range(std::uint32_t begin, std::uint32_t end) noexcept : begin_(begin), end_(end) {
    STEELYARD_ASSERT(begin <= end, "steal.md, [I1]: a range ends behind its beginning");
  }
  static constexpr range from(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return std::uint64_t{end_} << 32 | begin_; }

  [[nodiscard]] constexpr std::uint32_t begin() const noexcept { return begin_; }
  [[nodiscard]] constexpr std::uint32_t end() const noexcept { return end_; }
  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return end_ - begin_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin_ == end_; }

  /// n ≤ size() in all four.
  [[nodiscard]] constexpr range front(std::uint32_t n) const noexcept {
    STEELYARD_ASSERT(n <= size(), "steal.md, S2: what is taken was waiting");
    return {begin_, begin_ + n};
  }
  [[nodiscard]] constexpr range without_front(std::uint32_t n) const noexcept { return {begin_ + n, end_}; }
  [[nodiscard]] constexpr range back(std::uint32_t n) const noexcept {
    STEELYARD_ASSERT(n <= size(), "steal.md, S5: what is stolen was waiting");
    return {end_ - n, end_};
  }
  [[nodiscard]] constexpr range without_back(std::uint32_t n) const noexcept { return {begin_, end_ - n}; }

  friend constexpr bool operator==(range, range) noexcept = default;

 private:
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

/// The loop cut into units of 2^k iterations; the last unit may be short. A range counts units, so it holds any loop.
class units {
 public:
  static constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

  /// The smallest k for which a range can hold the loop.
  explicit constexpr units(std::uint64_t iterations) noexcept : units(iterations, smallest_shift(iterations)) {}

  /// k given: at least the smallest.
  constexpr units(std::uint64_t iterations, unsigned shift) noexcept
      : shift_(shift), count_(static_cast<std::uint32_t>(up(iterations, shift))),
        slack_((std::uint64_t{count_} << shift) - iterations) {
    STEELYARD_ASSERT(up(iterations, shift) <= most, "a range holds the whole loop");
  }

  [[nodiscard]] static constexpr unsigned smallest_shift(std::uint64_t iterations) noexcept {
    unsigned shift = 0;
    while (up(iterations, shift) > most) ++shift;
    return shift;
  }

  [[nodiscard]] constexpr unsigned shift() const noexcept { return shift_; }
  [[nodiscard]] constexpr std::uint32_t count() const noexcept { return count_; }

  /// As many units as hold that many iterations: at least 1.
  [[nodiscard]] constexpr std::uint32_t holding(std::uint64_t iterations) const noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(up(iterations, shift_), 1, most));
  }

  /// Iterations in `n` units of which the last is the loop's last or not. Right modulo 2^64 even when n·2^k is 2^64.
  [[nodiscard]] constexpr std::uint64_t iterations(std::uint32_t n, bool reaches_end) const noexcept {
    return (std::uint64_t{n} << shift_) - (reaches_end ? slack_ : 0);
  }

  /// Units first … first+n-1 of the loop as a step.
  [[nodiscard]] constexpr step run(std::uint32_t first, std::uint32_t n) const noexcept {
    STEELYARD_ASSERT(first <= count_ && n <= count_ - first, "contract.hpp: a step lies in the loop");
    return {std::uint64_t{first} << shift_, iterations(n, n == count_ - first), 1};
  }

 private:
  static constexpr std::uint64_t up(std::uint64_t iterations, unsigned shift) noexcept {
    return (iterations >> shift) + ((iterations & ((std::uint64_t{1} << shift) - 1)) != 0 ? 1 : 0);
  }

  unsigned shift_;
  std::uint32_t count_;
  std::uint64_t slack_;  ///< iterations that the last unit lacks
};

/// What a unit of a range costs is told in 64ths of what the mean unit of the loop does.
inline constexpr std::uint32_t mean_unit_cost = 64;

}  // namespace steelyard::schedules
