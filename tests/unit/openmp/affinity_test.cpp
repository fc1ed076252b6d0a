// SPDX-License-Identifier: Apache-2.0
// Loops under jit whose rows stay in the cache of the member that has changed them last, on a clock that is made up. Blocks that stay put
// find their rows, chunks do not, and whatever follows chunks does not either.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "openmp/shares/prices.hpp"
#include "openmp/shares/region_shares.hpp"
#include "timed_blocks.hpp"

namespace steelyard::openmp {
namespace {

constexpr std::uint64_t n = 1024;
constexpr std::uint32_t members = 2;

/// An elimination. Of sixteen regions some are timed, one after the other.
class elimination {
 public:
  double fetch = 4;         ///< times as long takes a row that is in another cache
  std::uint64_t timed = 5;  ///< of sixteen regions
  double all = 0, best = 0;

  /// The loops of one matrix, which member 0 has filled.
  void run() {
    std::fill(owner_.begin(), owner_.end(), 0);
    for (pivot_ = 0; pivot_ < n; ++pivot_) region(pivot_ % 16 < timed);
  }

 private:
  /// Ticks. A loop is some 500 times as long as dealing it takes on this machine, for what gains less than that is not dealt.
  [[nodiscard]] double row(std::uint64_t j) const {
    return tick_ * (0.3 * static_cast<double>(j < pivot_ ? n - pivot_ : n + 1 - j) + 4);
  }

  double run_row(std::uint64_t j, std::uint32_t member) {
    const double ticks = row(j) * (owner_[j] == member ? 1 : fetch);
    best += row(j) / members;
    owner_[j] = member;
    return ticks;
  }

  /// What each member takes.
  std::vector<double> run_loop(const dealt& by) {
    std::vector<double> took(members);
    for (std::uint64_t j = 0; j < n; ++j) {
      const bool second = by.ends != nullptr ? j >= by.ends[0] : j >= n / 2;
      const std::uint32_t member = by.how.is_handed_out() ? dice_() % members : second;
      took[member] += run_row(j, member);
    }
    if (by.how.is_handed_out()) took[0] = took[1] = (took[0] + took[1]) / members;
    return took;
  }

  void region(bool is_timed) {
    static_cast<void>(known_->begin());
    EXPECT_TRUE(known_->enter());
    dealt* const by = known_->deal({&loop_, &loop_, n, members, is_timed, true, true});
    const std::vector<double> took = run_loop(*by);
    if (is_timed) note_blocks(*by, [&](std::uint32_t m) { return took[m]; });
    const double longest = *std::max_element(took.begin(), took.end());
    all += longest;
    known_->leave(by, is_timed, static_cast<std::uint64_t>(longest));
  }

  double tick_ = static_cast<double>(price_of_deal()) / 320;
  std::unique_ptr<region_shares> known_ = std::make_unique<region_shares>();
  site loop_;
  std::vector<std::uint32_t> owner_ = std::vector<std::uint32_t>(n);
  std::uint64_t pivot_ = 0;
  std::mt19937 dice_{5};
};

TEST(affinity, a_loop_whose_rows_stay_put_is_not_handed_out) {
  for (const double fetch : {2.0, 4.0, 8.0}) {
    elimination of;
    of.fetch = fetch;
    for (int matrix = 0; matrix < 4; ++matrix) of.run();
    EXPECT_LE(of.all, 1.1 * of.best) << fetch;
  }
}

TEST(affinity, whether_all_regions_are_timed_or_few) {
  for (const std::uint64_t timed : {1, 2, 3, 16}) {
    elimination of;
    of.timed = timed;
    for (int matrix = 0; matrix < 4; ++matrix) of.run();
    EXPECT_LE(of.all, 1.1 * of.best) << timed;
  }
}

}  // namespace
}  // namespace steelyard::openmp
