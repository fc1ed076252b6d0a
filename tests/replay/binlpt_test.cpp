// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cost/limit.hpp"
#include "rows.hpp"
#include "schedules/profile.hpp"
#include "schedules/work_sums.hpp"
#include "simulator/replay.hpp"

/// How near `binlpt` comes to the limit where it knows what iterations cost, and where it does not.
namespace steelyard::simulator {
namespace {

using schedules::shape;
using testing::costs_of;

class row_of_costs {
 public:
  row_of_costs(const costs_of& row, std::uint32_t members)
      : sums_(cost::prefix_sums(row.values)), limit_(cost::limit(row.values, members)),
        unknown_{row.values.size(), members, 0, 1, {.contiguous = true, .all_arrive = true}} {
    memory_.resize(schedules::work_sums::size_for(unknown_));
    schedules::work_sums lists(memory_);
    by_sums_ = lists.apply(unknown_, {cost::source::of(row.values.data())});
    auto costs = row.values;
    roughly_->set([](void* of, std::int64_t i) { return static_cast<double*>(of)[i]; }, costs.data(), 0, 1,
                  costs.size());
    by_profile_ = unknown_;
    by_profile_.known.roughly = roughly_.get();
  }

  /// Time in units of the limit.
  [[nodiscard]] double of(const char* schedule, const shape& loop) const {
    return replay(*find(schedule), {loop, sums_, {}, {}, false}).makespan / limit_;
  }
  [[nodiscard]] const shape& unknown() const { return unknown_; }
  [[nodiscard]] const shape& by_sums() const { return by_sums_; }
  [[nodiscard]] const shape& by_profile() const { return by_profile_; }

 private:
  std::vector<double> sums_;
  double limit_;
  shape unknown_;
  shape by_sums_;
  shape by_profile_;
  std::vector<double> memory_;
  std::unique_ptr<schedules::profile> roughly_ = std::make_unique<schedules::profile>();
};

class binlpt : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(binlpt, is_near_the_limit_where_costs_are_known) {
  std::printf("%8s %-12s %8s %8s %8s %8s\n", "members", "costs", "static", "unknown", "profile", "sums");
  for (const auto& row : testing::rows(GetParam())) {
    const row_of_costs known(row, GetParam());
    const auto by_sums = known.of("binlpt", known.by_sums());
    const auto by_profile = known.of("binlpt", known.by_profile());
    std::printf("%8u %-12s %8.4f %8.4f %8.4f %8.4f\n", GetParam(), row.name.c_str(),
                known.of("static", known.unknown()), known.of("binlpt", known.unknown()), by_profile, by_sums);
    EXPECT_LE(by_sums, 1.02) << row.name;
    EXPECT_LE(by_profile, 1.1) << row.name;
  }
}

TEST_P(binlpt, beats_static_at_a_dense_end) {
  const row_of_costs known({"dense end", cost::idws::dense_end(testing::iterations)}, GetParam());
  const auto equal_blocks = known.of("static", known.unknown());
  EXPECT_LT(known.of("binlpt", known.by_sums()), equal_blocks / 2);
  EXPECT_LT(known.of("binlpt", known.by_profile()), equal_blocks / 2);
  EXPECT_LT(known.of("binlpt", known.unknown()), equal_blocks) << "on demand";
}

INSTANTIATE_TEST_SUITE_P(members, binlpt, ::testing::Values(8, 32, 128));

}  // namespace
}  // namespace steelyard::simulator
