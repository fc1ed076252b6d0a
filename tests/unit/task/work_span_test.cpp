// SPDX-License-Identifier: Apache-2.0
// Work and span of joins, groups and futures whose tasks last a made-up time.
#include <steelyard/work_span.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "spins.hpp"

#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

namespace {

using task_tests::expect_measured, task_tests::known, task_tests::spin;

double sum(const auto& all) { return std::accumulate(all.begin(), all.end(), 0.0); }
double most(const auto& all) { return *std::max_element(all.begin(), all.end()); }

TEST(WorkSpan, OneStrand) {
  expect_measured([] {
    const double all = spin(3);
    return known{all, all};
  });
}

/// Whichever half is longer, and what comes behind them.
TEST(WorkSpan, AJoinTakesItsLongerHalf) {
  for (const double f : {2.0, 4.0}) {
    const double g = 6.0 - f;
    expect_measured([f, g] {
      double first = 0, second = 0;
      steelyard::join([&] { first = spin(f); }, [&] { second = spin(g); });
      const double behind = spin(1);
      return known{first + second + behind, std::max(first, second) + behind};
    });
  }
}

/// Where a thief needs no line of the stack, results are copies.
TEST(WorkSpan, ResultsAreThoseOfTheProgram) {
  const auto found = steelyard::measure_work_span([] {
    const auto [a, b] = steelyard::join([] { return 1; }, [] { return 2; });
    EXPECT_EQ(std::pair(a, b), std::pair(1, 2));
    std::string with = "with";
    const auto both = steelyard::join([&with] { return with + " one"; }, [&with] { return with + " two"; });
    EXPECT_EQ(both.first + both.second, "with onewith two");
    EXPECT_EQ(steelyard::join_reduce(1000, 0U, [](std::size_t i) { return static_cast<unsigned>(i); }), 499500U);
  });
  EXPECT_LE(found.span, found.work);
}

double tree(int depth, double& work) {
  if (depth == 0) {
    const double mine = spin(1);
    work += mine;
    return mine;
  }
  const auto [a, b] = steelyard::join([&] { return tree(depth - 1, work); }, [&] { return tree(depth - 1, work); });
  const double mine = spin(0.5);
  work += mine;
  return std::max(a, b) + mine;
}

TEST(WorkSpan, ATreeOfJoins) {
  expect_measured([] {
    double work = 0;
    const double span = tree(4, work);
    return known{work, span};
  });
}

TEST(WorkSpan, CallsOfJoinEachAreBesideEachOther) {
  expect_measured([] {
    std::array<double, 8> its{};
    steelyard::join_each(its.size(), [&its](std::size_t i) { its[i] = spin(i == 5 ? 3 : 1); });
    return known{sum(its), most(its)};
  });
}

int fib(int n) {
  spin(1e-6);
  if (n < 2) return n;
  const auto [a, b] = steelyard::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// 28,656 joins, 22 below each other: a nanosecond for each call.
TEST(WorkSpan, FibIsParallel) {
  int result = 0;
  const auto found = steelyard::measure_work_span([&result] { result = fib(22); });
  EXPECT_EQ(result, 17711);
  EXPECT_EQ(found.work.count(), 2 * 28'656 + 1);
  EXPECT_EQ(found.span.count(), 22);
}

TEST(WorkSpan, TasksOfAGroupBeginWhereTheyAreSpawned) {
  expect_measured([] {
    std::array<double, 3> its{};
    double between = 0;
    steelyard::task_group group;
    group.spawn([&its] { its[0] = spin(4); });
    between = spin(2);
    group.spawn([&its] { its[1] = spin(3); });
    group.spawn([&its] { its[2] = spin(1); });
    group.wait();
    return known{sum(its) + between, std::max(its[0], between + std::max(its[1], its[2]))};
  });
}

/// The next wait of the same group begins behind the last one.
TEST(WorkSpan, WaitsFollowEachOther) {
  expect_measured([] {
    std::array<double, 2> its{};
    steelyard::task_group group;
    for (double& each : its) {
      group.spawn([&each] { each = spin(2); });
      group.wait();
    }
    return known{sum(its), sum(its)};
  });
}

TEST(WorkSpan, ADiamondOfFutures) {
  expect_measured([] {
    std::array<double, 4> its{};
    steelyard::task_group group;
    const auto top = group.async([&its] { its[0] = spin(1); });
    const auto left = group.after([&its](steelyard::nothing) { its[1] = spin(2); }, top);
    const auto right = group.after([&its](steelyard::nothing) { its[2] = spin(4); }, top);
    group.after([&its](steelyard::nothing, steelyard::nothing) { its[3] = spin(1); }, left, right);
    group.wait();
    return known{sum(its), its[0] + std::max(its[1], its[2]) + its[3]};
  });
}

/// One that is made when its input has ended long ago begins where it is made.
TEST(WorkSpan, AFutureOfWhatHasEnded) {
  expect_measured([] {
    double first = 0, between = 0, last = 0;
    steelyard::task_group group;
    const auto top = group.async([&first] { first = spin(1); });
    group.wait();
    between = spin(2);
    group.after([&last](steelyard::nothing) { last = spin(2); }, top);
    group.wait();
    return known{first + between + last, first + between + last};
  });
}

/// The second half does not run when the first one throws, as ever, and what is measured afterwards is right.
TEST(WorkSpan, AJoinThatThrows) {
  bool second = false;
  const auto fails = [&second] {
    steelyard::join([] { throw std::runtime_error("first"); }, [&second] { second = true; });
  };
  EXPECT_THROW(static_cast<void>(steelyard::measure_work_span(fails)), std::runtime_error);
  EXPECT_FALSE(second);
  expect_measured([&fails] {
    EXPECT_THROW(fails(), std::runtime_error);
    double first = 0, other = 0;
    steelyard::join([&] { first = spin(2); }, [&] { other = spin(2); });
    return known{first + other, std::max(first, other)};
  });
  EXPECT_THROW(static_cast<void>(
                   steelyard::measure_work_span([] { steelyard::join([] {}, [] { throw std::logic_error(""); }); })),
               std::logic_error);
}

/// A thread that sleeps has no processor.
TEST(WorkSpan, SleepIsNoWork) {
  expect_measured([] {
    made_up_clock::rest(std::chrono::milliseconds(50));
    const double all = spin(3);
    made_up_clock::rest(std::chrono::milliseconds(50));
    return known{all, all};
  });
}

/// What is measured once does not change what is measured next, and the threads' own pool does not measure.
TEST(WorkSpan, OnlyWhatIsAskedFor) {
  steelyard_work_span found{1, 1};
  const steelyard::pool usual(1);
  EXPECT_EQ(steelyard_pool_work_span(usual.handle(), &found), 0);
  EXPECT_EQ(found.work + found.span, 0U);
  for (int i = 0; i < 2; ++i) {
    expect_measured([] {
      const double all = spin(2);
      return known{all, all};
    });
  }
}

}  // namespace
