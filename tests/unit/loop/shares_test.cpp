// SPDX-License-Identifier: Apache-2.0
// Loops under nustatic, by the public interface. What is learnt: shares_in_use_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <limits>
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

TEST(Shares, EveryIterationRunsOnceWhateverIsGiven) {
  const pool three(3);
  for (const char* schedule : {"nustatic", "nustatic:10,20,70", "nustatic:0,0,100", "nustatic:50,50", "nustatic,8"}) {
    for (const int n : {1, 2, 3, 10, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
      for (int round = 0; round < 12; ++round) {
        parallel_for(0, n, [&](int i) { ++times[static_cast<std::size_t>(i)]; },
                     {.schedule = schedule, .on = &three, .always_parallel = true});
      }
      EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& each) { return each == 12; }))
          << schedule << n;
    }
  }
}

TEST(Shares, BlocksEndWhereTheGivenSharesSay) {
  const pool four(4);
  for (int round = 0; round < 5; ++round) {
    for (const loop_options& options :
         {loop_options{.shares = {15, 20, 25, 40}, .on = &four, .always_parallel = true},
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
  for (const auto& shares : {std::initializer_list<double>{10, 90}, std::initializer_list<double>{5, 5, 5, 5, 80}}) {
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
