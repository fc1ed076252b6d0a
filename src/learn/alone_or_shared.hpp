// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/trials.hpp"

/// Whether a loop is shared, or runs on its caller alone. All in ticks; 0: not known.
namespace steelyard::learn {

/// What is known of a loop that begins.
struct outlook {
  std::uint64_t alone = 0;     ///< what it takes on the caller alone
  std::uint64_t together = 0;  ///< of all members together, when it is shared
  std::uint64_t apart = 0;     ///< by the clock, when it is shared, without what sharing a loop costs
  std::uint64_t even = 0;      ///< the break-even
  std::uint64_t opening = 0;   ///< what opening it costs with the workers as they are now, until it gains something
  std::uint32_t members = 1;
};

struct verdict {
  trials::run run;            ///< how it is run, but for a trial
  bool may_be_wrong = false;  ///< the other way is to be tried now and then
};

/// Below so many times the break-even it is worth to know what the loop takes on the caller alone.
inline constexpr std::uint64_t doubtful = 64;

/// What sharing a loop costs, by the break-even: a loop of that length takes as long as on the caller alone.
[[nodiscard]] constexpr std::uint64_t cost_of_sharing(std::uint64_t even, std::uint32_t members) noexcept {
  return even - even / members;
}

/// What a loop takes that is shared: what sharing costs, and what it took by the clock beyond that; at first an equal part of what all members
/// take together. So what sharing adds to the iterations (lines that move between caches) counts against it, and parts that are not equal.
[[nodiscard]] constexpr std::uint64_t when_shared(const outlook& of) noexcept {
  return cost_of_sharing(of.even, of.members) + (of.apart != 0 ? of.apart : of.together / of.members);
}

/// The way that is taken takes so long, and the other so long.
[[nodiscard]] constexpr std::uint64_t cost_of_trial(std::uint64_t taken, std::uint64_t other) noexcept {
  return std::max(other - std::min(other, taken), taken / 8);
}

/// What a loop takes alone, where both times are known: no more than all members together, whatever disturbed it.
[[nodiscard]] constexpr std::uint64_t when_alone(const outlook& of) noexcept { return std::min(of.alone, of.together); }

/// Of a loop for two members or more.
[[nodiscard, gnu::always_inline]] constexpr verdict judge(const outlook& of) noexcept {
  const auto shared = when_shared(of);
  const bool is_known = of.alone != 0 && of.together != 0;
  if (of.alone != 0 && (of.alone <= of.even || (is_known && shared >= when_alone(of)))) {
    const bool wakes = of.opening > of.even;
    return {{true, of.alone, cost_of_trial(of.alone, shared + (wakes ? of.opening : 0)), wakes}, true};
  }
  if (is_known) return {{false, shared, cost_of_trial(shared, when_alone(of))}, when_alone(of) <= doubtful * of.even};
  return {{of.together != 0 && of.together <= doubtful * of.even}};
}

/// How long a loop must take alone, at least, until sharing it gains something with the workers as they are now.
[[nodiscard]] constexpr std::uint64_t least_shared(const outlook& ahead) noexcept {
  return std::max(ahead.even, ahead.opening);
}

/// Of how long a loop takes alone: so much is known that a look before its end would gain less than it costs each time.
[[nodiscard]] constexpr bool is_known_small(const outlook& ahead, bool in_doubt) noexcept {
  return ahead.alone != 0 && !in_doubt && ahead.alone <= least_shared(ahead);
}

/// When a caller that runs another loop alone looks at the clock: behind so many iterations. All of them are so many times as many, about.
struct look {
  std::uint64_t done = 0;  ///< 0: it does not
  std::uint64_t times = 0;
};

/// Besides that behind half of them, where little is known, or what is known is in doubt.
[[nodiscard]] constexpr look early_look(std::uint64_t iterations) noexcept {
  constexpr std::uint64_t parts = 16;
  return iterations < parts ? look{1, iterations} : look{iterations / parts, parts};
}

/// Whether the rest of a loop is better shared that has run so long alone, and takes `all` at this rate: it has run so long that
/// sharing it would have gained something, and takes more than twice that, and than twice what is expected.
[[nodiscard]] constexpr bool is_better_shared(std::uint64_t ran, std::uint64_t all, const outlook& ahead) noexcept {
  const auto least = least_shared(ahead);
  return ran >= least && all / 2 > std::max(ahead.alone, least);
}

/// Whether to note what a run alone took that began then: in one of eight, for that takes some nanoseconds of a small loop.
[[nodiscard]] constexpr bool is_time_to_note(std::uint64_t expected, std::uint64_t began) noexcept {
  return expected == 0 || began / 64 % 8 == 0;
}

}  // namespace steelyard::learn
