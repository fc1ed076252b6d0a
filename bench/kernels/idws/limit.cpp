// SPDX-License-Identifier: Apache-2.0
#include "limit.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace idws {

limit limit_of(std::vector<double>& blocks, unsigned members) {
  if (blocks.empty()) return {};
  const double work = std::accumulate(blocks.begin(), blocks.end(), 0.0);
  const double divisible = work / members;
  const auto head = std::min<std::size_t>(std::size_t{members} + 1, blocks.size());
  std::partial_sort(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(head), blocks.end(), std::greater<>{});
  const double pair = head > members ? blocks[members - 1] + blocks[members] : 0;
  return {std::max({divisible, blocks[0], pair}), divisible};
}

double clock_cost() {
  constexpr int readings = 4096;
  const auto start = clock::now();
  double sum = 0;
  for (int i = 0; i < readings; ++i) sum += seconds_since(start);
  return sum > 0 ? seconds_since(start) / readings : 0;
}

}  // namespace idws
