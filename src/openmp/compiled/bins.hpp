// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "learn/cost_terms.hpp"
#include "openmp/compiled/table.hpp"
#include "schedules/profile.hpp"

/// The bins of a loop of n iterations whose costs are stated one after the other: those from `costs::bin` to `costs::bin_behind`, both set.
namespace steelyard::openmp::compiled {

inline void begin_bins(costs& to, const loop& source, std::uint64_t n,
                       std::span<learn::cost_terms::row> numbers) noexcept {
  using schedules::profile;
  to.step = static_cast<std::uint32_t>(std::max(source.sampled, 1));
  to.at = profile::first_of(to.bin, n);
  to.behind = profile::first_of(to.bin_behind, n);
  to.next = std::min(profile::first_of(to.bin + 1, n), to.behind);
  if (to.at == to.behind) learn::spread(to.sums, 0, to.bin, to.bin_behind, n, numbers);
}

/// The sums belong to the iterations before `at`.
inline void next_bin(costs& of, std::uint64_t n, std::span<learn::cost_terms::row> numbers) noexcept {
  using schedules::profile;
  const std::uint32_t behind = of.at == of.behind ? of.bin_behind : profile::bin_of(of.at, n);
  learn::spread(of.sums, of.counted, of.bin, behind, n, numbers);
  of.counted = 0;
  of.bin = behind;
  of.next = std::min(profile::first_of(behind + 1, n), of.behind);
}

}  // namespace steelyard::openmp::compiled
