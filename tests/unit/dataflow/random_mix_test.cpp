// SPDX-License-Identifier: Apache-2.0
// Random programs of tasks, joins, groups, loops, recordings and pools in each other leave what they leave when all are calls.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <steelyard/task.hpp>
#include <thread>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

using numbers = steelyard::range<number>;

/// So that the order of two changes can be seen.
void change(rw<numbers> it, number seed) {
  for (auto& each : *it) each = mix(each, ++seed);
}

std::vector<numbers> parts_of(numbers all, std::size_t count) {
  std::vector<numbers> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = all.size() * i / count;
    result.push_back(all.part(first, all.size() * (i + 1) / count - first));
  }
  return result;
}

/// Pools that programs use beside the one that they run in.
std::array<pool, 2>& other_pools() {
  static std::array<pool, 2> all{pool(2), pool(3)};
  return all;
}

using call = std::function<void(std::size_t)>;

/// f(i) for all i below n, at the same time: in one of many ways.
void for_all(number way, std::size_t n, const call& f) {
  switch (way % 8) {
    case 0:
      return steelyard::join_each(n, f);
    case 1:
      steelyard::join([&] { f(0); }, [&] { steelyard::join_each(n - 1, [&](std::size_t i) { f(i + 1); }); });
      return;
    case 2:
      return steelyard::scope([&](steelyard::task_group& all) {
        for (std::size_t i = 0; i < n; ++i) all.spawn([&f, i] { f(i); });
      });
    case 3: {
      steelyard::task_group all;
      const auto first = all.async([&f] { f(0); });
      for (std::size_t i = 1; i < n; ++i) all.after([&f, i](steelyard::nothing) { f(i); }, first);
      return all.wait();
    }
    case 4:
      steelyard::join_reduce(n, 0, [&f](std::size_t i) {
        f(i);
        if (i % 2 == 0) steelyard::sync_tasks();
        return 0;
      });
      return;
    case 5:
      return other_pools()[n % 2].run([&] { steelyard::join_each(n, f); });
    default: {
      auto how = parallel();
      how.schedule = std::array{"steal", "idws", "adaptive", "static", "dynamic,1"}[way / 8 % 5];
      if (way % 8 == 7) how.on = &other_pools()[n % 2];
      static_cast<void>(steelyard::parallel_for(std::size_t{0}, n, f, how));
    }
  }
}

/// A program that changes its part of the numbers, as the seed tells.
template <bool elided>
struct program {
  static void fork(numbers part, number seed) {
    if constexpr (elided) {
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = mix(part[i], ++seed);
    } else {
      steelyard::fork_task(change, part, seed);
    }
  }
  static void task(rwp<numbers> part, number seed, int depth) { run(part.handle(), seed, depth); }

  static void run(numbers own, number seed, int depth) {
    random_numbers random(seed);
    for (auto left = 2 + random.below(4); left-- > 0;) {
      const auto part = own.part(0, 1 + random.below(own.size()));
      const auto next = random.below(1'000'000);
      const auto what = depth == 0 || own.size() < 6 ? 0 : random.below(8);
      if (what == 0) {
        fork(part, next);
      } else if (what == 1) {
        if constexpr (elided) {
          run(part, next, depth - 1);
        } else {
          steelyard::fork_task(task, part, next, depth - 1);
        }
      } else if (what == 2) {
        be_sequential(part, next, depth - 1);
      } else if (what == 3) {
        repeat(part, next);
      } else {
        const auto parts = parts_of(own, 2 + next % 3);
        const auto inside = [&](std::size_t i) { run(parts[i], next + i, depth - 1); };
        if constexpr (elided) {
          for (std::size_t i = 0; i < parts.size(); ++i) inside(i);
        } else {
          for_all(next, parts.size(), inside);
        }
      }
    }
    fork(own, seed);
  }

  static void be_sequential(numbers part, number seed, int depth) {
    if constexpr (elided) {
      run(part, seed, depth);
    } else {
      const steelyard::sequential here;
      run(part, seed, depth);
    }
  }

  /// Twice, by a recording, with a join and a loop in it.
  static void repeat(numbers part, number seed) {
    const auto parts = parts_of(part, 3);
    const auto once = [&](const std::function<void(std::size_t, const call&)>& each) {
      fork(part, seed);
      each(3, [&](std::size_t i) {
        if (parts[i].size() != 0) fork(parts[i], seed + i);
      });
      fork(part, seed + 1);
    };
    if constexpr (elided) {
      for (int i = 0; i < 2; ++i) {
        once([](std::size_t n, const call& f) {
          for (std::size_t k = 0; k < n; ++k) f(k);
        });
      }
    } else {
      steelyard::recording noted([&] { once([seed](std::size_t n, const call& f) { for_all(seed, n, f); }); });
      noted.run();
      noted.run();
    }
  }
};

template <bool elided>
std::vector<number> outcome(number seed) {
  std::vector<number> all(24, seed);
  const numbers whole(all.data(), all.size());
  program<elided>::run(whole, seed, 3);
  if constexpr (!elided) steelyard::sync_tasks();
  return all;
}

void expect_same(number first) {
  for (number seed = first; seed < first + 60; ++seed) {
    const auto expected = outcome<true>(seed);
    for (int times = 0; times < 3; ++times) ASSERT_EQ(outcome<false>(seed), expected) << "seed " << seed;
  }
}

class RandomMix : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomMix, InAPool) {
  pool(GetParam()).run([] { expect_same(1000 * GetParam()); });
}
TEST_P(RandomMix, InATask) {
  pool(GetParam()).run([] {
    steelyard::fork_task([] { expect_same(1000 * GetParam() + 100); });
    steelyard::sync_tasks();
  });
}
TEST_P(RandomMix, InAGroupAndAJoin) {
  pool(GetParam()).run([] {
    steelyard::scope(
        [](steelyard::task_group&) { steelyard::join([] { expect_same(1000 * GetParam() + 200); }, [] {}); });
  });
}
INSTANTIATE_TEST_SUITE_P(threads, RandomMix, ::testing::Values(1U, 2U, 3U, 4U, 8U));

TEST(RandomMixOutside, OnAThreadOfItsOwn) {
  std::thread([] { expect_same(1); }).join();
}

}  // namespace
