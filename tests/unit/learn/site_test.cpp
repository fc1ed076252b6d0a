// SPDX-License-Identifier: Apache-2.0
// What a place in the program learns from one loop to the next, as loop/run.cpp asks and tells it. Time is numbers: opening a
// loop, and who comes first, take what is said here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "learn/break_even.hpp"
#include "learn/history.hpp"

namespace steelyard::learn {
namespace {

/// What iterations first … last-1 take.
using cost = std::function<std::uint64_t(std::uint64_t first, std::uint64_t last)>;

cost each(std::uint64_t ticks) {
  return [ticks](std::uint64_t first, std::uint64_t last) { return ticks * (last - first); };
}

class site {
 public:
  /// Sharing makes iterations take so many times as long, and one of them takes as long as `longest`.
  explicit site(std::uint64_t factor = 1, std::uint64_t longest = 0) : factor_(factor), longest_(longest) {}

  /// Runs a loop; from which iteration on it was shared, `n`: it was not.
  std::uint64_t shared_from(std::uint64_t n, const cost& of) {
    const auto even = even_.of(false);
    const outlook ahead{known_.took.alone(n), known_.took.together(n), known_.took.apart(n), even, even, members};
    const auto way = known_.next(ahead);
    if (way == course::shared) {
      share(0, n, of);
      return 0;
    }
    const bool in_doubt = known_.took.is_in_doubt();
    if (!is_known_small(ahead, in_doubt)) {
      const bool is_sure = ahead.alone != 0 && !in_doubt;
      for (const auto& behind : {is_sure ? look{} : early_look(n), look{n / 2, 2}}) {
        const auto ran = of(0, behind.done);
        if (behind.done == 0 || !is_better_shared(ran, ran * behind.times, ahead)) continue;
        // One iteration is no loop for two.
        const auto all = ran + (n - behind.done > 1 ? share(behind.done, n, of) : of(behind.done, n));
        if (is_better_shared(all, all, ahead)) {
          known_.took.took_long_alone(all, n);
        } else if (ahead.alone == 0) {
          known_.took.took_alone(all, n);
        }
        return behind.done;
      }
    }
    const auto all = of(0, n);
    now_ += all;
    if (is_better_shared(all, all, ahead)) {
      known_.took.took_long_alone(all, n);
      return n;
    }
    known_.took.ran_as_usual();
    if (way == course::tried_alone || is_time_to_note(ahead.alone, now_)) known_.took.took_alone(all, n);
    return n;
  }

  int times_shared(int runs, std::uint64_t n, const cost& of) {
    int shared = 0;
    for (int run = 0; run < runs; ++run) shared += shared_from(n, of) != n ? 1 : 0;
    return shared;
  }

 private:
  static constexpr std::uint32_t members = 2;
  static constexpr std::uint64_t opening = 1000, arrival = 3000, ending = 500;

  /// What all members took together.
  std::uint64_t share(std::uint64_t first, std::uint64_t n, const cost& of) {
    const auto busy = factor_ * of(first, n) + opening;
    const auto ran = opening + std::max(busy / members, longest_) + ending;
    even_.shared(false, {opening, arrival, ending, ran});
    known_.took.took_together(busy, n - first);
    const auto apart = ran - std::min(ran, cost_of_sharing(even_.of(false), members));
    if (first == 0) known_.took.took_apart(std::max(apart, busy / members), n, true);
    now_ += ran;
    return busy;
  }

  history known_;
  break_even even_;
  std::uint64_t factor_;
  std::uint64_t longest_;
  std::uint64_t now_ = 0;
};

TEST(Site, TinyLoopsStayOnTheCaller) {
  site place;
  EXPECT_EQ(place.shared_from(4, each(10)), 0U) << "nothing is known yet";
  EXPECT_LE(place.times_shared(1000, 4, each(10)), 3 * 4) << "now and then four times, to see what that costs now";
}

/// What a break-even that leaves something out calls large enough: the clock says what sharing it took.
TEST(Site, LoopsThatSharingMakesNoShorterStayOnTheCaller) {
  site place(1, 9000);
  place.times_shared(10, 2, each(4500));
  EXPECT_LE(place.times_shared(1000, 2, each(4500)), 80) << "where it costs a sixth, more often";
}

/// A look behind the first of two iterations finds one that is left, which is no loop for two.
TEST(Site, TwoIterationsThatAreWorthSharingAreShared) {
  site place;
  const auto each_of_two = each(9500);
  place.times_shared(10, 2, each_of_two);
  int whole = 0;
  for (int run = 0; run < 200; ++run) whole += place.shared_from(2, each_of_two) == 0 ? 1 : 0;
  EXPECT_GE(whole, 170) << "but for trials";
}

/// Half alone and the rest shared takes longer than either.
TEST(Site, WhatIsFoundOutByALookIsRemembered) {
  site place;
  const cost first_half = [](std::uint64_t first, std::uint64_t last) {
    const auto heavy = std::min<std::uint64_t>(last, 50) - std::min<std::uint64_t>(first, 50);
    return (last - first) + 200 * heavy;
  };
  place.times_shared(10, 100, first_half);
  int in_the_middle = 0;
  for (int run = 0; run < 1000; ++run) {
    const auto from = place.shared_from(100, first_half);
    in_the_middle += from != 0 && from != 100 ? 1 : 0;
  }
  EXPECT_LE(in_the_middle, 20);
}

TEST(Site, ASmallLoopThatIsDisturbedStaysOnTheCaller) {
  site place;
  place.times_shared(200, 1000, each(1));
  int shared = 0;
  for (int run = 0; run < 2000; ++run) {
    const bool disturbed = run % 100 == 0 || run % 100 == 7;
    shared += place.times_shared(1, 1000, each(disturbed ? 4 : 1));
  }
  EXPECT_LE(shared, 4 * 4) << "now and then, to see what that costs now";
}

/// Where sharing itself takes longer than the iterations, their time together says nothing of what they take alone.
TEST(Site, IterationsThatSharingMakesDearStayOnTheCaller) {
  site place(5);
  place.times_shared(10, 1000, each(8));
  EXPECT_LE(place.times_shared(1000, 1000, each(8)), 40);
}

TEST(Site, LongLoopsAreShared) {
  site place;
  EXPECT_EQ(place.times_shared(100, 1000, each(60'000)), 100);
}

TEST(Site, ASiteThatBecomesHeavyIsSharedAgain) {
  site place;
  place.times_shared(200, 64, each(10));
  EXPECT_LE(place.shared_from(1000, each(60'000)), 500U) << "after one look";
  EXPECT_LE(place.shared_from(1000, each(60'000)), 62U);
  EXPECT_GE(place.times_shared(10, 1000, each(60'000)), 9) << "but for a trial";
}

/// A thread that loses its core for a while makes a tiny loop look long, once.
TEST(Site, OneLongRunIsNotBelieved) {
  site place;
  place.times_shared(2000, 1000, each(1));
  EXPECT_EQ(place.shared_from(1000, each(60'000)), 1000U) << "a look before the end costs small loops too much";
  EXPECT_LE(place.times_shared(100, 1000, each(1)), 3);
}

TEST(Site, ASmallLoopThatBecomesHeavyIsLookedAtFromTheSecondOn) {
  site place;
  place.times_shared(2000, 1000, each(1));
  EXPECT_EQ(place.shared_from(1000, each(60'000)), 1000U);
  EXPECT_LE(place.shared_from(1000, each(60'000)), 62U);
  EXPECT_LE(place.shared_from(1000, each(60'000)), 62U);
  EXPECT_GE(place.times_shared(10, 1000, each(60'000)), 9) << "but for a trial";
}

/// A site that two kinds of loops go through: half of the long ones on the caller would be too much.
TEST(Site, LightAndHeavyRunsInTurn) {
  site place;
  int soon = 0;
  for (int run = 0; run < 10; ++run) {
    place.shared_from(1000, each(1));
    soon += place.shared_from(1000, each(60'000)) <= 62 ? 1 : 0;
  }
  EXPECT_GE(soon, 8);
}

/// What the first half takes says nothing of the whole.
TEST(Site, WorkInTheSecondHalf) {
  site place;
  const cost behind = [](std::uint64_t first, std::uint64_t last) {
    const auto heavy = std::max<std::uint64_t>(last, 100) - std::max<std::uint64_t>(first, 100);
    return (last - first) + 60'000 * heavy;
  };
  EXPECT_GE(place.times_shared(20, 200, behind), 15);
}

}  // namespace
}  // namespace steelyard::learn
