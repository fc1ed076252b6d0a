// SPDX-License-Identifier: Apache-2.0
#include "loop/shares_in_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "loop/place_in_use.hpp"

namespace {

using steelyard::loop::place_in_use;
using steelyard::loop::shares_in_use;
using ends = std::vector<std::uint64_t>;

/// A place of the program, whose loops' blocks take what the test says.
class place {
 public:
  explicit place(std::uint32_t members, const char* schedule = "nustatic")
      : members_(members), how_(steelyard::schedules::parse_choice(schedule).value),
        memory_(shares_in_use::bytes(members) / 8) {}

  /// No other place had it.
  const void* const key = reinterpret_cast<const void*>(64 * ++places);

  template <class Cost>
  ends run(std::uint64_t n, Cost before, bool stopped = false) {
    steelyard::schedules::shape loop{n, members_};
    const place_in_use here(key);
    shares_in_use shares(here.get(), how_, loop, memory_.data());
    const ends found(loop.known.ends, loop.known.ends + members_);
    std::uint64_t first = 0;
    for (const std::uint64_t end : found) {
      const auto at = [&](std::uint64_t i) { return before(static_cast<double>(i) / static_cast<double>(n)); };
      if (end != first) shares.took(first, static_cast<std::uint64_t>(1e9 * (at(end) - at(first))));
      first = end;
    }
    if (!stopped) shares.learn();
    return found;
  }

 private:
  static inline std::uintptr_t places = 0;

  std::uint32_t members_;
  steelyard::schedules::choice how_;
  std::vector<std::uint64_t> memory_;
};

double falling(double x) { return 1 - (1 - x) * (1 - x); }

TEST(Shares, AreLearntFromWhatBlocksTook) {
  place of(2);
  EXPECT_EQ(of.run(100'000, falling), (ends{50'000, 100'000}));
  EXPECT_NEAR(static_cast<double>(of.run(100'000, falling)[0]), 29'289, 300);
  EXPECT_NEAR(static_cast<double>(of.run(1'000, falling)[0]), 293, 4) << "and hold for other lengths";
}

TEST(Shares, BlocksEndAtWholeChunks) {
  steelyard::schedules::shape loop{100, 3};
  loop.chunk = 8;
  std::array<std::uint64_t, 6> memory{};
  const shares_in_use shares(nullptr, {}, loop, memory.data());
  EXPECT_EQ(ends(loop.known.ends, loop.known.ends + 3), (ends{32, 64, 100}));
}

TEST(Shares, TellWhatWasLostByWaiting) {
  steelyard::schedules::shape loop{100, 4};
  std::array<std::uint64_t, 8> memory{};
  shares_in_use shares(nullptr, {}, loop, memory.data());
  EXPECT_EQ(shares.imbalance(), 0.0);
  for (const std::uint64_t first : {0U, 25U, 50U, 75U}) shares.took(first, first == 50 ? 200 : 100);
  EXPECT_NEAR(shares.imbalance(), 200 / 125.0 - 1, 1e-9);
  EXPECT_FALSE(shares.learn()) << "no place, nothing to learn";
}

/// Costs that have become a little more even: too little to be believed at once.
TEST(Shares, AreLearntAnewWhenThatWasAskedFor) {
  const auto bent = [](double x) { return falling(x) * 0.96 + x * 0.04; };
  for (const char* schedule : {"nustatic", "nustatic:every:13", "nustatic:at:5,13"}) {
    place of(2, schedule);
    for (int i = 0; i < 12; ++i) of.run(100'000, falling);
    ends found;
    for (int i = 12; i < 15; ++i) found = of.run(100'000, bent);
    const auto first = static_cast<double>(found[0]) / 100'000;
    const double longest = 2 * std::max(bent(first), 1 - bent(first));
    EXPECT_EQ(longest < 1.005, std::string(schedule) != "nustatic") << schedule << longest;
  }
}

TEST(Shares, NothingIsLearntFromALoopThatWasStopped) {
  place of(2);
  of.run(100'000, falling, true);
  EXPECT_EQ(of.run(100'000, falling), (ends{50'000, 100'000}));
}

TEST(Shares, OneOfTwoLoopsAtTheSameTimeLearns) {
  place of(2);
  of.run(100'000, falling);
  steelyard::schedules::shape outer{100'000, 2};
  std::array<std::uint64_t, 4> memory{};
  {
    const place_in_use here(of.key);
    const shares_in_use first(here.get(), {}, outer, memory.data());
    EXPECT_LT(outer.known.ends[0], 31'000U);
    EXPECT_EQ(of.run(100'000, falling), (ends{50'000, 100'000})) << "a loop of the same place inside";
  }
  EXPECT_NE(of.run(100'000, falling), (ends{50'000, 100'000}));
}

TEST(Shares, ManyPlacesAreKeptApartOrHaveEqualBlocks) {
  std::vector<std::unique_ptr<place>> all;
  for (int i = 0; i < 600; ++i) all.push_back(std::make_unique<place>(2));
  int learnt = 0;
  for (auto& each : all) {
    each->run(1'000, falling);
    const auto found = each->run(1'000, falling);
    EXPECT_TRUE(found[0] == 500 || (found[0] > 285 && found[0] < 300)) << found[0];
    learnt += found[0] != 500 ? 1 : 0;
  }
  EXPECT_GT(learnt, 100);
}

}  // namespace
