// SPDX-License-Identifier: Apache-2.0
// What tasks and their arguments may be, and which parts of arrays they name.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

std::atomic<number> sum{0};

void add(number value) { sum += value; }
void add_without_exceptions(number value) noexcept { sum += value; }
struct adder {
  void operator()(number value) const { sum += value; }
};

/// On one thread, on two, and where tasks are calls.
template <class F>
void everywhere(F f) {
  for (const unsigned threads : {1U, 2U}) {
    sum = 0;
    pool(threads).run(f);
  }
  sum = 0;
  const steelyard::sequential here;
  f();
}

TEST(Arguments, AnyFunction) {
  everywhere([] {
    fork_task(add, 1U);
    fork_task(&add, 2U);
    fork_task(add_without_exceptions, 4U);
    fork_task(adder(), 8U);
    const adder constant;
    fork_task(constant, 16U);
    fork_task([](number value) noexcept { sum += value; }, 32U);
    fork_task([calls = number{0}](number value) mutable { sum += value + calls++; }, 64U);
    fork_task([own = std::make_unique<number>(128)] { sum += *own; });
    fork_task(std::function<void(number)>(add), 256U);
    fork_task([much = std::array<number, 1000>{512}] { sum += much[0]; });
    sync_tasks();
    EXPECT_EQ(sum, 1023U);
  });
}

TEST(Arguments, AnyValue) {
  everywhere([] {
    const std::string text(100, 'x');
    number* const at = nullptr;
    fork_task([](const std::string& own) { sum += own.size(); }, text);
    fork_task([](std::string own) { sum += own.size(); }, "some text");
    fork_task([](std::string&& own) { sum += std::string(std::move(own)).size(); }, std::string(10, 'y'));
    fork_task([](const std::unique_ptr<number> own) { sum += *own; }, std::make_unique<number>(1000));
    fork_task([](std::vector<number> own, number* none) { sum += own.at(1) + (none == nullptr ? 1U : 0U); },
              std::vector<number>{1, 10'000}, at);
    fork_task([](const number& value, number other) { sum += value + other; }, 1U, 2);
    sync_tasks();
    EXPECT_EQ(sum, 100U + 9 + 10 + 1000 + 10'001 + 3);
  });
}

TEST(Arguments, KeepTheirAlignment) {
  struct alignas(256) wide {
    number value = 3;
  };
  struct alignas(16) usual {
    number value = 4;
  };
  const auto is_aligned = [](const auto& it) {
    return reinterpret_cast<std::uintptr_t>(&it) % alignof(decltype(it)) == 0;
  };
  everywhere([&is_aligned] {
    for (int i = 0; i < 20; ++i) {
      fork_task([](number value) { sum += value; }, 1U);
      fork_task([&is_aligned](const wide& it) { sum += is_aligned(it) ? it.value : 1000; }, wide());
      fork_task([&is_aligned](const usual& it) { sum += is_aligned(it) ? it.value : 1000; }, usual());
    }
    sync_tasks();
    EXPECT_EQ(sum, 20U * 8);
  });
}

/// Each argument goes once, on whatever thread, and none before its task has run.
TEST(Arguments, AreDestroyedOnce) {
  everywhere([] {
    for (int i = 0; i < 50; ++i) {
      fork_task([](const counted&, counted) { sum += counted::alive > 0 ? 1U : 1000U; }, counted(), counted());
      fork_task([held = std::array<counted, 900>()] { sum += counted::alive >= 900 ? 1U : 1000U; });
    }
    sync_tasks();
    EXPECT_EQ(sum, 100U);
  });
  EXPECT_EQ(counted::alive, 0);
}

TEST(Arguments, AsManyObjectsAsATaskMayHave) {
  using one = rw<number>;
  everywhere([] {
    shared<number> a(1U), b(2U);
    for (int i = 0; i < 10; ++i) {
      fork_task(
          [](one p0, one p1, one p2, one p3, one p4, one p5, one p6, one p7, one p8, one p9, one p10, one p11, one p12,
             one p13, one p14, one p15, one p16, one p17, one p18, one p19, one p20, one p21, one p22, one p23, one p24,
             one p25, one p26, one p27, one p28, one p29, one p30, one p31) {
            for (const auto& p : {p0, p2, p4, p6, p8, p10, p12, p14, p16, p18, p20, p22, p24, p26, p28, p30}) *p += 1;
            for (const auto& p : {p1, p3, p5, p7, p9, p11, p13, p15, p17, p19, p21, p23, p25, p27, p29, p31}) *p *= 3;
          },
          a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b);
      fork_task([](r<number> from, rw<number> to) { *to += *from; }, a, b);
    }
    sync_tasks();
    EXPECT_EQ(*a, 161U);
  });
}

/// However a part has been made, it is known to be one of its array.
TEST(Arguments, PartsOfParts) {
  std::array<number, 64> elements{};
  const auto same = [](const steelyard_access& a, const steelyard_access& b) {
    return a.of == b.of && a.row == b.row && a.column == b.column && a.rows == b.rows && a.columns == b.columns;
  };
  const range<number> row(elements.data(), elements.size());
  const auto third = row.part(10, 40).part(5, 20);
  EXPECT_TRUE(same(third.access(STEELYARD_READ), row.part(15, 20).access(STEELYARD_READ)));
  EXPECT_EQ(third.data(), elements.data() + 15);
  EXPECT_TRUE(same(third.as_const().access(STEELYARD_READ), third.access(STEELYARD_READ)));
  EXPECT_EQ(third.as_const().data(), third.data());
  EXPECT_TRUE(same(third.as_const().part(1, 2).access(STEELYARD_READ), third.part(1, 2).access(STEELYARD_READ)));

  const block<number> matrix(elements.data(), 8, 8);
  const auto tile = matrix.part(2, 2, 4, 4).part(1, 0, 2, 3);
  EXPECT_TRUE(same(tile.access(STEELYARD_READ), matrix.part(3, 2, 2, 3).access(STEELYARD_READ)));
  EXPECT_EQ(&tile(1, 1), elements.data() + 4 * 8 + 3);
  EXPECT_TRUE(same(tile.as_const().access(STEELYARD_READ), tile.access(STEELYARD_READ)));
  EXPECT_EQ(&tile.as_const()(1, 1), &tile(1, 1));
}

/// A reader of what may not be changed waits for the writer of it.
TEST(Arguments, ReadersOfConstantParts) {
  pool(2).run([] {
    for (int round = 0; round < 20; ++round) {
      std::array<number, 8> elements{};
      const range<number> all(elements.data(), elements.size());
      const auto part = all.part(4, 2);
      std::atomic<bool> begun{false};
      fork_task(
          [&begun](rw<range<number>> own) {
            begun = true;
            loop_tests::compute(std::chrono::milliseconds(1));
            (*own)[0] = 1;
          },
          part);
      fork_task([](r<range<const number>> own) { EXPECT_EQ((*own)[0], 1U); }, part.as_const());
      EXPECT_TRUE(becomes([&begun] { return begun.load(); }));
      sync_tasks();
    }
  });
}

/// Additions by one operation exclude each other, for an object and for parts of one array.
TEST(Arguments, AccumulationsExcludeEachOther) {
  struct twice {
    void operator()(number& into, number by) const {
      const auto before = into;
      loop_tests::compute(std::chrono::nanoseconds(200));
      into = before + by;
    }
    void operator()(range<number> into, number by) const {
      for (auto& each : into) (*this)(each, by);
    }
  };
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      shared<number> it(0U);
      std::array<number, 4> elements{};
      const range<number> all(elements.data(), elements.size());
      for (int i = 0; i < 300; ++i) {
        fork_task([](cw<number, twice> own) { own.add(1U); }, it);
        fork_task([](cw<range<number>, twice> own) { own.add(1U); }, all.part(static_cast<std::size_t>(i) % 3, 2));
      }
      sync_tasks();
      EXPECT_EQ(*it, 300U);
      EXPECT_EQ(elements, (std::array<number, 4>{100, 200, 200, 100}));
    });
  }
}

/// Operations of the standard library return the new value, others write it.
TEST(Arguments, AnOperationReturnsItsValueOrWritesIt) {
  struct larger {
    bool operator()(long& into, long other) const {
      const bool is = other > into;
      if (is) into = other;
      return is;
    }
  };
  shared<double> product(1.0);
  shared<unsigned char> bits(static_cast<unsigned char>(0));
  shared<long> most(0L);
  for (int i = 1; i <= 6; ++i) {
    fork_task([i](cw<double, std::multiplies<>> own) { own.add(i); }, product);
    fork_task([i](cw<unsigned char, std::bit_or<>> own) { own.add(static_cast<unsigned char>(1U << i)); }, bits);
    fork_task([i](cw<long, larger> own) { own.add(10L * i); }, most);
  }
  sync_tasks();
  EXPECT_EQ(*product, 720.0);
  EXPECT_EQ(*bits, 126);
  EXPECT_EQ(*most, 60);
}

/// A vector says that it can be copied, whatever is in it.
TEST(Arguments, ContainersOfWhatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> numbers;
  numbers.push_back(std::make_unique<int>(3));
  int seen = 0;
  fork_task([&seen](const std::vector<std::unique_ptr<int>>& own) { seen = *own.front(); }, std::move(numbers));
  sync_tasks();
  EXPECT_EQ(seen, 3);
}

}  // namespace
