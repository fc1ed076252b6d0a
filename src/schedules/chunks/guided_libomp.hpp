// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/on_request.hpp"

namespace steelyard::schedules {

/// Guided self-scheduling by the rule of libomp and Taskflow: ⌊R / 2P⌋ of the R iterations left; c each once R < 2P (c + 1).
class guided_libomp_rule {
 public:
  static constexpr traits about{"guided:libomp", "a shared counter, half of a P-th of the rest at a time",
                                "least iterations per chunk (1)", true, false};

  explicit guided_libomp_rule(const shape& loop) noexcept
      : twice_members_(2 * std::uint64_t{loop.members}), least_(loop.chunk != 0 ? loop.chunk : 1) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept {
    const auto share = rest / twice_members_;
    return share > least_ ? share : least_;
  }

 private:
  std::uint64_t twice_members_;
  std::uint64_t least_;
};

template <class Sync>
using guided_libomp = on_request<Sync, guided_libomp_rule>;

}  // namespace steelyard::schedules
