// SPDX-License-Identifier: Apache-2.0
#include "schedules/given_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "schedules/choice.hpp"
#include "schedules/deal.hpp"

namespace steelyard::schedules {
namespace {

using ends = std::vector<std::uint64_t>;

ends cut(const std::string& text, std::uint64_t iterations) {
  given_shares shares;
  EXPECT_EQ(given_shares::parse(text, shares), shares_error::none) << text;
  ends found(shares.members());
  shares.cut(iterations, found.data());
  return found;
}

TEST(given_shares, are_exact_fractions) {
  EXPECT_EQ(cut("15,20,25,40", 100), (ends{15, 35, 60, 100}));
  EXPECT_EQ(cut("15,20,25,40", 1000), (ends{150, 350, 600, 1000}));
  EXPECT_EQ(cut(" 30 , 70 ", 10), (ends{3, 10}));
  EXPECT_EQ(cut("0.5,99.5", 1000), (ends{5, 1000}));
  EXPECT_EQ(cut("29.289321881,70.710678119", 102'400), (ends{29'992, 102'400}));
  EXPECT_EQ(cut("0,100,0", 7), (ends{0, 7, 7}));
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(cut("50,0,50", most), (ends{most / 2, most / 2, most}));
}

TEST(given_shares, that_are_equal_are_equal_blocks) {
  for (const std::uint64_t n : {4ULL, 5ULL, 10ULL, 99ULL, 1000ULL}) {
    const auto found = cut("25,25,25,25", n);
    for (member m = 0; m < 4; ++m) {
      const deal::block<std::uint64_t> mine(n, 4, m);
      EXPECT_EQ(found[m], mine.first + mine.count) << n;
    }
  }
  EXPECT_EQ(cut("33.3,33.3,33.3", 100), (ends{34, 67, 100})) << "within a tenth of 100";
}

TEST(given_shares, what_is_wrong_is_told) {
  std::string many = "100";
  for (int i = 0; i < 70'000; ++i) many += ",0";
  const struct {
    std::string text;
    choice_error error;
  } cases[] = {
      {"nustatic:", choice_error::share_not_a_number},
      {"nustatic:100", choice_error::too_few_shares},
      {"nustatic:50,40", choice_error::wrong_sum_of_shares},
      {"nustatic:50,60", choice_error::wrong_sum_of_shares},
      {"nustatic:-10,110", choice_error::share_not_a_number},
      {"nustatic:nan,50", choice_error::share_not_a_number},
      {"nustatic:50,50,", choice_error::share_not_a_number},
      {"nustatic:50,,50", choice_error::share_not_a_number},
      {"nustatic:1e2,0", choice_error::share_not_a_number},
      {"nustatic:50.,50", choice_error::share_not_a_number},
      {"nustatic:inf,0", choice_error::share_not_a_number},
      {"nustatic:" + many, choice_error::too_many_shares},
      {"nustatic:101,0", choice_error::share_not_a_number},
      {"nustatic:50;50", choice_error::share_not_a_number},
      {"nustatic:99999999999999999999999,1", choice_error::share_not_a_number},
      {"nustatic:0.0000000001,99", choice_error::share_not_a_number},
  };
  for (const auto& [text, error] : cases) {
    const auto found = parse_choice(text);
    EXPECT_EQ(found.error, error) << text.substr(0, 40);
    EXPECT_EQ(found.value.schedule, nullptr);
    EXPECT_NE(std::string(explain(error)).find("write"), std::string::npos) << "names no remedy" << explain(error);
  }
}

TEST(given_shares, written_down_from_blocks_give_the_same_blocks) {
  std::mt19937_64 dice(5);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t members = 2 + dice() % 9;
    const std::uint64_t n = round % 2 == 0 ? 1 + dice() % 40 : 1 + dice() % (std::uint64_t{1} << (1 + dice() % 34));
    ends wanted(members);
    for (auto& each : wanted) each = dice() % (n + 1);
    std::sort(wanted.begin(), wanted.end());
    wanted.back() = n;
    std::string text;
    for (std::uint32_t m = 0; m < members; ++m) {
      const auto share = share_of_block(wanted.data(), static_cast<std::uint32_t>(members), n, m);
      char number[32];
      std::snprintf(number, sizeof number, "%s%llu.%09llu", m != 0 ? "," : "",
                    static_cast<unsigned long long>(share / 1'000'000'000),
                    static_cast<unsigned long long>(share % 1'000'000'000));
      text += number;
    }
    ASSERT_EQ(cut(text, n), wanted) << text << ' ' << n;
  }
}

TEST(given_shares, given_by_numbers_are_the_same) {
  const std::vector<double> numbers{15, 20.25, 24.75, 40};
  given_shares shares;
  ASSERT_EQ(given_shares::read(numbers.data(), numbers.size(), shares), shares_error::none);
  ends found(4);
  shares.cut(100'000, found.data());
  EXPECT_EQ(found, cut("15,20.25,24.75,40", 100'000));
  const auto error_of = [](std::vector<double> given) {
    given_shares none;
    return given_shares::read(given.data(), given.size(), none);
  };
  EXPECT_EQ(error_of({}), shares_error::too_few);
  EXPECT_EQ(error_of({50, std::numeric_limits<double>::quiet_NaN()}), shares_error::not_a_number);
  EXPECT_EQ(error_of({-1, 101}), shares_error::not_a_number);
  EXPECT_EQ(error_of({30, 30}), shares_error::wrong_sum);
  EXPECT_EQ(error_of(std::vector<double>(70'000, 100.0 / 70'000)), shares_error::too_many);
}

TEST(given_shares, are_a_choice) {
  const auto found = parse_choice(" NuStatic: 30, 70");
  ASSERT_EQ(found.error, choice_error::none);
  EXPECT_STREQ(found.value.schedule->about.name, "nustatic");
  EXPECT_EQ(found.value.shares.members(), 2U);
  EXPECT_EQ(found.value.shares.text(), "30, 70");
  EXPECT_EQ(parse_choice("nustatic").value.shares.members(), 0U);
  EXPECT_EQ(parse_choice("nustatic,8").value.chunk, 8U);
}

}  // namespace
}  // namespace steelyard::schedules
