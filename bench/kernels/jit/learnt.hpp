// SPDX-License-Identifier: Apache-2.0
// A loop that runs again and again in the shares that learn::shares cuts from what each member's block took, in virtual time: as the
// drop-in does, but with times that nothing disturbs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "learn/shares.hpp"

namespace jit {

class learnt_shares {
 public:
  explicit learnt_shares(std::uint32_t members) : ends_(members), took_(members) {}

  // The next instance, whose costs have these prefix sums: what the longest block takes.
  double run(const std::vector<double>& sums) {
    const std::uint64_t n = sums.size() - 1;
    const auto members = static_cast<std::uint32_t>(ends_.size());
    if (!shares_.deal(n, members, ends_.data())) deal_equal(n);
    double longest = 0;
    std::uint64_t begin = 0;
    for (std::uint32_t m = 0; m < members; ++m) {
      const double cost = sums[ends_[m]] - sums[begin];
      took_[m] = static_cast<std::uint64_t>(cost);
      longest = std::max(longest, cost);
      begin = ends_[m];
    }
    if (has_begun_ || !steelyard::learn::shares::alike(took_.data(), members)) {
      shares_.learn(n, members, ends_.data(), took_.data());
      has_begun_ = true;
    }
    return longest;
  }

  // Where the blocks of the last instance ended.
  const std::vector<std::uint64_t>& ends() const { return ends_; }

 private:
  // The first ones get one iteration more, as in OpenMP's static schedule.
  void deal_equal(std::uint64_t n) {
    const std::uint64_t members = ends_.size();
    for (std::uint64_t m = 0; m < members; ++m) ends_[m] = n / members * (m + 1) + std::min(m + 1, n % members);
  }

  steelyard::learn::shares shares_;
  bool has_begun_ = false;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint64_t> took_;
};

}  // namespace jit
