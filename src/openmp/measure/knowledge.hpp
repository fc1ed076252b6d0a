// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/program/site.hpp"

namespace steelyard::learn {
class automatic;
}

/// What `automatic` has learnt of the program's loops, from earlier processes and for later ones (src/remember/knowledge.md).
namespace steelyard::openmp {

/// Reads what is known of the site's module, where nobody has yet. By who plans a loop there: others wait, and go without a plan when that takes long.
void look_up(const site& at) noexcept;

/// Tells `chooser` what is known of such loops there, if anything is.
void recall(const site& at, std::uint64_t granules, std::uint64_t granule, std::uint32_t members,
            learn::automatic& chooser) noexcept;

/// The process ends: what it has found is written.
void keep_knowledge() noexcept;

}  // namespace steelyard::openmp
