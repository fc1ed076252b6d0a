// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/whole_blocks.hpp"

namespace steelyard::schedules {

/// OpenMP `schedule(static)`. Deal: equal blocks; the first N mod P members get one iteration more, as in libgomp.
/// Take: all. Ask: nobody; a share whose owner may never come goes to whoever claims it.
class static_rules {
 public:
  static constexpr traits about{"static", "equal blocks, one per member", nullptr, true, true};

  explicit static_rules(const shape& loop) noexcept : iterations_(loop.iterations), members_(loop.members) {}

  [[nodiscard]] deal::block<std::uint64_t> share(member m) const noexcept { return {iterations_, members_, m}; }

 private:
  std::uint64_t iterations_;
  std::uint32_t members_;
};

template <class Sync>
using static_blocks = whole_blocks<Sync, static_rules>;

}  // namespace steelyard::schedules
