// SPDX-License-Identifier: Apache-2.0
// Heat along a rod, in pieces: a piece's next step needs its neighbours' last ones, and nothing else. Some pieces may be several
// steps ahead of others.
#include <cmath>
#include <cstdio>
#include <steelyard/dataflow.hpp>
#include <vector>

using steelyard::fork_task, steelyard::r, steelyard::range, steelyard::w;

constexpr std::size_t length = 100'000, pieces = 50, steps = 40;

// From `around`, which is the piece and a neighbour on either side.
void step(r<range<double>> around, w<range<double>> next) {
  const auto old = *around;
  auto now = *next;
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = (old[i] + 2 * old[i + 1] + old[i + 2]) / 4;
}

int main() {
  std::vector<double> one(length + 2, 0.0), two(length + 2, 0.0);
  for (std::size_t i = length / 4; i < length / 2; ++i) one[i] = two[i] = 100;
  range<double> from(one.data(), one.size()), to(two.data(), two.size());
  constexpr std::size_t size = length / pieces;
  for (std::size_t i = 0; i < steps; ++i) {
    for (std::size_t at = 0; at < length; at += size) fork_task(step, from.part(at, size + 2), to.part(at + 1, size));
    std::swap(from, to);
  }
  steelyard::sync_tasks();
  double sum = 0;
  for (const double each : from) sum += each;
  std::printf("the rod holds %.6f\n", sum);
  return std::abs(sum - 100.0 * (length / 4)) < 1e-3 ? 0 : 1;
}
