// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/ends.hpp"

#include <algorithm>

#include "schedules/contract.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {

void note_end(instance& of, std::uint32_t number) noexcept {
  of.last_calls[number].at.store(support::ticks(), sync::relaxed, sync::site{"T15"});
}

ending ending_of(const instance& ended) noexcept {
  ending found;
  for (schedules::member m = 0; m < ended.members; ++m) {
    const auto at = ended.last_calls[m].at.load(sync::relaxed, sync::site{"T15"});
    if (at == 0) return {};
    const auto took = at - std::min(at, ended.began_ticks);
    found.last = std::max(found.last, took);
    found.of_all_added += took;
    if (m < ended.takers) found.of_takers += took;
  }
  return found;
}

}  // namespace steelyard::openmp
