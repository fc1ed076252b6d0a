// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "learn/automatic.hpp"
#include "learn/shares.hpp"

namespace steelyard::loop {

/// Which schedule the loops of one place run by under `automatic`: learn::automatic, made when the first of them asks, and what its
/// forecasts may cost. A forecast waits until the loops have taken `times_the_price` times as long as it takes, in ticks: as the last
/// one did, or, before any, `first_guess` for each member.
class best_schedule {
 public:
  /// nullptr: there is no memory.
  [[nodiscard]] learn::automatic* chooser() noexcept;

  /// What the instance took that the chooser has planned, and a call of its schedule; of an instance that was not observed anything. What
  /// it learns of the costs `shares` are taught, too.
  void took(std::uint64_t ticks, std::uint64_t hand_over, learn::shares& shares) noexcept;
  /// It was stopped: it tells nothing.
  void stopped() noexcept;

 private:
  static constexpr std::uint64_t times_the_price = 100;
  static constexpr std::uint64_t first_guess = 50'000;

  void forecast(learn::shares& shares) noexcept;

  std::unique_ptr<learn::automatic> chooser_;
  std::uint64_t paid_ = 0;
  std::uint64_t price_ = 0;
};

}  // namespace steelyard::loop
