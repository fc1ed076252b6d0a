// SPDX-License-Identifier: Apache-2.0
#include "learn/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "made_up_loop.hpp"

namespace steelyard::learn {
namespace {

using loop = made_up_loop;

TEST(shares, a_balanced_loop_keeps_equal_blocks) {
  for (const std::uint32_t members : {2U, 4U, 8U, 64U}) {
    loop of(members);
    for (int i = 0; i < 50; ++i) EXPECT_LT(of.run(even), 1.001);
    EXPECT_FALSE(of.known->deal(100, members, std::vector<std::uint64_t>(members).data()));
    EXPECT_EQ(of.known->phases(), 0U);
  }
}

/// The blocks of the last instance are within a hundredth of equal ones.
bool was_equal(const loop& of) {
  const auto& ends = of.ends();
  const double equal = static_cast<double>(ends.back()) / static_cast<double>(ends.size());
  for (std::size_t m = 0; m < ends.size(); ++m) {
    const auto length = static_cast<double>(ends[m] - (m != 0 ? ends[m - 1] : 0));
    if (std::abs(length - equal) > 0.01 * equal) return false;
  }
  return true;
}

TEST(shares, a_balanced_loop_whose_blocks_have_noise_keeps_equal_blocks) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    for (const double noise : {0.003, 0.01, 0.02}) {
      loop of(members);
      of.noise = noise;
      for (int i = 0; i < 2'000; ++i) {
        of.run(even);
        EXPECT_TRUE(was_equal(of)) << members << ' ' << noise << ' ' << i;
      }
    }
  }
}

TEST(shares, a_balanced_loop_that_is_disturbed_again_and_again_has_equal_blocks_at_the_next_but_one) {
  for (const double late : {0.1, 0.3, 0.5, 1.0}) {
    loop of(2);
    of.noise = 0.003;
    of.run_times(5, even);
    for (int i = 0; i < 200; ++i) {
      of.run(even, i % 7 == 0 ? late : 0);
      EXPECT_TRUE(i % 7 == 1 || was_equal(of)) << late << ' ' << i;
    }
  }
}

TEST(shares, a_triangle_is_balanced_from_the_second_instance_on) {
  for (const spread& triangle : {falling, rising}) {
    for (const std::uint32_t members : {2U, 4U, 8U}) {
      loop of(members);
      EXPECT_GT(of.run(triangle), 1.4);
      for (int i = 1; i < 20; ++i) EXPECT_LT(of.run(triangle), 1.02) << members << ' ' << i;
      EXPECT_TRUE(of.known->is_settled());
    }
  }
}

TEST(shares, any_loop_is_settled_after_a_few_instances) {
  for (const spread& costs : {dear_end, dear_begin}) {
    for (const std::uint32_t members : {2U, 4U, 8U}) {
      loop of(members);
      of.run_times(shares::most_tries + 2, costs);
      EXPECT_TRUE(of.known->is_settled());
      const auto ends = of.ends();
      EXPECT_LT(of.run_times(10, costs), 1.02) << members;
      EXPECT_EQ(of.ends(), ends) << "a settled cut moves";
    }
  }
}

/// One iteration is half of the loop: whoever has it is the last, and no cut is better than the best that was tried.
TEST(shares, of_a_loop_that_cannot_be_balanced_the_best_cut_stays) {
  const spread hub = [](double x) { return x / 2 + (x < 0.37 ? 0 : 0.5); };
  loop of(2);
  double best = 2;
  for (unsigned i = 0; i <= shares::most_tries + 1; ++i) best = std::min(best, of.run(hub));
  for (int i = 0; i < 20; ++i) EXPECT_LE(of.run(hub), best + 0.001);
}

TEST(shares, noise_is_no_phase) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    loop of(members);
    of.noise = 0.02;
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += of.run(even);
    loop without(members);
    EXPECT_EQ(without.known->phases(), 0U);
    EXPECT_LE(of.known->phases(), 1U) << members;
    EXPECT_LT(sum / 200, 1.04) << members;
  }
}

/// Gauss-Jordan elimination: from even to falling, a little in each instance.
TEST(shares, costs_that_drift_slowly_are_followed) {
  constexpr int instances = 1000;
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    for (const double noise : {0.0, 0.005, 0.02}) {
      loop of(members);
      of.noise = noise;
      double sum = 0;
      for (int i = 0; i < instances; ++i) {
        const double slope = 1 - std::pow(1 - static_cast<double>(i) / instances, 4);
        sum += of.run([slope](double x) { return (x - slope * x * x / 2) / (1 - slope / 2); });
      }
      EXPECT_LT(sum / instances, 1.02 + 2 * noise) << members << ' ' << noise;
    }
  }
}

TEST(shares, one_disturbed_instance_costs_at_most_the_next) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    for (const spread& costs : {even, falling}) {
      loop of(members);
      of.run_times(12, costs);
      of.run(costs, 2.0);  // member 0 is stopped for twice what the loop takes
      of.run(costs);
      for (int i = 0; i < 10; ++i) EXPECT_LT(of.run(costs), 1.02) << members << ' ' << i;
    }
  }
}

TEST(shares, one_disturbed_instance_costs_at_most_the_next_also_where_other_phases_are_known) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    for (const double late : {0.3, 1.0, 20.0}) {
      loop of(members);
      for (const spread& costs : {dear_end, rising, falling}) of.run_times(12, costs);
      of.run(falling, late);
      of.run(falling);
      for (int i = 0; i < 10; ++i) EXPECT_LT(of.run(falling), 1.02) << members << ' ' << late << ' ' << i;
    }
  }
}

TEST(shares, a_disturbed_beginning_is_overcome) {
  for (const int when : {0, 1}) {
    loop of(4);
    for (int i = 0; i < 4; ++i) of.run(falling, i == when ? 2.0 : 0);
    for (int i = 0; i < 10; ++i) EXPECT_LT(of.run(falling), 1.02) << when;
  }
}

TEST(shares, a_phase_that_was_seen_before_costs_one_instance) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    loop of(members);
    for (int phase = 0; phase < 6; ++phase) {
      const spread& costs = phase % 2 == 0 ? falling : rising;
      for (int i = 0; i < 10; ++i) {
        const double longest = of.run(costs);
        if (i > 0) {
          EXPECT_LT(longest, 1.02) << members << ' ' << phase << ' ' << i;
        }
      }
    }
    EXPECT_EQ(of.known->phases(), 2U);
  }
}

TEST(shares, a_phase_is_told_from_all_others) {
  loop of(2);
  of.run_times(3, even);
  EXPECT_EQ(of.known->phase_number(), 0U);
  of.run_times(10, falling);
  const auto first = of.known->phase_number();
  EXPECT_NE(first, 0U);
  of.run_times(10, rising);
  EXPECT_NE(of.known->phase_number(), 0U);
  EXPECT_NE(of.known->phase_number(), first);
  of.run_times(10, falling);
  EXPECT_EQ(of.known->phase_number(), first);
}

TEST(shares, say_what_an_equal_block_would_take) {
  loop of(2);
  EXPECT_NEAR(static_cast<double>(of.known->first_block(1'000'000, 2)), 500'000, 1);
  of.run_times(5, falling);
  EXPECT_NEAR(static_cast<double>(of.known->first_block(1'000'000, 2)), 750'000, 5000);
  EXPECT_NEAR(static_cast<double>(of.known->first_block(1'000'000, 4)), 437'500, 5000);
}

TEST(shares, more_phases_than_can_be_kept_are_learnt_anew) {
  const std::vector<spread> all{falling, rising, dear_end, dear_begin, even};
  loop of(4);
  for (int turn = 0; turn < 3; ++turn) {
    for (const spread& costs : all) EXPECT_LT(of.run_times(12, costs), 1.05) << turn;
  }
}

TEST(shares, a_pattern_that_never_repeats_is_given_up) {
  const std::vector<spread> all{falling, rising, dear_end, dear_begin};
  std::mt19937 dice(3);
  loop of(4);
  bool given_up = false;
  for (int i = 0; i < 100 && !given_up; ++i) {
    of.run(all[dice() % 4]);
    given_up = of.known->has_given_up();
  }
  EXPECT_TRUE(given_up);
  EXPECT_FALSE(of.known->deal(100, 4, std::vector<std::uint64_t>(4).data())) << "equal blocks for a while";
  of.run_times(40, even);
  EXPECT_FALSE(of.known->has_given_up());
  EXPECT_LT(of.run_times(4, falling), 1.02) << "then it is tried again";
}

/// Almost the triangle that falls: no instance differs from that by more than noise may.
spread bent(double by) {
  return [by](double x) { return falling(x) * (1 - by) + x * by; };
}

TEST(shares, a_cut_that_has_become_a_little_worse_is_mended_once_several_instances_say_so) {
  for (const double noise : {0.0, 0.01}) {
    loop of(2);
    of.run_times(12, falling);
    EXPECT_GT(of.run(bent(0.05)), 1.015);
    of.noise = noise;
    of.run_times(40, bent(0.05));
    of.noise = 0;
    EXPECT_LT(of.run(bent(0.05)), 1.01) << noise;
    EXPECT_EQ(of.known->phases(), 1U);
  }
}

/// At once.
TEST(shares, learnt_again_a_cut_that_has_become_a_little_worse_is_mended) {
  for (const bool again : {false, true}) {
    loop of(2);
    of.run_times(12, falling);
    ASSERT_TRUE(of.known->is_settled());
    const double before = of.run_times(2, bent(0.04));
    EXPECT_GT(before, 1.01) << "too little to be seen by itself";
    if (again) of.known->learn_again();
    of.run_times(3, bent(0.04));
    const double after = of.run(bent(0.04));
    if (again) {
      EXPECT_LT(after, 1.005);
    } else {
      EXPECT_GT(after, 1.01);
    }
  }
}

TEST(shares, learnt_again_a_good_cut_stays) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    loop of(members);
    of.run_times(12, falling);
    of.run(falling);
    const auto ends = of.ends();
    of.known->learn_again();
    EXPECT_FALSE(of.known->is_settled());
    EXPECT_LT(of.run_times(10, falling), 1.02);
    EXPECT_TRUE(of.known->is_settled());
    EXPECT_EQ(of.ends(), ends) << members;
  }
}

/// One iteration is half of the loop: what is tried anew is no better.
TEST(shares, learnt_again_the_better_of_the_old_cut_and_the_new_ones_stays) {
  const spread hub = [](double x) { return x / 2 + (x < 0.37 ? 0 : 0.5); };
  loop of(2);
  of.run_times(2 * shares::most_tries, hub);
  const double best = of.run(hub);
  ASSERT_TRUE(of.known->is_settled());
  of.known->learn_again();
  of.run_times(shares::most_tries + 1, hub);
  for (int i = 0; i < 30; ++i) EXPECT_LE(of.run(hub), best + 0.001) << i;
  EXPECT_TRUE(of.known->is_settled());
}

TEST(shares, learnt_again_equal_blocks_stay_where_they_are_best) {
  loop of(4);
  for (int i = 0; i < 30; ++i) {
    if (i % 5 == 0) of.known->learn_again();
    EXPECT_LT(of.run(even), 1.001);
  }
  EXPECT_EQ(of.known->phases(), 0U);
}

TEST(shares, learnt_again_after_giving_up_it_is_tried_at_once) {
  const std::vector<spread> all{falling, rising, dear_end, dear_begin};
  std::mt19937 dice(3);
  loop of(4);
  for (int i = 0; i < 100 && !of.known->has_given_up(); ++i) of.run(all[dice() % 4]);
  ASSERT_TRUE(of.known->has_given_up());
  of.known->learn_again();
  EXPECT_FALSE(of.known->has_given_up());
  EXPECT_LT(of.run_times(4, falling), 1.02);
}

/// What is lost in ten instances of each phase, at two members, against the best cut of it. The first instance of a phase has the
/// cut of another: that alone is up to a tenth. A new phase whose costs are all in the first tenth of the loop takes three more.
TEST(shares, phases_that_change_every_ten_instances_cost_little) {
  const auto lost_in = [](loop& of, const spread& costs) {
    double took = 0;
    for (int i = 0; i < 10; ++i) took += of.run(costs);
    return took / 10 - 1;
  };
  const std::vector<spread> all{even, falling, rising, dear_end, dear_begin};
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      if (a == b || a + b == 7) continue;  // dear_end and dear_begin: there the first instances are a tenth
      loop of(2);
      of.run_times(10, all[a]);
      const double in_new = lost_in(of, all[b]);
      EXPECT_LT(in_new, b == 4 && a != 1 ? 0.27 : 0.15) << a << ' ' << b;
      for (int phase = 0; phase < 6; ++phase)
        EXPECT_LT(lost_in(of, all[phase % 2 == 0 ? a : b]), 0.10) << a << ' ' << b;
      EXPECT_LE(of.known->phases(), 2U) << a << ' ' << b;
    }
  }
}

TEST(shares, hold_for_other_trip_counts_and_members) {
  loop of(2);
  of.run_times(5, falling);
  of.have_iterations(5'000);
  EXPECT_LT(of.run(falling), 1.02);
  of.have_members(4);
  EXPECT_LT(of.run(falling), 1.05);
  EXPECT_EQ(of.ends().back(), 5'000U);
}

TEST(shares, cover_every_iteration_whatever_the_times) {
  std::mt19937_64 dice(11);
  for (int round = 0; round < 300; ++round) {
    const auto members = static_cast<std::uint32_t>(2 + dice() % 7);
    const std::uint64_t n = round % 3 == 0 ? members : round % 3 == 1 ? members + dice() % 100 : ~std::uint64_t{0};
    const auto known = std::make_unique<shares>();
    std::vector<std::uint64_t> ends(members);
    std::vector<std::uint64_t> took(members);
    for (std::uint32_t m = 0; m < members; ++m) ends[m] = n / members * (m + 1);
    ends.back() = n;
    for (int i = 0; i < 12; ++i) {
      for (auto& each : took) each = dice() % 4 == 0 ? 0 : dice() >> (dice() % 64);
      known->learn(n, members, ends.data(), took.data());
      if (!known->deal(n, members, ends.data())) continue;
      ASSERT_TRUE(std::is_sorted(ends.begin(), ends.end()));
      ASSERT_EQ(ends.back(), n);
    }
  }
}

TEST(shares, alike_means_nothing_to_gain) {
  const std::vector<std::uint64_t> alike{100, 101, 99, 102};
  const std::vector<std::uint64_t> unlike{100, 110, 100, 100};
  EXPECT_TRUE(shares::alike(alike.data(), 4));
  EXPECT_FALSE(shares::alike(unlike.data(), 4));
}

}  // namespace
}  // namespace steelyard::learn
