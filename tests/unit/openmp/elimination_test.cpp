// SPDX-License-Identifier: Apache-2.0
// Gauss-Jordan elimination under jit, on a clock that is made up: its loops have the same trip count and become shorter all the time, and
// ways differ by what they find in caches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "learn/timing_debt.hpp"
#include "openmp/shares/choosing.hpp"
#include "schedules/deal.hpp"

namespace steelyard::openmp {
namespace {

using kind = learn::timing_debt::kind;
using learn::ways;

constexpr std::uint64_t n = 1024;
constexpr std::uint32_t members = 2;

/// What learning from a region costs, and what another cut does.
constexpr std::uint64_t price = 5'000;
constexpr std::uint64_t price_of_cut = 45'000;

class elimination {
 public:
  double chunks_add = 1.4;   ///< how much longer iterations take that are handed out: their rows are in another cache
  double change_adds = 1.5;  ///< and where the loop before ran another way
  double noise = 0.03;
  double cell = 0.3;            ///< ticks
  std::uint64_t beside = 3000;  ///< ticks that a region takes beside its loop
  std::uint64_t others = 0;     ///< loops that ran another way than by shares
  double all = 0, best = 0;     ///< ticks of all loops, and of those in equal shares
  double learning = 0;          ///< ticks

  /// The loops of one matrix.
  void run() {
    for (pivot_ = 0; pivot_ < n; ++pivot_) region();
  }

  std::unique_ptr<choosing> known = std::make_unique<choosing>();
  learn::timing_debt debt;

 private:
  /// Ticks of row j in the loop of this pivot: all columns behind it, or from the diagonal on.
  [[nodiscard]] double row(std::uint64_t j) const {
    return cell * static_cast<double>(j < pivot_ ? n - pivot_ : n + 1 - j) + 4;
  }
  [[nodiscard]] double rows(std::uint64_t from, std::uint64_t to) const {
    double ticks = 0;
    for (std::uint64_t j = from; j < to; ++j) ticks += row(j);
    return ticks;
  }

  void region() {
    const kind what = debt.begin();
    const chosen how = what == kind::timed ? known->trial() : known->usual();
    std::vector<std::uint64_t> ends(members);
    const bool unequal = blocks_of(how, &shares_, n, members, ends.data());
    if (!unequal) schedules::deal::equal_ends(n, members, ends.data());
    std::vector<std::uint64_t> took(members);
    for (std::uint32_t m = 0; m < members; ++m) {
      const double part =
          how.is_handed_out() ? rows(0, n) / members * chunks_add : rows(m != 0 ? ends[m - 1] : 0, ends[m]);
      const double dearer = how.number == before_ ? 1 : change_adds;
      took[m] = static_cast<std::uint64_t>(std::max(0.5, 1 + noise * gauss_(dice_)) * part * dearer);
    }
    before_ = how.number;
    others += how.number != ways::shares;
    const std::uint64_t longest = *std::max_element(took.begin(), took.end());
    all += static_cast<double>(longest);
    best += rows(0, n) / members;
    if (what == kind::looked_at) debt.looked(longest + beside);
    if (what == kind::timed) learn(how, ends, took, unequal);
  }

  void learn(const chosen& how, const std::vector<std::uint64_t>& ends, std::vector<std::uint64_t>& took,
             bool unequal) {
    const auto some = members_with_blocks(how, members);
    const bool learns = some > 1 && !how.is_handed_out();
    const bool anew = learns && shares_.learn(n, some, ends.data(), took.data());
    known->learn({how, n, members, took.data(), 600, true, !unequal && !how.is_handed_out(), &shares_, anew});
    const std::uint64_t longest = *std::max_element(took.begin(), took.end());
    const bool doubts = shares_.is_in_doubt() && on_credit_ == 0;
    const bool at_once = doubts || (known->is_trying() && on_credit_ < learn::chooser::most_trials);
    on_credit_ = at_once ? on_credit_ + 1 : 0;
    const std::uint64_t took_itself = anew ? price_of_cut : price;
    learning += static_cast<double>(took_itself);
    debt.timed(longest + beside, longest, 100 * took_itself, at_once);
  }

  learn::shares shares_;
  std::uint64_t pivot_ = 0;
  std::uint32_t before_ = ways::shares;
  std::uint32_t on_credit_ = 0;
  std::mt19937 dice_{5};
  std::normal_distribution<double> gauss_;
};

TEST(elimination, is_settled_after_five_loops) {
  for (const double add : {0.6, 0.9, 1.0, 1.1, 1.4, 2.6}) {
    elimination of;
    of.chunks_add = add;
    of.run();
    EXPECT_LE(of.known->settled_after(), 5U) << add;
    EXPECT_NE(of.known->settled_after(), 0U) << add;
  }
}

/// Noise alone is 2 %: the longest of two members counts.
TEST(elimination, has_learnt_shares_where_chunks_are_dearer) {
  for (const double add : {1.2, 1.4, 2.6}) {
    elimination of;
    of.chunks_add = add;
    for (int matrix = 0; matrix < 4; ++matrix) {
      of.run();
      EXPECT_EQ(of.known->usual().number, ways::shares) << add << " " << matrix;
    }
    EXPECT_LE(of.others, 4 * n / 50) << add;
    EXPECT_LE(of.all, 1.1 * of.best) << add;
  }
}

TEST(elimination, has_chunks_where_they_are_faster) {
  elimination of;
  of.chunks_add = 0.6;
  for (int matrix = 0; matrix < 4; ++matrix) of.run();
  EXPECT_EQ(of.known->usual().number, ways::fixed);
  EXPECT_LE(of.all, 0.65 * of.best);
}

TEST(elimination, timing_takes_a_hundredth) {
  elimination of;
  for (int matrix = 0; matrix < 4; ++matrix) of.run();
  EXPECT_LE(of.learning, of.all / 100 + 5 * price_of_cut) << "the last ones are not paid yet";
}

}  // namespace
}  // namespace steelyard::openmp
