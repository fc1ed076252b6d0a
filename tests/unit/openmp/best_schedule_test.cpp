// SPDX-License-Identifier: Apache-2.0
// `automatic` in the drop-in. The host is the runtime of pthreads in tests/stress.
#include "openmp/measure/best_schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "chosen_for_all.hpp"
#include "gomp.hpp"
#include "openmp/host/slab.hpp"
#include "schedules/registry.hpp"

namespace {

namespace openmp = steelyard::openmp;
namespace schedules = steelyard::schedules;

constexpr steelyard::sync::site here{"test"};
constexpr long iterations = 512;
constexpr int rounds = 20;

using counts = std::array<std::atomic<int>, iterations>;

/// Loops of one site; the last iterations cost the most.
[[gnu::noinline]] void loop(counts& ran, bool waits) {
  long from = 0;
  long to = 0;
  for (bool more = GOMP_loop_nonmonotonic_dynamic_start(0, iterations, 1, 1, &from, &to); more;
       more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
    for (; from < to; ++from) {
      for (long i = 0; i < from; ++i) asm volatile("");
      ++ran[static_cast<std::size_t>(from)];
    }
  }
  waits ? GOMP_loop_end() : GOMP_loop_end_nowait();
}

void expect_each(const counts& ran, int times) {
  for (const auto& each : ran) EXPECT_EQ(each, times);
}

/// What the sites of all loops that have run say of themselves.
std::string all_told() {
  std::string all;
  for (openmp::site* each = openmp::first_site(); each != nullptr; each = each->next) {
    openmp::best_told told;
    if (tell_best(*each, told)) all += std::string(told.schedule) + ": " + told.reason + "\n";
  }
  return all;
}

TEST(BestSchedule, EveryIterationOfASitesLoopsRunsOnce) {
  openmp::choose_for_all("automatic");
  for (const unsigned threads : {2U, 3U, 8U}) {
    counts ran{};
    for (int round = 0; round < rounds; ++round) {
      GOMP_parallel([](void* data) { loop(*static_cast<counts*>(data), false); }, &ran, threads, 0);
    }
    expect_each(ran, rounds);
  }
  EXPECT_NE(all_told(), "");
}

/// The next instance is opened before the last one is given back.
TEST(BestSchedule, InstancesOfOneRegionFollowEachOther) {
  openmp::choose_for_all("automatic");
  for (const bool waits : {true, false}) {
    struct {
      counts ran{};
      bool waits;
    } all;
    all.waits = waits;
    GOMP_parallel(
        [](void* data) {
          auto& of = *static_cast<decltype(all)*>(data);
          for (int round = 0; round < rounds; ++round) loop(of.ran, of.waits);
        },
        &all, 3, 0);
    expect_each(all.ran, rounds);
  }
}

TEST(BestSchedule, TeamsSideBySideKeepTheirOwnInstances) {
  openmp::choose_for_all("automatic");
  counts ran{};
  constexpr int teams = 3;
  std::vector<std::thread> threads;
  for (int team = 0; team < teams; ++team) {
    threads.emplace_back([&ran] {
      for (int round = 0; round < rounds; ++round) {
        GOMP_parallel([](void* data) { loop(*static_cast<counts*>(data), false); }, &ran, 2, 0);
      }
    });
  }
  for (auto& each : threads) each.join();
  expect_each(ran, teams * rounds);
}

openmp::plan planned(openmp::site& at, std::uint64_t n = iterations, std::uint32_t members = 2) {
  openmp::lent_chooser chooser(at);
  openmp::plan next{schedules::find("automatic"), 0, members};
  EXPECT_NE(chooser.get(), nullptr);
  if (chooser.get() != nullptr) chooser.choose(at, next, {}, n, 4);
  return next;
}

/// An instance of that plan by so many members, of which one has run everything. So many have not cancelled it.
void ended(openmp::site& at, const openmp::plan& by, std::uint64_t ticks, std::uint32_t through = 2,
           std::uint32_t members = 2) {
  const schedules::shape loop{iterations, members, 0, 1};
  const auto bytes = sizeof(openmp::instance) + by.schedule->bytes(loop);
  std::vector<openmp::last_call> last_calls(members);
  void* const memory = openmp::slab_take(bytes);
  ASSERT_NE(memory, nullptr);
  auto& was = *::new (memory) openmp::instance;
  was.at = &at;
  was.schedule = by.schedule;
  was.members = members;
  was.takers = by.members;
  was.told = by.told;
  was.began_ticks = 1000;
  was.last_calls = last_calls.data();
  for (std::uint32_t m = 0; m < through; ++m)
    last_calls[m].at.store(was.began_ticks + ticks, steelyard::sync::relaxed, here);
  by.schedule->open(was.state(), loop);
  while (!by.schedule->next(was.state(), 0).done()) {
  }
  openmp::region team;
  team.at = &at;
  learn_best(team, was);
  openmp::slab_give(memory, bytes);
}

TEST(BestSchedule, OneInstanceAtATimeIsTold) {
  openmp::site at;
  const auto first = planned(at);
  ASSERT_NE(first.told, nullptr);
  EXPECT_TRUE(openmp::observes(*first.schedule));
  const auto second = planned(at);
  EXPECT_EQ(second.told, nullptr);
  EXPECT_STREQ(second.schedule->about.name, "steal");
  EXPECT_FALSE(openmp::observes(*second.schedule));
  openmp::lent_chooser::withdraw(first);
  const auto again = planned(at);
  EXPECT_EQ(again.told, first.told);
  EXPECT_TRUE(openmp::observes(*again.schedule)) << "it was not seen";
}

/// Of brief loops whose way is known, seven of eight. Of plain ones the region says which.
TEST(BestSchedule, BriefLoopsAreSeldomTold) {
  for (const bool plain : {false, true}) {
    openmp::site at;
    const auto told_of = [&](int instances) {
      int told = 0;
      for (int i = 0; i < instances; ++i) {
        const auto by = planned(at);
        if (by.told == nullptr) continue;
        ++told;
        const bool equal = std::string_view(by.schedule->about.name) == "static";
        ended(at, by, equal != plain ? 30'000 : 10'000);
      }
      return told;
    };
    told_of(600);
    const int told = told_of(800);
    if (plain) {
      EXPECT_EQ(told, 800);
    } else {
      EXPECT_GT(told, 50);
      EXPECT_LT(told, 150);
    }
    for (int i = 0; i < 100; ++i) {
      if (const auto by = planned(at); by.told != nullptr) ended(at, by, 1'000'000);
    }
    EXPECT_NE(planned(at).told, nullptr) << "it is brief no more";
  }
}

/// A place has as many of them as it can keep apart. The one that is forgotten then is of another team, and was settled.
TEST(BestSchedule, NoPlanIsOfAnotherTeam) {
  openmp::site at;
  const auto run = [&at](std::uint32_t members, int instances) {
    for (int i = 0; i < instances; ++i) {
      const auto by = planned(at, iterations, members);
      ASSERT_LE(by.members, members);
      if (by.told != nullptr)
        ended(at, by, std::string_view(by.schedule->about.name) == "static" ? 30'000 : 10'000, members, members);
    }
  };
  for (std::uint32_t members = 20; members > 4; --members) run(members, 600);
  for (std::uint32_t members = 4; members > 1; --members) run(members, 20);
}

/// Loops that are nested, or of which one begins before the other has ended, take turns at a site.
TEST(BestSchedule, InstancesOfAnotherTripCountAreToldAtTheSameTime) {
  openmp::site at;
  const auto small = planned(at);
  const auto large = planned(at, 100 * iterations);
  ASSERT_NE(large.told, nullptr);
  EXPECT_NE(large.told, small.told);
  ended(at, small, 50);
  EXPECT_EQ(planned(at).told, small.told);
  EXPECT_EQ(planned(at, 100 * iterations).told, nullptr) << "it runs";
  ended(at, large, 5000);
  EXPECT_EQ(planned(at, 100 * iterations).told, large.told);
}

TEST(BestSchedule, AnInstanceThatNobodyHasLeftTellsNothing) {
  openmp::site at;
  const auto by = planned(at);
  ended(at, by, 0);
  const auto next = planned(at);
  EXPECT_EQ(next.told, by.told);
  EXPECT_STREQ(next.schedule->about.name, "steal");
}

/// Its time says nothing of the loop. What observing it has cost is paid before another one is.
TEST(BestSchedule, ACancelledInstanceTellsNothing) {
  openmp::site at;
  ended(at, planned(at), 50'000, 1);
  const auto again = planned(at);
  EXPECT_FALSE(openmp::observes(*again.schedule));
  ended(at, again, 5'000'000);
  const auto paid = planned(at);
  EXPECT_TRUE(openmp::observes(*paid.schedule)) << "nothing was seen of the first";
  ended(at, paid, 50'000);
  EXPECT_FALSE(openmp::observes(*planned(at).schedule));
}

TEST(BestSchedule, WhoComesWhileAnotherPlansIsSentAway) {
  openmp::site at;
  const openmp::lent_chooser chooser(at);
  EXPECT_NE(chooser.get(), nullptr);
  const openmp::lent_chooser other(at);
  EXPECT_TRUE(other.is_taken());
  EXPECT_EQ(other.get(), nullptr);
  openmp::best_told told;
  EXPECT_FALSE(tell_best(at, told));
}

/// What another thread sees is dropped, and the same is planned again.
TEST(BestSchedule, WhatEndsMeanwhileIsForgotten) {
  openmp::site at;
  const auto by = planned(at);
  {
    const openmp::lent_chooser elsewhere(at);
    ended(at, by, 50);
  }
  const auto next = planned(at);
  EXPECT_EQ(next.told, by.told);
  EXPECT_TRUE(openmp::observes(*next.schedule));
}

}  // namespace
