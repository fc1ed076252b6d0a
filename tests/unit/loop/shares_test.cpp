// SPDX-License-Identifier: Apache-2.0
// Loops under nustatic and jit, by the public interface. What is learnt: shares_in_use_test.cpp, learn/chooser_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <steelyard/loop.hpp>

namespace {

using steelyard::loop_options, steelyard::parallel_for, steelyard::pool;

/// How many neighbours have been run by one thread, from the first on, again and again.
std::vector<int> runs_of(const loop_options& options, int n) {
  std::vector<std::thread::id> who(static_cast<std::size_t>(n));
  parallel_for(
      0, n, [&](int i) { who[static_cast<std::size_t>(i)] = std::this_thread::get_id(); }, options);
  std::vector<int> runs;
  for (std::size_t i = 0; i < who.size(); ++i) {
    if (i == 0 || who[i] != who[i - 1]) runs.push_back(0);
    ++runs.back();
  }
  return runs;
}

/// Texts of this length are not kept.
TEST(Shares, SchedulesToChooseAmongOutliveTheTextThatNamesThem) {
  const pool three(3);
  for (int round = 0; round < 40; ++round) {
    const std::string text = "expert:steal+guided+factoring+trapezoid+wsri:paper+dynamic+nustatic";
    std::atomic<int> sum{0};
    parallel_for(0, 100, [&](int i) { sum += i; }, {.schedule = text.c_str(), .on = &three, .always_parallel = true});
    EXPECT_EQ(sum, 4950);
  }
}

TEST(Shares, EveryIterationRunsOnceWhateverIsGiven) {
  const pool three(3);
  for (const char* schedule :
       {"nustatic", "nustatic:10,20,70", "nustatic:0,0,100", "nustatic:50,50", "nustatic,8", "nustatic:paper",
        "nustatic:paper,8", "jit", "jit,8", "automatic", "automatic,8", "expert:guided+nustatic"}) {
    for (const int n : {1, 2, 3, 10, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
      for (int round = 0; round < 24; ++round) {
        parallel_for(0, n, [&](int i) { ++times[static_cast<std::size_t>(i)]; },
                     {.schedule = schedule, .on = &three, .always_parallel = round % 2 == 0});
      }
      EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& each) { return each == 24; }))
          << schedule << n;
    }
  }
}

TEST(Shares, AsPublishedTwoInstancesRunOnTheCaller) {
  const pool three(3);
  const auto who = [&] {
    std::vector<std::thread::id> all(1000);
    parallel_for(0, 1000,
                 [&](int i) {
                   all[static_cast<std::size_t>(i)] = std::this_thread::get_id();
                   if (i == 999) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // not worth running alone
                 },
                 {.schedule = "nustatic:paper", .on = &three});
    return all;
  };
  const std::vector<std::thread::id> caller(1000, std::this_thread::get_id());
  EXPECT_EQ(who(), caller);
  EXPECT_EQ(who(), caller);
}

TEST(Shares, ALoopThatChoosesMayBeStoppedInEachOfItsInstances) {
  const pool two(2);
  for (const char* schedule : {"jit", "nustatic:paper", "automatic"}) {
    for (int round = 0; round < 30; ++round) {
      std::stop_source stop;
      std::atomic<int> ran = 0;
      const bool is_stopped = round % 3 == 2;
      parallel_for(0, 10'000,
                   [&](int) {
                     if (++ran == 100 && is_stopped) stop.request_stop();
                   },
                   {.schedule = schedule, .on = &two, .stop = stop.get_token()});
      EXPECT_GE(ran, 100);
      if (!is_stopped) {
        EXPECT_EQ(ran, 10'000) << schedule << ' ' << round;
      }
    }
  }
}

TEST(Shares, LoopsThatChooseMayBeNestedInEachOther) {
  const pool three(3);
  std::atomic<int> ran = 0;
  const loop_options options{.schedule = "jit", .on = &three};
  for (int round = 0; round < 10; ++round) {
    parallel_for(
        0, 20,
        [&](int) {
          parallel_for(
              0, 50, [&](int) { ++ran; }, options);
        },
        options);
  }
  EXPECT_EQ(ran, 10 * 20 * 50);
}

TEST(Shares, BlocksEndWhereTheGivenSharesSay) {
  const pool four(4);
  loop_options assigned{.on = &four, .always_parallel = true};
  assigned.shares = {15, 20, 25, 40};
  for (int round = 0; round < 5; ++round) {
    for (const loop_options& options :
         {assigned, loop_options{.shares = {15, 20, 25, 40}, .on = &four, .always_parallel = true},
          loop_options{.schedule = "nustatic:15,20,25,40", .on = &four, .always_parallel = true}}) {
      int end = 0;
      for (const int run : runs_of(options, 1000)) {
        end += run;
        EXPECT_TRUE(end == 150 || end == 350 || end == 600 || end == 1000) << end;
      }
    }
  }
}

TEST(Shares, GivenForAnotherNumberOfMembersLeaveNothingOut) {
  const pool three(3);
  std::vector<std::atomic<int>> times(1000);
  for (const auto& shares : {std::vector<double>{10, 90}, std::vector<double>{5, 5, 5, 5, 80}}) {
    parallel_for(0, 1000, [&](int i) { ++times[static_cast<std::size_t>(i)]; },
                 {.shares = shares, .on = &three, .always_parallel = true});
  }
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& each) { return each == 2; }));
}

TEST(Shares, OfTheCInterfaceThatAreNoneRunNothing) {
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = 10;
  loop.run = [](void*, steelyard_member*, std::uint64_t, std::uint64_t, std::uint64_t) { ADD_FAILURE(); };
  const auto result_of = [&](const std::vector<double>& shares) {
    loop.shares = shares.data();
    loop.share_count = static_cast<std::uint32_t>(shares.size());
    return steelyard_loop_run(&loop);
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& wrong : {std::vector<double>{50, 40},
                            {-10, 110},
                            {none, 50},
                            {infinite, 0},
                            {100},
                            {101, -1},
                            std::vector<double>(70'000, 100.0 / 70'000)}) {
    EXPECT_EQ(result_of(wrong), STEELYARD_INVALID) << wrong[0];
  }
  const double one = 100;
  loop.shares = &one;
  loop.share_count = 0;
  EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_INVALID);
}

}  // namespace
