// SPDX-License-Identifier: Apache-2.0
// parallel_scan: where each word of a text begins, from the lengths of those before it.
#include <cstdio>
#include <steelyard/loop.hpp>
#include <vector>

int main() {
  std::vector<long> lengths(100'000);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = 1 + static_cast<long>(i) % 9;
  std::vector<long> ends(lengths.size());
  steelyard::parallel_scan(lengths.begin(), lengths.end(), ends.begin(), 0L);
  std::printf("the second word begins at %ld, the text ends at %ld\n", ends[0], ends.back());
  return ends[0] == 1 && ends[8] == 45 && ends.back() == 99'999 / 9 * 45 + 1 ? 0 : 1;
}
