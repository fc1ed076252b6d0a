// SPDX-License-Identifier: Apache-2.0
// Random programs: on any number of threads they compute what they compute when fork_task is a call.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

struct plus {
  void operator()(number& into, number by) const { into += by; }
};
struct toggling {
  void operator()(number& into, number by) const { into ^= by; }
};
struct adding_to_first {
  void operator()(range<number> into, number by) const { into[0] += by; }
};

/// Most tasks are short, some are long enough for others to come.
void take_time(number seed) {
  const number turns = seed % 16 == 0 ? 4000 : seed % 16 * 8;
  volatile number sink = 0;
  for (number i = 0; i < turns; ++i) sink = sink + i;
}

// What uses objects.

void set(w<number> to, number seed) {
  take_time(seed);
  *to = mix(seed);
}
void change(rw<number> it, number seed) {
  take_time(seed);
  *it = mix(*it, seed);
}
void copy(r<number> from, rw<number> to, number seed) {
  take_time(seed);
  *to = mix(*from, *to + seed);
}
void merge(r<number> a, r<number> b, w<number> to) { *to = mix(*a, *b); }
void add(cw<number, plus> to, r<number> from, number seed) {
  take_time(seed);
  to.add(mix(*from, seed));
  to.add(seed);
}
void toggle(cw<number, toggling> to, number seed) { to.add(mix(seed)); }

// What has arguments of its own.

void append(std::string text, std::unique_ptr<number> own, rw<number> to) {
  for (const char each : text) *own = mix(*own, static_cast<number>(each));
  *to += *own;
}
void fold_much(std::array<number, 600> much, const std::vector<number>& more, rw<number> to) {
  static_assert(sizeof much > STEELYARD_MOST_BYTES);
  *to += std::accumulate(much.begin(), much.end(), *to) ^ std::accumulate(more.begin(), more.end(), number{1});
}

// What uses parts.

void fill(w<range<number>> part, number seed) {
  for (auto& each : *part) each = seed = mix(seed);
}
void fold(r<range<number>> part, rw<number> to) {
  for (const auto each : *part) *to = mix(*to, each);
}
void shift(r<range<number>> from, rw<range<number>> to, number seed) {
  take_time(seed);
  for (std::size_t i = 0; i < (*to).size(); ++i) (*to)[i] += mix((*from)[i % (*from).size()], seed);
}
void add_to_first(cw<range<number>, adding_to_first> part, number seed) { part.add(mix(seed)); }
void change_tile(rw<block<number>> tile, r<block<number>> by, number seed) {
  take_time(seed);
  for (std::size_t row = 0; row < (*tile).rows(); ++row) {
    for (std::size_t column = 0; column < (*tile).columns(); ++column) {
      auto& it = (*tile)(row, column);
      it = mix(it + seed, (*by)(row % (*by).rows(), column % (*by).columns()));
    }
  }
}

// What passes rights on.

void renew(wp<number> it, number seed) {
  fork_task(set, it, seed);
  fork_task(set, it, seed + 1);
}
void add_some(cwp<number, plus> to, number seed) {
  shared<number> from(seed);
  fork_task(add, to, from, seed);
  if (seed % 4 == 0) fork_task(add_some, to, mix(seed));
  fork_task(add, to, from, seed + 1);
}
void read_some(rp<number> from, rwp<number> to, number seed) {
  shared<number> first(seed), second(seed + 1);
  fork_task(copy, from, first, seed);
  fork_task(copy, from, second, seed);
  fork_task(merge, first, second, to);
  if (seed % 4 == 0) fork_task(read_some, from, to, mix(seed));
}
/// Until the parts are small, its halves.
void divide(rwp<range<number>> part, number seed) {
  const auto all = part.handle();
  if (all.size() <= 4) return fork_task(fill, all, seed);
  fork_task(divide, all.part(0, all.size() / 2), seed);
  fork_task(divide, all.part(all.size() / 2, all.size() - all.size() / 2), seed + 1);
  if (seed % 2 == 0 && all.size() >= 8)
    fork_task(shift, all.part(all.size() / 4, 3), all.part(all.size() / 2, 4), seed);
}

constexpr std::size_t row_size = 48, side = 12;

range<number> any_part(const range<number>& of, random_numbers& random) {
  const auto size = 1 + random.below(random.one_of({number{3}, number{of.size()}}));
  return of.part(random.below(of.size() + 1 - size), size);
}

block<number> any_tile(const block<number>& of, random_numbers& random) {
  if (random.below(3) != 0) return of.part(4 * random.below(3), 4 * random.below(3), 4, 4);
  const auto rows = 1 + random.below(side), columns = 1 + random.below(side);
  return of.part(random.below(side + 1 - rows), random.below(side + 1 - columns), rows, columns);
}

struct rights {
  rwp<number> a, b;
  rp<number> c;
  rwp<range<number>> row;
  rwp<block<number>> square;
};

void anything(rwp<number> a, rwp<number> b, rp<number> c, rwp<range<number>> row, rwp<block<number>> square,
              number seed, int depth);

void fork_one(const rights& of, shared<number>& local, random_numbers& random, int depth) {
  const auto& to = random.below(2) == 0 ? of.a : of.b;
  const auto seed = random.below(1'000'000);
  switch (random.below(depth > 0 ? 24 : 16)) {
    case 0:
      return fork_task(set, to, seed);
    case 1:
      return fork_task(change, to, seed);
    case 2:
      return fork_task(copy, of.c, to, seed);
    case 3:
      return fork_task(copy, to, to, seed);
    case 4:
      return fork_task(add, to, of.c, seed);
    case 5:
      return fork_task(toggle, to, seed);
    case 6:
      return fork_task(append, std::string(seed % 40, 'x'), std::make_unique<number>(seed), to);
    case 7:
      return fork_task(fold_much, std::array<number, 600>{seed}, std::vector<number>(seed % 9, seed), local);
    case 8:
      return fork_task(divide, any_part(of.row.handle(), random), seed);
    case 9:
      return fork_task(fold, any_part(of.row.handle(), random), local);
    case 10:
      return fork_task(add_to_first, any_part(of.row.handle(), random), seed);
    case 11: {
      const auto tile = any_tile(of.square.handle(), random);
      return fork_task(change_tile, tile, any_tile(of.square.handle(), random), seed);
    }
    case 12:
      return fork_task(renew, to, seed);
    case 13:
      return fork_task(add_some, random.below(2) == 0 ? to : rwp<number>(local), seed);
    case 14:
      return fork_task(read_some, of.c, to, seed);
    case 15:
      return fork_task(copy, local, to, seed);
    default:
      return fork_task(anything, to, local, of.c, of.row, of.square, seed, depth - 1);
  }
}

void anything(rwp<number> a, rwp<number> b, rp<number> c, rwp<range<number>> row, rwp<block<number>> square,
              number seed, int depth) {
  random_numbers random(seed);
  shared<number> last(steelyard::renaming, seed);
  for (auto parts = 1 + random.below(2); parts-- > 0;) {
    auto local = random.below(2) == 0 ? shared<number>(seed) : shared<number>(steelyard::renaming, seed);
    for (auto left = 2 + random.below(6); left-- > 0;) fork_one({a, b, c, row, square}, local, random, depth);
    if (random.below(4) == 0) {
      sync_tasks();
      take_time(seed);
      *local += 1;
      fork_task(set, last, *local);
    } else {
      fork_task(copy, local, last, seed);
      fork_task(merge, last, c, local);
      fork_task(copy, local, last, seed);
      fork_task(renew, local, seed);
      fork_task(add, last, local, seed);
    }
  }
  fork_task(copy, last, a, seed);
}

/// What a program leaves behind.
std::vector<number> outcome(number seed) {
  std::vector<number> row(row_size, seed), square(side * side, seed);
  shared<number> a(1U), b(2U), c(3U);
  random_numbers random(seed);
  for (int i = 0; i < 6; ++i) {
    const auto next = random.below(1'000'000);
    fork_task(anything, *random.one_of({&a, &b}), *random.one_of({&b, &c}), *random.one_of({&a, &c}),
              range<number>(row.data(), row.size()), block<number>(square.data(), side, side), next, 3);
    if (next % 8 == 0) sync_tasks();
    fork_task(copy, c, a, next);
  }
  sync_tasks();
  std::vector<number> all{*a, *b, *c};
  all.insert(all.end(), row.begin(), row.end());
  all.insert(all.end(), square.begin(), square.end());
  return all;
}

std::vector<number> sequential_outcome(number seed) {
  const steelyard::sequential here;
  return outcome(seed);
}

void expect_same_as_sequential(std::uint32_t threads, int programs) {
  static number seed = 0;
  pool all(threads);
  // With others there, somebody comes to look at last.
  const auto is_to_be_visited = [&] { return threads > 1 && counts_of(all).analysed == 0; };
  all.run([&] {
    for (int i = 0; i < programs || is_to_be_visited(); ++i) {
      ++seed;
      const auto expected = sequential_outcome(seed);
      ASSERT_EQ(outcome(seed), expected) << "seed " << seed;
    }
  });
  if (threads == 1) {
    EXPECT_EQ(counts_of(all).analysed, 0U);
  }
}

TEST(Program, OnOneThread) { expect_same_as_sequential(1, 100); }
TEST(Program, OnTwoThreads) { expect_same_as_sequential(2, 150); }
TEST(Program, OnThreeThreads) { expect_same_as_sequential(3, 100); }
TEST(Program, OnEightThreads) { expect_same_as_sequential(8, 100); }

/// Where fork_task is a call, the results are those of the calls, at once.
TEST(Program, SequentialIsACall) {
  pool(2).run([] {
    const steelyard::sequential here;
    shared<number> it(5U);
    fork_task(change, it, 7U);
    EXPECT_EQ(*it, mix(5, 7));
    {
      const steelyard::sequential again;
      fork_task(set, it, 1U);
      EXPECT_EQ(*it, mix(1));
    }
    fork_task([&it](r<number> own) { EXPECT_EQ(*own, *it); }, it);
    fork_task(set, it, 2U);
    EXPECT_EQ(*it, mix(2));
    sync_tasks();
    EXPECT_EQ(*it, mix(2));
  });
}

/// What is pending has ended before `sequential` begins, and tasks run elsewhere again behind it.
TEST(Program, SequentialWaitsFirst) {
  pool(2).run([] {
    for (int round = 0; round < 100; ++round) {
      shared<number> it(5U);
      fork_task(change, it, 7U);
      {
        const steelyard::sequential here;
        EXPECT_EQ(*it, mix(5, 7));
        fork_task(change, it, 8U);
        EXPECT_EQ(*it, mix(mix(5, 7), 8));
      }
      fork_task(change, it, 9U);
      sync_tasks();
      EXPECT_EQ(*it, mix(mix(mix(5, 7), 8), 9));
    }
  });
}

/// Also in the part of the program that runs in another pool.
TEST(Program, SequentialReachesIntoPools) {
  pool outer(2), inner(2);
  outer.run([&inner] {
    fork_task([&inner] {
      const steelyard::sequential here;
      shared<number> it(5U);
      inner.run([&it] {
        fork_task(change, it, 7U);
        EXPECT_EQ(*it, mix(5, 7)) << "fork_task has not called";
        sync_tasks();
      });
    });
    sync_tasks();
  });
}

}  // namespace
