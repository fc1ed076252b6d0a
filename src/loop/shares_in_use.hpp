// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/shares.hpp"
#include "schedules/choice.hpp"

namespace steelyard::loop {

/// The contiguous shares of a loop under `nustatic`, for as long as it runs: given ones, or those that follow from earlier loops of
/// its place. Loops of one place that run at the same time have equal blocks, all but one of them.
class shares_in_use {
 public:
  /// Of the memory that it needs, aligned to 8.
  [[nodiscard]] static std::size_t bytes(std::uint32_t members) noexcept { return 2 * sizeof(std::uint64_t) * members; }

  /// `place`: the code that runs the iterations, under that choice. `loop` has the ends of the blocks then; they lie in `memory`.
  shares_in_use(const void* place, const schedules::choice& how, schedules::shape& loop, void* memory) noexcept;
  /// Learns from what the blocks took, unless it was told that not all have run.
  ~shares_in_use();
  shares_in_use(const shares_in_use&) = delete;
  shares_in_use& operator=(const shares_in_use&) = delete;

  /// By the member that has run the block that begins there.
  void took(std::uint64_t first, std::uint64_t ticks) noexcept;

  void stopped() noexcept { stopped_ = true; }

 private:
  struct place_shares;
  [[nodiscard]] static place_shares* of(const void* place) noexcept;
  void learn_from(const void* place, const schedules::relearning& again) noexcept;

  std::uint64_t iterations_;
  std::uint32_t members_;
  std::uint64_t* ends_;
  std::uint64_t* took_;
  place_shares* learns_ = nullptr;  ///< nullptr: nothing is learnt from this loop
  bool stopped_ = false;
};

}  // namespace steelyard::loop
