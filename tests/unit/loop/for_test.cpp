// SPDX-License-Identifier: Apache-2.0
// parallel_for: every iteration once, whatever the index type, the range, the schedule and the number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <ranges>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "loops.hpp"

namespace {

using loop_tests::all_schedules;
using loop_tests::counts;
using steelyard::extent;
using steelyard::parallel_for;
using steelyard::pool;

template <class T>
class Indices : public testing::Test {};
using index_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                   std::int64_t, std::uint64_t, long long, char>;
TYPED_TEST_SUITE(Indices, index_types);

template <class T>
std::size_t wrong_of(T first, T last, std::size_t n, const pool& on) {
  counts seen(n);
  parallel_for(first, last,
               [&](auto i) {
                 static_assert(std::is_same_v<decltype(i), T>);
                 seen.ran(static_cast<std::size_t>(static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(first)));
               },
               {.on = &on, .always_parallel = true});
  return seen.wrong();
}

TYPED_TEST(Indices, EachOnce) {
  using T = TypeParam;
  pool four(4);
  constexpr auto low = std::numeric_limits<T>::min();
  constexpr auto high = std::numeric_limits<T>::max();
  EXPECT_EQ(wrong_of<T>(T{0}, T{100}, 100, four), 0U);
  EXPECT_EQ(wrong_of<T>(low, static_cast<T>(low + 90), 90, four), 0U);
  EXPECT_EQ(wrong_of<T>(static_cast<T>(high - 90), high, 90, four), 0U);
  EXPECT_EQ(wrong_of<T>(low, low, 0, four), 0U) << "empty";
  EXPECT_EQ(wrong_of<T>(high, high, 0, four), 0U) << "empty";
  EXPECT_EQ(wrong_of<T>(high, low, 0, four), 0U) << "reversed";
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(wrong_of<T>(T{-50}, T{50}, 100, four), 0U);
  }
  if constexpr (sizeof(T) == 1) {
    EXPECT_EQ(wrong_of<T>(low, high, 255, four), 0U) << "all but the last";
  }
}

TEST(ParallelFor, MixedTypesMeetInTheirCommonOne) {
  counts seen(300);
  parallel_for(0, std::size_t{100}, [&](std::size_t i) { seen.ran(i); });
  parallel_for(std::uint8_t{100}, 200L, [&](long i) { seen.ran(static_cast<std::size_t>(i)); });
  parallel_for(std::int64_t{200}, 300U, [&](std::int64_t i) { seen.ran(static_cast<std::size_t>(i)); });
  EXPECT_EQ(seen.wrong(), 0U);
}

TEST(ParallelFor, MixedSignsAreNumbers) {
  int calls = 0;
  const steelyard::loop_options alone{.threads = 1};
  steelyard::parallel_for(
      0U, -1, [&](auto) { ++calls; }, alone);
  steelyard::parallel_for(
      5, std::uint8_t{3}, [&](auto) { ++calls; }, alone);
  EXPECT_EQ(calls, 0);
  EXPECT_THROW(steelyard::parallel_for(
                   -5, 5U, [&](auto) { ++calls; }, alone),
               std::invalid_argument);
  EXPECT_EQ(calls, 0);
  steelyard::parallel_for(
      -5, std::uint8_t{5}, [&](int i) { calls += i < 5 ? 1 : 100; }, alone);
  EXPECT_EQ(calls, 10) << "int holds both";
  steelyard::parallel_for(
      0, std::vector<int>(7).size(), [&](std::size_t) { ++calls; }, alone);
  EXPECT_EQ(calls, 17);
}

/// Trivially copyable, and yet not to be copied.
struct only_moved {
  int* counts;
  explicit only_moved(int* of) : counts(of) {}
  only_moved(only_moved&&) = default;
  void operator()(int i) const { ++counts[i]; }
};
static_assert(std::is_trivially_copyable_v<only_moved> && !std::is_copy_constructible_v<only_moved>);

/// The overload that the caller's object would have taken.
struct two_ways {
  int* as_const;
  void operator()(int i) const { ++as_const[i]; }
  void operator()(int) { ADD_FAILURE() << "on a copy that nobody sees"; }
};

TEST(ParallelFor, BodiesThatAreNotCopied) {
  std::vector<int> counts(100);
  parallel_for(0, 100, only_moved(counts.data()), {.always_parallel = true});
  parallel_for(0, 100, two_ways{counts.data()}, {.always_parallel = true});
  EXPECT_EQ(counts, std::vector<int>(100, 2));
}

TEST(ParallelFor, StopsAtOnceInTheLongestRange) {
  pool four(4);
  for (const char* schedule : all_schedules()) {
    std::stop_source end;
    std::atomic<int> begun{0};
    const bool whole =
        parallel_for(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                     [&](std::int64_t) {
                       if (++begun == 100) end.request_stop();
                     },
                     {.schedule = schedule, .on = &four, .always_parallel = true, .stop = end.get_token()});
    EXPECT_FALSE(whole) << schedule;
    EXPECT_GE(begun, 100) << schedule;
  }
}

template <class Range>
void doubles_all(Range&& values) {
  parallel_for(values.begin(), values.end(), [](auto& value) { value *= 2; }, {.always_parallel = true});
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 2 * static_cast<int>(i));
}

TEST(ParallelFor, Iterators) {
  std::vector<int> vector(1000);
  std::deque<int> deque(1000);
  for (int i = 0; i < 1000; ++i) vector[static_cast<std::size_t>(i)] = deque[static_cast<std::size_t>(i)] = i;
  doubles_all(vector);
  doubles_all(deque);
  int plain[100] = {};
  parallel_for(std::begin(plain), std::end(plain), [](int& value) { value = 1; });
  parallel_for(plain + 100, plain, [](int& value) { value = 2; });
  for (const int value : plain) EXPECT_EQ(value, 1);
  std::atomic<long> sum{0};
  parallel_for(vector.cbegin() + 1, vector.cend() - 1, [&](const int& value) { sum += value; });
  EXPECT_EQ(sum, 2 * (998L * 999 / 2));
  const auto odd = std::views::iota(0, 100) | std::views::transform([](int i) { return 2 * i + 1; });
  std::atomic<long> squares{0};
  parallel_for(odd.begin(), odd.end(), [&](int value) { squares += value; });
  EXPECT_EQ(squares, 100 * 100);
}

std::size_t wrong_of(extent rows, extent columns, const char* schedule, const pool& on) {
  const auto height = rows.last > rows.first ? rows.last - rows.first : 0;
  const auto width = columns.last > columns.first ? columns.last - columns.first : 0;
  counts seen(static_cast<std::size_t>(height * width));
  parallel_for(rows, columns,
               [&](std::int64_t i, std::int64_t j) {
                 seen.ran(static_cast<std::size_t>((i - rows.first) * width + (j - columns.first)));
               },
               {.schedule = schedule, .on = &on, .always_parallel = true});
  return seen.wrong();
}

TEST(ParallelFor, TwoDimensions) {
  pool three(3);
  for (const char* schedule : all_schedules()) {
    EXPECT_EQ(wrong_of({0, 17}, {0, 31}, schedule, three), 0U);
    EXPECT_EQ(wrong_of({-5, 12, 3}, {-40, -3, 7}, schedule, three), 0U);
    EXPECT_EQ(wrong_of({0, 10, 100}, {0, 10, 4}, schedule, three), 0U) << "a block longer than the extent";
    EXPECT_EQ(wrong_of({0, 0}, {0, 10}, schedule, three), 0U);
    EXPECT_EQ(wrong_of({0, 10}, {5, 5}, schedule, three), 0U);
    EXPECT_EQ(wrong_of({10, 0}, {0, 10}, schedule, three), 0U);
  }
}

TEST(ParallelFor, ThreeDimensions) {
  const extent planes{-1, 4, 2};
  const extent rows{3, 10, 5};
  const extent columns{-7, 6, 4};
  for (const char* schedule : all_schedules()) {
    counts seen(5 * 7 * 13);
    parallel_for(planes, rows, columns,
                 [&](std::int64_t h, std::int64_t i, std::int64_t j) {
                   seen.ran(static_cast<std::size_t>(((h + 1) * 7 + i - 3) * 13 + j + 7));
                 },
                 {.schedule = schedule, .always_parallel = true});
    EXPECT_EQ(seen.wrong(), 0U) << schedule;
  }
  parallel_for(planes, extent{0, 0}, columns, [](std::int64_t, std::int64_t, std::int64_t) { FAIL(); });
}

/// Nothing overflows on the way to the outermost blocks.
TEST(ParallelFor, ExtentsUpToTheEndsOfTheType) {
  constexpr auto low = std::numeric_limits<std::int64_t>::min();
  constexpr auto high = std::numeric_limits<std::int64_t>::max();
  const extent all{low, high, std::int64_t{1} << 62};
  ASSERT_EQ(all.blocks(), 4U);
  EXPECT_EQ(all.at(0).first, low);
  EXPECT_EQ(all.at(2).first, 0);
  EXPECT_EQ(all.at(3).first, std::int64_t{1} << 62);
  EXPECT_EQ(all.at(3).last, high);
  const extent top{high - 5, high, 3};
  ASSERT_EQ(top.blocks(), 2U);
  EXPECT_EQ(top.at(1).first, high - 2);
  EXPECT_EQ(top.at(1).last, high);
  const extent one{low, high, high};
  ASSERT_EQ(one.blocks(), 3U);
  EXPECT_EQ(one.at(2).last - one.at(2).first, 1);
}

TEST(ParallelFor, EverySchedule) {
  for (std::uint32_t threads = 1; threads <= 8; ++threads) {
    pool on(threads);
    ASSERT_EQ(on.threads(), threads);
    for (const char* schedule : all_schedules()) {
      for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 63U, 100U, 1000U, 4097U}) {
        for (const std::uint64_t chunk : {0U, 1U, 3U, 5000U}) {
          counts seen(n);
          const bool whole = parallel_for(std::size_t{0}, n, [&](std::size_t i) { seen.ran(i); },
                                          {.schedule = schedule, .chunk = chunk, .on = &on, .always_parallel = true});
          ASSERT_TRUE(whole);
          ASSERT_EQ(seen.wrong(), 0U) << schedule << ',' << chunk << ' ' << threads << " threads, " << n;
        }
      }
    }
  }
}

TEST(ParallelFor, ChunkInTheName) {
  counts seen(500);
  parallel_for(0U, 500U, [&](unsigned i) { seen.ran(i); }, {.schedule = " Dynamic , 64 ", .always_parallel = true});
  EXPECT_EQ(seen.wrong(), 0U);
}

/// The largest chunk there is, and one more than a schedule's name may say.
TEST(ParallelFor, HugeChunks) {
  pool three(3);
  for (const char* schedule : all_schedules()) {
    for (const std::uint64_t chunk : {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
      counts seen(100);
      parallel_for(0U, 100U, [&](unsigned i) { seen.ran(i); },
                   {.schedule = schedule, .chunk = chunk, .on = &three, .always_parallel = true});
      EXPECT_EQ(seen.wrong(), 0U) << schedule << ',' << chunk;
    }
  }
}

TEST(ParallelFor, WrongSchedulesThrowAndRunNothing) {
  for (const char* text : {"nonsense", "", "dynamic,0", "dynamic,", "static,-1", "steal,1,2", "dynamic;4"}) {
    bool ran = false;
    try {
      parallel_for(0, 100, [&](int) { ran = true; }, {.schedule = text});
      ADD_FAILURE() << '\'' << text << "' did not throw";
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).find("schedule '" + std::string(text) + "' "), 0U) << error.what();
      EXPECT_GT(std::string(error.what()).size(), 20 + std::string(text).size()) << error.what();
    }
    EXPECT_FALSE(ran);
  }
  EXPECT_THROW(parallel_for(0, 0, [](int) {}, {.schedule = "nonsense"}), std::invalid_argument) << "an empty loop too";
}

std::atomic<int> calls_of_a_function{0};
void count_call(int) { ++calls_of_a_function; }

TEST(ParallelFor, BodiesOfAllKinds) {
  static std::atomic<int> calls{0};
  struct by_method {
    void operator()(int) { ++calls; }
  };
  by_method named;
  parallel_for(0, 10, named);
  parallel_for(0, 10, by_method{});
  parallel_for(
      0, 10, +[](int) { ++calls; });
  const std::function<void(int)> wrapped = [](int) { ++calls; };
  parallel_for(0, 10, wrapped);
  parallel_for(0, 10, [moved = std::make_unique<int>(1)](int) mutable { calls += *moved; });
  parallel_for(0, 10, [](int) { return ++calls; });
  EXPECT_EQ(calls, 60);
  parallel_for(0, 10, count_call);
  EXPECT_EQ(calls_of_a_function, 10);
  struct counter {
    int value = 0;
    void up() { ++value; }
  };
  std::vector<counter> all(10);
  parallel_for(all.begin(), all.end(), &counter::up);
  parallel_for(all.begin(), all.end(), &counter::value);  // reads it
  for (const auto& each : all) EXPECT_EQ(each.value, 1);
}

TEST(ParallelFor, MoreBlocksThanThereAreNumbers) {
  const extent many{0, std::int64_t{1} << 32};
  EXPECT_THROW(parallel_for(many, many, [](std::int64_t, std::int64_t) {}), std::length_error);
  EXPECT_THROW(parallel_for(many, {0, 2}, many, [](std::int64_t, std::int64_t, std::int64_t) {}), std::length_error);
  EXPECT_TRUE(parallel_for(many, {0, 0}, [](std::int64_t, std::int64_t) {}));
}

TEST(ParallelFor, AnUnknownSizeIsNoLoop) {
  steelyard_loop loop{};
  loop.iterations = 5;
  loop.run = [](void*, steelyard_member*, std::uint64_t, std::uint64_t, std::uint64_t) { ADD_FAILURE(); };
  for (const std::size_t size : {std::size_t{0}, sizeof loop - 1}) {
    loop.size = size;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_INVALID);
  }
  steelyard_costs_changed(nullptr);
}

TEST(ParallelFor, WithoutARunFunctionNothingRuns) {
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = 10;
  EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_INVALID);
  EXPECT_EQ(steelyard_loop_run(nullptr), STEELYARD_INVALID);
}

/// As the text `static,4` says it: no call goes beyond a chunk.
TEST(ParallelFor, StaticWithAChunkIsCyclic) {
  std::atomic<int> beyond{0};
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = 10'000;
  loop.body = &beyond;
  loop.run = [](void* of, steelyard_member*, std::uint64_t first, std::uint64_t count, std::uint64_t) {
    if (first / 4 != (first + count - 1) / 4) ++*static_cast<std::atomic<int>*>(of);
  };
  loop.flags = STEELYARD_ALWAYS_PARALLEL;
  pool(2).run([&] {
    loop.schedule = "static";
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE);
    EXPECT_NE(beyond.exchange(0), 0);
    loop.chunk = 4;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE);
    EXPECT_EQ(beyond, 0);
  });
}

/// A program may write another name to where the last one was.
TEST(ParallelFor, TheNameOfAScheduleIsReadForEachLoop) {
  const pool two(2);
  char name[16] = "dynamic,5";
  std::atomic<std::uint64_t> longest{0};
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = 1000;
  loop.body = &longest;
  loop.run = [](void* body, steelyard_member*, std::uint64_t, std::uint64_t count, std::uint64_t) {
    auto& most = *static_cast<std::atomic<std::uint64_t>*>(body);
    for (auto seen = most.load(); seen < count && !most.compare_exchange_weak(seen, count);) {
    }
  };
  loop.flags = STEELYARD_ALWAYS_PARALLEL;
  loop.pool = two.handle();
  loop.schedule = name;
  const auto chunk_of = [&](const char* text) {
    std::strcpy(name, text);
    longest = 0;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE) << text;
    return longest.load();
  };
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(chunk_of("dynamic,5"), 5U);
    EXPECT_EQ(chunk_of("dynamic,7"), 7U);
    std::strcpy(name, "nonsense");
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_INVALID);
  }
}

/// Who runs iteration 0 waits there for all others, so that what lies behind it has to change hands.
TEST(ParallelFor, CountsWhatItsMembersSteal) {
  const steelyard::pool two(2);
  EXPECT_EQ(two.steals(), 0U);
  std::atomic<int> ran{0};
  steelyard::parallel_for(0, 100,
                          [&](int i) {
                            ++ran;
                            while (i == 0 && ran != 100) std::this_thread::yield();
                          },
                          {.schedule = "steal", .chunk = 1, .on = &two, .always_parallel = true});
  EXPECT_GE(two.steals(), 1U);
  const steelyard::pool one(1);
  steelyard::parallel_for(0, 100, [](int) {}, {.schedule = "steal", .on = &one, .always_parallel = true});
  EXPECT_EQ(one.steals(), 0U);
}

/// The elements of a list, each once, however long it is: a walk keeps 8,192 places at most.
TEST(Ranges, ForwardIterators) {
  pool four(4);
  for (const std::size_t n : {0U, 1U, 2U, 8191U, 8192U, 8193U, 16384U, 16385U, 50'001U}) {
    std::list<int> numbers(n, 1);
    std::uint64_t taken = 0;
    std::uint64_t all = 0;
    const bool whole =
        parallel_for(numbers.begin(), numbers.end(), [](int& one) { ++one; },
                     {.on = &four, .always_parallel = true, .progress = [&](std::uint64_t now, std::uint64_t of) {
                        EXPECT_GE(now, taken);
                        taken = now;
                        all = of;
                      }});
    EXPECT_TRUE(whole);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 2), static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(taken, n);
    EXPECT_EQ(all, n);
  }
}

TEST(Ranges, OfContainersAndViews) {
  std::vector<int> numbers(1000, 1);
  parallel_for(numbers, [](int& one) { ++one; });
  parallel_for(std::views::all(numbers) | std::views::take(500), [](int& one) { ++one; }, {.threads = 2});
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 3), 500);
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 2), 500);
  std::list<int> list(1000, 1);
  parallel_for(list, [](int& one) { ++one; });
  EXPECT_EQ(std::count(list.begin(), list.end(), 2), 1000);
  int array[10] = {};
  parallel_for(array, [](int& one) { one = 1; });
  EXPECT_EQ(std::count(std::begin(array), std::end(array), 1), 10);
  parallel_for(std::views::iota(0, 10), [&array](int i) { array[i] += i; });
  EXPECT_EQ(array[9], 10);
}

TEST(Ranges, ExceptionsOfForwardIterators) {
  std::list<int> numbers(20'000, 1);
  numbers.back() = 2;
  const auto body = [](int one) {
    if (one == 2) throw std::runtime_error("two");
  };
  EXPECT_THROW(parallel_for(numbers, body), std::runtime_error);
}

}  // namespace
