// SPDX-License-Identifier: Apache-2.0
#include "learn/named_schedules.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

constinit std::atomic<int> parsed{0};

schedules::parsed_choice count_and_parse(std::string_view text) noexcept {
  ++parsed;
  return schedules::parse_choice(text);
}

class NamedSchedules : public ::testing::Test {
 protected:
  NamedSchedules() { parsed = 0; }

  void expect(const char* text, const char* schedule, std::uint64_t chunk) {
    const auto found = names.of(here, text);
    EXPECT_EQ(found.schedule, schedules::find(schedule)) << text;
    EXPECT_EQ(found.chunk, chunk) << text;
  }

  named_schedules names{count_and_parse};
  last_name here{};
};

TEST_F(NamedSchedules, AreParsedOnceAndNotForEachLoop) {
  for (int loop = 0; loop < 1000; ++loop) expect("wsri,64", "wsri", 64);
  EXPECT_EQ(parsed, 1);
  last_name there{};
  for (int loop = 0; loop < 1000; ++loop) EXPECT_EQ(names.of(there, "wsri,64").chunk, 64U);
  EXPECT_EQ(parsed, 1) << "the same text in another place";
}

TEST_F(NamedSchedules, ABufferWhoseTextChangesIsReadAgain) {
  char buffer[16] = "steal";
  expect(buffer, "steal", 0);
  std::strcpy(buffer, "dynamic,7");
  expect(buffer, "dynamic", 7);
  std::strcpy(buffer, "dynamic");
  expect(buffer, "dynamic", 0);
  std::strcpy(buffer, "dynamic,77");
  expect(buffer, "dynamic", 77);
  EXPECT_EQ(parsed, 4);
  std::strcpy(buffer, "steal");
  expect(buffer, "steal", 0);
  EXPECT_EQ(parsed, 4) << "it was seen before";
  std::strcpy(buffer, "no such");
  EXPECT_EQ(names.of(here, buffer).schedule, nullptr);
}

TEST_F(NamedSchedules, OneTextAtManyAddressesIsKeptOnce) {
  for (int loop = 0; loop < 1000; ++loop) expect(std::string("wsr,9").c_str(), "wsr", 9);
  EXPECT_EQ(parsed, 1);
}

TEST_F(NamedSchedules, TextsInTurnAreParsedOnceEach) {
  for (int loop = 0; loop < 100; ++loop) {
    expect("steal", "steal", 0);
    expect("guided,3", "guided", 3);
  }
  EXPECT_EQ(parsed, 2);
}

TEST_F(NamedSchedules, WhatNamesNothingIsParsedEachTimeAndNotKept) {
  for (const char* text : {"nonsense", "", "dynamic,0", "nonsense"}) EXPECT_EQ(names.of(here, text).schedule, nullptr);
  EXPECT_EQ(parsed, 4);
  EXPECT_EQ(here.load(sync::relaxed, sync::site{"test"}), nullptr);
}

TEST_F(NamedSchedules, ALongTextIsParsedEachTime) {
  const std::string fits = std::string(40, ' ') + "guided";
  const std::string is_too_long = std::string(42, ' ') + "guided";
  for (int loop = 0; loop < 3; ++loop) expect(fits.c_str(), "guided", 0);
  EXPECT_EQ(parsed, 1);
  for (int loop = 0; loop < 3; ++loop) expect(is_too_long.c_str(), "guided", 0);
  EXPECT_EQ(parsed, 4);
}

TEST_F(NamedSchedules, WhereThereIsNoRoomTextsAreParsedEachTime) {
  const auto text_of = [](std::uint64_t chunk) { return "dynamic," + std::to_string(chunk); };
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t chunk = 1; chunk <= 100; ++chunk) expect(text_of(chunk).c_str(), "dynamic", chunk);
  }
  EXPECT_EQ(parsed, 100 + 2 * (100 - static_cast<int>(named_schedules::most)));
}

TEST_F(NamedSchedules, ThreadsThatBringNewTextsAgree) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::uint64_t loop = 0; loop < 2000; ++loop) {
        const auto chunk = 1 + loop / 7 % 80;
        const auto found = names.of(here, ("wsr," + std::to_string(chunk)).c_str());
        if (found.schedule != schedules::find("wsr") || found.chunk != chunk) ++wrong;
      }
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace steelyard::learn
