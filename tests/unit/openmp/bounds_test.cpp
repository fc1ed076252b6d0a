// SPDX-License-Identifier: Apache-2.0
// gomp::signed_bounds and unsigned_bounds against loops that are simply run, and against 128-bit arithmetic.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "openmp/gomp/loop.hpp"

namespace {

using namespace steelyard::openmp;
using wide = __int128;

constexpr long lowest = std::numeric_limits<long>::min();
constexpr long highest = std::numeric_limits<long>::max();
constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();

/// Trips of `for (i = start; i < end; i += step)`, or `>` going down, where nothing overflows.
std::uint64_t trips(wide start, wide end, wide step) {
  if (step > 0 ? start >= end : start <= end) return 0;
  const wide distance = step > 0 ? end - start : start - end;
  const wide length = step > 0 ? step : -step;
  return static_cast<std::uint64_t>((distance + length - 1) / length);
}

TEST(SignedBounds, CountSmallLoopsAsTheyRun) {
  for (long start = -9; start <= 9; ++start) {
    for (long end = -9; end <= 9; ++end) {
      for (long step = -5; step <= 5; ++step) {
        if (step == 0) continue;
        std::uint64_t ran = 0;
        for (long i = start; step > 0 ? i < end : i > end; i += step) ++ran;
        const bounds loop = gomp::signed_bounds(start, end, step);
        ASSERT_EQ(loop.iterations, ran) << start << ' ' << end << ' ' << step;
        ASSERT_EQ(static_cast<long>(loop.start), start);
        ASSERT_EQ(static_cast<long>(loop.increment), step);
        ASSERT_EQ(static_cast<long>(loop.end), end);
        ASSERT_FALSE(loop.last_alone);
      }
    }
  }
}

TEST(SignedBounds, CountLoopsOfExtremeValues) {
  const long values[] = {lowest, lowest + 1, lowest / 2, -3, -1, 0, 1, 2, 7, highest / 2, highest - 1, highest};
  for (const long start : values) {
    for (const long end : values) {
      for (const long step : values) {
        if (step == 0) continue;
        ASSERT_EQ(gomp::signed_bounds(start, end, step).iterations, trips(start, end, step))
            << start << ' ' << end << ' ' << step;
      }
    }
  }
}

TEST(UnsignedBounds, CountLoopsOfExtremeValues) {
  const std::uint64_t values[] = {0,           1,           2,           6,       top / 2 - 1, top / 2,
                                  top / 2 + 1, top / 2 + 2, top / 3 * 2, top - 5, top - 1,     top};
  for (const bool up : {true, false}) {
    for (const std::uint64_t start : values) {
      for (const std::uint64_t end : values) {
        for (const std::uint64_t step : values) {
          if (step == 0) continue;
          const bounds loop = gomp::unsigned_bounds(up, start, end, up ? step : 0 - step);
          const wide length = static_cast<wide>(step);
          ASSERT_EQ(loop.iterations, trips(static_cast<wide>(start), static_cast<wide>(end), up ? length : -length))
              << up << ' ' << start << ' ' << end << ' ' << step;
        }
      }
    }
  }
}

/// The loop as GCC compiles it around a chunk that it was handed; gives up where it would run for ever.
struct compiled_loop {
  bool up;
  std::uint64_t increment;
  std::vector<std::uint64_t> seen;
  bool runaway = false;

  void run(std::uint64_t from, std::uint64_t to) {
    std::uint64_t i = from;
    do {
      seen.push_back(i);
      i += increment;
      runaway = runaway || seen.size() > 1000;
    } while (!runaway && (up ? i < to : i > to));
  }
};

using steelyard::schedules::step;

/// Hands out what `script` holds, then nothing.
struct scripted {
  std::vector<step> script;
  std::size_t at = 0;
};
step next_scripted(void* state, steelyard::schedules::member) {
  auto& of = *static_cast<scripted*>(state);
  return of.at < of.script.size() ? of.script[of.at++] : step{};
}
const steelyard::schedules::operations scripted_schedule{
    {"scripted", "for tests", nullptr, true, false}, nullptr, nullptr, next_scripted, nullptr, nullptr};

/// Runs a whole loop, in chunks of `chunk` iterations, through the ABI's bounds.
compiled_loop run(bool up, std::uint64_t start, std::uint64_t end, std::uint64_t increment, std::uint64_t chunk) {
  implicit_task member;
  self.top = &member;
  instance shared;
  running loop{};
  loop.loop = gomp::unsigned_bounds(up, start, end, increment);
  loop.granule = loop.loop.last_alone ? 1 : 0;
  scripted deal;
  for (std::uint64_t at = 0; at < loop.loop.iterations; at += chunk) {
    deal.script.push_back({at, std::min(chunk, loop.loop.iterations - at), 1});
  }
  loop.schedule = &scripted_schedule;
  loop.state = &deal;
  loop.shared = &shared;
  compiled_loop program{up, increment, {}};
  unsigned long long from = 0;
  unsigned long long to = 0;
  while (gomp::next_chunk(loop, &from, &to) && !program.runaway) program.run(from, to);
  self.top = nullptr;
  return program;
}

std::vector<std::uint64_t> expected(std::uint64_t start, std::uint64_t count, std::uint64_t increment) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(start + i * increment);
  return values;
}

/// Loops whose last index lies so near the end of the type that the step past it wraps around.
TEST(UnsignedBounds, LoopsRunAsWrittenWhereTheLastStepWraps) {
  const std::uint64_t steps[] = {1, 2, 3, 7, 1000, top / 3, top / 2, top / 2 + 1, top - 1};
  for (const std::uint64_t step : steps) {
    for (std::uint64_t off = 0; off < 12; ++off) {
      for (std::uint64_t distance = 0; distance < 12; ++distance) {
        for (const std::uint64_t chunk : {1, 2, 5, 100}) {
          const std::uint64_t last = top - off;
          const std::uint64_t reach = step > 1000 ? step - 1 + distance : distance;
          const std::uint64_t upward = last - reach;
          const auto up = run(true, upward, last, step, chunk);
          ASSERT_FALSE(up.runaway) << upward << " up to " << last << " by " << step << " chunk " << chunk;
          const auto wide_step = static_cast<wide>(step);
          ASSERT_EQ(up.seen, expected(upward, trips(upward, last, wide_step), step));
          const auto down = run(false, reach + off, off, 0 - step, chunk);
          ASSERT_FALSE(down.runaway) << reach + off << " down to " << off << " by " << step << " chunk " << chunk;
          ASSERT_EQ(down.seen, expected(reach + off, trips(reach + off, off, -wide_step), 0 - step));
        }
      }
    }
  }
}

TEST(UnsignedBounds, TheLastIterationStandsAloneOnlyWhereTheStepWraps) {
  EXPECT_FALSE(gomp::unsigned_bounds(true, 0, 100, 7).last_alone);
  EXPECT_EQ(gomp::unsigned_bounds(true, 0, 100, 7).end, 100U);
  EXPECT_FALSE(gomp::unsigned_bounds(false, 100, 0, 0 - std::uint64_t{5}).last_alone);
  const bounds wrapping = gomp::unsigned_bounds(true, top - 4, top, 3);
  EXPECT_TRUE(wrapping.last_alone);
  EXPECT_EQ(wrapping.iterations, 2U);
  EXPECT_EQ(wrapping.end, 1U);
  EXPECT_FALSE(gomp::unsigned_bounds(true, top - 4, top, 2).last_alone);
}

}  // namespace
