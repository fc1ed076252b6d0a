// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/equal_chunks.hpp"
#include "schedules/chunks/measured.hpp"

namespace steelyard::schedules {

/// Fixed-size chunking (Kruskal & Weiss 1985): the one size for which handing chunks out and waiting for the last together cost least,
/// (√2 N h / (σ P √ln P))^(2/3), rounded up.
class fsc_rule {
 public:
  static constexpr traits about{"fsc",
                                "a shared counter, equal chunks by the spread of the times and the cost of handing out",
                                "least iterations per chunk (1)", true, false};

  explicit fsc_rule(const shape& loop) noexcept : size_(std::max<std::uint64_t>(loop.chunk, 1)) {
    const spread_of_times known(loop);
    const double least = known.variation * loop.members * square_root(logarithm(loop.members));
    const auto all = std::max<std::uint64_t>(loop.iterations, 1);
    if (least == 0) {
      size_ = std::max(size_, ceil_div<std::uint64_t>(all, loop.members));  // nothing varies, or there is one member
      return;
    }
    const double root = cube_root(square_root(2) * static_cast<double>(all) * known.hand_over / least);
    size_ = std::max(size_, whole_up(root * root, all));
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  std::uint64_t size_;
};

template <class Sync>
using fsc = measured<equal_chunks<Sync, fsc_rule>>;

}  // namespace steelyard::schedules
