// SPDX-License-Identifier: Apache-2.0
#include "schedules/nustatic.hpp"

#include <array>
#include <vector>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(nustatic, deals_equal_blocks_where_nothing_is_known) {
  for (const std::uint64_t n : {1ULL, 10ULL, 100ULL, 1001ULL}) {
    for (const std::uint32_t members : {1U, 2U, 3U, 7U}) {
      shape loop{n, members};
      loop.front_end.all_arrive = true;
      loop_run learnt("nustatic", loop);
      loop_run equal("static", loop);
      for (member m = 0; m < members; ++m) EXPECT_EQ(learnt.next(m), equal.next(m)) << n << ' ' << m;
    }
  }
}

TEST(nustatic, deals_the_shares_that_are_known_in_order) {
  const std::array<std::uint64_t, 4> ends{15, 35, 60, 100};
  shape loop{100, 4};
  loop.front_end.all_arrive = true;
  loop.known.ends = ends.data();
  loop_run run("nustatic", loop);
  EXPECT_EQ(run.next(3), (step{60, 40, 1}));
  EXPECT_EQ(run.next(0), (step{0, 15, 1}));
  EXPECT_EQ(run.remaining(1), 20U);
  EXPECT_EQ(run.next(1), (step{15, 20, 1}));
  EXPECT_EQ(run.next(2), (step{35, 25, 1}));
  for (member m = 0; m < 4; ++m) EXPECT_TRUE(run.next(m).done());
}

TEST(nustatic, a_share_may_be_empty) {
  const std::array<std::uint64_t, 3> ends{0, 7, 7};
  shape loop{7, 3};
  loop.front_end.all_arrive = true;
  loop.known.ends = ends.data();
  loop_run run("nustatic", loop);
  EXPECT_TRUE(run.next(0).done());
  EXPECT_EQ(run.next(1), (step{0, 7, 1}));
  EXPECT_TRUE(run.next(2).done());
}

TEST(nustatic, the_share_of_one_that_never_comes_goes_to_another) {
  const std::array<std::uint64_t, 3> ends{10, 20, 50};
  shape loop{50, 3};
  loop.known.ends = ends.data();
  loop_run run("nustatic", loop);
  std::uint64_t all = 0;
  for (step got = run.next(1); !got.done(); got = run.next(1)) all += got.count;
  EXPECT_EQ(all, 50U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
