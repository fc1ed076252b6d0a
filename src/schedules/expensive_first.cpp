// SPDX-License-Identifier: Apache-2.0
#include "schedules/expensive_first.hpp"

#include <algorithm>

#include "schedules/profile.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

/// Times the mean of all bins. Bins that differ by less need not hold a single expensive iteration, and thieves share them.
constexpr double stands_out = 3;

}  // namespace

bool begin_with_expensive(const shape& loop, std::uint32_t* starts) noexcept {
  const profile* const known = loop.known.roughly;
  const bool has_few_blocks = loop.front_end.contiguous && loop.chunk == 0;
  if (known == nullptr || !loop.front_end.expensive_first || !has_few_blocks) return false;
  const double much = known->total() * std::max(1.0 / (loop.members * parts_of_list), stands_out / profile::bins);
  const deal::cyclic dealt = deal_in_loop_order(loop);
  if (!(known->most() >= much) || dealt.unit.shift() != 0) return false;
  const auto n = dealt.unit.count();
  // One more than the bin; 0: none.
  std::fill_n(starts, loop.members, 0U);
  for (std::uint32_t bin = 0; bin < profile::bins; ++bin) {
    const auto unit = profile::first_of(bin, n);
    if (!(known->of_bin(bin) >= much) || unit >= n) continue;
    auto& found = starts[dealt.owner(dealt.position(static_cast<std::uint32_t>(unit)))];
    if (found == 0 || known->of_bin(bin) > known->of_bin(found - 1)) found = bin + 1;
  }
  bool any = false;
  for (member m = 0; m < loop.members; ++m) {
    if (starts[m] == 0) continue;
    const auto unit = static_cast<std::uint32_t>(profile::first_of(starts[m] - 1, n));
    starts[m] = dealt.position(unit) - m * dealt.longest();
    any = any || starts[m] != 0;
  }
  return any;
}

}  // namespace steelyard::schedules
