// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/average.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

using runtime::average;

/// What is known of the loops of one place in the program, from their earlier runs.
struct alignas(support::line_size) history {
  sync::real::atomic<const void*> key{};
  /// Ticks of 1,024 iterations: on the caller alone, and of all members together. The latter holds what sharing adds.
  average alone;
  average together;
  sync::real::atomic<std::uint32_t> doubt{};  ///< not 0: one of the last runs alone took far longer than expected
  /// How often it was tried the other way, to see what that costs now, and until it is again: ticks of such runs.
  sync::real::atomic<std::uint32_t> trials{};
  sync::real::atomic<std::uint64_t> until_trial{};
  /// How long such loops have to run, in ticks, until it pays to read costs; and whether they were read once.
  sync::real::atomic<std::uint64_t> until_reading{};
  sync::real::atomic<bool> has_read{};
};

/// The history of the place that this address stands for (of the code that runs its body); nullptr when the table is full.
[[nodiscard]] history* history_of(const void* key) noexcept;

}  // namespace steelyard::loop
