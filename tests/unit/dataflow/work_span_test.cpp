// SPDX-License-Identifier: Apache-2.0
// Work and span of tasks that are ordered by what they access, and last a made-up time.
#include <steelyard/work_span.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "../task/spins.hpp"

#include <steelyard/dataflow.hpp>
#include <steelyard/join.hpp>

namespace {

using steelyard::fork_task, steelyard::shared, steelyard::r, steelyard::w, steelyard::rw, steelyard::cw;
using task_tests::expect_measured, task_tests::known, task_tests::spin;

double sum(const auto& all) { return std::accumulate(all.begin(), all.end(), 0.0); }
double most(const auto& all) { return *std::max_element(all.begin(), all.end()); }

/// Spins and notes how long.
constexpr auto last_for = [](double milliseconds, double* into) { *into += spin(milliseconds); };

TEST(DataflowWorkSpan, IndependentTasksTakeTheLongest) {
  expect_measured([] {
    std::array<double, 5> its{};
    for (std::size_t i = 0; i < its.size(); ++i) fork_task(last_for, i == 3 ? 4.0 : 1.0, &its[i]);
    steelyard::sync_tasks();
    return known{sum(its), most(its)};
  });
}

TEST(DataflowWorkSpan, AChainTakesAllOfIt) {
  expect_measured([] {
    std::array<double, 5> its{};
    shared<int> link(0);
    for (double& each : its) {
      fork_task(
          [](rw<int> at, double* into) {
            *into = spin(1);
            ++*at;
          },
          link, &each);
    }
    steelyard::sync_tasks();
    return known{sum(its), sum(its)};
  });
}

TEST(DataflowWorkSpan, ADiamond) {
  expect_measured([] {
    std::array<double, 4> its{};
    shared<int> top(0), left(0), right(0), bottom(0);
    const auto from = [](r<int>, w<int> to, double wanted, double* into) {
      *into = spin(wanted);
      *to = 1;
    };
    fork_task(
        [](w<int> to, double* into) {
          *into = spin(1);
          *to = 1;
        },
        top, &its[0]);
    fork_task(from, top, left, 2.0, &its[1]);
    fork_task(from, top, right, 4.0, &its[2]);
    fork_task(
        [](r<int>, r<int>, w<int> to, double* into) {
          *into = spin(1);
          *to = 1;
        },
        left, right, bottom, &its[3]);
    steelyard::sync_tasks();
    return known{sum(its), its[0] + std::max(its[1], its[2]) + its[3]};
  });
}

/// Who forks comes first: a task begins where it is forked, whatever it accesses.
TEST(DataflowWorkSpan, TasksBeginWhereTheyAreForked) {
  expect_measured([] {
    double before = 0, first = 0, between = 0, last = 0;
    before = spin(1);
    fork_task(last_for, 1.0, &first);
    between = spin(2);
    fork_task(last_for, 1.0, &last);
    steelyard::sync_tasks();
    return known{before + first + between + last, before + std::max(first, between + last)};
  });
}

/// Writers wait for readers, who do not wait for each other; tasks that add do not wait for each other either.
TEST(DataflowWorkSpan, ReadersAndAdders) {
  expect_measured([] {
    std::array<double, 3> reads{}, adds{};
    double write = 0;
    shared<int> it(0);
    for (double& each : reads) fork_task([](r<int>, double* into) { *into = spin(1); }, it, &each);
    fork_task([](w<int> to, double* into) { *into = spin(1), *to = 0; }, it, &write);
    for (double& each : adds) {
      fork_task([](cw<int, std::plus<>> to, double* into) { *into = spin(1), to.add(1); }, it, &each);
    }
    steelyard::sync_tasks();
    return known{sum(reads) + write + sum(adds), most(reads) + write + most(adds)};
  });
}

/// A task has ended when those that it has forked have: here the last of a frame, and one that is not.
TEST(DataflowWorkSpan, TasksOfTasks) {
  for (const bool others_follow : {false, true}) {
    expect_measured([others_follow] {
      static std::array<double, 6> its;
      its = {};
      shared<int> it(0);
      fork_task(
          [](w<int> to) {
            its[0] = spin(1);
            fork_task([](double* into) { *into = spin(2); }, &its[1]);
            fork_task(
                [](w<int> here) {
                  its[2] = spin(3);
                  *here = 1;
                },
                to);
          },
          it);
      if (others_follow) {
        fork_task([](r<int>) { its[3] = spin(1); }, it);
        fork_task([] { its[4] = spin(1); });
      }
      steelyard::sync_tasks();
      return known{sum(its), its[0] + std::max(its[1], its[2]) + its[3]};
    });
  }
}

/// A chain in which each task forks the next as its last one.
void next(int left, double* all) {
  *all += spin(0.2);
  if (left != 0) fork_task(next, left - 1, all);
}
TEST(DataflowWorkSpan, AChainOfLastTasks) {
  expect_measured([] {
    double all = 0;
    fork_task(next, 19, &all);
    steelyard::sync_tasks();
    return known{all, all};
  });
}

/// And it takes no stack: a million of them.
void count_down(long left, long* counted) {
  ++*counted;
  if (left != 0) fork_task(count_down, left - 1, counted);
}
TEST(DataflowWorkSpan, ALongChainOfLastTasks) {
  long counted = 0;
  const auto found = steelyard::measure_work_span([&counted] {
    fork_task(count_down, 999'999L, &counted);
    steelyard::sync_tasks();
  });
  EXPECT_EQ(counted, 1'000'000);
  EXPECT_LE(found.span, found.work);
}

/// A task of a chain that waits for what it has forked goes on behind that.
TEST(DataflowWorkSpan, ALastTaskThatWaits) {
  expect_measured([] {
    static std::array<double, 4> its;
    its = {};
    fork_task([] { its[0] = spin(5); });
    fork_task([] {
      fork_task([] { its[1] = spin(1); });
      its[2] = spin(2);
      steelyard::sync_tasks();
      its[3] = spin(1);
    });
    steelyard::sync_tasks();
    return known{sum(its), std::max(its[0], std::max(its[1], its[2]) + its[3])};
  });
}

/// Parts of an array: halves are independent, and the whole waits for both.
TEST(DataflowWorkSpan, PartsThatOverlap) {
  expect_measured([] {
    std::array<double, 3> its{};
    std::vector<int> of(8);
    const steelyard::range<int> all(of.data(), of.size());
    const auto write = [](rw<steelyard::range<int>>, double* into) { *into = spin(2); };
    fork_task(write, all.part(0, 4), &its[0]);
    fork_task(write, all.part(4, 4), &its[1]);
    fork_task(write, all.part(2, 4), &its[2]);
    steelyard::sync_tasks();
    return known{sum(its), std::max(its[0], its[1]) + its[2]};
  });
}

/// A join comes behind what has been forked before.
TEST(DataflowWorkSpan, AJoinBehindTasks) {
  expect_measured([] {
    double before = 0, first = 0, second = 0;
    fork_task(last_for, 2.0, &before);
    steelyard::join([&first] { first = spin(1); },
                    [&second] {
                      fork_task(last_for, 1.0, &second);
                      fork_task(last_for, 1.0, &second);
                    });
    return known{before + first + second, before + std::max(first, second / 2)};
  });
}

/// What is noted once counts each time.
TEST(DataflowWorkSpan, ARecording) {
  std::array<double, 3> its{};
  shared<int> it(0);
  const auto write = [](rw<int>, double* into) { *into += spin(1); };
  steelyard::recording program([&] {
    fork_task(write, it, &its[0]);
    fork_task(write, it, &its[1]);
    fork_task(last_for, 1.0, &its[2]);
  });
  expect_measured([&] {
    its = {};
    program.run();
    program.run();
    return known{sum(its), std::max(its[0] + its[1], its[2])};
  });
}

struct add {
  void operator()(w<long> result, r<long> a, r<long> b) const {
    spin(1e-6);
    *result = *a + *b;
  }
};
struct fib {
  void operator()(int n, w<long> result) const {
    spin(1e-6);
    if (n < 2) {
      *result = n;
      return;
    }
    shared<long> a, b;
    fork_task(fib(), n - 1, a);
    fork_task(fib(), n - 2, b);
    fork_task(add(), result, a, b);
  }
};

/// 12,541 tasks that call no others or few: a nanosecond for each.
TEST(DataflowWorkSpan, FibIsParallel) {
  shared<long> result(0);
  const auto found = steelyard::measure_work_span([&result] { fork_task(fib(), 18, result); });
  EXPECT_EQ(*result, 2584);
  EXPECT_EQ(found.work.count(), 12'541);
  EXPECT_EQ(found.span.count(), 35);
}

}  // namespace
