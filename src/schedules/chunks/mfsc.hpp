// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/equal_chunks.hpp"
#include "schedules/roots.hpp"

namespace steelyard::schedules {

/// Modified fixed-size chunking (LB4OMP, DLS4LB): about as many chunks as `factoring` has, all equal: ⌊0.55 + T ln 2 / ln T⌋
/// iterations, T = ⌈N/P⌉.
class mfsc_rule {
 public:
  static constexpr traits about{"mfsc", "a shared counter, equal chunks, about as many as factoring has",
                                "least iterations per chunk (1)", true, false};

  explicit mfsc_rule(const shape& loop) noexcept : size_(std::max<std::uint64_t>(loop.chunk, 1)) {
    const auto share = ceil_div<std::uint64_t>(loop.iterations, loop.members);
    if (share < 2) return;
    const auto of_share = static_cast<double>(share);
    size_ = std::max(size_, whole(0.55 + of_share * logarithm(2) / logarithm(of_share), share));
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  std::uint64_t size_;
};

template <class Sync>
using mfsc = equal_chunks<Sync, mfsc_rule>;

}  // namespace steelyard::schedules
