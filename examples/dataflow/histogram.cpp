// SPDX-License-Identifier: Apache-2.0
// Many tasks add to one object, in any order; who reads it comes after them all.
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <steelyard/dataflow.hpp>

using steelyard::cw, steelyard::fork_task, steelyard::r, steelyard::shared, steelyard::w;

using histogram = std::array<std::uint64_t, 6>;

struct add_counts {
  void operator()(histogram& all, const histogram& some) const {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += some[i];
  }
};

void roll(unsigned seed, cw<histogram, add_counts> counts) {
  std::minstd_rand dice(seed);
  histogram mine{};
  for (int i = 0; i < 10'000; ++i) ++mine[dice() % 6];
  counts.add(mine);
}

void sum_up(r<histogram> counts, w<std::uint64_t> total) {
  *total = 0;
  for (const auto each : *counts) *total += each;
}

int main() {
  shared<histogram> counts;
  shared<std::uint64_t> total;
  for (unsigned seed = 1; seed <= 100; ++seed) fork_task(roll, seed, counts);
  fork_task(sum_up, counts, total);
  steelyard::sync_tasks();
  std::printf("%llu rolls, %llu sixes\n", static_cast<unsigned long long>(*total),
              static_cast<unsigned long long>((*counts)[5]));
  return *total == 1'000'000 ? 0 : 1;
}
