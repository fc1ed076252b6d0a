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
  /// Ticks that reading 1,024 costs took, with adding them up.
  average reading;
  sync::real::atomic<std::uint32_t> doubt{};  ///< not 0: one of the last runs alone took far longer than expected
  /// How often it was tried the other way, to see what that costs now, and until it is again: ticks of such runs.
  sync::real::atomic<std::uint32_t> trials{};
  sync::real::atomic<std::uint64_t> until_trial{};
};

/// Ticks of so many iterations, from those of 1,024.
[[nodiscard]] inline std::uint64_t scaled(std::uint64_t per_1024, std::uint64_t iterations) noexcept {
  std::uint64_t all = 0;
  return __builtin_mul_overflow(per_1024, iterations, &all) ? ~std::uint64_t{0} : all / 1024;
}
/// The reverse.
[[nodiscard]] inline std::uint64_t per_1024(std::uint64_t ticks, std::uint64_t iterations) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(ticks) * 1024 / static_cast<double>(iterations));
}

/// The history of the place that this address stands for (of the code that runs its body); nullptr when the table is full.
[[nodiscard]] history* history_of(const void* key) noexcept;

}  // namespace steelyard::loop
