// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"

/// A written chunk is a promise: where a program says `schedule(dynamic, c)`, each chunk of c iterations that begins at a
/// multiple of c from the loop's first runs whole, in order, on one member. A front end that keeps it deals *granules* of c
/// iterations in place of iterations: then no schedule can split a chunk, whoever takes or hands over what.
namespace steelyard::schedules {

/// How many granules hold so many iterations; 0 stays 0. The last granule of a loop may be short.
[[nodiscard]] constexpr std::uint64_t granules(std::uint64_t iterations, std::uint64_t granule) noexcept {
  return granule > 1 ? ceil_div(iterations, granule) : iterations;
}

/// A loop for its schedule, in granules of so many iterations; 0 or 1: none. All that counts iterations, a chunk and the like, is
/// rounded up to granules. What it is told of costs has to be in granules already.
[[nodiscard]] constexpr shape in_granules(shape loop, std::uint64_t granule) noexcept {
  for (auto* count : {&loop.iterations, &loop.chunk, &loop.known.grain, &loop.known.most_at_once}) {
    *count = granules(*count, granule);
  }
  loop.experiment.least_left = static_cast<std::uint32_t>(granules(loop.experiment.least_left, granule));
  return loop;
}

/// Takes off the front of a step of granules, which is not empty, what follows each other in the loop: the whole step, or,
/// where it is strided, its first granule. In iterations of a loop that has so many.
[[nodiscard]] constexpr step take_front(step& rest, std::uint64_t granule, std::uint64_t iterations) noexcept {
  const auto count = rest.stride == 1 ? rest.count : 1;
  const auto first = rest.first * granule;
  STEELYARD_ASSERT(count != 0 && first < iterations, "a step of granules is some of the loop");
  const auto left = iterations - first;
  std::uint64_t wanted = 0;
  const bool beyond = __builtin_mul_overflow(count, granule, &wanted);
  rest.first += count * rest.stride;
  rest.count -= count;
  return {first, beyond ? left : std::min(wanted, left)};
}

}  // namespace steelyard::schedules
