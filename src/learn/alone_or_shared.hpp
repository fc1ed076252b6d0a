// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

/// Whether a loop is shared, or runs on its caller alone. All in ticks; 0: not known.
namespace steelyard::learn {

/// What is known of a loop that begins.
struct outlook {
  std::uint64_t alone = 0;     ///< what it takes on the caller alone
  std::uint64_t together = 0;  ///< of all members together, when it is shared
  std::uint64_t even = 0;      ///< the break-even
  std::uint64_t opening = 0;   ///< what opening it costs with the workers as they are now, until it gains something
  std::uint32_t members = 1;
};

struct verdict {
  bool alone = false;
  bool may_be_wrong = false;   ///< the other way is to be tried now and then
  std::uint64_t expected = 0;  ///< what it takes this way
  std::uint64_t trial = 0;     ///< what it costs at most to try the other
};

/// Below so many times the break-even it is worth to know what the loop takes on the caller alone.
inline constexpr std::uint64_t doubtful = 64;

/// What sharing adds to the iterations themselves (lines that move between caches) counts against it, too.
[[nodiscard]] constexpr bool sharing_adds_too_much(const outlook& of) noexcept {
  return of.together > of.alone && of.together - of.alone >= (of.members - 1) * (of.alone - of.even);
}

/// Of a loop for two members or more.
[[nodiscard, gnu::always_inline]] constexpr verdict judge(const outlook& of) noexcept {
  const verdict stays_alone{true, true, of.alone, std::max(of.together, of.opening)};
  if (of.alone != 0 && of.alone <= of.even) return stays_alone;
  if (of.together == 0) return {};
  if (of.alone == 0) return {of.together <= doubtful * of.even};
  if (sharing_adds_too_much(of)) return stays_alone;
  const auto least = std::min(of.alone, of.together);
  return {false, least <= doubtful * of.even, of.together, least};
}

/// How many iterations the caller of a loop that is to run alone runs before it looks at the clock.
[[nodiscard]] constexpr std::uint64_t before_look(std::uint64_t iterations, bool is_sure) noexcept {
  return is_sure ? iterations / 2 : std::max<std::uint64_t>(iterations / 16, 1);
}

/// Whether a loop that takes `all` at the rate of what has run is better shared after all.
[[nodiscard]] constexpr bool is_better_shared(std::uint64_t all, std::uint64_t expected, std::uint64_t even) noexcept {
  return all / 2 > std::max(expected, even);
}

/// Whether to look at what a run alone took that began then: in one of eight, for the clock costs as much as a small loop.
[[nodiscard]] constexpr bool is_time_to_look(std::uint64_t expected, std::uint64_t began) noexcept {
  return expected == 0 || began / 64 % 8 == 0;
}

}  // namespace steelyard::learn
