// SPDX-License-Identifier: Apache-2.0
// Divide and conquer on an array. No size below which it would not pay: a join costs about as much as a call.
#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <stdexcept>
#include <steelyard/task.hpp>
#include <vector>

void quicksort(std::span<double> all) {
  if (all.size() < 2) return;
  const double pivot = all[all.size() / 2];
  if (pivot != pivot) throw std::invalid_argument("not a number");
  const auto less = std::partition(all.begin(), all.end(), [pivot](double x) { return x < pivot; });
  const auto more = std::partition(less, all.end(), [pivot](double x) { return x == pivot; });
  steelyard::join([&] { quicksort({all.begin(), less}); }, [&] { quicksort({more, all.end()}); });
}

int main() {
  std::mt19937 random;
  std::uniform_real_distribution<double> any(0, 1);
  std::vector<double> values(700'000);
  for (auto& each : values) each = any(random);
  quicksort(values);
  const bool sorted = std::is_sorted(values.begin(), values.end());

  bool refused = false;
  std::vector<double> bad(1000, 0.0 / 0.0);
  try {
    quicksort(bad);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  std::printf("%zu numbers are %s; no numbers are %s\n", values.size(), sorted ? "sorted" : "NOT SORTED",
              refused ? "refused" : "TAKEN");
  return sorted && refused ? 0 : 1;
}
