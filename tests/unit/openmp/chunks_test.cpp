// SPDX-License-Identifier: Apache-2.0
// Written chunks: what members receive in whatever order they come, from the decision to the last piece. One thread plays
// all members.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "openmp/loop/loop.hpp"
#include "openmp/loop/region.hpp"
#include "openmp/measure/limit.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/registry.hpp"

namespace {

using namespace steelyard::openmp;
namespace schedules = steelyard::schedules;

constexpr std::uint32_t nobody = ~0U;

int program_kind = 0;
int program_chunk = 0;

/// A runtime of which only the run-time schedule is asked.
runtime& native() {
  static runtime one;
  one.get_schedule = [](int* kind, int* chunk) {
    *kind = program_kind;
    *chunk = program_chunk;
  };
  return one;
}

/// One loop of a team.
class team_loop {
 public:
  team_loop(std::uint32_t members, const request& wanted, const decision& how) : members_(members) {
    team_.at = wanted.at;
    if (config.reporting) team_.told.emplace();
    for (std::uint32_t m = 0; m < members; ++m) {
      auto& in = members_[m];
      in.members = members;
      in.number = m;
      in.team = &team_;
      in.native = &native();
      enter(in, wanted, how);
    }
  }
  ~team_loop() {
    for (auto& in : members_) {
      leave(in);
      if (in.spare != nullptr) pop(in);
    }
    team_.loops.drain([this](instance* node) noexcept { give_back(team_, node); });
    self = {};
  }
  team_loop(const team_loop&) = delete;
  team_loop& operator=(const team_loop&) = delete;

  bool next(std::uint32_t m, range& out) { return hand_out(members_[m].loop, out, m); }

 private:
  region team_;
  std::vector<implicit_task> members_;
};

struct ended {
  bool whole = true;      ///< each chunk ran on one member, without a break, and ascending
  bool once = true;       ///< each iteration
  bool last_last = true;  ///< nothing came to a member behind the final iteration
};

/// Who ran each iteration of a loop that ended; whoever comes next is drawn.
ended run(team_loop& loop, std::uint32_t members, std::uint64_t n, std::uint64_t chunk, std::mt19937_64& draw) {
  ended result;
  std::vector<std::uint32_t> owner(n, nobody);
  std::vector<std::uint64_t> previous(members, n);  // its iteration before this one
  std::vector<std::uint32_t> active(members);
  for (std::uint32_t m = 0; m < members; ++m) active[m] = m;
  while (!active.empty()) {
    const auto place = active.begin() + static_cast<std::ptrdiff_t>(draw() % active.size());
    const auto m = *place;
    range got{};
    if (!loop.next(m, got)) {
      active.erase(place);
      continue;
    }
    if (n != 0 && previous[m] == n - 1) result.last_last = false;
    for (std::uint64_t i = got.first; i < got.first + got.count; ++i) {
      if (i >= n || owner[i] != nobody) return {false, false, false};
      owner[i] = m;
      if (i % chunk != 0 && (owner[i - 1] != m || previous[m] != i - 1)) result.whole = false;
      previous[m] = i;
    }
  }
  result.once = std::none_of(owner.begin(), owner.end(), [](auto who) { return who == nobody; });
  return result;
}

class Chunks : public ::testing::Test {
 protected:
  void SetUp() override {
    config = settings{};
    config.equal_blocks = schedules::find("static");
  }
  void TearDown() override {
    config = settings{};
    self = {};
  }

  decision decided(clause stated, std::uint64_t chunk, const schedules::choice& forced) {
    implicit_task in;
    in.members = 2;
    return decide(wanted(stated, chunk, 1000, forced), in);
  }

  request wanted(clause stated, std::uint64_t chunk, std::uint64_t n, const schedules::choice& forced) {
    at_.native = &native();
    at_.forced = forced;
    request loop{&at_, stated, chunk, false, {}};
    loop.loop.iterations = n;
    return loop;
  }

  site at_;
  std::mt19937_64 draw_{21};
};

TEST_F(Chunks, NoScheduleSplitsAWrittenOne) {
  for (const auto& schedule : schedules::all()) {
    for (const std::uint32_t members : {2U, 3U, 8U, 32U, 128U}) {
      for (const std::uint64_t chunk : {2U, 7U, 64U, 1024U}) {
        for (const std::uint64_t n : {1U, 2U, 63U, 64U, 65U, 3000U, 8192U}) {
          for (const std::uint64_t given : {0U, 1U, 100U}) {
            for (const bool last_alone : {false, true}) {
              auto loop = wanted(clause::dynamic, chunk, n, {&schedule, given});
              loop.loop.last_alone = last_alone;
              implicit_task in;
              in.members = members;
              const auto how = decide(loop, in);
              EXPECT_EQ(how.granule, chunk);
              team_loop team(members, loop, how);
              const auto found = run(team, members, n, chunk, draw_);
              ASSERT_TRUE(found.whole && found.once && (found.last_last || last_alone))
                  << schedule.about.name << "," << given << " members " << members << " chunk " << chunk << " N " << n;
            }
          }
        }
      }
    }
  }
}

TEST_F(Chunks, TheMeasuringRunSplitsNoneEither) {
  config.measuring = config.reporting = true;
  for (const bool monotonic : {false, true}) {
    for (const std::uint64_t n : {1U, 64U, 65U, 3000U}) {
      for (int instance = 0; instance < 4; ++instance) {  // each measures finer than the one before
        auto loop = wanted(clause::dynamic, 64, n, {});
        loop.monotonic = monotonic;
        implicit_task in;
        in.members = 3;
        const auto how = decide(loop, in);
        ASSERT_NE(how.schedule, nullptr);
        team_loop team(3, loop, how);
        const auto found = run(team, 3, n, 64, draw_);
        EXPECT_TRUE(found.whole && found.once && found.last_last) << "N " << n << " monotonic " << monotonic;
      }
    }
  }
}

TEST_F(Chunks, SplitWhereTheUserSaysSo) {
  config.split_chunks = true;
  const auto* const cyclic = schedules::find("cyclic");
  const auto loop = wanted(clause::dynamic, 64, 1000, {cyclic, 0});
  implicit_task in;
  in.members = 2;
  const auto how = decide(loop, in);
  EXPECT_EQ(how.granule, 0U);
  team_loop team(2, loop, how);
  const auto found = run(team, 2, 1000, 64, draw_);
  EXPECT_FALSE(found.whole);
  EXPECT_TRUE(found.once);
}

TEST_F(Chunks, OfTheSourceArePromises) {
  const schedules::choice steal{schedules::find("steal"), 0};
  EXPECT_EQ(decided(clause::dynamic, 64, steal).granule, 64U);
  EXPECT_EQ(decided(clause::guided, 64, steal).granule, 64U);
  EXPECT_EQ(decided(clause::dynamic, 1, steal).granule, 0U);
  EXPECT_EQ(decided(clause::dynamic, 0, steal).granule, 0U);
  EXPECT_EQ(decided(clause::automatic, 0, steal).granule, 0U);
}

TEST_F(Chunks, OfOmpSetScheduleArePromisesAndOfOmpScheduleAreNot) {
  constexpr int fixed = 1;
  constexpr int dynamic = 2;
  constexpr int guided = 3;
  const schedules::choice steal{schedules::find("steal"), 0};
  const auto granule = [&](int kind, int chunk) {
    program_kind = kind;
    program_chunk = chunk;
    return decided(clause::runtime, 0, steal).granule;
  };
  EXPECT_EQ(granule(dynamic, 64), 64U) << "nothing in the environment";
  EXPECT_EQ(granule(fixed, 64), 64U);
  EXPECT_EQ(granule(dynamic, 1), 0U);
  EXPECT_EQ(granule(fixed, 0), 0U);
  EXPECT_EQ(granule(dynamic, -3), 0U);
  config.openmp = {schedules::find("dynamic"), 64};
  EXPECT_EQ(granule(dynamic, 64), 0U) << "the user's";
  EXPECT_EQ(granule(dynamic, 65), 65U) << "the program has set another";
  EXPECT_EQ(granule(guided, 64), 64U);
  EXPECT_EQ(granule(fixed, 64), 64U);
  config.openmp = {schedules::find("cyclic"), 64};
  EXPECT_EQ(granule(fixed, 64), 0U);
  EXPECT_EQ(granule(dynamic, 64), 64U);
  config.openmp = {schedules::find("guided"), 64};
  EXPECT_EQ(granule(guided, 64), 0U);
  config.openmp = {};
  config.stand_in = 9;  // `dynamic,9` for a name of ours
  EXPECT_EQ(granule(dynamic, 9), 0U);
  EXPECT_EQ(granule(dynamic, 8), 8U);
  program_kind = program_chunk = 0;
}

TEST_F(Chunks, AreNoneForATeamOfOne) {
  const auto loop = wanted(clause::dynamic, 64, 1000, {schedules::find("steal"), 0});
  implicit_task in;
  in.members = 1;
  enter(in, loop, decide(loop, in));
  range got{};
  ASSERT_TRUE(hand_out(in.loop, got, 0));
  EXPECT_EQ(got.count, 1000U);
  EXPECT_FALSE(hand_out(in.loop, got, 0));
  leave(in);
}

}  // namespace
