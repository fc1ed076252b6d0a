// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "learn/density.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// How the costs of a loop are spread over its iterations, and how much iterations deviate from their neighbours: from what the chunks
/// of one instance took, whatever schedule has made them. 512 parts of the iteration space are told apart, however many chunks there are.
///
/// `took` may be called by several members at once; everything else before the loop or behind it. Numbers are summed without an
/// order: a loop's end comes before they are read.
class cost_profile {
 public:
  /// Before an instance of n > 0 iterations: nothing is known.
  void begin(std::uint64_t n) noexcept;

  /// By a member that has run these iterations, neighbours all, in so many ticks; count > 0. O(bins that they lie in).
  void took(std::uint64_t first, std::uint64_t count, std::uint64_t ticks) noexcept;

  /// As `work` and `deviation` say.
  struct summary {
    std::uint64_t work;
    std::uint64_t deviation;
  };
  /// Behind it. `costs`: how they lie, without what parts differ by chance. No work: no time was noted, and `costs` has not changed. O(bins).
  summary sum_up(density& costs) const noexcept;
  /// Of all chunks, in ticks.
  [[nodiscard]] std::uint64_t work() const noexcept;
  /// Standard deviation of one iteration from the mean of its part, in 1,024ths of that mean: the same for all parts. Only parts with several
  /// chunks tell it; 0: none has. Deviations of iterations within one chunk are taken to be independent.
  [[nodiscard]] std::uint64_t deviation() const noexcept;

 private:
  static constexpr std::uint32_t bins = density::bins;
  using sum = sync::real::atomic<std::uint64_t>;

  /// Of chunks that lie in a part whole.
  struct whole {
    sum ticks{};
    sum iterations{};
    sum squares{};  ///< of each one's ticks, divided by its iterations
  };
  [[nodiscard]] std::uint64_t begin_of(std::uint64_t bin) const noexcept;
  void note_whole(std::uint32_t bin, std::uint64_t count, std::uint64_t ticks) noexcept;
  void share_iterations(std::array<double, bins>& found) const noexcept;
  void leave_out_chance(std::array<double, bins>& found, summary all) const noexcept;

  std::uint64_t iterations_ = 0;
  // Close together: most chunks write the first only.
  std::array<sum, bins> ticks_{};
  std::array<sum, bins> chunks_{};  ///< that lie in it whole
  std::array<whole, bins> wholes_{};
};

}  // namespace steelyard::learn
