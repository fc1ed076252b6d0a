// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/on_request.hpp"

namespace steelyard::schedules {

/// Guided self-scheduling, GSS (Polychronopoulos & Kuck 1987; OpenMP `schedule(guided, c)`, by libgomp's rule): ⌈R / P⌉ of the R
/// iterations left, at least c.
class guided_rule {
 public:
  static constexpr traits about{"guided", "a shared counter, a P-th of the rest at a time",
                                "least iterations per chunk (1)", true, false};

  explicit guided_rule(const shape& loop) noexcept : members_(loop.members) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept { return ceil_div(rest, members_); }

 private:
  std::uint64_t members_;
};

template <class Sync>
using guided = on_request<Sync, guided_rule>;

}  // namespace steelyard::schedules
