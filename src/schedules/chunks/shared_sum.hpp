// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "sync/access.hpp"

namespace steelyard::schedules {

/// A sum of numbers that the members of a team add to while their loop runs (chunks.md). It steers and decides nothing.
template <class Sync>
class shared_sum {
 public:
  explicit shared_sum(double begin = 0) noexcept : bits_(std::bit_cast<std::uint64_t>(begin)) {}

  void add(double more) noexcept {
    auto bits = bits_.load(sync::relaxed, sync::site{"E1"});
    while (!bits_.compare_exchange(bits, std::bit_cast<std::uint64_t>(std::bit_cast<double>(bits) + more),
                                   sync::relaxed, sync::relaxed, sync::site{"E2"})) {
    }
  }

  [[nodiscard]] double get() const noexcept {
    return std::bit_cast<double>(bits_.load(sync::relaxed, sync::site{"E3"}));
  }

 private:
  typename Sync::template atomic<std::uint64_t> bits_;
};

}  // namespace steelyard::schedules
