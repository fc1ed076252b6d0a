// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::learn {

/// When a forecast of a place's loops (`automatic`) is worth what it costs: when they have run a hundred times as long as it takes. In
/// ticks; what the last ones took at most, or, before any, a guess for each member. Not for several threads at once.
class forecast_debt {
 public:
  /// A loop ran so long.
  void pay(std::uint64_t ticks) noexcept { paid_ += std::min(ticks, ~paid_); }
  [[nodiscard]] bool is_paid(std::uint32_t members) const noexcept {
    return paid_ / times_the_price >= (price_ != 0 ? price_ : first_guess * members);
  }
  /// A forecast was made, and took so long.
  void add(std::uint64_t ticks) noexcept {
    price_ = std::max(ticks, price_ - price_ / 4);  // another loop of the place may take far longer to foretell
    paid_ = 0;
  }

 private:
  static constexpr std::uint64_t times_the_price = 100;
  static constexpr std::uint64_t first_guess = 100'000;

  std::uint64_t paid_ = 0;
  std::uint64_t price_ = 0;
};

}  // namespace steelyard::learn
