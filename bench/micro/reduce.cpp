// SPDX-License-Identifier: Apache-2.0
// What adding doubles that lie behind each other costs.
//   reduce KIND COUNT THREADS TIMES
// KIND: any, fixed (ours, by order), par, par_unseq (the C++ library's, on oneTBB), serial. Prints the median of the times that
// one sum takes, in microseconds. Status 1: a sum is wrong. THREADS are oneTBB's; ours come from STEELYARD_NUM_THREADS.
#include <tbb/global_control.h>
#include <steelyard/reduce.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using sum = std::function<double(const std::vector<double>&)>;

double ours(const std::vector<double>& all, steelyard::order how) {
  const double* const of = all.data();
  return steelyard::parallel_reduce(
      std::size_t{0}, all.size(), 0.0, [of](std::size_t i) { return of[i]; }, how);
}

sum kind(const std::string& name) {
  if (name == "any") return [](const auto& all) { return ours(all, steelyard::order::any); };
  if (name == "fixed") return [](const auto& all) { return ours(all, steelyard::order::fixed); };
  if (name == "par") return [](const auto& all) { return std::reduce(std::execution::par, all.begin(), all.end()); };
  if (name == "par_unseq") {
    return [](const auto& all) { return std::reduce(std::execution::par_unseq, all.begin(), all.end()); };
  }
  if (name == "serial") return [](const auto& all) { return std::accumulate(all.begin(), all.end(), 0.0); };
  return nullptr;
}

}  // namespace

int main(int count, char** words) {
  const sum add = count == 5 ? kind(words[1]) : nullptr;
  const auto size = count == 5 ? std::strtoull(words[2], nullptr, 10) : 0;
  const auto threads = count == 5 ? std::strtoull(words[3], nullptr, 10) : 0;
  const auto times = count == 5 ? std::strtoull(words[4], nullptr, 10) : 0;
  if (!add || size == 0 || threads == 0 || times == 0) {
    std::fputs("usage: reduce any|fixed|par|par_unseq|serial COUNT THREADS TIMES\n", stderr);
    return 2;
  }
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  std::vector<double> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = 1.0 / static_cast<double>(1 + i % 1000);
  const double right = std::accumulate(all.begin(), all.end(), 0.0);
  std::vector<double> took;
  for (std::uint64_t t = 0; t < 20 + times; ++t) {
    const auto began = std::chrono::steady_clock::now();
    const double got = add(all);
    const std::chrono::duration<double, std::micro> each = std::chrono::steady_clock::now() - began;
    if (std::abs(got - right) > 1e-9 * right) return 1;
    if (t >= 20) took.push_back(each.count());
  }
  std::nth_element(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(times / 2), took.end());
  std::printf("%.3f\n", took[times / 2]);
  return 0;
}
