// SPDX-License-Identifier: Apache-2.0
// parallel_for over a vector: by index and by iterator.
#include <cmath>
#include <cstdio>
#include <steelyard/loop.hpp>
#include <vector>

int main() {
  std::vector<double> values(1'000'000);
  steelyard::parallel_for(std::size_t{0}, values.size(), [&](std::size_t i) { values[i] = static_cast<double>(i); });
  steelyard::parallel_for(values.begin(), values.end(), [](double& value) { value = std::sqrt(value); });
  std::printf("the root of 250000 is %g, that of 810000 is %g\n", values[250'000], values[810'000]);
  return values[250'000] == 500 && values[810'000] == 900 ? 0 : 1;
}
