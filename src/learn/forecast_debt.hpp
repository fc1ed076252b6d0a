// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::learn {

/// When a forecast of a place's loops (`automatic`) is worth what it costs: when they have run a hundred times as long as it takes, or their members have
/// waited for each other as long as it takes. As nobody knows how often a loop will come again, that loses at most as much again as was lost
/// until then. In ticks; a forecast takes what the last ones took at most, or, before any, a guess for each member. Not for several threads at once.
class forecast_debt {
 public:
  /// A loop ran so long.
  void pay(std::uint64_t ticks) noexcept { paid_ += std::min(ticks, ~paid_); }
  /// Its members were idle for so long of that, on average. Some idleness no schedule can mend, a sixteenth of the time is taken to be such.
  void wait(std::uint64_t ticks, std::uint64_t idle) noexcept {
    idle -= std::min(idle, ticks / unavoidable);
    waited_ += std::min(idle, ~waited_);
  }
  [[nodiscard]] bool is_paid(std::uint32_t members) const noexcept {
    const auto price = price_ != 0 ? price_ : first_guess * members;
    return paid_ / times_the_price >= price || waited_ >= price;
  }
  /// A forecast was made, and took so long.
  void add(std::uint64_t ticks) noexcept {
    price_ = std::max(ticks, price_ - price_ / 4);  // another loop of the place may take far longer to foretell
    paid_ = waited_ = 0;
  }

 private:
  static constexpr std::uint64_t times_the_price = 100;
  static constexpr std::uint64_t first_guess = 100'000;
  static constexpr std::uint64_t unavoidable = 16;

  std::uint64_t paid_ = 0;
  std::uint64_t waited_ = 0;
  std::uint64_t price_ = 0;
};

}  // namespace steelyard::learn
