// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/in_batches.hpp"

namespace steelyard::schedules {

/// Variable increase self-scheduling (Philip & Das 1997, with the parameter of LB4OMP): batches of P chunks that grow by half as many
/// iterations each time: of c (2 - 2^-j) in batch j, rounded down, from c = ⌊N / P²⌋ on.
class viss_rule {
 public:
  static constexpr traits about{"viss", "a shared counter, batches of P chunks that grow by less each time",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool single = false;

  explicit viss_rule(const shape& loop) noexcept : first_(loop.iterations / loop.members / loop.members) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t, std::uint64_t number) const noexcept {
    if (number == 0 || first_ == 0) return first_;  // of one member that is the loop, twice which is too much
    const auto less = number < 64 ? ((first_ - 1) >> number) + 1 : 1;  // ⌈c / 2^j⌉
    return 2 * first_ - less;
  }

 private:
  std::uint64_t first_;
};

template <class Sync>
using viss = in_batches<Sync, viss_rule>;

}  // namespace steelyard::schedules
