// SPDX-License-Identifier: Apache-2.0
// The least time any schedule could take on P members: max(W/P, t_1, t_P + t_(P+1)), W the work and t_i the i-th most expensive
// piece. Pieces are blocks of neighbouring iterations, timed by the serial program; a block counts as indivisible, so
// where the two last terms decide, the limit is overestimated, and the program says which term decided.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace idws {

using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

struct limit {
  double seconds = 0;
  double divisible = 0;  ///< W/P alone
};

/// Of one loop. Reorders `blocks`.
limit limit_of(std::vector<double>& blocks, unsigned members);

/// What reading the clock adds to a time taken with it.
double clock_cost();

/// A serial loop that adds up the limits of the loops it runs.
class block_timed_loop {
 public:
  explicit block_timed_loop(unsigned members) : members_(members), clock_cost_(clock_cost()) {}

  template <class Body>
  void operator()(std::int64_t n, const Body& body) {
    blocks_.clear();
    const std::int64_t length = block_length(n);
    for (std::int64_t first = 0; first < n; first += length) {
      const std::int64_t last = n - first < length ? n : first + length;
      const auto start = clock::now();
      for (std::int64_t i = first; i < last; ++i) body(i);
      const double spent = seconds_since(start) - clock_cost_;
      blocks_.push_back(spent > 0 ? spent : 0);
    }
    add(limit_of(blocks_, members_));
  }

  [[nodiscard]] limit taken() {
    const limit of_run = sum_;
    sum_ = {};
    return of_run;
  }

 private:
  // At most 4,096 blocks, and none so short that reading the clock disturbs it.
  static constexpr std::int64_t block_length(std::int64_t n) {
    const std::int64_t even = (n + 4095) / 4096;
    return even < 32 ? 32 : even;
  }
  void add(limit of_loop) {
    sum_.seconds += of_loop.seconds;
    sum_.divisible += of_loop.divisible;
  }

  unsigned members_;
  double clock_cost_;
  std::vector<double> blocks_;
  limit sum_;
};

}  // namespace idws
