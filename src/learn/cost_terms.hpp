// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "schedules/profile.hpp"

namespace steelyard::learn {

/// What a loop's iterations cost, as a compiler derives it: each costs c[0] + c[1] x[1] + c[2] x[2] + c[3] x[3], with numbers x that
/// the program knows before the loop runs, a trip count for example. The constants c are its guess, until chunks have been timed.
/// Then they follow from these by least squares.
///
/// Numbers are kept in sums over the bins of a profile. For one caller at a time.
class cost_terms {
 public:
  static constexpr std::uint32_t most = 4;  ///< with c[0]
  static constexpr std::uint32_t bins = schedules::profile::bins;
  using row = std::array<double, bins>;       ///< sums of one number over each bin
  using numbers = std::array<row, most - 1>;  ///< of x[1], …

  /// Before anything else: how many terms there are beside c[0], at most `most` - 1, what one iteration is taken to cost, and one
  /// of each number.
  void begin(std::uint32_t terms, const double* iteration, const double* seeds) noexcept;
  [[nodiscard]] bool has_begun() const noexcept { return terms_ != 0; }

  /// The numbers of a loop of n iterations.
  void set(std::span<const row> of_bins, std::uint64_t n) noexcept;
  [[nodiscard]] std::uint64_t iterations() const noexcept { return iterations_; }

  /// What they come to. False: nothing, or no number; nothing has changed then.
  bool weigh(schedules::profile& into) const noexcept;

  /// The bins of such a loop took so long. Where they say nothing of a constant, or that it were negative, it is 0 beside others; where
  /// nothing is left all stay as they were. Earlier loops count half as much.
  void refine(const std::uint64_t* ticks) noexcept;

  [[nodiscard]] const std::array<double, most>& constants() const noexcept { return constants_; }

 private:
  using vector = std::array<double, most>;
  [[nodiscard]] vector numbers_of(std::uint32_t bin) const noexcept;

  std::uint32_t terms_ = 0;  ///< with c[0]
  std::uint64_t iterations_ = 0;
  vector constants_{};
  std::array<vector, most> products_{};  ///< the normal equations of least squares
  vector results_{};
  numbers numbers_{};
};

/// Whether what one iteration costs is a compiler's guess, which counts operations. What the author of a program says is in any unit, and
/// nothing beside the numbers.
[[nodiscard]] bool is_guess(const double* iteration) noexcept;

/// How long the iterations of the bins first … behind - 1 may take, in ticks, of a loop of n: as a compiler guesses, that counts operations.
/// In loops of graph kernels four of these took about a tick.
[[nodiscard]] std::uint64_t guessed_ticks(std::span<const cost_terms::row> of_bins, std::uint64_t n,
                                          std::uint32_t first, std::uint32_t behind, const double* iteration,
                                          const double* seeds) noexcept;

/// `count` iterations that lie in the bins first … behind - 1 of n iterations came to `sums`: each bin gets what its iterations would
/// have on average. The sums are 0 afterwards.
void spread(double* sums, std::uint64_t count, std::uint32_t first, std::uint32_t behind, std::uint64_t n,
            std::span<cost_terms::row> to) noexcept;

}  // namespace steelyard::learn
