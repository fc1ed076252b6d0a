// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/team/team.hpp"

/// When the members of a loop were through with it, where its instance has room for that (instance::last_calls).
namespace steelyard::openmp {

/// That member has been handed all that it gets.
void note_end(instance& of, std::uint32_t number) noexcept;

/// Ticks until members were through.
struct ending {
  std::uint64_t last = 0;          ///< until all were; 0: one never was
  std::uint64_t of_all_added = 0;  ///< the sum over all …
  std::uint64_t of_takers = 0;     ///< … and over those that get iterations
};

/// Of an ended instance.
[[nodiscard]] ending ending_of(const instance& ended) noexcept;

}  // namespace steelyard::openmp
