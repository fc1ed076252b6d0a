// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/claims.hpp"
#include "schedules/deal.hpp"

namespace steelyard::schedules {

/// OpenMP `schedule(static)`. Deal: equal blocks; the first N mod P members get one iteration more, as in libgomp.
/// Take: all. Ask: nobody; a share whose owner may never come goes to whoever claims it.
template <class Sync>
class alignas(support::line_size) static_blocks {
 public:
  static constexpr traits about{"static", "equal blocks, one per member", nullptr, true, true};

  static std::size_t bytes(const shape& loop) noexcept {
    return claims<Sync>::template bytes_with<static_blocks>(loop);
  }

  explicit static_blocks(const shape& loop) noexcept
      : iterations_(loop.iterations), members_(loop.members), shares_(this + 1, loop) {}

  step next(member m) noexcept {
    while (shares_.next_share(m)) {
      const auto all = share(shares_.share(m));
      if (all.count != 0) return {all.first, all.count, 1};
    }
    return {};
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return shares_.claimed(m) ? 0 : share(m).count; }
  [[nodiscard]] tally counts(member m) const noexcept { return shares_.counts(m); }

 private:
  [[nodiscard]] deal::block<std::uint64_t> share(member m) const noexcept { return {iterations_, members_, m}; }

  std::uint64_t iterations_;
  std::uint32_t members_;
  claims<Sync> shares_;
};

}  // namespace steelyard::schedules
