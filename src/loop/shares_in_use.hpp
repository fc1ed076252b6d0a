// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "loop/place_in_use.hpp"
#include "schedules/choice.hpp"

namespace steelyard::loop {

/// The contiguous shares of a loop, for as long as it runs: given ones, or those that follow from earlier loops of its place.
class shares_in_use {
 public:
  /// Of the memory that it needs, aligned to 8.
  [[nodiscard]] static std::size_t bytes(std::uint32_t members) noexcept { return 2 * sizeof(std::uint64_t) * members; }

  /// `known`: what the place's loops have learnt; nullptr: blocks are equal unless shares are given. `loop` has the ends of the
  /// blocks then; they lie in `memory`.
  shares_in_use(place* known, const schedules::choice& how, schedules::shape& loop, void* memory) noexcept;
  shares_in_use(const shares_in_use&) = delete;
  shares_in_use& operator=(const shares_in_use&) = delete;

  /// By the member that has run the block that begins there.
  void took(std::uint64_t first, std::uint64_t ticks) noexcept;

  /// Behind the loop, all of whose iterations have run: learns from what the blocks took, unless the shares were given. True: the
  /// next loop is cut otherwise.
  bool learn() noexcept;
  /// What was lost by members that waited for the slowest: longest block / mean block - 1.
  [[nodiscard]] double imbalance() const noexcept;

 private:
  void learn_from(place* known, const schedules::relearning& again) noexcept;

  std::uint64_t iterations_;
  std::uint32_t members_;
  std::uint64_t* ends_;
  std::uint64_t* took_;
  place* learns_ = nullptr;  ///< nullptr: nothing is learnt from this loop
};

}  // namespace steelyard::loop
