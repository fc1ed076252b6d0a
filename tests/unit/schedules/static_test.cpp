// SPDX-License-Identifier: Apache-2.0
#include "schedules/static.hpp"

#include <functional>
#include <utility>

#include "loop_run.hpp"
#include "sync/real.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(static, leaves_others_shares_alone_when_all_arrive) {
  loop_run run("static", {100, 4, 0, 0, {.all_arrive = true}});
  EXPECT_EQ(run.next(2), (step{50, 25, 1}));
  EXPECT_TRUE(run.next(2).done());
  EXPECT_EQ(run.remaining(2), 0U);
  EXPECT_EQ(run.remaining(3), 25U);
}

/// The real door, with something happening just before the next exchange.
struct interrupted : sync::real {
  static inline std::function<void()> before_exchange;

  template <class T>
  class atomic : public sync::real::atomic<T> {
    using sync::real::atomic<T>::atomic;

   public:
    T exchange(T desired, sync::order how, sync::site where) {
      if (const auto happen = std::exchange(before_exchange, nullptr)) happen();
      return sync::real::atomic<T>::exchange(desired, how, where);
    }
  };
};

TEST(static, gives_a_share_to_one_of_two_that_claim_it_at_once) {
  using schedule = static_blocks<interrupted>;
  const shape loop{20, 2, 0, 0};
  alignas(support::line_size) std::byte memory[4096];
  ASSERT_LE(schedule::bytes(loop), sizeof memory);
  auto& run = *::new (memory) schedule(loop);
  EXPECT_EQ(run.next(0), (step{0, 10, 1}));
  // Member 0 has seen member 1's share unclaimed; now its owner comes.
  interrupted::before_exchange = [&] { EXPECT_EQ(run.next(1), (step{10, 10, 1})); };
  EXPECT_TRUE(run.next(0).done());
  EXPECT_FALSE(interrupted::before_exchange);
}

TEST(static, counts_the_shares_of_members_that_never_came) {
  loop_run run("static", {100, 4, 0, 0});
  in_turn(run, {1});
  EXPECT_EQ(run.counts(1).steals, 3U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
