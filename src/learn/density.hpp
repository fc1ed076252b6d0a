// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace steelyard::learn {

/// How the cost of a loop is spread over its iterations: constant in each of `bins` equal parts of the iteration space, which
/// is [0, 1) whatever the trip count is. Costs are parts of the whole, so they add up to 1.
///
/// It is learnt from what blocks of iterations have taken. One instance of a loop tells one number for each block, and the next
/// instance has its blocks elsewhere: `fit` scales what is known within each block to what was found (iterative proportional
/// fitting), so the picture gets finer where the borders of blocks move.
class density {
 public:
  static constexpr std::uint32_t bins = 512;
  /// More could not be told apart.
  static constexpr std::uint32_t most_blocks = bins;

  /// Everywhere the same.
  density() noexcept;

  /// What each bin costs, in any unit, is known. O(bins), as all that changes something.
  void set(const double* costs) noexcept;

  /// parts[m]: what block m costs, 1 … most_blocks of them, each of which ends before position ends[m]; ascending, the last is 1.
  /// O(blocks), in few lines of memory.
  void parts(const double* ends, std::uint32_t blocks, double* parts) const noexcept;

  /// What a bin costs.
  [[nodiscard]] double cost(std::uint32_t bin) const noexcept { return cost_[bin]; }
  /// What each bin costs, where the most expensive one costs `most`, to the nearest number.
  void scaled(std::uint16_t most, std::array<std::uint16_t, bins>& into) const noexcept;

  /// Ends of so many blocks of equal cost. The last is 1. O(blocks), as above.
  void cut(std::uint32_t blocks, double* ends) const noexcept;
  /// The same of a loop of n iterations: each block ends before iteration ends[m]; most_blocks at most.
  void cut(std::uint32_t blocks, std::uint64_t n, std::uint64_t* ends) const noexcept;

  /// Blocks with these ends were found to cost these parts, which add up to 1.
  void fit(const double* ends, const double* parts, std::uint32_t blocks) noexcept;

  /// What the blocks of one instance were found to cost, as above.
  struct finding {
    const double* ends;
    const double* parts;
    std::uint32_t blocks;
  };
  /// Of all of these together.
  static constexpr std::uint32_t most_ends = 2 * most_blocks;
  /// The same of several instances in turn, so many times over; `into` is what this becomes. O(bins + rounds · ends · instances)
  void fit(std::span<const finding> found, int rounds, density& into) const noexcept;

  /// The same where nothing was known: costs rise and fall steadily from the middle of one block to that of the next. A loop over
  /// a triangle is known exactly after this.
  void draw(const double* ends, const double* parts, std::uint32_t blocks) noexcept;

 private:
  static constexpr std::uint32_t in_group = 16;
  static constexpr std::uint32_t groups = bins / in_group;

  template <class Number>
  void take(const Number* costs) noexcept;
  [[nodiscard]] double before(double at) const noexcept;

  std::array<double, groups + 1> before_;  ///< what lies before each group of bins; the last: all
  std::array<float, bins> cost_;
};

}  // namespace steelyard::learn
