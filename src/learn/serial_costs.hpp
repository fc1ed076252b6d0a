// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "learn/density.hpp"

namespace steelyard::learn {

/// What the iterations of one place's loops cost, learnt as published (Cammarota, Nicolau & Veidenbaum, "Just in time load
/// balancing", listing 1.2): one instance runs on one member and tells the total; the next one, on one member, too, has the clock
/// read behind each iteration. Shares follow from the differences; how far their sum is from the total tells how much of it is
/// the reading's (equation 4).
///
/// Both are made again when shares of equal cost take unequal time twice in a row, as they do in another phase, but not before
/// sixteen instances had shares; and when the trip count becomes another by more than a factor of two. Not for several threads at once.
class serial_costs {
 public:
  enum class pass : std::uint8_t { total, differences, none };

  /// What a loop of so many iterations, which begins now, is to tell.
  [[nodiscard]] pass begin(std::uint64_t n) noexcept;

  /// The pass `total`: the loop took so long.
  void took(std::uint64_t ticks) noexcept;
  /// The pass `differences`: by that much the clock has moved since the iteration before. O(1), and a few instructions.
  void took_next(std::uint64_t ticks) noexcept {
    sum_ += ticks;
    at_ += density::bins;
    while (at_ >= border_) pass_border(ticks);
  }
  /// The pass `differences`, behind the last iteration.
  void took_all() noexcept;
  /// No pass: shares that follow from these costs were so unequal, longest / mean - 1.
  void shared(double imbalance) noexcept;
  /// A pass was not completed.
  void stopped() noexcept;

  /// Behind `took_all`: how the costs are spread.
  [[nodiscard]] density spread() const noexcept;
  /// |total - sum of the differences|, in percent of the total; 0: nothing was learnt yet.
  [[nodiscard]] double error() const noexcept;

 private:
  void pass_border(std::uint64_t ticks) noexcept;

  pass next_ = pass::total;
  std::uint64_t iterations_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t sum_ = 0;     ///< of differences so far
  std::uint64_t at_ = 0;      ///< iterations that have run, in parts of bins
  std::uint64_t border_ = 0;  ///< where the bin ends, likewise
  std::uint32_t bin_ = 0;
  double usual_ = -1;         ///< the imbalance of the first instance with shares; -1: there was none
  std::uint32_t shared_ = 0;  ///< instances with shares
  bool doubted_ = false;
  std::array<double, density::bins> before_{};  ///< the end of each bin
};

}  // namespace steelyard::learn
