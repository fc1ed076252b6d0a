// SPDX-License-Identifier: Apache-2.0
// What a join returns and throws, whoever runs its halves.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "tasks.hpp"

namespace {

using steelyard::join;
using steelyard::pool;
using task_tests::becomes;
using task_tests::fib;
using task_tests::meeting;

/// join(f, g) where a thief runs g: f waits for it.
template <class G>
auto join_stolen(G g) {
  meeting there;
  return join([&there] { EXPECT_TRUE(there.wait()) << "nobody has come"; },
              [&there, &g] {
                there.come();
                return g();
              });
}

TEST(Join, ComputesOnAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    pool(threads).run([] { EXPECT_EQ(fib(22), 17711); });
  }
  EXPECT_EQ(fib(15), 610);  // the process's own
}

TEST(Join, ReturnsWhatBothReturn) {
  const auto both = join([] { return 1; }, [] { return std::string("two"); });
  static_assert(std::is_same_v<decltype(both), const std::pair<int, std::string>>);
  EXPECT_EQ(both.first, 1);
  EXPECT_EQ(both.second, "two");
  static_assert(std::is_same_v<decltype(join([] {}, [] { return 1; })), std::pair<steelyard::nothing, int>>);
  static_assert(std::is_void_v<decltype(join([] {}, [] {}))>);
  const std::string text = "text";
  const auto referred =
      join([&]() -> const std::string& { return text; }, [&]() -> const std::string& { return text; });
  EXPECT_EQ(referred.second, "text");
}

TEST(Join, AThiefReturnsAnything) {
  const pool two(2);
  steelyard_pool_run(
      two.handle(),
      [](void*) {
        EXPECT_EQ(join_stolen([] { return 42; }).second, 42);
        EXPECT_EQ(*join_stolen([] { return std::make_unique<int>(7); }).second, 7);
        EXPECT_EQ(join_stolen([] { return std::string(100, 'x'); }).second, std::string(100, 'x'));
        EXPECT_EQ(join_stolen([] { return std::array<int, 100>{1, 2, 3}; }).second[2], 3);
        bool ran = false;
        join_stolen([&ran] { ran = true; });
        EXPECT_TRUE(ran);
      },
      nullptr);
}

/// Small closures run as copies in their slots, all others where they are.
TEST(Join, AThiefRunsAnyFunction) {
  pool(2).run([] {
    meeting small;
    EXPECT_EQ(join([&small] { return small.wait(); }, [&small] { return (small.come(), 3); }).second, 3);

    meeting big;
    const std::array<int, 64> much{5};
    EXPECT_EQ(join([&big] { return big.wait(); }, [&big, much] { return (big.come(), much[0]); }).second, 5);

    meeting counted;
    auto count = [&counted, calls = 0]() mutable { return (counted.come(), ++calls); };
    EXPECT_EQ(join([&counted] { return counted.wait(); }, count).second, 1);
    EXPECT_EQ(count(), 2);

    meeting moved;
    auto owner = [&moved, own = std::make_unique<int>(9)] { return (moved.come(), *own); };
    EXPECT_EQ(join([&moved] { return moved.wait(); }, owner).second, 9);
  });
}

TEST(Join, TheFirstRunsFirstWhenNobodyComes) {
  std::string order;
  pool(1).run([&order] { join([&order] { order += 'f'; }, [&order] { order += 'g'; }); });
  EXPECT_EQ(order, "fg");
}

TEST(Join, ThrowsWhatTheFirstThrows) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      EXPECT_THROW(join([] { throw std::runtime_error("f"); }, [] {}), std::runtime_error);
      EXPECT_THROW(join([] { throw std::runtime_error("f"); }, [] { throw std::logic_error("g"); }),
                   std::runtime_error);
    });
  }
  bool ran = false;
  pool(1).run([&ran] { EXPECT_THROW(join([] { throw 1; }, [&ran] { ran = true; }), int); });
  EXPECT_FALSE(ran);
}

TEST(Join, ThrowsWhatTheSecondThrows) {
  pool(2).run([] {
    EXPECT_THROW(join([] {}, [] { throw std::runtime_error("g"); }), std::runtime_error);
    EXPECT_THROW(join_stolen([] { throw std::runtime_error("g"); }), std::runtime_error);
    EXPECT_THROW(join_stolen([]() -> std::string { throw std::logic_error("g"); }), std::logic_error);
    meeting there;  // in a slot
    EXPECT_THROW(join([&there] { return there.wait(); }, [&there] { there.come(), throw std::runtime_error("g"); }),
                 std::runtime_error);
    // A thief has thrown, too; and the first half's goes before, after the second has ended.
    std::atomic<bool> ended{false};
    meeting both;
    EXPECT_THROW(join(
                     [&both] {
                       EXPECT_TRUE(both.wait());
                       throw std::runtime_error("f");
                     },
                     [&both, &ended] {
                       both.come();
                       std::this_thread::sleep_for(std::chrono::milliseconds(5));
                       ended = true;
                       throw std::logic_error("g");
                     }),
                 std::runtime_error);
    EXPECT_TRUE(ended);
  });
}

int throws_at(int depth) {
  if (depth == 0) throw depth;
  const auto both = join([depth] { return depth % 2 == 0 ? throws_at(depth - 1) : 0; },
                         [depth] { return depth % 2 == 0 ? 0 : throws_at(depth - 1); });
  return both.first + both.second;
}

TEST(Join, ThrowsFromAnyDepth) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int depth = 1; depth <= 1000; depth += depth < 20 ? 1 : 97) EXPECT_THROW(throws_at(depth), int);
      EXPECT_EQ(fib(10), 55);
    });
  }
}

TEST(Join, FromLoopsAndLoopsFromIt) {
  std::atomic<int> sum{0};
  pool(3).run([&sum] {
    steelyard::parallel_for(0, 100, [&sum](int) { sum += fib(8); }, {.always_parallel = true});
    join([&sum] { steelyard::parallel_for(0, 1000, [&sum](int) { ++sum; }, {.always_parallel = true}); },
         [&sum] { steelyard::parallel_for(0, 1000, [&sum](int) { ++sum; }, {.always_parallel = true}); });
  });
  EXPECT_EQ(sum, 100 * 21 + 2000);
}

/// A task that a worker runs is in the worker's pool, as are the loops in it.
TEST(Join, AThiefsPoolIsThatOfTheTask) {
  pool(5).run([] {
    const auto threads = join_stolen([] { return steelyard::threads(); }).second;
    EXPECT_EQ(threads, 5U);
  });
}

/// More of the program's own threads than have room; those that have none run everything themselves.
TEST(Join, FromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 80; ++i) threads.emplace_back([&right] { right += fib(14) == 377 ? 1 : 0; });
  for (auto& each : threads) each.join();
  EXPECT_EQ(right, 80);
}

TEST(Join, PoolsInPools) {
  pool(2).run([] {
    const auto both = join(
        [] {
          int inner = 0;
          pool(2).run([&inner] { inner = fib(12); });
          return inner;
        },
        [] { return fib(12); });
    EXPECT_EQ(both.first, 144);
    EXPECT_EQ(both.second, 144);
    EXPECT_EQ(fib(10), 55);
  });
}

TEST(JoinReduce, CombinesInOrder) {
  std::string expected;
  for (int i = 0; i < 3000; ++i) expected += std::to_string(i) + ' ';
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([&expected] {
      const auto text =
          steelyard::join_reduce(3000, std::string(), [](std::size_t i) { return std::to_string(i) + ' '; });
      EXPECT_EQ(text, expected);
      // More than are forked at once.
      EXPECT_EQ(steelyard::join_reduce(100'000, 1L, [](std::size_t i) { return static_cast<long>(i); }), 4999950001L);
    });
  }
  EXPECT_EQ(steelyard::join_reduce(0, 5, [](std::size_t) { return 1; }), 5);
  EXPECT_EQ(steelyard::join_reduce(1, 5, [](std::size_t) { return 1; }), 6);
}

/// So many calls are a task: on the thread of the first of them.
TEST(JoinReduce, WithAGrain) {
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += std::to_string(i) + ' ';
  for (const unsigned threads : {1U, 3U}) {
    pool(threads).run([&expected] {
      for (const std::size_t grain : {1U, 2U, 7U, 99U, 100U, 1000U}) {
        std::array<std::thread::id, 100> ran;
        const auto text = steelyard::join_reduce(
            100, std::string(),
            [&ran](std::size_t i) {
              ran[i] = std::this_thread::get_id();
              return std::to_string(i) + ' ';
            },
            std::plus<>(), grain);
        EXPECT_EQ(text, expected);
        for (std::size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], ran[i / grain * grain]) << i;
        std::atomic<std::size_t> sum{0};
        steelyard::join_each(
            100, [&sum](std::size_t i) { sum += i; }, grain);
        EXPECT_EQ(sum, 4950U);
      }
      EXPECT_THROW(steelyard::join_each(
                       100,
                       [](std::size_t i) {
                         if (i == 50) throw i;
                       },
                       20),
                   std::size_t);
    });
  }
}

TEST(JoinReduce, NestsAndIsShared) {
  struct count {
    static long leaves(int depth) {
      if (depth == 0) return 1;
      return steelyard::join_reduce(3, 0L, [depth](std::size_t) { return leaves(depth - 1); });
    }
  };
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] { EXPECT_EQ(count::leaves(10), 59049); });
  }
  pool(3).run([] {
    std::atomic<int> there{0};
    steelyard::join_each(3, [&there](std::size_t) {
      ++there;
      EXPECT_TRUE(becomes([&there] { return there == 3; })) << "each on a thread of its own";
    });
  });
}

TEST(JoinReduce, ThrowsTheFirstInOrder) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    pool(threads).run([] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> begun{0}, ended{0};
        try {
          steelyard::join_each(20, [&](std::size_t i) {
            ++begun;
            const std::shared_ptr<int> held(new int(1), [&ended](int* it) { delete it, ++ended; });
            if (i >= 5) throw i;
          });
          ADD_FAILURE() << "nothing was thrown";
        } catch (std::size_t i) {
          EXPECT_EQ(i, 5U);
        }
        EXPECT_EQ(begun, ended);
        // Strings of calls that had ended elsewhere are dropped, not lost.
        EXPECT_THROW(steelyard::join_reduce(20, std::string(),
                                            [](std::size_t i) {
                                              if (i == 3) throw std::runtime_error("3");
                                              return std::string(100, 'x');
                                            }),
                     std::runtime_error);
      }
    });
  }
}

/// A thief gets the second half although the first never calls the library.
TEST(Join, SomebodyComesThoughTheFirstHalfComputes) {
  pool(2).run([] {
    for (int i = 0; i < 50; ++i) {
      meeting there;
      const auto both = join([&there] { return there.wait(); }, [&there] { there.come(); });
      ASSERT_TRUE(both.first);
      std::this_thread::sleep_for(std::chrono::microseconds(50 * (i % 10)));  // the worker may sleep by then
    }
  });
}

/// Functions of any size, with and without padding, and functions that are none of ours.
void nothing_much() {}
TEST(Join, FunctionsOfAnyKind) {
  struct three {
    int a, b, c;
  };
  const three of{1, 2, 3};
  int x = 0, y = 0;
  const auto both = [&] {  // outside a pool's tasks the first time, inside the second
    steelyard::join([of, &x] { x += of.a + of.c; }, [of, &y] { y += of.b; });
    steelyard::join(nothing_much, [&x] { ++x; });
    const auto [copy, b] = steelyard::join([of] { return of; }, [] { return 4; });
    EXPECT_EQ(copy.a + copy.b + copy.c + b, 10);
  };
  both();
  steelyard::join(both, [] {});
  EXPECT_EQ(x, 10);
  EXPECT_EQ(y, 4);
}

/// A function `call` beside the program's own types is none of ours.
namespace elsewhere {
struct function {
  int operator()() const { return 1; }
};
[[maybe_unused]] int call(const function&) { return 2; }
[[maybe_unused]] int call(function&) { return 3; }
}  // namespace elsewhere
TEST(Join, CallsWhatItWasGiven) {
  elsewhere::function own;
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([&own] {
      const auto both = steelyard::join(own, own);
      EXPECT_EQ(both.first + both.second, 2);
    });
  }
}

/// Small, and moved like bytes, but not to be copied.
class token {
 public:
  explicit token(int value) : value_(value) {}
  token(token&&) = default;
  token& operator=(token&&) = default;
  token(const token&) = delete;
  token& operator=(const token&) = delete;
  [[nodiscard]] int value() const { return value_; }

 private:
  int value_;
};
TEST(Join, MovesWhatCannotBeCopied) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      auto both = steelyard::join([] { return token(1); }, [mine = token(2)] { return token(mine.value()); });
      EXPECT_EQ(both.first.value() + both.second.value(), 3);
      int spawned = 0;
      steelyard::scope(
          [&](steelyard::task_group& group) { group.spawn([&spawned, mine = token(4)] { spawned = mine.value(); }); });
      EXPECT_EQ(spawned, 4);
    });
  }
}

}  // namespace
