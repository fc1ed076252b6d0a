// SPDX-License-Identifier: Apache-2.0
// What members of a team are given of a rewritten loop. The host is the runtime of pthreads in tests/stress.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "gomp.hpp"
#include "openmp/compiled/costs.hpp"
#include "openmp/compiled/names.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/registry.hpp"

namespace {

namespace openmp = steelyard::openmp;
namespace compiled = steelyard::openmp::compiled;

constexpr std::uint64_t iterations = 1003;
constexpr const char* schedules_of_all_kinds[] = {"static", "cyclic", "dynamic", "guided", "steal",
                                                  "wsri",   "wsrw",   "idws",    "jit",    "nustatic"};
const compiled::table& hooks = steelyard_table_1;

void choose(const char* schedule) {
  openmp::config.active = true;
  openmp::config.all = {steelyard::schedules::find(schedule), 0};
  for (openmp::site* each = openmp::first_site(); each != nullptr; each = each->next) each->forced = openmp::config.all;
}

/// What a member was given, in its order.
struct piece {
  std::uint64_t begin;
  std::uint64_t end;
};
struct member {
  std::vector<piece> pieces;
  bool last = false;
};

/// As rewritten text does. `cancelled`: stops after its first piece.
member take_part(const compiled::loop& source, std::uint64_t n, bool cancelled = false) {
  member of;
  compiled::part part;
  hooks.begin(&part, &source, n, hooks.member(), __builtin_return_address(0));
  while (part.more > compiled::block ? hooks.next(&part) != 0 : std::exchange(part.more, 0) != 0) {
    of.pieces.push_back({part.begin, part.end});
    if (cancelled) break;
  }
  of.last = part.last != 0;
  return of;
}

/// Each of its loops runs once, one after the other, in one region.
struct region {
  std::vector<const compiled::loop*> loops;
  std::uint64_t n = iterations;
  std::size_t cancelled = ~std::size_t{0};
  std::vector<std::vector<member>> members = {};  ///< of each loop

  void run(unsigned count) {
    members.assign(loops.size(), std::vector<member>(count));
    GOMP_parallel(
        [](void* data) {
          auto& of = *static_cast<region*>(data);
          for (std::size_t k = 0; k < of.loops.size(); ++k)
            of.members[k][static_cast<std::size_t>(hooks.member())] = take_part(*of.loops[k], of.n, k == of.cancelled);
        },
        this, count, 0);
  }
};

void expect_each_once(const std::vector<member>& of, std::uint64_t n, const char* schedule) {
  std::vector<int> ran(n);
  int last = 0;
  for (const member& each : of) {
    for (const piece& p : each.pieces) {
      for (auto i = p.begin; i < p.end; ++i) ++ran[i];
    }
    if (each.last) {
      ++last;
      EXPECT_EQ(each.pieces.back().end, n) << schedule << ": nothing follows the last iteration";
    }
  }
  EXPECT_EQ(ran, std::vector<int>(n, 1)) << schedule;
  EXPECT_EQ(last, n != 0 ? 1 : 0) << schedule;
}

TEST(CompiledLoop, RunsEachIterationOnceUnderAnySchedule) {
  static const compiled::loop any{"loop.c", 1, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  static const compiled::loop share{"loop.c", 2, compiled::one_share, 0, 0, 0, 0, 0, {}};
  for (const char* schedule : schedules_of_all_kinds) {
    choose(schedule);
    for (const unsigned count : {1U, 2U, 5U}) {
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4}, iterations}) {
        region of{{&any, &share, &any}, n};
        of.run(count);
        for (const auto& members : of.members) expect_each_once(members, n, schedule);
      }
    }
  }
}

TEST(CompiledLoop, SharesAreInTheOrderOfTheMembers) {
  static const compiled::loop share{"loop.c", 3, compiled::one_share, 0, 0, 0, 0, 0, {}};
  choose("nustatic");
  for (int round = 0; round < 10; ++round) {
    region of{{&share}};
    of.run(4);
    std::uint64_t at = 0;
    for (const member& each : of.members[0]) {
      ASSERT_LE(each.pieces.size(), 1U);
      if (each.pieces.empty()) continue;
      EXPECT_EQ(each.pieces[0].begin, at);
      at = each.pieces[0].end;
    }
    EXPECT_EQ(at, iterations);
  }
}

TEST(CompiledLoop, AReductionKeepsItsBlocksUnlessItsGroupingIsFree) {
  static const compiled::loop sum{"loop.c", 6, compiled::any_schedule, compiled::reduces, 0, 0, 0, 0, {}};
  for (const char* schedule : schedules_of_all_kinds) {
    choose(schedule);
    for (int round = 0; round < 3; ++round) {
      region of{{&sum}};
      of.run(4);
      std::uint64_t at = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        ASSERT_EQ(of.members[0][k].pieces.size(), 1U) << schedule;
        EXPECT_EQ(of.members[0][k].pieces[0].begin, at) << schedule;
        at += iterations / 4 + (k < iterations % 4 ? 1 : 0);
        EXPECT_EQ(of.members[0][k].pieces[0].end, at) << schedule;
      }
    }
  }
  openmp::config.free_reductions = true;
  choose("dynamic");
  region of{{&sum}};
  of.run(4);
  openmp::config.free_reductions = false;
  std::size_t pieces = 0;
  for (const member& each : of.members[0]) pieces += each.pieces.size();
  EXPECT_EQ(pieces, iterations);
  expect_each_once(of.members[0], iterations, "dynamic");
}

TEST(CompiledLoop, PiecesAreWholeGranules) {
  static const compiled::loop simd{"loop.c", 4, compiled::any_schedule, 0, 8, 0, 0, 0, {}};
  for (const char* schedule : schedules_of_all_kinds) {
    choose(schedule);
    region of{{&simd}};
    of.run(3);
    for (const member& each : of.members[0]) {
      for (const piece& p : each.pieces) {
        EXPECT_EQ(p.begin % 8, 0U) << schedule;
        EXPECT_TRUE(p.end % 8 == 0 || p.end == iterations) << schedule;
      }
    }
  }
}

TEST(CompiledLoop, ACancelledLoopEndsWhereTheNextOneBegins) {
  static const compiled::loop cancelled{"loop.c", 5, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  static const compiled::loop next{"loop.c", 6, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  for (const char* schedule : schedules_of_all_kinds) {
    choose(schedule);
    region of{{&cancelled, &next}, iterations, 0};
    of.run(4);
    expect_each_once(of.members[1], iterations, schedule);
  }
}

TEST(CompiledLoop, NumbersBehindTheTeamHaveNothing) {
  static const compiled::loop any{"loop.c", 7, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  choose("steal");
  compiled::part part;
  hooks.begin(&part, &any, iterations, 0, __builtin_return_address(0));
  EXPECT_EQ(hooks.next(&part), 1) << "a team of one, outside of regions";
  EXPECT_EQ(part.end - part.begin, iterations);
  EXPECT_EQ(hooks.next(&part), 0);
  hooks.begin(&part, &any, iterations, 1, __builtin_return_address(0));
  EXPECT_EQ(part.more, compiled::nothing);
}

TEST(CompiledLoop, WithNothingToDoEachHasItsBlock) {
  static const compiled::loop any{"loop.c", 8, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  openmp::config.active = false;
  compiled::part part;
  hooks.begin(&part, &any, iterations, 0, __builtin_return_address(0));
  EXPECT_EQ(part.more, compiled::block);
  EXPECT_EQ(part.end, iterations);
  EXPECT_EQ(part.last, 1);
  openmp::config.active = true;
}

TEST(CompiledLoop, IsNamedByItsPlace) {
  static const compiled::loop any{"folder/loop.c", 99, compiled::any_schedule, 0, 0, 0, 0, 0, {}};
  openmp::site& at = compiled::record_of(any);
  EXPECT_STREQ(at.ident, ";folder/loop.c;;99;0;;");
  EXPECT_EQ(&compiled::record_of(any), &at);
}

}  // namespace
