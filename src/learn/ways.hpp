// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "learn/alone_or_shared.hpp"
#include "learn/chooser.hpp"
#include "learn/chunk_choice.hpp"

namespace steelyard::learn {

/// A way to run a loop.
struct way {
  enum class kind : std::uint8_t { shares, alone, fixed, guided };

  kind how = kind::shares;
  std::uint32_t members = 1;
  std::uint64_t chunk = 0;  ///< of `fixed`; the least of `guided`

  [[nodiscard]] constexpr bool is_handed_out() const noexcept { return how == kind::fixed || how == kind::guided; }
};

/// The ways among which `jit` chooses (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", sections 2.2 and 3.3), and
/// what an instance takes at least in each: numbers of `chooser`.
struct ways {
  static constexpr std::uint32_t shares = chooser::shares;
  static constexpr std::uint32_t alone = 1;
  static constexpr std::uint32_t fixed = 2;
  static constexpr std::uint32_t guided = 3;
  static constexpr std::uint32_t half = 4;  ///< of the members, with learnt shares
  static constexpr std::uint32_t count = 5;

  /// What is known of an instance that begins, in ticks; 0: not known.
  struct facts {
    std::uint64_t iterations = 0;
    std::uint32_t members = 1;
    std::uint64_t rate = 0;         ///< of the iterations
    std::uint64_t together = 0;     ///< of all members together
    std::uint64_t alone = 0;        ///< on one member
    std::uint64_t even = 0;         ///< the break-even
    std::uint64_t first_block = 0;  ///< the first of equal blocks, one for each member
    std::uint64_t fixed_fetch = 0;
    std::uint64_t guided_fetch = 0;
  };

  [[nodiscard]] static constexpr ways of(const facts& known) noexcept {
    const auto n = known.iterations;
    const auto members = known.members;
    const auto fewer = (members + 1) / 2;
    const auto chunk_of = [&](std::uint64_t fetch) { return chunk_choice::of(n, members, known.rate, fetch); };
    ways all;
    all.all = {{{way::kind::shares, members, 0},
                {way::kind::alone, 1, 0},
                {way::kind::fixed, members, chunk_of(known.fixed_fetch)},
                {way::kind::guided, members, chunk_of(known.guided_fetch)},
                {way::kind::shares, fewer, 0}}};
    // Sharing may add to the iterations themselves. Of loops that are long that is not believed before it was seen.
    const bool may_add = known.together <= doubtful * known.even;
    const auto by_one = known.alone != 0 ? known.alone : may_add ? 0 : known.together;
    // In chunks iterations may find more in caches than in shares, so nothing is foretold, but: guided begins with the whole
    // first block.
    const auto in_chunks = n <= members ? chooser::never : 0;
    all.least = {0, by_one, in_chunks, std::max(in_chunks, known.first_block - known.first_block / 8),
                 fewer < 2 ? chooser::never : by_one / fewer};
    return all;
  }

  std::array<way, count> all;
  std::array<std::uint64_t, count> least{};
};

}  // namespace steelyard::learn
