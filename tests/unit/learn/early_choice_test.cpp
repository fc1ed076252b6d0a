// SPDX-License-Identifier: Apache-2.0
// Equal blocks or stealing for brief loops: in made-up time, and under `automatic`.
#include "learn/early_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "automatic_loop.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint64_t n = 1'000;

/// A loop that takes so long each way.
struct brief_loop {
  std::uint64_t by_steal;
  std::uint64_t in_equal_blocks;
  early_choice choice;
  std::uint64_t spared = 0;  ///< of what it takes in equal blocks

  /// Whether it ran in equal blocks.
  bool run(std::uint64_t iterations = n) {
    const bool equal = choice.is_equal();
    choice.took((equal ? in_equal_blocks : by_steal) * iterations / n, equal ? spared : 0, iterations);
    return equal;
  }
  /// Whether it does in the end.
  bool settle() {
    for (int i = 0; i < 1'000; ++i) run();
    const bool last = choice.is_equal();
    for (int i = 0; i < 1'000; ++i) EXPECT_EQ(run(), last);
    return last;
  }
};

TEST(early_choice, the_faster_of_both_stays) {
  EXPECT_TRUE((brief_loop{5'000, 3'000, {}}.settle()));
  EXPECT_FALSE((brief_loop{3'000, 5'000, {}}.settle()));
}

TEST(early_choice, what_equal_blocks_are_spared_counts_for_them) {
  EXPECT_TRUE((brief_loop{40'000, 50'000, {}, 15'000}.settle()));
  EXPECT_FALSE((brief_loop{40'000, 50'000, {}, 5'000}.settle()));
}

TEST(early_choice, a_tiny_loop_stays_in_equal_blocks_that_are_spared_something) {
  brief_loop of{early_choice::tiny / 2, early_choice::tiny - 1, {}, early_choice::tiny / 2};
  EXPECT_FALSE(of.run());
  for (std::uint64_t i = 0; i < early_choice::least; ++i) {
    EXPECT_FALSE(of.choice.has_chosen());
    EXPECT_TRUE(of.run());
  }
  EXPECT_TRUE(of.choice.has_chosen()) << "without a comparison";
  EXPECT_TRUE(of.settle());
}

TEST(early_choice, a_tiny_loop_that_grows_is_compared) {
  brief_loop of{1'000, 1'000, {}, 750};
  ASSERT_TRUE(of.settle());
  of.by_steal = 30'000;
  of.in_equal_blocks = 40'000;
  EXPECT_FALSE(of.settle());
}

TEST(early_choice, one_instance_of_another_loop_is_enough) {
  brief_loop of{1'000, 1'000, {}, 750};
  ASSERT_TRUE(of.settle());
  of.in_equal_blocks = early_choice::brief;
  of.run();
  EXPECT_FALSE(of.choice.has_chosen());
  EXPECT_FALSE(of.choice.is_equal());
}

TEST(early_choice, a_loop_that_is_not_tiny_is_compared) {
  brief_loop of{early_choice::tiny / 2, early_choice::tiny, {}, 1};
  of.run();
  of.run();
  EXPECT_FALSE(of.choice.has_chosen());
  EXPECT_FALSE(of.settle());
}

TEST(early_choice, the_first_instance_is_stolen_and_equal_blocks_come_next) {
  brief_loop of{3'000, 5'000, {}};
  EXPECT_FALSE(of.run());
  std::uint64_t in_blocks = 0;
  while (of.run()) ++in_blocks;
  EXPECT_EQ(in_blocks, early_choice::many / 2) << "no longer than it takes to compare";
}

TEST(early_choice, no_more_is_compared_than_so_much) {
  brief_loop of{early_choice::lot / 4, early_choice::lot / 4, {}};
  of.run();
  std::uint64_t in_blocks = 0;
  while (of.run()) ++in_blocks;
  EXPECT_EQ(in_blocks, 2U);
  std::uint64_t stolen = 1;
  while (!of.run()) ++stolen;
  EXPECT_EQ(stolen, 4U);
}

TEST(early_choice, is_fair_to_a_loop_that_takes_longer_each_time) {
  for (const std::uint64_t first : {10'000U, 60'000U}) {
    for (const bool equal_is_faster : {true, false}) {
      early_choice choice;
      for (std::uint64_t i = 0; !choice.has_chosen(); ++i) {
        const auto takes = first + first / 20 * i;  // 5 % of the first
        choice.took(choice.is_equal() == equal_is_faster ? takes * 24 / 25 : takes, 0, n);
      }
      EXPECT_EQ(choice.is_equal(), equal_is_faster) << first;
    }
  }
}

TEST(early_choice, instances_that_differ_as_those_compared_did_are_no_other_loop) {
  early_choice choice;
  const auto run = [&](int i) {
    const std::uint64_t takes = i % 4 == 0 ? early_choice::brief * 4 : early_choice::brief / 4;
    choice.took(choice.is_equal() ? takes : takes * 9 / 10, 0, n);
  };
  for (int i = 1; i < 50; ++i) run(i);
  ASSERT_TRUE(choice.has_chosen());
  for (int i = 0; i < 1'000; ++i) {
    run(i);
    EXPECT_TRUE(choice.has_chosen());
  }
  choice.took(early_choice::brief * 9, 0, n);
  EXPECT_FALSE(choice.has_chosen());
}

TEST(early_choice, stealing_may_be_told) {
  brief_loop of{5'000, 3'000, {}};
  ASSERT_TRUE(of.settle());
  of.choice.steal();
  EXPECT_TRUE(of.choice.has_chosen());
  EXPECT_EQ(of.choice.takes(n), 5'000U) << "that was measured";
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(of.run());
}

TEST(early_choice, longer_loops_are_compared_where_their_costs_are_even) {
  constexpr auto takes = early_choice::lot * 2;
  for (const bool equal_is_faster : {true, false}) {
    early_choice choice;
    std::vector<bool> equal;
    for (int i = 0; i < 13; ++i) {
      equal.push_back(choice.is_equal());
      choice.took(equal.back() == equal_is_faster ? takes * 9 / 10 : takes, 0, n, true);
    }
    const bool last = equal_is_faster;
    EXPECT_EQ(equal,
              (std::vector<bool>{false, true, true, false, false, false, false, true, true, true, last, last, last}));
  }
}

TEST(early_choice, longer_loops_are_stolen) {
  brief_loop of{early_choice::brief, 1, {}};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(of.run());
}

TEST(early_choice, what_is_compared_is_an_iteration) {
  brief_loop of{4'000, 5'000, {}};
  of.run();
  while (of.run(n / 10)) continue;
  for (int i = 0; i < 1'000; ++i) of.run();
  EXPECT_FALSE(of.choice.is_equal()) << "an instance in equal blocks took less, as it was a tenth of the others";
}

TEST(early_choice, what_takes_twice_as_long_is_compared_again) {
  brief_loop of{5'000, 3'000, {}};
  ASSERT_TRUE(of.settle());
  of.in_equal_blocks = 5'900;
  EXPECT_TRUE(of.settle());
  of.in_equal_blocks = 6'200;
  EXPECT_FALSE(of.settle());
  of.by_steal = 20'000;
  EXPECT_TRUE(of.settle());
}

/// One that waits to be observed, or foretold.
struct waiting {
  explicit waiting(double equal_of_steal) {
    it.factor = 0.005;  // 5,000 ticks
    it.chooser.pay_first();
    it.takes = [=](const automatic::way& how) {
      const bool equal = std::string_view(how.schedule->about.name) == "static";
      return static_cast<std::uint64_t>(work / members * (equal ? equal_of_steal : 1));
    };
  }
  loop it;
};

TEST(automatic, serves_brief_loops_by_the_faster_of_two_until_they_have_paid) {
  for (const double faster : {0.7, 1.3}) {
    waiting of(faster);
    for (int i = 0; i < 200; ++i) EXPECT_FALSE(of.it.run().observed);
    for (int i = 0; i < 200; ++i) {
      const auto plan = of.it.run();
      EXPECT_FALSE(plan.observed);
      EXPECT_EQ(name_of(plan), faster < 1 ? "static" : "steal");
    }
    of.it.forecasts_at = 1'000'000;
    while (!of.it.run().observed) continue;
    EXPECT_EQ(name_of(of.it.run()), faster < 1 ? "static" : "steal:even") << "while its forecast waits";
  }
}

TEST(automatic, does_so_only_where_no_schedules_are_named) {
  waiting of(0.5);
  schedules::candidates only;
  ASSERT_TRUE(schedules::candidates::parse("steal+guided", only));
  of.it.chooser.choose_among(only);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(name_of(of.it.run()), "steal");
}

/// One whose forecast waits; equal blocks are slow.
struct stolen : waiting {
  stolen() : waiting(1.5) { it.forecasts_at = 1'000'000; }
  std::string_view after_an_observation() {
    while (!it.run().observed) continue;
    for (int i = 0; i < 30; ++i) it.run();
    return name_of(it.run());
  }
};

TEST(automatic, steals_in_larger_steps_where_costs_are_even) {
  stolen even;
  EXPECT_EQ(even.after_an_observation(), "steal:even");
  stolen uneven;
  uneven.it.cost = [](double place) { return 2 * place; };
  EXPECT_EQ(uneven.after_an_observation(), "steal");
  stolen named;
  schedules::candidates only;
  ASSERT_TRUE(schedules::candidates::parse("steal+guided", only));
  named.it.chooser.choose_among(only);
  EXPECT_EQ(named.after_an_observation(), "steal");
}

lesson learnt_by(loop& it) {
  lesson found;
  for (int i = 0; i < 200; ++i) it.run();
  EXPECT_TRUE(it.chooser.teach(found));
  return found;
}

TEST(early_choice, is_taught_to_another_process) {
  for (const double equal : {0.5, 2.0}) {
    waiting first(equal);
    lesson found;
    first.it.run();
    EXPECT_FALSE(first.it.chooser.teach(found)) << "nothing is chosen";
    found = learnt_by(first.it);
    EXPECT_EQ(found.work, 0U);
    EXPECT_EQ(found.iterations, iterations);
    EXPECT_EQ(found.usual, static_cast<std::uint64_t>(5'000 * std::min(equal, 1.0)));
    waiting next(equal);
    ASSERT_TRUE(next.it.chooser.learn(found));
    EXPECT_TRUE(next.it.chooser.is_learnt());
    for (int i = 0; i < 200; ++i) EXPECT_EQ(name_of(next.it.run()), equal < 1 ? "static" : "steal") << i;
    EXPECT_FALSE(next.it.chooser.teach(found)) << "it has found nothing itself";
  }
}

TEST(early_choice, that_was_taught_is_compared_again_where_it_is_wrong) {
  waiting first(0.5);
  const auto found = learnt_by(first.it);
  waiting next(4);
  ASSERT_TRUE(next.it.chooser.learn(found));
  for (int i = 0; i < 400; ++i) next.it.run();
  EXPECT_EQ(name_of(next.it.run()), "steal");
  lesson anew;
  ASSERT_TRUE(next.it.chooser.teach(anew));
  EXPECT_EQ(std::string_view(anew.how.schedule->about.name), "steal");
}

TEST(early_choice, that_was_taught_is_left_when_more_is_known) {
  waiting first(0.8);
  const auto found = learnt_by(first.it);
  waiting next(0.8);
  ASSERT_TRUE(next.it.chooser.learn(found));
  for (int i = 0; i < 5'000; ++i) next.it.run();
  EXPECT_EQ(next.it.forecasts, 1);
  lesson more;
  ASSERT_TRUE(next.it.chooser.teach(more));
  EXPECT_NE(more.work, 0U);
}

TEST(early_choice, is_not_taught_where_more_was_known) {
  waiting first(0.8);
  for (int i = 0; i < 5'000; ++i) first.it.run();
  lesson more;
  ASSERT_TRUE(first.it.chooser.teach(more));
  ASSERT_NE(more.work, 0U);
  waiting next(0.8);
  ASSERT_TRUE(next.it.chooser.learn(more));
  next.it.forecasts_at = 1'000'000;
  for (int i = 0; i < 5'000; ++i) next.it.run();
  lesson less;
  EXPECT_FALSE(next.it.chooser.teach(less)) << "its forecast waits";
}

TEST(early_choice, only_what_it_may_choose_is_learnt) {
  waiting first(0.5);
  const auto right = learnt_by(first.it);
  const auto is_taken = [&](auto change) {
    auto one = right;
    change(one);
    automatic chooser;
    return chooser.learn(one);
  };
  EXPECT_TRUE(is_taken([](lesson&) {}));
  EXPECT_TRUE(is_taken([](lesson& of) { of.how.schedule = schedules::find("steal"); }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.how.schedule = schedules::find("guided"); }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.how.chunk = 2; }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.how.members = 2; }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.how.by_shares = true; }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.usual = 0; }));
  EXPECT_FALSE(is_taken([](lesson& of) { of.work = 1; })) << "then there are costs";
}

}  // namespace
}  // namespace steelyard::learn
