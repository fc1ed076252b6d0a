// SPDX-License-Identifier: Apache-2.0
// `automatic` where iterations are chunks that the program has written, and where loops are left in equal blocks.
#include <gtest/gtest.h>

#include <string_view>

#include "automatic_loop.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint64_t few = 64 * members;

/// A loop of `few` chunks that takes as long as one of so many iterations does by default.
struct of_few : loop {
  of_few() {
    chooser.iterations_are_chunks(true);
    factor = static_cast<double>(iterations) / few;
  }
};

TEST(automatic_as_written, begins_as_the_program_says_where_its_chunks_are_few) {
  of_few it;
  const auto first = it.run(few);
  EXPECT_EQ(name_of(first), "dynamic");
  EXPECT_EQ(first.how.chunk, 1U);
  EXPECT_EQ(first.how.members, members);
  EXPECT_TRUE(first.observed);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(name_of(it.run(few)), "dynamic") << i;
  EXPECT_TRUE(it.chooser.is_settled());
}

TEST(automatic_as_written, steals_where_they_are_many_or_are_no_chunks) {
  loop many;
  many.chooser.iterations_are_chunks(true);
  EXPECT_EQ(name_of(many.run(few + few / 2)), "steal");
  loop no_chunks;
  EXPECT_EQ(name_of(no_chunks.run(few)), "steal");
}

TEST(automatic_as_written, begins_anew_when_that_changes) {
  of_few it;
  it.chooser.iterations_are_chunks(false);
  for (int i = 0; i < 10; ++i) it.run(few);
  ASSERT_TRUE(it.chooser.is_settled());
  it.chooser.iterations_are_chunks(true);
  EXPECT_FALSE(it.chooser.is_settled());
  EXPECT_EQ(name_of(it.run(few)), "dynamic");
  it.chooser.iterations_are_chunks(true);
  for (int i = 0; i < 10; ++i) it.run(few);
  EXPECT_TRUE(it.chooser.is_settled()) << "nothing has changed";
}

/// What the program says may help it in ways that no forecast knows of. So to hand out 64 chunks has to take more than a 32nd of a member's time
/// until equal blocks, which spare that, are worth a trial.
TEST(automatic_as_written, leaves_that_for_what_is_better_by_far) {
  constexpr std::uint64_t its_part = work / members / 64;
  for (const auto& [a_call, is_left] : {std::pair{its_part / 50, false}, std::pair{its_part / 10, true}}) {
    of_few it;
    it.hand_over = a_call;
    it.takes = [each_takes = a_call](const auto& how) {
      const bool is_written = std::string_view(how.schedule->about.name) == "dynamic";
      return work / members + (is_written ? 64 * each_takes : 0);
    };
    for (int i = 0; i < 10; ++i) it.run(few);
    EXPECT_EQ(name_of(it.run(few)) != "dynamic", is_left) << a_call;
  }
}

TEST(automatic_as_written, is_remembered) {
  of_few it;
  for (int i = 0; i < 10; ++i) it.run(few);
  lesson found;
  ASSERT_TRUE(it.chooser.teach(found));
  of_few next;
  ASSERT_TRUE(next.chooser.learn(found));
  EXPECT_FALSE(next.run(few).observed);
  EXPECT_EQ(std::string_view(next.chooser.chosen().schedule->about.name), "dynamic");
}

TEST(equal_shares, are_no_candidate) {
  loop even(steal_is_slow, dear_call);
  loop rising(steal_is_slow, dear_call);
  rising.cost = [](double x) { return 2 * x; };
  for (int i = 0; i < 10; ++i) even.run(), rising.run();
  EXPECT_EQ(std::string_view(even.chooser.chosen().schedule->about.name), "static");
  EXPECT_EQ(std::string_view(rising.chooser.chosen().schedule->about.name), "nustatic");
}

/// A loop that takes so long in equal blocks, and twice as long otherwise.
struct faster_in_equal_blocks : loop {
  explicit faster_in_equal_blocks(std::uint64_t ticks) {
    hand_over = ticks / 16;
    takes = [ticks](const auto& how) {
      return std::string_view(how.schedule->about.name) == "static" ? ticks : 2 * ticks;
    };
    cost = [ticks](double) { return static_cast<double>(ticks * members) / work; };
  }
};

TEST(plain_loops, are_brief_and_stay_in_equal_blocks) {
  faster_in_equal_blocks brief(early_choice::brief / 4);
  brief.forecasts_at = 1'000'000;
  EXPECT_FALSE(brief.chooser.is_plain(iterations, members));
  for (int i = 0; i < 100; ++i) brief.run();
  EXPECT_TRUE(brief.chooser.is_plain(iterations, members)) << "not foretold";
  EXPECT_TRUE(brief.chooser.is_plain(iterations + iterations / 8, members));
  EXPECT_FALSE(brief.chooser.is_plain(iterations * 2, members));
  brief.forecasts_at = 0;
  for (int i = 0; i < 20'000 && !brief.chooser.is_settled(); ++i) brief.run();
  ASSERT_TRUE(brief.chooser.is_settled());
  EXPECT_TRUE(brief.chooser.is_plain(iterations, members)) << words_of(brief.chooser);

  faster_in_equal_blocks longer(early_choice::brief * 2);
  for (int i = 0; i < 100; ++i) longer.run();
  ASSERT_EQ(std::string_view(longer.chooser.chosen().schedule->about.name), "static");
  EXPECT_FALSE(longer.chooser.is_plain(iterations, members));

  faster_in_equal_blocks stolen(early_choice::brief / 4);
  stolen.forecasts_at = 1'000'000;
  stolen.takes = [](const auto& how) {
    return std::string_view(how.schedule->about.name) == "steal" ? early_choice::brief / 4 : early_choice::brief / 2;
  };
  for (int i = 0; i < 100; ++i) stolen.run();
  EXPECT_FALSE(stolen.chooser.is_plain(iterations, members));
  EXPECT_TRUE(stolen.chooser.may_go_untold(iterations, members));
}

TEST(untold_loops, are_brief_and_known) {
  loop stolen;  // by its base, which is as fast as any
  stolen.factor = 0.02;
  for (int i = 0; i < 1'000 && !stolen.chooser.is_settled(); ++i) {
    EXPECT_FALSE(stolen.chooser.may_go_untold(iterations, members));
    stolen.run();
  }
  ASSERT_TRUE(stolen.chooser.is_settled());
  EXPECT_TRUE(stolen.chooser.may_go_untold(iterations, members));
  EXPECT_FALSE(stolen.chooser.may_go_untold(iterations * 2, members));
  EXPECT_EQ(std::string_view(stolen.chooser.usual().schedule->about.name), "steal");

  loop longer;
  for (int i = 0; i < 100; ++i) longer.run();
  ASSERT_TRUE(longer.chooser.is_settled());
  EXPECT_FALSE(longer.chooser.may_go_untold(iterations, members));
}

/// What they took was mostly to be shared and told.
TEST(plain_loops, that_are_tiny_stay_in_equal_blocks) {
  constexpr auto tiny = early_choice::tiny / 2;
  faster_in_equal_blocks it(tiny);
  it.takes = [](const auto& how) {
    const std::string_view name = how.schedule->about.name;
    return name == "static" ? tiny : tiny * 2 / 3;
  };
  it.chooser.plain_saves(500);
  for (int i = 0; i < 20'000 && !it.chooser.is_settled(); ++i) it.run();
  ASSERT_TRUE(it.chooser.is_plain(iterations, members)) << words_of(it.chooser);
  for (int i = 0; i < 200'000; ++i) {
    ASSERT_FALSE(it.run().observed) << "no clock tells its costs";
    ASSERT_TRUE(it.chooser.is_plain(iterations, members));
  }
  it.takes = [](const auto& how) {
    return std::string_view(how.schedule->about.name) == "static" ? early_choice::brief * 2 : early_choice::brief;
  };
  for (int i = 0; i < 20'000; ++i) it.run();
  EXPECT_FALSE(it.chooser.is_plain(iterations, members)) << "it takes longer now";
}

/// Told they take longer than by `steal`, and most of them are not told.
TEST(plain_loops, are_chosen_for_what_they_are_spared) {
  constexpr auto ticks = early_choice::brief / 8;
  for (const std::uint64_t saved : {ticks / 40, ticks / 8}) {
    for (const int forecasts_at : {0, 1'000'000}) {
      faster_in_equal_blocks it(ticks);
      it.takes = [](const auto& how) {
        const std::string_view name = how.schedule->about.name;
        return name.starts_with("steal") && how.members == members ? ticks
               : name == "static"                                  ? ticks * 16 / 15
                                                                   : 2 * ticks;
      };
      it.hand_over = ticks / 64;
      it.chooser.plain_saves(saved);
      it.forecasts_at = forecasts_at;
      for (int i = 0; i < 20'000; ++i) it.run();
      EXPECT_EQ(it.chooser.is_settled(), forecasts_at == 0);
      EXPECT_EQ(it.chooser.is_plain(iterations, members), saved > ticks / 15) << saved << words_of(it.chooser);
    }
  }
}

}  // namespace
}  // namespace steelyard::learn
