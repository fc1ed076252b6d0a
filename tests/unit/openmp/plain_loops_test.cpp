// SPDX-License-Identifier: Apache-2.0
// Loops under `automatic` that need no instance. The host is the runtime of pthreads in tests/stress.
#include "openmp/measure/plain_loops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "chosen_for_all.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/team.hpp"

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_next(long* from, long* to);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
}

namespace steelyard::openmp {
namespace {

TEST(PlainCounts, AreAlikeUpToAQuarter) {
  plain_counts counts;
  EXPECT_TRUE(counts.empty());
  EXPECT_FALSE(counts.has(100));
  counts.add(1000);
  counts.add(100);
  for (const std::uint64_t like : {75, 100, 125, 750, 1250}) EXPECT_TRUE(counts.has(like)) << like;
  for (const std::uint64_t other : {0, 74, 126, 749, 1251}) EXPECT_FALSE(counts.has(other)) << other;
  EXPECT_FALSE(counts.empty());
}

bool is_plain(plain_loops& all, std::uint64_t granules) {
  for (int i = 0; i < 200; ++i) {
    plain_counts found;
    all.look_up(found);
    if (found.has(granules)) return true;
  }
  return false;
}

/// How many have to be told to be plain until they are.
std::uint32_t told_until_plain(plain_loops& all, std::uint64_t granules) {
  std::uint32_t told = 0;
  for (; !is_plain(all, granules) && told < 1000; ++told) all.tell(granules, true);
  return told;
}

TEST(PlainLoops, AreThoseThatWereToldSoOften) {
  plain_loops all;
  EXPECT_FALSE(is_plain(all, 100));
  EXPECT_EQ(told_until_plain(all, 100), plain_loops::first_barred);
  EXPECT_TRUE(is_plain(all, 110));
  EXPECT_FALSE(is_plain(all, 200));
}

/// One that is not plain among others of its trip count.
TEST(PlainLoops, AreBarredLongerEachTimeThatOneIsNot) {
  plain_loops all;
  for (const std::uint32_t barred : {16U, 32U, 64U}) {
    told_until_plain(all, 100);
    all.tell(100, false);
    EXPECT_FALSE(is_plain(all, 100));
    for (std::uint32_t i = 0; i + 1 < barred; ++i) all.tell(100, true);
    all.tell(100, false);
    EXPECT_EQ(told_until_plain(all, 100), barred) << "what was not plain any more is told anew";
  }
  for (std::uint32_t i = 0; i < 64; ++i) all.tell(100, true);
  all.tell(100, false);
  EXPECT_EQ(told_until_plain(all, 100), 64U) << "half of it was forgiven, and doubled";
}

TEST(PlainLoops, OfAllThatAreAlikeAreBarred) {
  plain_loops all;
  told_until_plain(all, 100);
  told_until_plain(all, 130);
  all.tell(115, false);
  EXPECT_FALSE(is_plain(all, 100));
  EXPECT_FALSE(is_plain(all, 130));
  EXPECT_FALSE(is_plain(all, 115));
}

TEST(PlainLoops, HaveRoomForSoMany) {
  plain_loops all;
  std::uint64_t n = 1;
  for (std::uint32_t i = 0; i < plain_counts::most; ++i, n *= 2) told_until_plain(all, n);
  EXPECT_TRUE(is_plain(all, n / 2));
  EXPECT_EQ(told_until_plain(all, n), 1000U) << "there is no room";
}

/// So many of the next regions forked there have plain loops of that trip count.
int plain_of(site& at, std::uint64_t granules, int regions) {
  int found = 0;
  for (int i = 0; i < regions; ++i) {
    region team;
    look_up_plain_loops(team, at);
    if (team.plain.has(granules)) ++found;
  }
  return found;
}

TEST(PlainLoops, AreSevenOfEightAtRandom) {
  site at;
  region team;
  team.at = &at;
  for (int i = 0; i < 20; ++i) note_plain_loop(team, 100, true);
  EXPECT_NEAR(plain_of(at, 100, 8000), 7000, 300);
  // Of those that come in turn each is met by one that has none.
  std::array<int, 8> told{};
  for (std::size_t i = 0; i < 8000; ++i) told[i % told.size()] += 1 - plain_of(at, 100, 1);
  for (const int each : told) EXPECT_NEAR(each, 125, 60);
  config.reporting = true;
  EXPECT_EQ(plain_of(at, 100, 80), 0) << "a report counts all";
  config.reporting = false;
}

constexpr long iterations = 512;
constexpr long others = 3000;
constexpr long chunk = 7;
std::array<std::atomic<int>, iterations> ran;
std::array<std::atomic<int>, others> others_ran;
std::atomic<site*> forked_at;
std::atomic<int> regions_without_instance;

template <class Counts>
void loop(Counts& of, long n, long by, bool waits) {
  long from = 0;
  long to = 0;
  for (bool more = GOMP_loop_nonmonotonic_dynamic_start(0, n, 1, by, &from, &to); more;
       more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
    for (; from < to; ++from) ++of[static_cast<std::size_t>(from)];
  }
  waits ? GOMP_loop_end() : GOMP_loop_end_nowait();
}

void one_loop(void*) {
  region& team = *self.top->team;
  forked_at = team.at;
  loop(ran, iterations, 1, true);
  if (self.top->number == 0 && team.loops.behind(nullptr) == nullptr) ++regions_without_instance;
}

/// Some that may be plain, with chunks that stay whole, between others that have instances. No member waits for another.
void several(void*) {
  forked_at = self.top->team->at;
  for (int i = 0; i < 3; ++i) {
    loop(ran, iterations, 1, false);
    loop(others_ran, others, 1, false);
    loop(others_ran, others, chunk, false);
  }
}

[[gnu::noinline]] void run_region(void (*body)(void*), unsigned threads) { GOMP_parallel(body, nullptr, threads, 0); }

/// As if so many loops of so many granules had turned out to be plain that others are, too. What is told of the real ones depends on how long they take.
void say_that_they_are_plain(std::uint64_t granules) {
  region like;
  like.at = forked_at;
  for (std::uint32_t i = 0; plain_of(*forked_at, granules, 40) == 0; ++i) {
    ASSERT_LE(i, 32U);
    for (std::uint32_t told = 0; told < plain_loops::most_barred / 32; ++told) note_plain_loop(like, granules, true);
  }
}

TEST(PlainLoops, RunEachIterationOnceWithoutAnInstance) {
  choose_for_all("automatic");
  int regions = 0;
  for (const unsigned threads : {2U, 3U, 8U}) {
    for (int round = 0; round < 100; ++round, ++regions) {
      run_region(one_loop, threads);
      say_that_they_are_plain(iterations);
    }
  }
  for (auto& each : ran) EXPECT_EQ(each.exchange(0), regions);
  EXPECT_GE(regions_without_instance, regions / 2);
  EXPECT_LT(regions_without_instance, regions);
}

TEST(PlainLoops, RunBetweenOthersThatAreNot) {
  choose_for_all("automatic");
  int regions = 0;
  for (const unsigned threads : {2U, 5U}) {
    for (int round = 0; round < 100; ++round, ++regions) {
      run_region(several, threads);
      say_that_they_are_plain(iterations);
      say_that_they_are_plain((others + chunk - 1) / chunk);
    }
  }
  for (auto& each : ran) EXPECT_EQ(each.exchange(0), 3 * regions);
  for (auto& each : others_ran) EXPECT_EQ(each.exchange(0), 6 * regions);
}

/// By a name given for all loops each member knows its block, too.
TEST(PlainLoops, AreAllWhereTheScheduleIsStatic) {
  choose_for_all("static");
  regions_without_instance = 0;
  for (int round = 0; round < 20; ++round) run_region(one_loop, 3);
  for (int round = 0; round < 20; ++round) run_region(several, 4);
  for (auto& each : ran) EXPECT_EQ(each.exchange(0), 20 + 3 * 20);
  for (auto& each : others_ran) EXPECT_EQ(each.exchange(0), 6 * 20);
  EXPECT_EQ(regions_without_instance, 20);
}

}  // namespace
}  // namespace steelyard::openmp
