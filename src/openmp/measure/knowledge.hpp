// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/program/site.hpp"

namespace steelyard::learn {
class automatic;
}

/// What `automatic` has learnt is kept for later processes: a file for each module and host, in the folder of STEELYARD_KNOWLEDGE
/// (knowledge.md).
namespace steelyard::openmp {

/// Tells `chooser` what is known of such loops there, if anything is.
void recall(site& at, std::uint64_t granules, std::uint64_t granule, std::uint32_t members,
            learn::automatic& chooser) noexcept;

/// The process ends: what it has found is written.
void keep_knowledge() noexcept;

}  // namespace steelyard::openmp
