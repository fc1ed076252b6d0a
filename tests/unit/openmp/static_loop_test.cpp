// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>

#include "schedules/registry.hpp"
#include "timed_blocks.hpp"

namespace steelyard::openmp {
namespace {

constexpr std::uint32_t members = 2;

struct loop : site {
  loop() { forced = schedules::parse_choice("nustatic").value; }
};

/// What is known of a body.
class body {
 public:
  /// A region was timed in which the second member took three times as long, with all that have come to `first` first.
  void learn(site& first, std::uint64_t iterations) {
    ASSERT_TRUE(known->enter());
    static_cast<void>(known->is_alone(first));  // as members do that come to it
    dealt* const by = known->deal({&first, nullptr, iterations, members, true, true});
    note_blocks(*by, [](std::uint32_t m) { return m == 0 ? 10'000'000 : 30'000'000; });
    known->leave(by, true);
  }

  std::unique_ptr<region_shares> known = std::make_unique<region_shares>();
};

/// A region in which members read.
class region_that_reads {
 public:
  explicit region_that_reads(body& of, bool reads = true) : of_(of) {
    EXPECT_TRUE(of.known->enter());
    team_.at = &fork_;
    team_.shares = of.known.get();
    team_.entered = true;
    team_.reads = reads;
    for (std::uint32_t m = 0; m < members; ++m) {
      all_[m].team = &team_;
      all_[m].number = m;
      all_[m].members = members;
    }
  }
  ~region_that_reads() { of_.known->leave(team_.dealt_loops.load(sync::acquire, sync::site{"test"}), false); }
  region_that_reads(const region_that_reads&) = delete;
  region_that_reads& operator=(const region_that_reads&) = delete;

  /// Where the first block ends; 0: blocks are equal. Each member finds out by itself.
  std::uint64_t come_to(site& at, std::uint64_t iterations) {
    const share first = find_share(all_[0], at, iterations);
    const share second = find_share(all_[1], at, iterations);
    EXPECT_EQ(first.is_told, second.is_told) << "members disagree";
    if (!first.is_told) return 0;
    EXPECT_EQ(first.block.first, 0U);
    EXPECT_EQ(first.block.end, second.block.first);
    EXPECT_EQ(second.block.end, iterations);
    return first.block.end;
  }
  implicit_task& member(std::uint32_t number) { return all_[number]; }
  [[nodiscard]] bool has_dealt() const { return team_.dealt_loops.load(sync::acquire, sync::site{"test"}) != nullptr; }

 private:
  body& of_;
  site fork_;
  region team_;
  std::array<implicit_task, members> all_;
};

TEST(static_loop, members_read_what_is_known_and_nobody_deals) {
  loop at;
  body of;
  of.learn(at, 1000);
  region_that_reads team(of);
  EXPECT_GT(team.come_to(at, 1000), 600U);
  EXPECT_FALSE(team.has_dealt());
}

TEST(static_loop, other_trip_counts_are_read_too) {
  loop at;
  body of;
  of.learn(at, 1000);
  region_that_reads team(of);
  EXPECT_GT(team.come_to(at, 800), 480U);
  EXPECT_GT(team.come_to(at, 100'000), 60'000U);
  EXPECT_FALSE(team.has_dealt());
}

TEST(static_loop, all_loops_of_a_trip_count_have_the_blocks_of_the_first) {
  loop at;
  loop another;
  body of;
  of.learn(at, 1000);
  region_that_reads team(of);
  const std::uint64_t known = team.come_to(at, 1000);
  EXPECT_EQ(team.come_to(another, 1000), known);
  const std::uint64_t carried = team.come_to(at, 900);
  EXPECT_EQ(team.come_to(another, 900), carried);
}

TEST(static_loop, one_that_has_never_come_first_keeps_equal_blocks_and_so_do_all_of_its_trip_count) {
  loop at;
  loop another;
  body of;
  of.learn(at, 1000);
  for (const std::uint64_t n : {1000UL, 900UL}) {
    region_that_reads team(of);
    EXPECT_EQ(team.come_to(another, n), 0U) << n;
    EXPECT_EQ(team.come_to(at, n), 0U) << "it would be another partition";
    EXPECT_EQ(team.come_to(another, n), 0U);
    EXPECT_NE(team.come_to(at, 700), 0U) << "another trip count";
  }
  region_that_reads next(of);
  EXPECT_NE(next.come_to(at, 1000), 0U);
}

TEST(static_loop, a_partition_stays_however_many_trip_counts_come_between) {
  loop at;
  loop another;
  body of;
  of.learn(at, 1000);
  region_that_reads team(of);
  std::array<std::uint64_t, 300> found;
  for (std::uint64_t i = 0; i < found.size(); ++i) found[i] = team.come_to(i % 3 == 0 ? another : at, 10 + i);
  for (std::uint64_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(team.come_to(at, 10 + i), found[i]);
    EXPECT_EQ(team.come_to(another, 10 + i), found[i]);
  }
}

TEST(static_loop, where_loops_begin_at_two_places_members_agree_on_a_new_trip_count) {
  loop at;
  loop another;
  body of;
  of.learn(at, 1000);
  of.learn(another, 500);
  region_that_reads team(of);
  const std::uint64_t found = team.come_to(another, 300);
  EXPECT_TRUE(team.has_dealt());
  EXPECT_EQ(team.come_to(at, 300), found);
  EXPECT_NE(team.come_to(at, 1000), 0U);
}

TEST(static_loop, a_reduction_is_remembered_where_members_read) {
  loop at;
  body of;
  of.learn(at, 1000);
  {
    region_that_reads team(of);
    const share mine = find_share(team.member(0), at, 1000);
    begin_block(team.member(0), mine);
    end_block(team.member(0));
    note_reduction(team.member(0), false);
    EXPECT_NE(team.come_to(at, 1000), 0U) << "this region goes on as it began";
  }
  region_that_reads next(of);
  EXPECT_EQ(next.come_to(at, 1000), 0U);
}

TEST(static_loop, a_reduction_of_the_region_is_one_of_all_its_loops) {
  loop at;
  body of;
  of.learn(at, 1000);
  of.learn(at, 10);
  {
    region_that_reads team(of);
    begin_block(team.member(0), find_share(team.member(0), at, 1000));
    end_block(team.member(0));
    note_barrier(team.member(0));
    note_reduction(team.member(0), true);
    end_body(team.member(0));
  }
  EXPECT_TRUE(of.known->is_equal());
}

struct loop_of_automatic : site {
  loop_of_automatic() { forced = schedules::parse_choice("automatic").value; }
};

/// A region of which one loop is known.
class static_loop_under_automatic : public ::testing::Test {
 protected:
  void SetUp() override {
    config.only_alone = true;
    of.learn(at, 1000);
  }
  void TearDown() override { config.only_alone = false; }

  loop_of_automatic at;
  loop_of_automatic another;
  body of;
};

TEST_F(static_loop_under_automatic, a_region_with_another_one_keeps_its_blocks_from_the_next_time_on) {
  {
    region_that_reads team(of);
    EXPECT_GT(team.come_to(at, 1000), 600U);
    EXPECT_EQ(of.known->barred(), nullptr);
    EXPECT_GT(team.come_to(another, 1000), 600U) << "OpenMP promises the same blocks in the same region";
    EXPECT_STREQ(of.known->barred(), "the region has several static loops");
  }
  region_that_reads(of).come_to(at, 1000);  // takes note; the drop-in begins none that is barred
  EXPECT_EQ(region_that_reads(of).come_to(at, 1000), 0U);
}

/// It has another trip count, and so would not be asked for what the first one knows.
TEST_F(static_loop_under_automatic, another_loop_is_noticed_whatever_its_trip_count_is) {
  region_that_reads team(of);
  EXPECT_GT(team.come_to(at, 1000), 600U);
  team.come_to(another, 1100);
  EXPECT_STREQ(of.known->barred(), "the region has several static loops");
}

TEST_F(static_loop_under_automatic, a_loop_that_the_user_has_named_need_not_be_alone) {
  another.by_rule = true;
  of.learn(another, 5000);
  for (int region = 0; region < 3; ++region) {
    region_that_reads team(of, false);  // as where there is a loops file
    EXPECT_EQ(team.come_to(at, 1000) != 0, region < 2) << "the first finds out, the second takes note";
    EXPECT_GT(team.come_to(another, 5000), 3000U);
  }
}

}  // namespace
}  // namespace steelyard::openmp
