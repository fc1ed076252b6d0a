// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/rate.hpp"

namespace steelyard::learn {

/// How many iterations are handed out at once where a loop's iterations all take about the same, by what handing out costs
/// (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", section 2.2).
///
/// The paper takes chunks longer than a fetch. Then fetches take less time than the iterations: that bounds the overhead by 100 %,
/// and no gain is sure at two members. Twenty times as long makes it 5 %.
struct chunk_choice {
  static constexpr std::uint64_t times_a_fetch = 20;
  /// But each member's share is in so many chunks at least, or members would wait for the last one.
  static constexpr std::uint64_t least_chunks = 16;

  /// Of a loop whose iterations take that long, where a fetch takes `fetch` ticks. 1: the iterations' time is not known.
  [[nodiscard]] static constexpr std::uint64_t of(std::uint64_t iterations, std::uint32_t members, std::uint64_t rate,
                                                  std::uint64_t fetch) noexcept {
    const auto most = std::max<std::uint64_t>(iterations / members / least_chunks, 1);
    return std::clamp<std::uint64_t>(iterations_in(times_a_fetch * fetch, rate), 1, most);
  }
};

}  // namespace steelyard::learn
