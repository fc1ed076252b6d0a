// SPDX-License-Identifier: Apache-2.0
#include "measure/gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "made_up.hpp"
#include "measure/budget.hpp"
#include "measure/statistics.hpp"
#include "present/advice.hpp"

namespace steelyard::tool {
namespace {

/// Comparisons that never took place: a program with one loop and a rest, both with noise, under schedules one of which
/// gains.
struct simulation {
  std::size_t schedules = 8;
  std::size_t rounds = 5;
  double gain = 0;          ///< of the first schedule, a share of the program's time
  double noise = 0.05;      ///< standard deviation of the logarithm of each part's time
  double loop_share = 0.9;  ///< of the program's time as written
  bool heavy_tailed = false;

  double noisy(random_stream& draw, double time) const {
    // One run of ten is disturbed and takes up to a half more.
    const double disturbed = heavy_tailed && draw.below(10) == 0 ? static_cast<double>(draw.below(500)) / 1000 : 0;
    return time * std::exp(noise * made_up::normal(draw)) * (1 + disturbed);
  }

  [[nodiscard]] made_up::program run(random_stream& draw) const {
    made_up::program made;
    made.loops.resize(1);
    for (std::size_t row = 0; row <= schedules; ++row) {
      if (row > 0) made.schedules.push_back("s" + std::to_string(row));
      made.loops[0].emplace_back();
      made.rest.emplace_back();
      for (std::size_t round = 0; round < rounds; ++round) {
        made.loops[0][row].push_back(noisy(draw, 1000 * (loop_share - (row == 1 ? gain : 0))));
        made.rest[row].push_back(noisy(draw, 1000 * (1 - loop_share)));
      }
    }
    return made;
  }
};

struct outcomes {
  int program = 0, anything = 0, too_much = 0;
};

/// In how many of so many comparisons something is sure; `too_much`: more is promised than there is.
outcomes sure_of(const simulation& what, int experiments, unsigned looks = 0) {
  random_stream draw(11);
  outcomes found;
  for (int i = 0; i < experiments; ++i) {
    const auto made = what.run(draw);
    auto result = made.result();
    result.looks = looks;
    const auto given = advise(analyse(made.rows(), result));
    const bool sure = given.decided.what == verdict::kind::gain;
    found.program += sure ? 1 : 0;
    found.anything += sure || given.any_loop_gains() ? 1 : 0;
    found.too_much += sure && given.decided.gain > what.gain ? 1 : 0;
  }
  return found;
}

TEST(gain, nothing_is_sure_where_nothing_differs) {
  for (const double noise : {0.01, 0.05, 0.3}) {
    for (const bool heavy_tailed : {false, true}) {
      for (const std::size_t rounds : {3U, 5U}) {
        const auto found = sure_of({8, rounds, 0, noise, 0.9, heavy_tailed}, 200);
        EXPECT_LE(found.anything, 10) << noise << ", " << rounds << " rounds";
      }
    }
  }
  EXPECT_LE(sure_of({8, 5, 0, 0.05}, 2000).anything, 100);
  EXPECT_LE(sure_of({1, 5, 0, 0.1}, 1000).anything, 50);  // one schedule, written against itself
}

TEST(gain, a_rest_that_varies_gains_nothing) {
  simulation mostly_rest;
  mostly_rest.loop_share = 0.25;
  mostly_rest.noise = 0.1;
  mostly_rest.schedules = 1;
  EXPECT_LE(sure_of(mostly_rest, 1000).anything, 50);
}

TEST(gain, thirty_percent_are_found) {
  simulation gains;
  gains.gain = 0.3;
  EXPECT_GE(sure_of(gains, 1000).program, 900);
  gains.schedules = 1;
  EXPECT_GE(sure_of(gains, 1000).program, 900);
}

TEST(gain, what_is_promised_is_there) {
  simulation gains;
  gains.gain = 0.3;
  EXPECT_LE(sure_of(gains, 1000).too_much, 50);
  // Barely visible: those that look best are the luckiest.
  gains.gain = 0.06;
  EXPECT_LE(sure_of(gains, 2000).too_much, 100);
}

/// Of equal schedules the one that looks best.
TEST(gain, the_luckiest_of_many_promises_nothing) {
  random_stream draw(5);
  double plain = 0;
  int above = 0;
  constexpr int experiments = 2000;
  for (int i = 0; i < experiments; ++i) {
    std::vector<ratio_series> all(8, ratio_series(6));
    std::size_t best = 0;
    for (auto& one : all) {
      for (auto& ratio : one) ratio = 0.8 * std::exp(0.05 * made_up::normal(draw));
    }
    for (std::size_t k = 1; k < all.size(); ++k) best = median(all[k]) < median(all[best]) ? k : best;
    plain += (1 - median(all[best])) / experiments;
    above += promised_gain(all[best], 8) > 0.2 ? 1 : 0;
  }
  EXPECT_GT(plain, 0.22);  // the winner's curse
  EXPECT_LE(above, experiments / 20);
}

TEST(gain, a_promise_and_its_chance_agree) {
  random_stream draw(9);
  for (int i = 0; i < 300; ++i) {
    ratio_series one(5);
    for (auto& ratio : one) ratio = 0.9 * std::exp(0.05 * made_up::normal(draw));
    EXPECT_EQ(corrected_chance(one, 16) < largest_chance, promised_gain(one, 16) > 0);
  }
}

TEST(gain, more_rounds_promise_more_and_one_promises_nothing) {
  const ratio_series few = {0.8, 0.84, 0.8, 0.84};
  auto many = few;
  for (int i = 0; i < 3; ++i) many.insert(many.end(), few.begin(), few.end());
  EXPECT_LT(promised_gain(few, 8), promised_gain(many, 8));
  EXPECT_LT(promised_gain(many, 8), 0.18);
  EXPECT_LT(promised_gain({0.5}, 8), 0);
}

TEST(gain, rounds_without_a_time_do_not_count) {
  EXPECT_EQ(promised_gain({0.8, 0.81, 0.8, 0.82}, 8), promised_gain({0.8, 0.81, 0, 0.8, 0.82}, 8));
}

TEST(gain, errors_are_shared_out) {
  EXPECT_EQ((correction{8, 0, 0}.of_program()), 8);
  EXPECT_EQ((correction{8, 2, 0}.of_program()), 16);
  EXPECT_EQ((correction{8, 2, 0}.of_loop()), 32);
  EXPECT_EQ((correction{8, 2, 3}.of_program()), 128);
  // All looks, the program and its loops, every schedule: no more than one whole.
  double sum = 0;
  for (unsigned looks = 1; looks < 30; ++looks) {
    const correction one{8, 2, looks};
    sum += 8 / one.of_program() + 2 * 8 / one.of_loop();
  }
  EXPECT_LE(sum, 1);
  EXPECT_EQ((correction{8, 2, 0}.text()),
            "corrected for choosing among 8 schedules, in the program and 2 loops (Bonferroni)");
  EXPECT_EQ((correction{8, 0, 3}.text()),
            "corrected for choosing among 8 schedules (Bonferroni), and for looking 3 times (alpha spending)");
}

/// Looks after 5, 10, 20 and 40 rounds, and ends where one of them is sure.
TEST(gain, looking_often_finds_no_more_noise) {
  random_stream draw(3);
  constexpr int experiments = 1500;
  int sure = 0;
  int careless = 0;
  for (int i = 0; i < experiments; ++i) {
    std::vector<ratio_series> all(4);
    bool found = false;
    bool would = false;
    for (unsigned round = 1; round <= 40; ++round) {
      for (auto& one : all) one.push_back(std::exp(0.05 * made_up::normal(draw)));
      if (!looks_after(round)) continue;
      const correction corrected{4, 0, looks_within(round)};
      for (const auto& one : all) {
        found = found || chance_of_gain(one) * corrected.of_program() < largest_chance;
        would = would || chance_of_gain(one) * 4 < largest_chance;
      }
    }
    sure += found ? 1 : 0;
    careless += would ? 1 : 0;
  }
  EXPECT_LE(sure, experiments / 20);
  EXPECT_GT(careless, experiments / 20);  // without the correction they would be too many
}

}  // namespace
}  // namespace steelyard::tool
