// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "learn/density.hpp"

namespace steelyard::learn {

/// What instances that go as their phase says have in common beyond it: costs that drift slowly, or a picture that is a little wrong. It
/// is their mean, lately, so noise that would hide it in one of them does not.
class drift {
 public:
  static constexpr std::uint32_t fewest = 3;  ///< instances before it is believed
  static constexpr double negligible = 0.005;

  /// Blocks are cut anew. Their first instance is passed over: data that has another member takes longer once.
  void forget() noexcept {
    seen_ = 0;
    fresh_ = true;
  }

  /// Another one: by how much its blocks took longer than expected, in mean blocks. `noise`: the standard deviation of one instance. True:
  /// the mean is more than that explains. O(members).
  bool add(const double* differences, std::uint32_t members, double noise) noexcept {
    if (std::exchange(fresh_, false)) return false;
    if (std::exchange(members_, members) != members) seen_ = 0;
    seen_ = std::min(seen_ + 1, most);
    double largest = 0;
    for (std::uint32_t m = 0; m < members; ++m) {
      const double before = seen_ == 1 ? 0 : static_cast<double>(mean_[m]);
      mean_[m] = static_cast<float>(before + (differences[m] - before) / seen_);
      largest = std::max(largest, std::abs(static_cast<double>(mean_[m])));
    }
    const double beyond = largest - negligible;
    return seen_ >= fewest && beyond > 0 && beyond * beyond * seen_ > deviations * noise * deviations * noise;
  }

  [[nodiscard]] double mean(std::uint32_t member) const noexcept { return static_cast<double>(mean_[member]); }

 private:
  static constexpr std::uint32_t most = 12;  ///< instances that count; older ones fade
  static constexpr double deviations = 2.5;  ///< so many are no chance

  std::array<float, density::most_blocks> mean_{};
  std::uint32_t members_ = 0;
  std::uint32_t seen_ = 0;
  bool fresh_ = true;
};

}  // namespace steelyard::learn
