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
  /// Sharing makes iterations take so many times as long.
  explicit site(std::uint64_t factor = 1) : factor_(factor) {}

  /// Runs a loop; from which iteration on it was shared, `n`: it was not.
  std::uint64_t shared_from(std::uint64_t n, const cost& of) {
    const auto even = even_.of(false);
    const outlook ahead{known_.took.alone(n), known_.took.together(n), even, even, members};
    if (!known_.runs_alone(ahead)) return share(0, n, of);
    const auto part = before_look(n, ahead.alone != 0 && !known_.took.is_in_doubt());
    const auto all = of(0, part) * (n / part);
    if (is_better_shared(all, ahead.alone, ahead.even)) {
      known_.took.took_long_alone(all, n);
      return share(part, n, of);
    }
    known_.took.ran_as_usual();
    if (is_time_to_look(ahead.alone, now_)) known_.took.took_alone(of(0, n), n);
    now_ += of(0, n);
    return n;
  }

  int times_shared(int runs, std::uint64_t n, const cost& of) {
    int shared = 0;
    for (int run = 0; run < runs; ++run) shared += shared_from(n, of) != n ? 1 : 0;
    return shared;
  }

 private:
  static constexpr std::uint32_t members = 2;
  static constexpr std::uint64_t opening = 1000, arrival = 3000;

  std::uint64_t share(std::uint64_t first, std::uint64_t n, const cost& of) {
    const auto busy = factor_ * of(first, n) + opening;
    even_.shared(false, opening, arrival, opening + busy / members);
    known_.took.took_together(busy, n - first);
    now_ += opening + busy / members;
    return first;
  }

  history known_;
  break_even even_;
  std::uint64_t factor_;
  std::uint64_t now_ = 0;
};

TEST(Site, TinyLoopsStayOnTheCaller) {
  site place;
  EXPECT_EQ(place.shared_from(4, each(10)), 0U) << "nothing is known yet";
  EXPECT_LE(place.times_shared(1000, 4, each(10)), 4) << "now and then, to see what that costs now";
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
  EXPECT_NE(place.shared_from(1000, each(60'000)), 1000U);
  EXPECT_LE(place.times_shared(100, 1000, each(1)), 3);
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
