// SPDX-License-Identifier: Apache-2.0
#include "cost/source.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace steelyard::cost {
namespace {

std::vector<double> read(const source& from, std::uint64_t first, std::uint64_t count) {
  std::vector<double> out(count);
  from.read(first, count, out.data());
  return out;
}

template <class Number>
void expect_reads_arrays() {
  const Number costs[] = {3, 1, 4, 1, 5};
  EXPECT_EQ(read(source::of(costs), 1, 3), (std::vector<double>{1, 4, 1}));
  EXPECT_EQ(source::of(costs), source::of(costs));
  EXPECT_NE(source::of(costs), source::of(costs + 1));
}

TEST(source, reads_arrays) {
  expect_reads_arrays<double>();
  expect_reads_arrays<float>();
  expect_reads_arrays<std::uint32_t>();
  expect_reads_arrays<std::uint64_t>();
}

TEST(source, evaluates_blocks) {
  double slope = 2;
  const auto line = [](void* context, std::uint64_t first, std::uint64_t count, double* out) {
    for (std::uint64_t i = 0; i < count; ++i) out[i] = *static_cast<double*>(context) * static_cast<double>(first + i);
  };
  EXPECT_EQ(read({line, &slope}, 3, 2), (std::vector<double>{6, 8}));
  EXPECT_NE(source(line, &slope), source(line, nullptr));
}

TEST(source, may_be_nothing) {
  EXPECT_FALSE(source());
  EXPECT_TRUE(source::of(static_cast<const double*>(nullptr)));
}

TEST(valid, is_not_negative) {
  EXPECT_EQ(valid(2.5), 2.5);
  EXPECT_EQ(valid(-2.5), 0);
  EXPECT_EQ(valid(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(valid(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace steelyard::cost
