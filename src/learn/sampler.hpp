// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "learn/averages.hpp"

namespace steelyard::learn {

/// What some instances of a loop have taken, all together.
struct lot {
  static constexpr std::uint64_t not_known = ~std::uint64_t{0};

  std::uint64_t ticks = 0;
  std::uint64_t iterations = 0;
  std::uint64_t finished = 0;  ///< until a member had done its part, the sum over all members; or not_known
  std::uint64_t instances = 0;
};

/// Takes short instances of a loop together, until they tell something: one that is long enough, or three lots of a third of that. Of these the middle
/// one counts, by what an iteration takes. So what holds up one of them, as an interrupt of 50 us does, changes nothing. O(1). Not for several threads at once.
class sampler {
 public:
  /// An instance; ticks >= 1, and `finished` 0: not known. True: what there is tells something, and is to be taken.
  [[nodiscard]] bool add(std::uint64_t ticks, std::uint64_t iterations, std::uint64_t finished,
                         std::uint64_t enough) noexcept {
    auto& now = lots_[count_];
    now.ticks = sum(now.ticks, ticks);
    now.iterations = sum(now.iterations, iterations);
    now.finished = finished != 0 ? sum(now.finished, finished) : lot::not_known;
    ++now.instances;
    if (now.ticks < enough / lots_.size()) return false;
    ++count_;
    return count_ == lots_.size() || (count_ == 1 && lots_[0].instances == 1 && ticks >= enough);
  }

  /// What counts, with the number of all instances; then it begins anew.
  [[nodiscard]] lot take() noexcept {
    const auto is_cheaper = [](const lot& a, const lot& b) noexcept {
      using wide = unsigned __int128;
      return wide{a.ticks} * b.iterations < wide{b.ticks} * a.iterations;
    };
    std::uint64_t instances = 0;
    for (std::uint32_t which = 0; which < count_; ++which) instances += lots_[which].instances;
    std::sort(lots_.begin(), lots_.begin() + count_, is_cheaper);
    auto middle = lots_[count_ / 2];
    middle.instances = instances;
    forget();
    return middle;
  }

  void forget() noexcept { *this = {}; }

 private:
  std::array<lot, 3> lots_{};
  std::uint32_t count_ = 0;  ///< that are full; of three what there is is taken
};

}  // namespace steelyard::learn
