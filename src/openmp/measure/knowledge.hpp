// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/program/site.hpp"

namespace steelyard::learn {
class automatic;
}

/// What `automatic` has learnt of the program's loops, from earlier processes and for later ones (src/remember/knowledge.md).
namespace steelyard::openmp {

/// Tells `chooser` what is known of such loops there, if anything is. The first time for a module reads its file. By who plans a loop: others wait, and go without a
/// plan when that takes long.
void recall(const site& at, std::uint64_t granules, std::uint64_t granule, std::uint32_t members,
            learn::automatic& chooser) noexcept;

/// The process ends: what it has found is written.
void keep_knowledge() noexcept;

}  // namespace steelyard::openmp
