// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/measured.hpp"
#include "schedules/chunks/on_request.hpp"

namespace steelyard::schedules {

/// Tapering (Lucco 1992): of R iterations left, with T = R/P and v = α σ/μ, ⌈T + v²/2 - v √(2T + v²/4)⌉: so much less than a
/// P-th that no chunk is likely to outlast the others. α = 1.3.
class tap_rule {
 public:
  static constexpr traits about{"tap", "a shared counter, a P-th of the rest less what times may vary by",
                                "least iterations per chunk (1)", true, false};
  static constexpr double alpha = 1.3;

  explicit tap_rule(const shape& loop) noexcept : members_(loop.members), v_(alpha * spread_of_times(loop).variation) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept {
    const double share = static_cast<double>(rest) / members_;
    return whole_up(share + v_ * v_ / 2 - v_ * square_root(2 * share + v_ * v_ / 4), rest);
  }

 private:
  double members_;
  double v_;
};

template <class Sync>
using tap = measured<on_request<Sync, tap_rule>>;

}  // namespace steelyard::schedules
