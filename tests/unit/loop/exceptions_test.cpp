// SPDX-License-Identifier: Apache-2.0
// Exceptions out of loops.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <stdexcept>
#include <steelyard/loop.hpp>

#include "loops.hpp"

namespace {

using loop_tests::all_schedules;
using loop_tests::counts;
using steelyard::parallel_for;
using steelyard::pool;

std::atomic<int> alive{0};

/// An exception whose copies are counted.
struct tracked {
  explicit tracked(unsigned from) : where(from) { ++alive; }
  tracked(const tracked& other) : where(other.where) { ++alive; }
  tracked& operator=(const tracked&) = default;
  ~tracked() { --alive; }
  unsigned where;
};

constexpr unsigned n = 200;

/// The iteration whose exception arrived; n: none did.
template <class Throws>
unsigned thrown_by(Throws&& throws, const steelyard::loop_options& options, counts& seen) {
  try {
    parallel_for(
        0U, n,
        [&](unsigned i) {
          seen.ran(i);
          if (throws(i)) throw tracked(i);
        },
        options);
  } catch (const tracked& caught) {
    return caught.where;
  }
  return n;
}

TEST(Exceptions, FromAnyIteration) {
  pool four(4);
  std::mt19937 random(1);
  for (const char* schedule : all_schedules()) {
    for (unsigned run = 0; run < 1000; ++run) {
      const unsigned at = run == 0 ? 0 : run == 1 ? n - 1 : static_cast<unsigned>(random() % n);
      counts seen(n);
      const auto caught = thrown_by([at](unsigned i) { return i == at; },
                                    {.schedule = schedule, .on = &four, .always_parallel = run % 8 != 0}, seen);
      ASSERT_EQ(caught, at) << schedule;
      ASSERT_TRUE(seen.at_most_once()) << schedule;
    }
  }
  EXPECT_EQ(alive, 0);
}

/// Also where a member's share is one chunk, too long to be run to its end.
TEST(Exceptions, StopOthersInTheMiddleOfAChunk) {
  pool two(2);
  constexpr std::uint64_t share = std::uint64_t{1} << 40;
  for (const char* schedule : {"static", "cyclic,1099511627776", "guided"}) {
    std::atomic<bool> other_runs{false};
    const auto thrower = [&](std::uint64_t i) {
      if (i == 0) {
        while (!other_runs) {
        }
        throw std::runtime_error("the first iteration");
      }
      other_runs = true;
    };
    EXPECT_THROW(
        parallel_for(std::uint64_t{0}, 2 * share, thrower, {.schedule = schedule, .on = &two, .always_parallel = true}),
        std::runtime_error)
        << schedule;
  }
}

TEST(Exceptions, OfSeveralMembersOneArrives) {
  pool four(4);
  for (const char* schedule : all_schedules()) {
    for (unsigned run = 0; run < 200; ++run) {
      counts seen(n);
      const auto caught = thrown_by([](unsigned i) { return i % 3 == 0; },
                                    {.schedule = schedule, .on = &four, .always_parallel = true}, seen);
      ASSERT_LT(caught, n) << schedule;
      ASSERT_EQ(caught % 3, 0U) << schedule;
      ASSERT_TRUE(seen.at_most_once()) << schedule;
    }
  }
  EXPECT_EQ(alive, 0);
}

/// All members throw, each from its own iteration, at the same moment. Far more iterations than members: an owner keeps
/// one for itself.
TEST(Exceptions, AllMembersAtTheSameMoment) {
  pool four(4);
  for (const char* schedule : all_schedules()) {
    for (int run = 0; run < 20; ++run) {
      std::atomic<int> inside{0};
      EXPECT_THROW(parallel_for(0U, 256U,
                                [&](unsigned i) {
                                  ++inside;
                                  loop_tests::becomes([&] { return inside >= 4; });
                                  throw tracked(i);
                                },
                                {.schedule = schedule, .on = &four, .always_parallel = true}),
                   tracked)
          << schedule;
    }
  }
  EXPECT_EQ(alive, 0);
}

/// Who has begun a long chunk looks up within it: here they are half of the loop each.
TEST(Exceptions, OthersDoNotFinishTheirChunks) {
  pool two(2);
  std::atomic<std::uint64_t> ran{0};
  EXPECT_THROW(parallel_for(std::uint64_t{0}, std::uint64_t{1} << 40,
                            [&](std::uint64_t i) {
                              if (i == 1000) throw std::runtime_error("enough");
                              ran.fetch_add(1, std::memory_order_relaxed);
                            },
                            {.schedule = "static", .on = &two, .always_parallel = true}),
               std::runtime_error);
  EXPECT_LT(ran, std::uint64_t{1} << 39);
}

/// Behind the chunks that the members have begun: those of `dynamic` are as short as one asks.
TEST(Exceptions, TheLoopStopsSoon) {
  pool two(2);
  std::atomic<std::uint64_t> ran{0};
  EXPECT_THROW(parallel_for(std::uint64_t{0}, std::uint64_t{1} << 60,
                            [&](std::uint64_t) {
                              if (++ran == 1000) throw std::runtime_error("enough");
                            },
                            {.schedule = "dynamic", .chunk = 100, .on = &two, .always_parallel = true}),
               std::runtime_error);
}

TEST(Exceptions, Nested) {
  pool three(3);
  for (const char* schedule : all_schedules()) {
    for (unsigned run = 0; run < 50; ++run) {
      const steelyard::loop_options options{.schedule = schedule, .on = &three, .always_parallel = true};
      std::atomic<int> inner_caught{0};
      try {
        parallel_for(
            0U, 10U,
            [&](unsigned i) {
              try {
                parallel_for(
                    0U, 20U,
                    [&](unsigned j) {
                      if (i == run % 10 && j == run % 20) throw tracked(j);
                    },
                    options);
              } catch (const tracked&) {
                ++inner_caught;
                throw;
              }
            },
            options);
        ADD_FAILURE() << "nothing arrived";
      } catch (const tracked& caught) {
        EXPECT_EQ(caught.where, run % 20);
      }
      EXPECT_EQ(inner_caught, 1);
    }
  }
  EXPECT_EQ(alive, 0);
}

TEST(Exceptions, AfterThemThePoolIsAsBefore) {
  pool three(3);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(parallel_for(0, 50, [](int) { throw 1; }, {.on = &three, .always_parallel = true}), int);
    counts seen(100);
    EXPECT_TRUE(parallel_for(0U, 100U, [&](unsigned i) { seen.ran(i); }, {.on = &three, .always_parallel = true}));
    ASSERT_EQ(seen.wrong(), 0U);
  }
}

TEST(Exceptions, OutOfReductionsAndScans) {
  using steelyard::order;
  for (const auto how : {order::any, order::fixed}) {
    EXPECT_THROW(static_cast<void>(steelyard::parallel_reduce(
                     0, 10000, std::string(), [](int i) { return i == 5000 ? throw tracked(5) : std::string("x"); },
                     std::plus<>{}, {.always_parallel = true}, how)),
                 tracked);
  }
  std::vector<int> in(10000, 1);
  EXPECT_THROW(steelyard::parallel_scan(in.begin(), in.end(), in.begin(), 0,
                                        [](int a, int b) { return a + b > 7000 ? throw tracked(1) : a + b; },
                                        {.always_parallel = true}),
               tracked);
  EXPECT_EQ(alive, 0);
}

/// Before anything has run. Costs that are kept are asked for again by the next loop.
TEST(Exceptions, OutOfCosts) {
  pool two(2);
  bool throws = true;
  const auto cost = [&](std::uint64_t i) { return throws && i == 500 ? throw std::runtime_error("cost") : double(i); };
  steelyard::costs kept(cost);
  std::atomic<int> ran{0};
  const auto count = [&](int) { ++ran; };
  EXPECT_THROW(parallel_for(0, 1000, count, {.cost = cost, .on = &two, .always_parallel = true}), std::runtime_error);
  EXPECT_THROW(parallel_for(0, 1000, count, {.cost = kept, .on = &two, .always_parallel = true}), std::runtime_error);
  EXPECT_EQ(ran, 0);
  throws = false;
  parallel_for(0, 1000, count, {.cost = kept, .on = &two, .always_parallel = true});
  EXPECT_EQ(ran, 1000);
}

TEST(Exceptions, OutOfProgress) {
  pool two(2);
  EXPECT_THROW(parallel_for(0, 100000, [](int) { loop_tests::compute(std::chrono::microseconds(50)); },
                            {.schedule = "dynamic",
                             .on = &two,
                             .always_parallel = true,
                             .progress = [](std::uint64_t, std::uint64_t) { throw std::runtime_error("no more"); }}),
               std::runtime_error);
}

}  // namespace
