// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/in_batches.hpp"

namespace steelyard::schedules {

/// Fixed increase self-scheduling (Philip & Das 1997, with the parameters of LB4OMP): batches of P chunks that grow by the same number
/// of iterations each time, so that B = P - 1 batches hold the loop. From ⌊N / XP⌋, X = 2 + B, by ⌊2 N (1 - B/X) / (P B (B - 1))⌋.
class fiss_rule {
 public:
  static constexpr traits about{"fiss", "a shared counter, batches of P chunks that grow linearly",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool single = false;

  explicit fiss_rule(const shape& loop) noexcept {
    using wide = unsigned __int128;
    const wide members = loop.members;
    first_ = static_cast<std::uint64_t>(loop.iterations / ((members + 1) * members));
    if (members <= 2) return;
    // 1 - B/X = 2 / (P + 1).
    const auto parts = (members + 1) * members * (members - 1) * (members - 2);
    increment_ = static_cast<std::uint64_t>(4 * static_cast<wide>(loop.iterations) / parts);
  }

  [[nodiscard]] std::uint64_t size(std::uint64_t rest, std::uint64_t number) const noexcept {
    std::uint64_t size = 0;
    const bool beyond =
        __builtin_mul_overflow(increment_, number, &size) || __builtin_add_overflow(size, first_, &size);
    return beyond ? rest : size;
  }

 private:
  std::uint64_t first_ = 0;
  std::uint64_t increment_ = 0;
};

template <class Sync>
using fiss = in_batches<Sync, fiss_rule>;

}  // namespace steelyard::schedules
