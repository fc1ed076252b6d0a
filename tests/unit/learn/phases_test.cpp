// SPDX-License-Identifier: Apache-2.0
// Phases of ten instances, of many kinds: what is lost against the best cut of each, and what had to be lost (learn.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <tuple>
#include <vector>

#include "learn/shares.hpp"
#include "made_up_loop.hpp"

namespace steelyard::learn {
namespace {

using dice = std::mt19937;
constexpr int instances = 10;
constexpr int rounds = 400;

double between(dice& of, double low, double high) { return std::uniform_real_distribution<double>(low, high)(of); }

/// Such a part of the cost is in a range of that width.
spread range(double at, double width, double part) {
  return [=](double x) {
    const double in = std::clamp(x - at, 0.0, width);
    return part * in / width + (1 - part) * (x - in) / (1 - width);
  };
}
spread line(dice& of) {
  const double slope = between(of, -1, 1);
  return [=](double x) { return x * (1 + slope) - slope * x * x; };
}
spread exponential(dice& of) {
  const double by = between(of, -6, 6);
  return [=](double x) { return (1 - std::exp(-by * x)) / (1 - std::exp(-by)); };
}
spread dear_edge(dice& of) {
  const double width = between(of, 0.05, 0.5);
  return range(of() % 2 == 0 ? 0 : 1 - width, width, between(of, 0.5, 0.95));
}
spread dear_range(dice& of) {
  const double width = between(of, 0.05, 0.5);
  return range(between(of, 0, 1 - width), width, between(of, 0.5, 0.95));
}
spread dear_tenth(dice& of) { return range(between(of, 0, 0.9), 0.1, 0.8); }
spread steps(dice& of) {
  std::array<double, 11> before{};
  for (int i = 0; i < 10; ++i) before[i + 1] = before[i] + std::exp(between(of, 0, 3));
  return [=](double x) {
    const int i = std::min(9, static_cast<int>(x * 10));
    return (before[i] + (before[i + 1] - before[i]) * (x * 10 - i)) / before[10];
  };
}

using kind = spread (*)(dice&);
constexpr std::array<kind, 6> all{line, exponential, steps, dear_edge, dear_range, dear_tenth};
constexpr std::array<const char*, 6> names{"lines",     "exponential", "ten steps",
                                           "dear edge", "dear range",  "dear tenth"};

struct lost {
  double all = 0;    ///< in ten instances, against the best cut
  double first = 0;  ///< by the first of them, which has the cut of the phase before
};
lost run_phase(made_up_loop& of, const spread& costs) {
  lost it;
  for (int i = 0; i < instances; ++i) {
    const double more = (of.run(costs) - 1) / instances;
    it.all += more;
    if (i == 0) it.first = more;
  }
  return it;
}

/// The n-th part from the least on.
double quantile(std::vector<double>& of, double part) {
  std::sort(of.begin(), of.end());
  return of[static_cast<std::size_t>(part * static_cast<double>(of.size() - 1))];
}
void print(const char* what, const char* which, std::vector<double>& of) {
  std::printf("%s, %s: median %.1f %%, nine of ten %.1f %%, worst %.1f %%\n", what, which, 100 * quantile(of, 0.5),
              100 * quantile(of, 0.9), 100 * quantile(of, 1));
}

TEST(phases, that_are_new_are_learnt_in_few_instances) {
  std::vector<double> every;
  for (std::size_t each = 0; each < all.size(); ++each) {
    dice of(5);
    std::vector<double> these;
    for (int i = 0; i < rounds; ++i) {
      const spread before = all[of() % all.size()](of);
      const spread after = all[each](of);
      made_up_loop loop(2);
      run_phase(loop, before);
      these.push_back(run_phase(loop, after).all);
    }
    print("new", names[each], these);
    if (each < 3) {
      EXPECT_LT(quantile(these, 0.9), 0.15) << names[each];
    }
    every.insert(every.end(), these.begin(), these.end());
  }
  print("new", "all", every);
  EXPECT_LT(quantile(every, 0.5), 0.12);
  EXPECT_LT(quantile(every, 1), 0.55) << "none is never learnt";
}

/// Whoever does not know when a phase ends has the cut of the one before in its first instance. So only what is lost behind that
/// one can be spared.
TEST(phases, that_were_seen_before_cost_little_more_than_their_first_instance) {
  std::vector<double> every;
  std::vector<double> more;
  dice of(5);
  for (int i = 0; i < 3 * rounds; ++i) {
    const spread one = all[of() % all.size()](of);
    const spread other = all[of() % all.size()](of);
    made_up_loop loop(2);
    run_phase(loop, one);
    run_phase(loop, other);
    for (const spread& again : {one, other, one, other}) {
      const lost it = run_phase(loop, again);
      every.push_back(it.all);
      more.push_back(it.all - it.first);
    }
  }
  print("seen before", "all", every);
  print("seen before", "behind the first instance", more);
  EXPECT_LT(quantile(every, 0.8), 0.10);
  EXPECT_LT(quantile(more, 0.5), 0.01);
  EXPECT_LT(quantile(more, 0.95), 0.04);
}

TEST(phases, a_disturbance_is_none) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    dice of(11);
    int longer = 0;
    for (int i = 0; i < rounds; ++i) {
      const spread before = all[of() % all.size()](of);
      const spread costs = all[of() % all.size()](of);
      made_up_loop loop(members);
      if (i % 2 == 0) loop.run_times(12, before);
      const double usual = loop.run_times(14, costs);
      loop.run(costs, std::exp(between(of, std::log(0.1), std::log(20))));
      loop.run(costs);
      double worst = 0;
      for (int k = 0; k < 5; ++k) worst = std::max(worst, loop.run(costs) - usual);
      longer += worst > 0.03 ? 1 : 0;
    }
    std::printf("of %d disturbances at %u members, %d cost more than the next instance\n", rounds, members, longer);
    EXPECT_LE(longer, rounds / 50);
  }
}

/// What is measured at the cut of each says that it is the other, and it is neither.
TEST(phases, one_that_looks_like_others_is_learnt_all_the_same) {
  made_up_loop loop(2);
  loop.run_times(10, range(0.69, 0.31, 0.55));
  const spread third = range(0.58, 0.21, 0.51);
  loop.run_times(6, third);
  EXPECT_FALSE(loop.known->has_given_up());
  EXPECT_LT(loop.run_times(2, third), 1.03);
}

/// A game: four fifths of the cost are in one tenth of the loop. Who knows that, but not where it is, and sees how long two blocks
/// took, plays as well as can be: how much is lost at least?
class search {
 public:
  explicit search(bool of_the_worst) : of_the_worst_(of_the_worst) {
    for (int tenth = 0; tenth <= last; ++tenth) {
      const spread costs = range(static_cast<double>(tenth) / grid, 0.1, 0.8);
      for (int cut = 0; cut <= grid; ++cut)
        lost_[tenth][cut] = std::abs(2 * costs(static_cast<double>(cut) / grid) - 1);
    }
  }
  /// Where the first cut is that of the phase before.
  double from(double cut) { return after(0, last, static_cast<int>(cut * grid), instances) / instances; }

 private:
  static constexpr int grid = 50;
  static constexpr int width = grid / 10;
  static constexpr int last = grid - width;  ///< where the tenth may begin

  /// It begins somewhere from a to b.
  double best(int a, int b, int left) {
    if (left == 0 || a == b) return 0;
    double& known = known_[a][b][left];
    if (known != 0) return known;
    double least = instances;
    for (int cut = a + 1; cut < b + width; ++cut) least = std::min(least, after(a, b, cut, left));
    return known = least;
  }
  /// A cut within it tells where it is, and the next ones are right.
  double after(int a, int b, int cut, int left) {
    double worst = 0;
    double sum = 0;
    const double below = cut - width >= a ? best(a, std::min(b, cut - width), left - 1) : 0;
    const double above = cut <= b ? best(std::max(a, cut), b, left - 1) : 0;
    for (int tenth = a; tenth <= b; ++tenth) {
      const double then = tenth <= cut - width ? below : tenth >= cut ? above : 0;
      const double cost = lost_[tenth][cut] + then;
      worst = std::max(worst, cost);
      sum += cost;
    }
    return of_the_worst_ ? worst : sum / (b - a + 1);
  }

  bool of_the_worst_;
  std::array<std::array<double, grid + 1>, last + 1> lost_{};
  std::array<std::array<std::array<double, instances + 1>, last + 1>, last + 1> known_{};  ///< 0: not yet
};

TEST(phases, with_two_times_for_each_instance_some_cannot_be_learnt_faster) {
  for (const auto& [name, before, cut] : {std::tuple{"even", even, 0.5}, {"rising", rising, std::sqrt(0.5)}}) {
    std::vector<double> ours;
    for (int tenth = 0; tenth <= 90; ++tenth) {
      made_up_loop loop(2);
      run_phase(loop, before);
      ours.push_back(run_phase(loop, range(tenth / 100.0, 0.1, 0.8)).all);
    }
    double mean = 0;
    for (const double each : ours) mean += each / static_cast<double>(ours.size());
    const double least_worst = search(true).from(cut);
    const double least_mean = search(false).from(cut);
    std::printf("a dear tenth after %s costs: worst %.1f %% (at least %.1f %%), mean %.1f %% (at least %.1f %%)\n",
                name, 100 * quantile(ours, 1), 100 * least_worst, 100 * mean, 100 * least_mean);
    EXPECT_GT(least_worst, 0.15) << "nobody can promise that";
    EXPECT_LT(mean, 2 * least_mean);
    EXPECT_LT(quantile(ours, 1), 2 * least_worst);
  }
}

}  // namespace
}  // namespace steelyard::learn
