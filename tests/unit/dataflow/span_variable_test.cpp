// SPDX-License-Identifier: Apache-2.0
// STEELYARD_SPAN, in children. Time is made up.
#include <gtest/gtest.h>

#include <cstdlib>
#include <steelyard/task.hpp>
#include <string>
#include <thread>

#include "../task/spins.hpp"
#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using loop_tests::in_child;

/// Three independent tasks of dataflow, of two milliseconds each, then a join.
void run_some_tasks() {
  shared<number> its[3] = {shared<number>(0U), shared<number>(0U), shared<number>(0U)};
  for (auto& each : its) {
    fork_task(
        [](steelyard::rw<number> it) {
          task_tests::spin(2);
          ++*it;
        },
        each);
  }
  sync_tasks();
  steelyard::join([] {}, [] {});
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// A pool of one thread says at its end what it has measured; that of the process, when that ends.
TEST(SpanVariable, SaysWorkAndSpan) {
  constexpr const char* said = "steelyard: the tasks of a pool of one thread took ";
  const auto own = in_child({{"STEELYARD_SPAN", "1"}}, [] {
    pool alone(1);
    alone.run(run_some_tasks);
    steelyard_work_span found{};
    REQUIRE(steelyard_pool_work_span(alone.handle(), &found) == 1);
    REQUIRE(found.work == 6'000'000 && found.span == 2'000'000);
    return 0;
  });
  EXPECT_TRUE(own.fine()) << own;
  EXPECT_TRUE(own.errors.starts_with(said) && has(own.errors, "s (T-infinity): more threads make them ")) << own;

  const auto of_process = in_child({{"STEELYARD_SPAN", "1"}, {"STEELYARD_NUM_THREADS", "1"}}, [] {
    run_some_tasks();
    std::exit(0);
    return 0;
  });
  EXPECT_TRUE(of_process.fine() && of_process.errors.starts_with(said)) << of_process;
}

TEST(SpanVariable, IsOfOneThreadOnly) {
  const auto two = in_child({{"STEELYARD_SPAN", "1"}}, [] {
    for (int i = 0; i < 2; ++i) pool(2).run(run_some_tasks);
    return 0;
  });
  EXPECT_TRUE(two.fine()) << two;
  EXPECT_EQ(two.errors,
            "steelyard: STEELYARD_SPAN=1 measures pools of one thread, and this one has 2; set "
            "STEELYARD_NUM_THREADS=1\n");
  const auto guests = in_child({{"STEELYARD_SPAN", "1"}}, [] {
    pool alone(1);
    rendezvous both(2);
    const auto use = [&] { alone.run([&both] { steelyard::join([&both] { REQUIRE(both.come()); }, [] {}); }); };
    std::thread other(use);
    use();
    other.join();
    steelyard_work_span found{1, 1};
    REQUIRE(steelyard_pool_work_span(alone.handle(), &found) == 0 && found.work == 0 && found.span == 0);
    return 0;
  });
  EXPECT_TRUE(guests.fine()) << guests;
  EXPECT_EQ(guests.errors, "steelyard: work and span of a pool could not be measured: several threads have used it\n");
  const auto off = in_child({{"STEELYARD_SPAN", "0"}, {"STEELYARD_NUM_THREADS", "1"}}, [] {
    run_some_tasks();
    std::exit(0);
    return 0;
  });
  EXPECT_TRUE(off.fine()) << off;
  EXPECT_EQ(off.errors, "");
}

}  // namespace
