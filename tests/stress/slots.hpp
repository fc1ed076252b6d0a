// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <vector>

/// What the stress programs of both ABIs check with.
namespace steelyard::stress {

inline std::atomic<int> failures{0};

inline void expect(bool right, const char* what, long where, long value) {
  if (right) return;
  std::fprintf(stderr, "FAIL %s at %ld: %ld\n", what, where, value);
  ++failures;
}

/// Slots written by whoever runs the iteration, with plain accesses: two members on one iteration are a race.
using slots = std::vector<long>;

inline void expect_once(const slots& seen, const char* what, long times) {
  for (std::size_t i = 0; i < seen.size(); ++i) expect(seen[i] == times, what, static_cast<long>(i), seen[i]);
}

inline void dawdle(long rounds) {
  for (long i = 0; i < rounds; ++i) asm volatile("");
}

inline constexpr long loops = 60;

/// Slots for `loops` loops, from none to many.
inline std::vector<slots> slots_of_loops() {
  std::vector<slots> all;
  for (long k = 0; k < loops; ++k) all.emplace_back(static_cast<std::size_t>(k * 7 % 61));
  return all;
}

/// A loop of written chunks, each with a slot that its iterations count up in turn: two members in one are a race.
struct chunked {
  static constexpr long chunk = 7;
  static constexpr long iterations = 30 * chunk + 3;
  slots reached = slots(iterations / chunk + 1);

  void ran(long i) {
    const long before = reached[static_cast<std::size_t>(i / chunk)]++;
    expect(before == i % chunk, "written chunk", i, before);
  }
  void expect_all() const {
    long all = 0;
    for (const long each : reached) all += each;
    expect(all == iterations, "written chunks", iterations, all);
  }
};

/// A loop and, in each of its iterations, another one of an inner team.
struct nest {
  slots outer = slots(12);
  std::vector<slots> inner = std::vector<slots>(12, slots(33));
};

inline int result() {
  std::printf("%d failures\n", failures.load());
  return failures == 0 ? 0 : 1;
}

}  // namespace steelyard::stress
