// SPDX-License-Identifier: Apache-2.0
#include "sync/patience.hpp"

#include <algorithm>

#include "support/assert.hpp"
#include "support/ticks.hpp"
#include "sync/forks.hpp"
#include "sync/real.hpp"

namespace steelyard::sync {
namespace {

std::uint64_t measured_membarrier() noexcept {
  real::prepare_membarrier();
  auto least = ~std::uint64_t{0};
  for (int i = 0; i < 3; ++i) {
    const auto began = support::ticks();
    real::membarrier(site{"C9"});
    least = std::min(least, support::ticks() - began);
  }
  return std::max<std::uint64_t>(least, 1);  // a clock may be coarse
}

}  // namespace

std::uint64_t patience() noexcept {
  static constinit made_once<std::uint64_t> known;
  const auto ticks = known.get(measured_membarrier);
  STEELYARD_ASSERT(ticks != 0, "patience.md: a thief waits for some time before it helps itself");
  return ticks;
}

}  // namespace steelyard::sync
