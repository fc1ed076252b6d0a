// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "learn/automatic.hpp"
#include "learn/forecast_debt.hpp"
#include "learn/shares.hpp"

namespace steelyard::loop {

/// Which schedule the loops of one place run by under `automatic`: learn::automatic, made when the first of them asks, and what its
/// forecasts may cost (learn::forecast_debt).
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
  void forecast(learn::shares& shares) noexcept;

  std::unique_ptr<learn::automatic> chooser_;
  learn::forecast_debt debt_;
};

}  // namespace steelyard::loop
