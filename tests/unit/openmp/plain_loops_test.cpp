// SPDX-License-Identifier: Apache-2.0
// Loops under `automatic` that need no instance. The host is the runtime of pthreads in tests/stress.
#include "openmp/measure/plain_loops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "chosen_for_all.hpp"
#include "gomp.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {
namespace {

constexpr std::uint64_t brief = 50'000;

bool is_plain(const plain_loops& all, std::uint64_t granules) { return all.like(all.which().all, granules) != 0; }

void tell(plain_loops& all, std::uint64_t granules, bool plain) { all.tell({granules, plain, brief}); }

TEST(PlainLoops, AreAlikeUpToAQuarter) {
  plain_loops all;
  for (int i = 0; i < 20; ++i) {
    tell(all, 1000, true);
    tell(all, 100, true);
  }
  for (const std::uint64_t like : {75, 100, 125, 750, 1250}) EXPECT_TRUE(is_plain(all, like)) << like;
  for (const std::uint64_t other : {0, 74, 126, 749, 1251}) EXPECT_FALSE(is_plain(all, other)) << other;
  EXPECT_EQ(all.like(0, 100), 0U);
}

/// How many have to be told to be plain until they are.
std::uint32_t told_until_plain(plain_loops& all, std::uint64_t granules) {
  std::uint32_t told = 0;
  for (; !is_plain(all, granules) && told < 1000; ++told) tell(all, granules, true);
  return told;
}

TEST(PlainLoops, AreThoseThatWereToldSoOften) {
  plain_loops all;
  EXPECT_FALSE(is_plain(all, 100));
  EXPECT_EQ(told_until_plain(all, 100), plain_loops::first_barred);
  EXPECT_TRUE(is_plain(all, 110));
  EXPECT_FALSE(is_plain(all, 200));
}

TEST(PlainLoops, AreThoseThatAnEarlierProcessHasFound) {
  plain_loops all;
  all.tell({100, true, brief, true});
  EXPECT_TRUE(is_plain(all, 100));
  all.tell({200, false, brief, true});
  EXPECT_FALSE(is_plain(all, 200)) << "it was wrong";
  all.tell({400, true, 200'000, true});
  EXPECT_FALSE(is_plain(all, 400)) << "it is not brief here";
  tell(all, 100, false);
  all.tell({100, true, brief, true});
  EXPECT_FALSE(is_plain(all, 100)) << "it is known better here";
}

/// One that is not plain among others of its trip count.
TEST(PlainLoops, AreBarredLongerEachTimeThatOneIsNot) {
  plain_loops all;
  for (const std::uint32_t barred : {16U, 32U, 64U}) {
    told_until_plain(all, 100);
    tell(all, 100, false);
    EXPECT_FALSE(is_plain(all, 100));
    for (std::uint32_t i = 0; i + 1 < barred; ++i) tell(all, 100, true);
    tell(all, 100, false);
    EXPECT_EQ(told_until_plain(all, 100), barred) << "what was not plain any more is told anew";
  }
  for (std::uint32_t i = 0; i < 64; ++i) tell(all, 100, true);
  tell(all, 100, false);
  EXPECT_EQ(told_until_plain(all, 100), 64U) << "half of it was forgiven, and doubled";
}

TEST(PlainLoops, AreTinyUntilOneIsNot) {
  plain_loops all;
  for (std::uint32_t i = 0; i < plain_loops::tiny_from; ++i) {
    EXPECT_EQ(all.which().tiny, 0);
    all.tell({100, true, 1000});
  }
  EXPECT_EQ(all.which().tiny, 1);
  all.tell({100, true, brief});
  EXPECT_EQ(all.which().tiny, 0) << "the last one was not";
  all.tell({100, true, 1000});
  EXPECT_EQ(all.which().tiny, 1);
  all.tell({100, false, 1000});
  EXPECT_EQ(all.which().tiny, 0) << "it is not plain";
  for (std::uint32_t i = 0; i < 2 * plain_loops::first_barred; ++i) all.tell({100, true, 1000});
  EXPECT_EQ(all.which().all, 1);
  EXPECT_EQ(all.which().tiny, 0) << "others of that trip count were not plain";
}

TEST(PlainLoops, OfAllThatAreAlikeAreBarred) {
  plain_loops all;
  told_until_plain(all, 100);
  told_until_plain(all, 130);
  tell(all, 115, false);
  EXPECT_FALSE(is_plain(all, 100));
  EXPECT_FALSE(is_plain(all, 130));
  EXPECT_FALSE(is_plain(all, 115));
}

TEST(PlainLoops, HaveRoomForSoMany) {
  plain_loops all;
  std::uint64_t n = 1;
  for (std::uint32_t i = 0; i < plain_loops::most; ++i, n *= 2) told_until_plain(all, n);
  EXPECT_TRUE(is_plain(all, n / 2));
  EXPECT_EQ(told_until_plain(all, n), 1000U) << "there is no room";
}

/// A region forked there, and a member of it.
struct forked {
  explicit forked(site& at) {
    team.at = &at;
    member.plain = team.plain = look_up_plain_loops(at, {});
  }
  bool is_plain(std::uint64_t granules) { return is_plain_now(team, member.plain, granules); }
  region team;
  implicit_task member;
};

/// Of so many loops of that trip count, each of them in a region of its own.
int plain_of(site& at, std::uint64_t granules, int regions) {
  int found = 0;
  for (int i = 0; i < regions; ++i) found += forked(at).is_plain(granules) ? 1 : 0;
  return found;
}

void told_plain(site& at, std::uint64_t granules, std::uint64_t took) {
  region team;
  team.at = &at;
  for (int i = 0; i < 20; ++i) note_plain_loop(team, {granules, true, took});
}

TEST(PlainLoops, AreSevenOfEightAtRandom) {
  site at;
  told_plain(at, 100, brief);
  EXPECT_NEAR(plain_of(at, 100, 8000), 7000, 300);
  // Of those that come in turn each is told now and then.
  std::array<int, 8> told{};
  for (std::size_t i = 0; i < 8000; ++i) told[i % told.size()] += 1 - plain_of(at, 100, 1);
  for (const int each : told) EXPECT_NEAR(each, 125, 60);
  told_plain(at, 100, 1000);
  EXPECT_NEAR(plain_of(at, 100, 8000), 7875, 100) << "tiny ones are told seldom";
  config.reporting = true;
  EXPECT_EQ(plain_of(at, 100, 80), 0) << "a report counts all";
  config.reporting = false;
}

TEST(PlainLoops, OfOneRegionAreDrawnOneByOneAndAlikeByAllMembers) {
  site at;
  told_plain(at, 100, brief);
  forked one(at);
  forked other(at);
  other.member.plain = one.member.plain;
  int plain = 0;
  for (int i = 0; i < 8000; ++i) {
    const bool is = one.is_plain(100);
    ASSERT_EQ(other.is_plain(100), is);
    ASSERT_FALSE(one.is_plain(3000)) << "and what is not like them draws nothing";
    plain += is ? 1 : 0;
  }
  EXPECT_NEAR(plain, 7000, 300);
}

TEST(PlainLoops, AreLookedUpAgainInTheirRegion) {
  site at;
  forked before(at);
  EXPECT_FALSE(before.is_plain(100));
  told_plain(at, 100, brief);
  EXPECT_FALSE(before.is_plain(100)) << "its members do not know yet";
  before.member.plain = look_up_plain_loops(at, before.member.plain);
  int plain = 0;
  for (int i = 0; i < 80; ++i) plain += before.is_plain(100) ? 1 : 0;
  EXPECT_GT(plain, 40);
  site unknown;
  const auto none = look_up_plain_loops(unknown, {.which = {.all = 5}});
  EXPECT_EQ(none.which.all, 5) << "what is known stays where nothing is told";
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
    for (std::uint32_t told = 0; told < plain_loops::most_barred / 32; ++told)
      note_plain_loop(like, {granules, true, brief});
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

std::atomic<int> instances_of_one_region;
std::atomic<int> said;

/// What is told before loop i is known to whoever opens it: the other members wait for it.
void say_before(int i, bool is_first) {
  if (is_first) {
    say_that_they_are_plain(iterations);
    said = i;
  }
  while (said < i) std::this_thread::yield();
}

void many_loops(void*) {
  auto& in = *self.top;
  forked_at = in.team->at;
  const instance* before = nullptr;
  for (int i = 0; i < 4000; ++i) {
    if (i % 100 == 50) say_before(i, in.number == 0);
    loop(ran, iterations, 1, true);
    if (in.number == 0 && in.at != before) ++instances_of_one_region;
    before = in.at;
  }
}

/// It is not until the region has begun that they are found to be plain.
TEST(PlainLoops, OfOneLongRegionRunWithoutAnInstance) {
  choose_for_all("automatic");
  instances_of_one_region = said = 0;
  run_region(many_loops, 2);
  for (auto& each : ran) EXPECT_EQ(each.exchange(0), 4000);
  EXPECT_GT(instances_of_one_region, 0);
  EXPECT_LT(instances_of_one_region, 4000);
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
