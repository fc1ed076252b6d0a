// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/rand.hpp"

#include <cstdint>
#include <vector>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(rand, draws_from_a_hundredth_to_a_half_of_a_share) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    loop_run run("rand", {1000, 4, 0, seed});
    const auto chunks = in_turn(run, everybody(4));
    EXPECT_TRUE(covers(chunks, 1000));
    for (std::size_t k = 0; k + 1 < chunks.size(); ++k) {
      EXPECT_GE(chunks[k].what.count, 2U);
      EXPECT_LE(chunks[k].what.count, 125U);
    }
  }
}

TEST(rand, draws_each_size_as_often) {
  std::vector<int> times(126);
  int all = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    ++times.at(loop_run("rand", {1000, 4, 0, seed}).next(0).count);
    ++all;
  }
  double chi_squared = 0;
  for (std::size_t size = 2; size <= 125; ++size) {
    const double expected = all / 124.0;
    chi_squared += (times[size] - expected) * (times[size] - expected) / expected;
  }
  EXPECT_LT(chi_squared, 190);  // of 123 degrees of freedom, exceeded once in 10,000
}

TEST(rand, is_the_same_for_the_same_seed_only) {
  const auto chunks = [](std::uint64_t seed) {
    loop_run run("rand", {100'000, 4, 0, seed});
    return in_turn(run, everybody(4));
  };
  EXPECT_EQ(chunks(7), chunks(7));
  EXPECT_NE(chunks(7), chunks(8));
}

}  // namespace
}  // namespace steelyard::schedules::testing
