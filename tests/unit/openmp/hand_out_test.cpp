// SPDX-License-Identifier: Apache-2.0
// What a member of a loop receives, exactly, from what its schedule deals: strides, the final iteration, teams of one.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "openmp/loop/loop.hpp"
#include "openmp/program/settings.hpp"

namespace {

using namespace steelyard::openmp;
using steelyard::schedules::member;
using steelyard::schedules::step;
using ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Steps for two members.
struct script {
  std::vector<step> of[2];
  std::size_t at[2] = {0, 0};
};

step next_of(void* state, member m) {
  auto& deal = *static_cast<script*>(state);
  return deal.at[m] < deal.of[m].size() ? deal.of[m][deal.at[m]++] : step{};
}

const steelyard::schedules::operations scripted{
    {"scripted", "for tests", nullptr, false, false}, nullptr, nullptr, next_of, nullptr, nullptr};

/// One loop of two members over a script.
class Loop {
 public:
  Loop(std::uint64_t iterations, script deal, bool holds_last, bool last_alone = false, std::uint64_t granule = 1)
      : deal_(std::move(deal)) {
    shared_.holds_last = holds_last;
    shared_.members = 2;
    shared_.granule = granule;
    for (running& each : loops_) {
      each = running{};
      each.loop.iterations = iterations;
      each.loop.last_alone = last_alone;
      each.granule = last_alone || granule > 1 ? granule : 0;
      each.schedule = &scripted;
      each.state = &deal_;
      each.shared = &shared_;
    }
  }

  bool one(std::uint32_t number, ranges& into) {
    range got{};
    if (!hand_out(loops_[number], got, number)) return false;
    into.emplace_back(got.first, got.count);
    return true;
  }

  ranges all(std::uint32_t number) {
    ranges received;
    while (one(number, received)) {
    }
    return received;
  }

  running& of(std::uint32_t number) { return loops_[number]; }

 private:
  script deal_;
  instance shared_;
  running loops_[2];
};

TEST(HandOut, ContiguousStepsGoOutWhole) {
  Loop loop(100, {{{{0, 10, 1}, {50, 5, 1}}, {}}}, false);
  EXPECT_EQ(loop.all(0), (ranges{{0, 10}, {50, 5}}));
  EXPECT_EQ(loop.of(0).chunks, 2U);
}

TEST(HandOut, StridedStepsGoOutOneByOne) {
  Loop loop(100, {{{{1, 4, 3}, {90, 1, 7}}, {}}}, false);
  EXPECT_EQ(loop.all(0), (ranges{{1, 1}, {4, 1}, {7, 1}, {10, 1}, {90, 1}}));
  EXPECT_EQ(loop.of(0).chunks, 5U);
}

TEST(HandOut, AStridedStepDoesNotHideTheNext) {
  Loop loop(100, {{{{5, 2, 10}, {0, 3, 1}}, {}}}, false);
  EXPECT_EQ(loop.all(0), (ranges{{5, 1}, {15, 1}, {0, 3}}));
}

TEST(HandOut, WhoFindsNothingFirstGetsTheLastIterationAndRetires) {
  Loop loop(10, {{{{0, 4, 1}}, {{4, 5, 1}}}}, true);
  ranges first;
  ranges second;
  EXPECT_TRUE(loop.one(0, first));
  EXPECT_TRUE(loop.one(1, second));
  EXPECT_TRUE(loop.one(1, second));
  EXPECT_EQ(second, (ranges{{4, 5}, {9, 1}}));
  EXPECT_FALSE(loop.one(1, second));
  EXPECT_FALSE(loop.one(0, first));
  EXPECT_EQ(first, (ranges{{0, 4}}));
  EXPECT_TRUE(loop.of(0).retired);
  EXPECT_TRUE(loop.of(1).retired);
}

TEST(HandOut, AfterTheLastIterationTheScheduleIsNotAskedAgain) {
  Loop loop(3, {{{{0, 1, 1}, {}, {1, 1, 1}}, {}}}, true);
  EXPECT_EQ(loop.all(0), (ranges{{0, 1}, {2, 1}}));
}

TEST(HandOut, ALoopOfOneIterationIsTheLastIteration) {
  Loop loop(1, {}, true);
  EXPECT_EQ(loop.all(1), (ranges{{0, 1}}));
  EXPECT_EQ(loop.all(0), ranges{});
}

TEST(HandOut, AscendingSchedulesDealTheLastIterationThemselves) {
  Loop loop(10, {{{{0, 10, 1}}, {}}}, false);
  EXPECT_EQ(loop.all(0), (ranges{{0, 10}}));
  EXPECT_EQ(loop.all(1), ranges{});
}

TEST(HandOut, TheFinalIterationIsCutOffWhereTheStepPastItWraps) {
  Loop loop(10, {{{{0, 4, 1}, {4, 6, 1}}, {}}}, false, true);
  EXPECT_EQ(loop.all(0), (ranges{{0, 4}, {4, 5}, {9, 1}}));
}

TEST(HandOut, AFinalIterationThatIsAloneStaysWhole) {
  Loop loop(10, {{{{0, 9, 1}, {9, 1, 1}}, {}}}, false, true);
  EXPECT_EQ(loop.all(0), (ranges{{0, 9}, {9, 1}}));
}

TEST(HandOut, CutsOnlyTheFinalChunk) {
  Loop loop(100, {{{{0, 9, 1}, {10, 1, 1}}, {}}}, false, true);
  EXPECT_EQ(loop.all(0), (ranges{{0, 9}, {10, 1}}));
}

TEST(HandOut, StepsAreOfGranules) {
  Loop loop(95, {{{{0, 2, 1}, {5, 1, 1}}, {{8, 2, 1}}}}, false, false, 10);
  EXPECT_EQ(loop.all(0), (ranges{{0, 20}, {50, 10}}));
  EXPECT_EQ(loop.all(1), (ranges{{80, 15}}));
}

TEST(HandOut, StridedStepsOfGranulesGoOutGranuleByGranule) {
  Loop loop(95, {{{{1, 3, 4}}, {{0, 2, 3}}}}, false, false, 10);
  EXPECT_EQ(loop.all(0), (ranges{{10, 10}, {50, 10}, {90, 5}}));
  EXPECT_EQ(loop.all(1), (ranges{{0, 10}, {30, 10}}));
}

TEST(HandOut, TheLastGranuleIsHeldBackWhole) {
  Loop loop(95, {{{{0, 9, 1}}, {}}}, true, false, 10);
  EXPECT_EQ(loop.all(1), (ranges{{90, 5}}));
  EXPECT_EQ(loop.all(0), (ranges{{0, 90}}));
  Loop even(100, {{{}, {}}}, true, false, 10);
  EXPECT_EQ(even.all(0), (ranges{{90, 10}}));
  Loop shorter(7, {{{}, {}}}, true, false, 10);
  EXPECT_EQ(shorter.all(0), (ranges{{0, 7}}));
}

TEST(HandOut, AFinalIterationThatIsAloneComesToWhoHasItsGranule) {
  Loop dealt(95, {{{{7, 3, 1}}, {}}}, false, true, 10);
  EXPECT_EQ(dealt.all(0), (ranges{{70, 24}, {94, 1}}));
  Loop held(95, {{{}, {}}}, true, true, 10);
  EXPECT_EQ(held.all(0), (ranges{{90, 4}, {94, 1}}));
  Loop strided(95, {{{{1, 3, 4}}, {}}}, false, true, 10);
  EXPECT_EQ(strided.all(0), (ranges{{10, 10}, {50, 10}, {90, 4}, {94, 1}}));
  Loop single(91, {{{{9, 1, 1}}, {}}}, false, true, 10);
  EXPECT_EQ(single.all(0), (ranges{{90, 1}}));
}

ranges alone(std::uint64_t iterations, bool last_alone) {
  implicit_task in;
  in.members = 1;
  site at;
  request wanted{&at, clause::dynamic, 1, false, {}};
  wanted.loop.iterations = iterations;
  wanted.loop.last_alone = last_alone;
  enter(in, wanted, {&scripted, 1, nullptr});
  EXPECT_EQ(self.taken, &in.loop);
  ranges received;
  for (range got{}; hand_out(in.loop, got, 0);) received.emplace_back(got.first, got.count);
  leave(in);
  EXPECT_EQ(self.taken, nullptr);
  return received;
}

TEST(HandOut, ATeamOfOneGetsTheWholeLoop) {
  EXPECT_EQ(alone(1000, false), (ranges{{0, 1000}}));
  EXPECT_EQ(alone(~std::uint64_t{0}, false), (ranges{{0, ~std::uint64_t{0}}}));
  EXPECT_EQ(alone(0, false), ranges{});
  EXPECT_EQ(alone(5, true), (ranges{{0, 4}, {4, 1}}));
  EXPECT_EQ(alone(1, true), (ranges{{0, 1}}));
}

TEST(HandOut, AnEmptyLoopOfATeamNeedsNoInstance) {
  implicit_task in;
  region team;
  in.members = 4;
  in.team = &team;
  site at;
  enter(in, {&at, clause::dynamic, 1, false, {}}, {&scripted, 1, nullptr});
  range got{};
  EXPECT_FALSE(hand_out(in.loop, got, 0));
  EXPECT_EQ(team.loops.behind(nullptr), nullptr);
  leave(in);
}

}  // namespace
