// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/in_batches.hpp"
#include "schedules/chunks/measured.hpp"

namespace steelyard::schedules {

/// Factoring (Flynn Hummel, Schonberg & Flynn 1992): batches of P chunks of ⌈R / xP⌉ iterations, R what is left at the batch's start.
/// x follows from how the times vary, b = P σ / (2 μ √R): 1 + b² + b √(b² + 2) for the first batch, 2 + b² + b √(b² + 4) for the
/// others.
class fac_rule {
 public:
  static constexpr traits about{"fac", "a shared counter, batches of P chunks by the spread of the times",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool single = false;

  explicit fac_rule(const shape& loop) noexcept
      : members_(loop.members), half_(loop.members * spread_of_times(loop).variation / 2) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t rest, std::uint64_t number) const noexcept {
    const double b = half_ / square_root(static_cast<double>(rest));
    const double base = number == 0 ? 1 : 2;
    const double x = base + b * b + b * square_root(b * b + 2 * base);
    return whole_up(static_cast<double>(rest) / (x * members_), rest);
  }

 private:
  double members_;
  double half_;  ///< b √R
};

template <class Sync>
using fac = measured<in_batches<Sync, fac_rule>>;

}  // namespace steelyard::schedules
