// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/claims.hpp"
#include "schedules/deal.hpp"

namespace steelyard::schedules {

/// The mechanism of the preassigned schedules that deal each member one block and hand it out whole. A share whose owner may never
/// come goes to whoever claims it. A schedule is the answers it is given, an object made from the loop:
///
/// - `about`: what users see;
/// - `share(m)`: the iterations dealt to member m, a deal::block.
template <class Sync, class Rules>
class alignas(support::line_size) whole_blocks {
 public:
  static constexpr const traits& about = Rules::about;

  static std::size_t bytes(const shape& loop) noexcept { return claims<Sync>::template bytes_with<whole_blocks>(loop); }

  explicit whole_blocks(const shape& loop) noexcept : dealt_(loop), shares_(this + 1, loop) {}

  step next(member m) noexcept {
    while (shares_.next_share(m)) {
      const auto all = dealt_.share(shares_.share(m));
      if (all.count != 0) return {all.first, all.count, 1};
    }
    return {};
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept {
    return shares_.claimed(m) ? 0 : dealt_.share(m).count;
  }
  [[nodiscard]] tally counts(member m) const noexcept { return shares_.counts(m); }

 private:
  Rules dealt_;
  claims<Sync> shares_;
};

}  // namespace steelyard::schedules
