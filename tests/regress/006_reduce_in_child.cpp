// SPDX-License-Identifier: Apache-2.0
// In a child of fork two threads begin at the same time: one runs a loop, so that the pool starts anew, the other a reduction, or
// a scan. These asked for the number of threads twice, for their values and when they ran: they wrote beyond their values.
#include <functional>
#include <steelyard/loop.hpp>
#include <thread>
#include <vector>

#include "children.hpp"

namespace {

using steelyard::parallel_for;

constexpr long n = 1000;

/// A number that takes its time to be made, so that much happens while a loop's values are.
struct slow {
  long value;
  slow() : slow(0) { usleep(10); }
  explicit slow(long its) : value(its) {}
  slow(const slow&) = default;
  slow(slow&&) = default;
  ~slow() = default;
  slow& operator=(const slow& other) {
    value = other.value;
    usleep(100);
    return *this;
  }
  slow& operator=(slow&& other) = default;
  friend slow operator+(const slow& a, const slow& b) { return slow(a.value + b.value); }
};

bool reduces(const steelyard::loop_options& how) {
  const auto term = [](long i) { return slow(i); };
  return steelyard::parallel_reduce(0L, n, slow(0), term, std::plus<>{}, how).value == n * (n - 1) / 2;
}

struct written {
  long value = 0;
  written& operator=(const slow& from) {
    value = from.value;
    return *this;
  }
};

bool scans(const steelyard::loop_options& how) {
  const std::vector<long> ones(n, 1);
  std::vector<written> sums(n);
  steelyard::parallel_scan(ones.begin(), ones.end(), sums.begin(), slow(0), std::plus<>{}, how);
  return sums.back().value == n;
}

bool runs_beside_a_loop(bool (*what)(const steelyard::loop_options&), int wait, const steelyard::loop_options& how) {
  std::thread other([&] {
    parallel_for(
        0, 1000, [](int) {}, how);
  });
  usleep(static_cast<useconds_t>(wait));
  const bool fine = what(how);
  other.join();
  return fine;
}

}  // namespace

int main() {
  if (!regress::children_have_threads) return 0;
  int failed = 0;
  for (const unsigned threads : {8U, 64U}) {
    const steelyard::pool own(threads);
    const steelyard::loop_options how{.on = &own, .always_parallel = true};
    parallel_for(
        0, 1000, [](int) {}, how);
    for (int round = 0; round < 100; ++round) {
      failed += regress::fine_in_child([&] { return runs_beside_a_loop(reduces, round * 5, how); }) ? 0 : 1;
      failed += regress::fine_in_child([&] { return runs_beside_a_loop(scans, round * 5, how); }) ? 0 : 1;
    }
  }
  std::printf("%d of 400 children failed\n", failed);
  return failed == 0 ? 0 : 1;
}
