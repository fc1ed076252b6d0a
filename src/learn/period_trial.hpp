// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "learn/averages.hpp"

namespace steelyard::learn {

/// Whether what follows a loop takes less when the loop itself runs another way: how it has left data in the caches, or what it has built, may
/// help the next one. That no loop's own time shows, but its periods do, from the beginning of one instance to that of the next. Two of
/// each way are compared, the last usual one and three that follow, in one of two orders. What only becomes longer, or only shorter, as the loops of an
/// elimination, favours no way in either. Nor does it that data is elsewhere behind the other way: the first usual one has followed its like. And two
/// loops whose trials are in each other's periods may take other turns. O(1). Not for several threads at once.
class period_trial {
 public:
  /// Behind a period of the usual way, which has followed its like: the next three instances take part.
  void begin(std::uint64_t period, std::uint64_t took, std::uint64_t dice) noexcept {
    *this = {};
    of_[0].add(period, took);
    order_ = orders[dice % orders.size()];
    left_ = 2 * of_each - 1;
  }
  /// Something was in between: it says nothing.
  void stop() noexcept { *this = {}; }

  [[nodiscard]] bool runs() const noexcept { return left_ != 0; }
  /// Whether the instance that is due runs the other way.
  [[nodiscard]] bool is_others_turn() const noexcept { return left_ != 0 && (order_ >> (left_ - 1) & 1) != 0; }

  /// The period that began with the instance that was due, and how long that took, in ticks. True: that was the last.
  bool add(std::uint64_t period, std::uint64_t took) noexcept {
    of_[is_others_turn() ? 1 : 0].add(period, took);
    return --left_ == 0;
  }

  /// What an instance of the other way took.
  [[nodiscard]] std::uint64_t took() const noexcept { return of_[1].took / of_each; }
  /// By so much less follows an instance of the other way. 0: nothing is certain, both of its periods have to be shorter than both others, by a
  /// 32nd.
  [[nodiscard]] std::uint64_t saves() const noexcept {
    const auto& [usual, other] = of_;
    if (sum(other.longest, usual.shortest / least_gain) > usual.shortest) return 0;
    return (usual.rest - std::min(usual.rest, other.rest)) / of_each;
  }

 private:
  static constexpr std::uint32_t of_each = 2;
  static constexpr std::uint64_t least_gain = 32;
  static constexpr std::array<std::uint8_t, 2> orders{0b101, 0b110};  ///< the other way is 1

  struct seen {
    std::uint64_t shortest = ~std::uint64_t{0};
    std::uint64_t longest = 0;
    std::uint64_t took = 0;
    std::uint64_t rest = 0;  ///< of the periods

    void add(std::uint64_t period, std::uint64_t own) noexcept {
      shortest = std::min(shortest, period);
      longest = std::max(longest, period);
      took = sum(took, own);
      rest = sum(rest, period - std::min(period, own));
    }
  };
  std::array<seen, 2> of_{};
  std::uint32_t left_ = 0;  ///< instances
  std::uint8_t order_ = 0;
};

}  // namespace steelyard::learn
