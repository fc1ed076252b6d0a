// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sync/access.hpp"

namespace steelyard::openmp {

/// Which member of a team is the last to come to a barrier. It may change what the others read until they have left it. Nobody waits
/// here. Protocol and invariants [R4], [R5]: shares.md.
template <class Sync>
class arrivals {
 public:
  /// By each member before each barrier, the first of which is number 0. True: all others have come to this one, and what they did
  /// before has happened.
  [[nodiscard]] bool is_last(std::uint64_t barrier, std::uint32_t members) noexcept {
    const std::uint64_t before = came_.fetch_add(1, sync::acq_rel, sync::site{"R10"});
    return before == barrier * members + members - 1;
  }

 private:
  typename Sync::template atomic<std::uint64_t> came_{};  ///< to all barriers so far
};

}  // namespace steelyard::openmp
