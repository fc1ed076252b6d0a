// SPDX-License-Identifier: Apache-2.0
// A loop that runs again and again, in virtual time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "learn/shares.hpp"

namespace steelyard::learn {

/// Which part of a loop's cost lies before a position.
using spread = std::function<double(double)>;

inline const spread even = [](double x) { return x; };
inline const spread falling = [](double x) { return 1 - (1 - x) * (1 - x); };
inline const spread rising = [](double x) { return x * x; };
inline const spread dear_end = [](double x) { return x < 0.8 ? x / 8 : 0.1 + (x - 0.8) * 4.5; };
inline const spread dear_begin = [](double x) { return x < 0.1 ? x * 8 : 0.8 + (x - 0.1) / 4.5; };

/// Its iterations cost what the test says.
class made_up_loop {
 public:
  explicit made_up_loop(std::uint32_t members, std::uint64_t n = 100'000)
      : n_(n), members_(members), ends_(members), took_(members) {}

  /// Runs an instance; the longest block, in mean blocks. `late` ticks are added to member 0's.
  double run(const spread& before, double late = 0) {
    if (!known->deal(n_, members_, ends_.data())) {
      for (std::uint32_t m = 0; m < members_; ++m) ends_[m] = n_ * (m + 1) / members_;
    }
    const auto at = [this](std::uint64_t i) { return static_cast<double>(i) / static_cast<double>(n_); };
    double longest = 0;
    for (std::uint32_t m = 0; m < members_; ++m) {
      double cost = before(at(ends_[m])) - (m != 0 ? before(at(ends_[m - 1])) : 0);
      cost = std::max(0.0, cost * (1 + noise * gauss_(dice_))) + (m == 0 ? late : 0);
      took_[m] = static_cast<std::uint64_t>(cost * 1e7);
      longest = std::max(longest, cost);
    }
    known->learn(n_, members_, ends_.data(), took_.data());
    return longest * members_;
  }
  double run_times(int times, const spread& before) {
    double last = 0;
    for (int i = 0; i < times; ++i) last = run(before);
    return last;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& ends() const { return ends_; }
  void have_members(std::uint32_t members) {
    members_ = members;
    ends_.resize(members);
    took_.resize(members);
  }
  void have_iterations(std::uint64_t n) { n_ = n; }

  double noise = 0;
  std::unique_ptr<shares> known = std::make_unique<shares>();

 private:
  std::uint64_t n_;
  std::uint32_t members_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint64_t> took_;
  std::mt19937 dice_{7};
  std::normal_distribution<double> gauss_;
};

}  // namespace steelyard::learn
