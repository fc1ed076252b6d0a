// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::sync {

/// How long who asks waits for an answer before it helps itself, in support::ticks: as long as a membarrier takes on this
/// machine, so it never waits more than twice as long as it would have had to. At least 1. Measured once, at the first call.
[[nodiscard]] std::uint64_t patience() noexcept;

}  // namespace steelyard::sync
