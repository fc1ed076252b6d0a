// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "automatic_loop.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

TEST(automatic, serves_a_loop_that_runs_once_by_steal) {
  loop it;
  const auto plan = it.run();
  EXPECT_EQ(name_of(plan), "steal");
  EXPECT_TRUE(plan.observed);
  EXPECT_EQ(plan.how.members, members);
  EXPECT_EQ(it.forecasts, 1);
}

/// Which of twenty instances did not run by `steal`.
std::vector<int> not_by_steal(loop& it) {
  std::vector<int> found;
  for (int i = 0; i < 20; ++i) {
    if (name_of(it.run()) != "steal") found.push_back(i);
  }
  return found;
}

/// By equal blocks, which may find their data where it was.
const std::vector<int> one_trial = {2};

TEST(automatic, stays_with_steal_where_that_is_at_the_limit) {
  loop it;
  EXPECT_EQ(not_by_steal(it), one_trial);
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_EQ(it.chooser.settled_after(), 3U) << "once observed, once not, and equal blocks";
}

/// A loop whose equal blocks are foretold to be as fast as stealing.
TEST(automatic, runs_in_equal_blocks_where_these_are_faster_than_is_foretold) {
  for (const std::uint64_t percent : {90, 98, 99}) {
    loop it;
    it.takes = [=](const auto& how) {
      const bool equal = std::string_view(how.schedule->about.name) == "static";
      return work / members * (equal ? percent : 100) / 100;
    };
    for (int i = 0; i < 10; ++i) it.run();
    EXPECT_EQ(name_of(it.run()), percent < 99 ? "static" : "steal") << percent << ": by a 64th or more";
  }
}

TEST(automatic, tries_no_equal_blocks_of_uneven_costs) {
  loop it;
  it.cost = [](double place) { return 0.7 + 0.6 * place; };
  EXPECT_EQ(not_by_steal(it), std::vector<int>());
}

/// Opening a loop is no fault of steal: others have it, too.
TEST(automatic, does_not_leave_a_way_for_what_all_ways_have) {
  loop it;
  it.takes = [](const auto&) { return work / members + 25'000; };
  EXPECT_EQ(not_by_steal(it), one_trial);
}

/// Much of it may be: that is seen by trials, which find nothing better.
TEST(automatic, comes_back_where_nothing_is_better_than_it_was) {
  loop it;
  it.takes = [](const auto&) { return work / members * 2; };
  for (int i = 0; i < 5; ++i) it.run();
  EXPECT_LE(it.chooser.settled_after(), 5U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(name_of(it.run()), "steal");
}

TEST(automatic, tries_what_is_foretold_to_be_faster_and_keeps_it) {
  loop it(steal_is_slow, dear_call);
  EXPECT_EQ(name_of(it.run()), "steal");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(name_of(it.run()), "static");
  EXPECT_EQ(it.chooser.settled_after(), 2U);
  EXPECT_NE(words_of(it.chooser).find("static 1.00 of the limit: static"), std::string::npos) << words_of(it.chooser);
}

TEST(automatic, leaves_what_disappoints_for_the_next_best_and_at_last_for_the_best_measured) {
  const auto steal_is_best = [](const auto& how) {
    const bool steals = std::string_view(how.schedule->about.name) == "steal";
    return steals ? work / members * 13 / 10 : work / members * 2;
  };
  loop it(steal_is_best, dear_call);
  std::vector<std::string_view> names;
  for (int i = 0; i < 8; ++i) names.push_back(name_of(it.run()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "steal"), 8 - automatic::most_trials) << "no more trials than that";
  EXPECT_EQ(names.back(), "steal");
  EXPECT_EQ(it.chooser.settled_after(), 2 + automatic::most_trials) << "it was to be measured, too";
}

/// Nothing but steal is as fast as it is foretold, in phases of less and less work.
TEST(automatic, bears_in_mind_what_has_disappointed) {
  loop it(
      [](const auto& how) {
        const bool steals = std::string_view(how.schedule->about.name) == "steal";
        return steals ? work / members * 13 / 10 : work / members * 2;
      },
      dear_call);
  std::vector<int> trials;
  for (int phase = 0; phase < 6; ++phase, it.factor *= 0.7) {
    trials.push_back(0);
    for (int i = 0; i < 60; ++i) trials.back() += name_of(it.run()) != "steal" ? 1 : 0;
  }
  EXPECT_EQ(trials.front(), automatic::most_trials);
  EXPECT_LE(std::accumulate(trials.begin() + 1, trials.end(), 0), 2 * static_cast<int>(automatic::most_trials))
      << "in five phases, in which other ways come to be tried";
}

/// What an observed instance took holds the reading of clocks: steal is measured without, before it is left for what is foretold to be
/// little better.
TEST(automatic, does_not_leave_steal_for_what_observing_costs) {
  loop it;
  int number = 0;
  it.takes = [&](const auto&) { return work / members * (number == 0 ? 110 : 100) / 100; };
  int trials = 0;
  for (; number < 20; ++number) trials += name_of(it.run()) == "steal" ? 0 : 1;
  EXPECT_EQ(trials, 1);
  EXPECT_EQ(name_of(it.run()), "steal");
}

/// Of what begins before the last one has ended nothing is told, so nothing is tried with it.
TEST(automatic, says_what_serves_a_loop_meanwhile) {
  loop it(steal_is_slow, dear_call);
  EXPECT_FALSE(it.chooser.is_for(iterations, members)) << "of nothing";
  it.run();
  EXPECT_EQ(std::string_view(it.chooser.usual().schedule->about.name), "steal") << "nothing else was measured";
  it.run();
  EXPECT_EQ(std::string_view(it.chooser.usual().schedule->about.name), "static");
  EXPECT_FALSE(it.chooser.usual().by_shares) << "equal shares are equal blocks";
}

TEST(automatic, knows_for_which_loops_it_is) {
  loop it;
  it.run();
  EXPECT_TRUE(it.chooser.is_for(iterations, members));
  EXPECT_TRUE(it.chooser.is_for(iterations + iterations / 5, members)) << "about the same";
  EXPECT_FALSE(it.chooser.is_for(2 * iterations, members)) << "it is another loop";
  EXPECT_FALSE(it.chooser.is_for(iterations, members + 1));
}

/// Trip counts differ a little from one instance to the next: no instance is taken to be slower for that.
TEST(automatic, compares_times_by_iterations) {
  loop it;
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(it.run(iterations - static_cast<std::uint64_t>(i % 2) * 2000).observed, i == 0);
  EXPECT_EQ(it.forecasts, 1);
}

/// One instance in two takes twice as long: no one of them says what the loop takes.
TEST(automatic, of_short_loops_takes_several_instances_for_one) {
  constexpr std::uint64_t parts = 100;
  int number = 0;
  loop it([&](const auto& how) { return steal_is_slow(how) / parts * (number % 2 == 0 ? 4 : 2) / 3; }, 100);
  it.cost = [](double) { return 1.0 / parts; };
  for (; number < 200; ++number) it.run();
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_EQ(it.forecasts, 1);
}

TEST(automatic, says_what_iterations_take_once_it_has_seen_them) {
  loop it;
  EXPECT_EQ(it.chooser.rate(), 0U);
  it.run();
  EXPECT_EQ(it.chooser.rate(), work * 1024 / iterations);
}

/// A loop that takes some microseconds, once more and once less: looking again would take as long as hundreds of it.
TEST(automatic, does_not_observe_more_often_than_loops_pay_for) {
  constexpr std::uint64_t parts = 200;
  int number = 0;
  loop it([&](const auto&) { return work / members / parts * (number / 50 % 2 == 0 ? 1 : 3); }, 10);
  it.cost = [](double) { return 1.0 / parts; };
  int observed = 0;
  for (; number < 2000; ++number) observed += it.run().observed ? 1 : 0;
  EXPECT_LE(observed, 2000 * 2 * (work / members / parts) / 2'500'000 + 1);
  EXPECT_GE(observed, 2) << "but it is noticed";
}

/// Levels of a search through a graph: loops that never come again.
TEST(automatic, of_further_trip_counts_of_a_place_is_observed_when_they_have_paid) {
  loop it;
  EXPECT_TRUE(it.run().observed);
  EXPECT_FALSE(it.run(2 * iterations).observed);
  int before = 1;
  for (; before < 20 && !it.run(2 * iterations).observed; ++before) {
  }
  EXPECT_EQ(before, 2) << "2,500,000 ticks of instances that take 2,000,000";
  loop second;
  second.chooser.pay_first();
  EXPECT_FALSE(second.run().observed);
  EXPECT_EQ(name_of(second.run()), "steal");
}

TEST(automatic, waits_for_its_forecast) {
  loop it(steal_is_slow, dear_call);
  it.cost = [](double place) { return 2 * place; };
  it.forecasts_at = 5;
  std::vector<std::string_view> names;
  for (int i = 0; i < 9; ++i) names.push_back(name_of(it.run()));
  EXPECT_EQ(names, (std::vector<std::string_view>{"steal", "steal", "steal", "steal", "steal", "steal", "nustatic",
                                                  "nustatic", "nustatic"}))
      << "it looks once more before";
  EXPECT_EQ(it.chooser.settled_after(), 7U);
}

TEST(automatic, looks_once_more_before_a_forecast_that_had_to_wait) {
  loop it;
  it.forecasts_at = 60;
  std::vector<int> observed;
  for (int i = 0; i < 64; ++i) {
    if (it.run().observed) observed.push_back(i);
  }
  EXPECT_EQ(observed, (std::vector<int>{0, 60}));
  EXPECT_EQ(it.forecasts, 1);
}

TEST(automatic, observes_again_at_once_when_an_instance_takes_longer) {
  loop it;
  for (int i = 0; i < 5; ++i) it.run();
  it.factor = 1.5;
  EXPECT_FALSE(it.run().observed) << "nobody knew";
  EXPECT_TRUE(it.run().observed);
  EXPECT_EQ(it.forecasts, 2) << "it was another phase";
  EXPECT_FALSE(it.run().observed);
}

TEST(automatic, of_a_disturbed_instance_changes_nothing) {
  loop it;
  for (int i = 0; i < 5; ++i) it.run();
  it.takes = [](const auto&) { return work / members * 2; };
  EXPECT_FALSE(it.run().observed);
  it.takes = [](const auto&) { return work / members; };
  EXPECT_TRUE(it.run().observed);
  EXPECT_EQ(it.forecasts, 1);
  EXPECT_TRUE(it.chooser.is_settled());
}

/// The same iterations cost the same, and the chosen way takes far longer from now on: as where data has come to lie elsewhere.
TEST(automatic, leaves_a_way_that_takes_longer_for_reasons_that_no_chunk_tells) {
  bool is_late = false;
  loop it([&](const auto& how) { return steal_is_slow(how) * (is_late && how.schedule->about.preassigned ? 3 : 1); },
          dear_call);
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_EQ(std::string_view(it.chooser.chosen().schedule->about.name), "static");
  is_late = true;
  for (int i = 0; i < 4; ++i) it.run();
  EXPECT_NE(std::string_view(it.chooser.chosen().schedule->about.name), "static");
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_EQ(it.forecasts, 1);
}

/// A loop whose costs lie elsewhere from time to time. Shares that were cut before take four times as long.
class loop_with_phases : public loop {
 public:
  loop_with_phases() : loop([this](const automatic::way& how) { return time_of(how); }, dear_call) {
    cost = [this](double x) { return (x < 0.5) == (phase % 2 == 0) ? 1.9 : 0.1; };
    idle = [this](const automatic::way& how) { return is_stale(how) ? 0.75 : 0.01; };
  }
  automatic::plan run_in(int number) {
    phase = number;
    const auto plan = run();
    if (plan.observed) known_phase = number;
    return plan;
  }
  [[nodiscard]] bool is_stale(const automatic::way& how) const { return how.by_shares && known_phase != phase; }

  int phase = 0;
  int known_phase = 0;

 private:
  [[nodiscard]] std::uint64_t time_of(const automatic::way& how) const {
    return is_stale(how) ? work / members * 4 : steal_is_slow(how);
  }
};

TEST(automatic, foretells_from_costs_as_they_are_when_it_may) {
  loop_with_phases it;
  it.forecasts_at = 9;
  for (int i = 0; i < 12; ++i) {
    const auto plan = it.run_in(i / 4);
    EXPECT_FALSE(it.is_stale(plan.how)) << i;
  }
  EXPECT_EQ(it.forecasts, 1);
  EXPECT_TRUE(it.chooser.chosen().by_shares);
}

TEST(automatic, bears_in_mind_what_a_change_of_phases_has_cost_shares) {
  loop_with_phases it;
  int by_shares = 0;
  int stale = 0;
  for (int i = 0; i < 100; ++i) {
    const auto plan = it.run_in(i / 5);
    by_shares += plan.how.by_shares ? 1 : 0;
    stale += it.is_stale(plan.how) ? 1 : 0;
  }
  EXPECT_LE(by_shares, 12) << "before it knew that phases change, and when it looked again";
  EXPECT_LE(stale, 2) << "of twenty changes";
}

TEST(automatic, takes_shares_where_phases_are_long_enough) {
  loop_with_phases it;
  int by_shares = 0;
  for (int i = 0; i < 300; ++i) by_shares += it.run_in(i / 50).how.by_shares ? 1 : 0;
  EXPECT_GE(by_shares, 250) << "two instances in fifty are lost, and stealing is slower by a third";
}

/// As long as before, all in all, but half of that time members wait for one.
TEST(automatic, observes_where_members_are_idle_that_were_not) {
  loop_with_phases it;
  it.takes = steal_is_slow;
  it.idle = [&](const auto& how) { return it.is_stale(how) ? 0.5 : 0.01; };
  for (int i = 0; i < 10; ++i) it.run_in(0);
  EXPECT_TRUE(it.run_in(1).how.by_shares);
  EXPECT_TRUE(it.run_in(1).observed);
  EXPECT_EQ(it.forecasts, 2);
}

/// A processor that has become slower, for example.
TEST(automatic, gets_used_to_members_that_are_idle) {
  loop it(steal_is_slow, dear_call);
  for (int i = 0; i < 10; ++i) it.run();
  it.idle = [](const auto&) { return 0.4; };
  int observed = 0;
  for (int i = 0; i < 40; ++i) observed += it.run().observed ? 1 : 0;
  EXPECT_EQ(observed, 1);
  it.idle = [](const auto&) { return 0.95; };
  observed = 0;
  for (int i = 0; i < 3; ++i) observed += it.run().observed ? 1 : 0;
  EXPECT_EQ(observed, 1) << "that is far more";
}

/// Looks that find nothing new make nobody blind.
TEST(automatic, notices_a_phase_after_a_thousand_instances_without_one) {
  loop_with_phases it;
  for (int i = 0; i < 1000; ++i) it.run_in(0);
  it.takes = [&](const auto& how) { return it.is_stale(how) ? work / members * 19 / 10 : steal_is_slow(how); };
  it.idle = [&](const auto& how) { return it.is_stale(how) ? 0.5 : 0.01; };
  EXPECT_TRUE(it.run_in(1).how.by_shares);
  EXPECT_TRUE(it.run_in(1).observed);
}

TEST(automatic, does_not_leave_steal_for_what_looking_again_costs) {
  loop it(
      [](const auto& how) {
        return std::string_view(how.schedule->about.name) == "steal" ? work / members : work / members * 103 / 100;
      },
      100);
  it.observing = 1.1;
  for (int i = 0; i < 300; ++i) EXPECT_EQ(name_of(it.run()) == "steal", i != one_trial.front()) << i;
}

/// More work is not the fault of who does it.
TEST(automatic, bears_nothing_against_a_way_for_more_work) {
  loop it(steal_is_slow, dear_call);
  for (int i = 0; i < 60; ++i) {
    it.factor = i / 10 % 2 == 0 ? 1 : 4;
    const auto plan = it.run();
    if (!plan.observed) {
      EXPECT_EQ(name_of(plan), "static") << i;
    }
  }
}

/// Searches that end when they have found something.
TEST(automatic, does_not_observe_again_and_again_what_is_always_stopped) {
  loop it;
  EXPECT_TRUE(it.chooser.next(iterations, members).observed);
  for (int i = 0; i < 20; ++i) {
    it.chooser.stopped();
    EXPECT_FALSE(it.chooser.next(iterations, members).observed);
  }
  it.chooser.withdrawn();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(it.run().observed) << "now it pays";
  EXPECT_TRUE(it.run().observed);
}

/// Where no other way is better, that is what it takes.
TEST(automatic, gets_used_to_what_an_instance_takes) {
  loop it;
  for (int i = 0; i < 5; ++i) it.run();
  it.takes = [](const auto&) { return work / members * 5; };
  int observed = 0;
  for (int i = 0; i < 40; ++i) observed += it.run().observed ? 1 : 0;
  EXPECT_EQ(observed, 2) << "of steal, and then of equal blocks, which were faster when they were tried";
}

/// An instance in three is slower by a quarter, for reasons that are not the loop's: it is observed ever more seldom.
TEST(automatic, bears_noise_without_observing_for_ever) {
  loop it;
  int number = 0;
  it.takes = [&](const auto&) { return work / members * (number % 3 == 2 ? 5 : 4) / 4; };
  int observed = 0;
  for (; number < 60; ++number) observed += it.run().observed ? 1 : 0;
  EXPECT_LE(observed, 4);
}

TEST(automatic, of_an_instance_that_did_not_run_learns_nothing) {
  loop it;
  EXPECT_TRUE(it.chooser.next(iterations, members).observed);
  it.chooser.withdrawn();
  EXPECT_TRUE(it.run().observed) << "the next one is";
  for (int i = 0; i < 2; ++i) it.run();
  EXPECT_EQ(it.chooser.settled_after(), 3U);
}

/// There was no memory for a profile.
TEST(automatic, observes_until_something_was_seen) {
  automatic chooser;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(chooser.next(iterations, members).observed);
    EXPECT_FALSE(chooser.took(work / members, {}));
  }
}

TEST(automatic, looks_again_now_and_then) {
  loop it;
  std::vector<int> when;
  for (int i = 0; i < 300; ++i) {
    if (it.run().observed) when.push_back(i);
  }
  EXPECT_EQ(when, (std::vector<int>{0, 64, 192}));
  EXPECT_EQ(it.forecasts, 1);
}

TEST(automatic, begins_anew_with_another_trip_count) {
  loop it;
  for (int i = 0; i < 5; ++i) it.run();
  EXPECT_FALSE(it.run(iterations + iterations / 10).observed) << "about the same";
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(it.run(iterations * 2).observed) << "pays first";
  EXPECT_TRUE(it.run(iterations * 2).observed);
  EXPECT_FALSE(it.run(iterations * 2).observed);
  EXPECT_EQ(it.forecasts, 2);
}

TEST(automatic, cuts_blocks_of_equal_cost) {
  loop it;
  it.cost = [](double place) { return 2 * place; };
  it.run();
  std::uint64_t ends[2];
  it.chooser.cut(iterations, 2, ends);
  EXPECT_NEAR(static_cast<double>(ends[0]), 7071, 25);
  EXPECT_EQ(ends[1], iterations);
}

TEST(automatic, says_why_in_words) {
  loop it;
  EXPECT_EQ(words_of(it.chooser), "nothing is known of it yet");
  it.cost = [](double place) { return place < 0.8 ? 0.625 : 2.5; };
  it.run();
  const auto words = words_of(it.chooser);
  EXPECT_EQ(words.find("iterations 4.0 x dearer at the end; steal 1.00"), 0U) << words;
  EXPECT_NE(words.find(" of the limit: steal"), std::string::npos) << words;
  char little[8];
  EXPECT_EQ(it.chooser.explain(little, sizeof little), 7U);
  EXPECT_STREQ(little, "iterati");
}

TEST(automatic, takes_loops_that_are_tiny_or_without_an_end) {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
    automatic chooser;
    cost_profile profile;
    static_cast<void>(chooser.next(n, 2));
    profile.begin(n);
    profile.took(0, n, 1000);
    ASSERT_TRUE(chooser.took(500, {&profile, 10})) << n;
    std::vector<std::byte> memory(chooser.room_to_forecast() + support::line_size);
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    chooser.forecast(reinterpret_cast<void*>((at + support::line_size - 1) / support::line_size * support::line_size));
    EXPECT_NE(chooser.chosen().schedule, nullptr);
    EXPECT_NE(chooser.next(n, 2).how.schedule, nullptr);
  }
}

/// One that has settled.
lesson learnt_from(loop& it) {
  for (int i = 0; i < 10; ++i) it.run();
  lesson found;
  EXPECT_TRUE(it.chooser.teach(found));
  return found;
}

TEST(automatic, teaches_another_process_what_it_has_found) {
  loop first(steal_is_slow, dear_call);
  first.cost = [](double place) { return 2 * place; };
  lesson found;
  first.run();
  EXPECT_FALSE(first.chooser.teach(found)) << "nothing is settled";
  found = learnt_from(first);
  loop next(steal_is_slow, dear_call);
  next.cost = first.cost;
  ASSERT_TRUE(next.chooser.learn(found));
  EXPECT_TRUE(next.chooser.is_settled());
  EXPECT_EQ(next.chooser.settled_after(), 0U);
  for (int i = 0; i < 30; ++i) {
    const auto plan = next.run();
    EXPECT_EQ(plan.how, first.chooser.chosen());
    EXPECT_FALSE(plan.observed);
  }
  std::uint64_t ends[2];
  next.chooser.cut(iterations, 2, ends);
  EXPECT_NEAR(static_cast<double>(ends[0]), 7071, 25) << "and how costs lie";
  EXPECT_FALSE(next.chooser.teach(found)) << "it has found nothing itself";
}

/// As levels of a search do: they have about as many iterations, and other costs.
TEST(automatic, teaches_nothing_of_loops_whose_instances_differ) {
  loop it([](const auto&) { return work / members / 2; }, 10);
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_TRUE(it.chooser.is_settled());
  lesson found;
  EXPECT_FALSE(it.chooser.teach(found));
}

TEST(automatic, of_a_wrong_lesson_loses_one_instance) {
  loop first(steal_is_slow, dear_call);
  const auto found = learnt_from(first);
  loop next;
  next.cost = [](double place) { return 2 * place; };
  next.factor = 10;
  ASSERT_TRUE(next.chooser.learn(found));
  EXPECT_FALSE(next.run().observed);
  EXPECT_TRUE(next.run().observed);
  for (int i = 0; i < 10; ++i) next.run();
  EXPECT_EQ(next.forecasts, 1);
  lesson anew;
  EXPECT_TRUE(next.chooser.teach(anew)) << "it is told to others";
}

/// Where costs lie as it says, too: of what was learnt elsewhere no other way is known.
TEST(automatic, of_a_lesson_that_names_a_poor_way_tries_others_as_soon_as_it_observes) {
  loop first(steal_is_slow, dear_call);
  auto found = learnt_from(first);
  found.how = {schedules::find("steal"), 0, members, false};
  for (const std::uint64_t usual : {work / members / 1000, work / members * 13 / 10, work}) {
    found.usual = usual;
    loop next(steal_is_slow, dear_call);
    ASSERT_TRUE(next.chooser.learn(found));
    for (std::uint64_t i = 0; i < automatic::observed_again + 10; ++i) next.run();
    EXPECT_EQ(std::string_view(next.chooser.chosen().schedule->about.name), "static") << usual;
    EXPECT_EQ(next.forecasts, 1);
  }
}

TEST(automatic, learns_nothing_from_a_lesson_that_makes_no_sense) {
  loop first(steal_is_slow, dear_call);
  const auto right = learnt_from(first);
  const auto is_taken = [](const lesson& one) {
    automatic chooser;
    return chooser.learn(one);
  };
  EXPECT_TRUE(is_taken(right));
  const auto wrong = [&](auto change) {
    auto one = right;
    change(one);
    return is_taken(one);
  };
  EXPECT_FALSE(wrong([](lesson& of) { of.iterations = 0; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.members = 1; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.usual = 0; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.work = 0; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.costs = {}; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.how.chunk = 3; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.how.members = 3; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.how.by_shares = !of.how.by_shares; }));
  EXPECT_FALSE(wrong([](lesson& of) { of.how.schedule = schedules::find("wsrw"); }));
  EXPECT_FALSE(wrong([](lesson& of) { of.how.schedule = nullptr; }));
}

}  // namespace
}  // namespace steelyard::learn
