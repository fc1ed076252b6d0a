// SPDX-License-Identifier: Apache-2.0
#include "learn/chooser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace steelyard::learn {
namespace {

constexpr std::uint64_t n = 1'000'000;

/// A loop that runs again and again; what it takes each way the test says.
class loop {
 public:
  explicit loop(std::vector<std::uint64_t> takes) : takes_(std::move(takes)), least_(takes_.size(), 0) {}

  /// Runs an instance; the way. `late` ticks are added to it.
  std::uint32_t run(std::uint64_t late = 0) {
    const auto way = chosen.next(iterations, least_);
    const double spread = std::max(0.1, 1 + noise * gauss_(dice_));
    const auto ticks = static_cast<std::uint64_t>(static_cast<double>(takes_.at(way)) * spread) + late;
    all += ticks;
    chosen.took({way, iterations, ticks, phase, way == chooser::shares && cut_anew});
    return way;
  }
  /// The last way of so many instances.
  std::uint32_t run_times(int times) {
    std::uint32_t last = 0;
    for (int i = 0; i < times; ++i) last = run();
    return last;
  }
  void takes(std::vector<std::uint64_t> ticks) { takes_ = std::move(ticks); }
  void least(std::vector<std::uint64_t> ticks) { least_ = std::move(ticks); }

  chooser chosen;
  std::uint64_t iterations = n;
  std::uint64_t phase = 0;
  bool cut_anew = false;
  double noise = 0;
  std::uint64_t all = 0;

 private:
  std::vector<std::uint64_t> takes_;
  std::vector<std::uint64_t> least_;
  std::mt19937 dice_{5};
  std::normal_distribution<double> gauss_;
};

TEST(chooser, begins_with_learnt_shares) {
  loop of({100'000, 90'000});
  EXPECT_EQ(of.run(), chooser::shares);
  EXPECT_FALSE(of.chosen.is_settled(n));
}

TEST(chooser, the_fastest_stays) {
  for (std::uint32_t fastest = 0; fastest < 5; ++fastest) {
    std::vector<std::uint64_t> takes(5, 120'000);
    takes[fastest] = 100'000;
    loop of(takes);
    of.run_times(chooser::most_trials);
    for (int i = 0; i < 30; ++i) EXPECT_EQ(of.run(), fastest) << i;
    EXPECT_TRUE(of.chosen.is_settled(n));
  }
}

TEST(chooser, what_cannot_win_is_not_tried) {
  loop of({100'000, 400'000, 50'000});
  of.least({0, 390'000, chooser::never});
  EXPECT_EQ(of.run(), 0U);
  EXPECT_EQ(of.run(), 0U);
  EXPECT_TRUE(of.chosen.is_settled(n));
}

TEST(chooser, learnt_shares_are_judged_by_a_cut_that_was_learnt) {
  loop of({190'000, 150'000});
  of.cut_anew = true;
  EXPECT_EQ(of.run(), 0U) << "equal blocks";
  of.takes({100'000, 150'000});
  of.cut_anew = false;
  EXPECT_EQ(of.run(), 0U);
  EXPECT_EQ(of.run(), 1U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(of.run(), 0U);
}

TEST(chooser, of_more_ways_than_five_instances_it_settles_in_time) {
  loop of({100'000, 99'000, 98'000, 97'000, 96'000, 95'000, 94'000, 93'000});
  of.cut_anew = true;
  of.run_times(chooser::most_trials);
  EXPECT_EQ(of.run(), 3U) << "two instances were of learnt shares";
  EXPECT_TRUE(of.chosen.is_settled(n));
  EXPECT_EQ(of.run_times(2000), 7U) << "the others are tried when they are paid for";
}

TEST(chooser, a_disturbed_trial_does_not_decide_for_ever) {
  loop of({100'000, 80'000, 120'000});
  of.run();
  EXPECT_EQ(of.run(50'000'000), 1U);
  EXPECT_EQ(of.run_times(10), 0U);
  EXPECT_EQ(of.run_times(600), 1U);
}

TEST(chooser, one_disturbed_instance_changes_nothing) {
  loop of({100'000, 80'000, 120'000});
  of.run_times(10);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(of.run(50'000'000), 1U);
    EXPECT_EQ(of.run(), 1U);
  }
}

TEST(chooser, a_way_that_has_become_faster_is_found) {
  loop of({100'000, 80'000, 120'000});
  of.run_times(10);
  of.takes({60'000, 80'000, 120'000});
  EXPECT_EQ(of.run_times(1000), 0U);
}

TEST(chooser, is_left_when_it_becomes_slower_than_another) {
  loop of({100'000, 80'000, 120'000});
  of.run_times(10);
  of.takes({100'000, 96'000, 120'000});
  of.run_times(40);
  of.takes({100'000, 115'000, 130'000});
  EXPECT_EQ(of.run_times(40), 0U);
}

TEST(chooser, trials_take_a_hundredth) {
  for (const std::uint64_t other : {101'000U, 200'000U, 1'600'000U}) {
    loop of({100'000, other, other, other, other});
    of.run_times(chooser::most_trials);
    of.all = 0;
    of.run_times(20'000);
    EXPECT_LT(static_cast<double>(of.all), 20'000 * 100'000 * 1.01) << other;
  }
}

TEST(chooser, a_phase_that_was_seen_before_has_its_choice) {
  loop of({100'000, 80'000, 120'000});
  for (int turn = 0; turn < 4; ++turn) {
    for (const std::uint64_t phase : {1U, 2U}) {
      if (phase == 1) {
        of.takes({100'000, 80'000, 120'000});
      } else {
        of.takes({200'000, 260'000, 220'000});
      }
      // The loop tells its phase only when it has learnt shares.
      int wrong = 0;
      for (int i = 0; i < 12; ++i) {
        const auto way = of.chosen.next(n, std::vector<std::uint64_t>{0, 0, 0});
        if (way == chooser::shares) of.phase = phase;
        wrong += of.run() != (phase == 1 ? 1U : 0U) ? 1 : 0;
      }
      EXPECT_LE(wrong, turn == 0 ? 6 : 3) << turn << ' ' << phase;
    }
  }
}

TEST(chooser, another_phase_is_tried_from_the_beginning) {
  loop of({100'000, 80'000, 120'000});
  EXPECT_EQ(of.run_times(10), 1U);
  of.phase = 7;
  of.takes({100'000, 300'000, 70'000});
  EXPECT_EQ(of.run(), 1U) << "nobody knows yet";
  of.run_times(6);
  EXPECT_EQ(of.run(), 2U);
}

TEST(chooser, costs_that_change_without_a_phase_are_tried_anew) {
  loop of({100'000, 80'000, 120'000});
  of.run_times(40);
  of.takes({400'000, 500'000, 300'000});
  of.run_times(8);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(of.run(), 2U);
}

TEST(chooser, what_took_far_longer_once_is_left_for_a_while_where_another_way_is_about_as_fast) {
  loop of({150'000, 104'000, 100'000});
  EXPECT_EQ(of.run_times(10), 2U);
  of.run(100'000);
  for (int i = 0; i < 15; ++i) EXPECT_EQ(of.run(), 1U) << i;
  EXPECT_EQ(of.run_times(12), 2U) << "it was disturbed";
  of.takes({150'000, 104'000, 190'000});
  EXPECT_EQ(of.run(), 2U) << "nobody knows yet";
  EXPECT_EQ(of.run(), 1U) << "another phase: one instance is lost";
  of.all = 0;
  of.run_times(1000);
  EXPECT_LT(static_cast<double>(of.all), 1000 * 104'000 * 1.01);
}

TEST(chooser, other_trip_counts_choose_for_themselves) {
  loop of({100'000, 80'000});
  EXPECT_EQ(of.run_times(10), 1U);
  of.iterations = 1000;
  of.takes({1000, 2000});
  EXPECT_EQ(of.run_times(10), 0U);
  of.iterations = n;
  of.takes({100'000, 80'000});
  EXPECT_EQ(of.run(), 1U);
}

TEST(chooser, noise_costs_little) {
  for (const double noise : {0.05, 0.1}) {
    loop of({100'000, 90'000, 120'000, 200'000});
    of.noise = noise;
    of.run_times(10'000);
    EXPECT_LT(static_cast<double>(of.all) / 10'000, 90'000 * 1.03) << noise;
  }
}

TEST(chooser, more_phases_than_it_keeps_push_each_other_out) {
  loop of({100'000, 80'000});
  for (std::uint64_t phase = 1; phase <= 2 * std::uint64_t{chooser::most_phases}; ++phase) {
    of.phase = phase;
    EXPECT_EQ(of.run_times(6), 1U) << phase;
  }
}

TEST(chooser, a_way_that_is_none_any_more_is_not_run) {
  loop of({100'000, 80'000});
  EXPECT_EQ(of.run_times(10), 1U);
  of.least({0, chooser::never});
  for (int i = 0; i < 300; ++i) EXPECT_EQ(of.run(), 0U);
}

}  // namespace
}  // namespace steelyard::learn
