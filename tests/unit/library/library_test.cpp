// SPDX-License-Identifier: Apache-2.0
// The edges of the public interface: what is not there, what is NULL, what holds a zero byte.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <steelyard/schedule.hpp>
#include <string>
#include <string_view>

namespace {

using namespace std::string_literals;

TEST(steelyard_h, says_its_version) { EXPECT_STREQ(steelyard_version(), STEELYARD_VERSION); }

TEST(steelyard_h, numbers_the_schedules_from_0_and_knows_no_others) {
  const auto count = steelyard_schedule_count();
  ASSERT_GT(count, 0U);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_NE(steelyard_schedule_name(i), nullptr) << i;
    EXPECT_EQ(steelyard_schedule_find(steelyard_schedule_name(i)), i);
    EXPECT_NE(steelyard_schedule_summary(i), nullptr) << i;
  }
  for (const auto none : {count, count + 1, std::numeric_limits<std::size_t>::max()}) {
    EXPECT_EQ(steelyard_schedule_name(none), nullptr) << none;
    EXPECT_EQ(steelyard_schedule_summary(none), nullptr) << none;
    EXPECT_EQ(steelyard_schedule_chunk(none), nullptr) << none;
  }
}

TEST(steelyard_h, tells_what_the_chunk_is_where_there_is_one) {
  EXPECT_EQ(steelyard_schedule_chunk(steelyard_schedule_find("static")), nullptr);
  EXPECT_NE(steelyard_schedule_chunk(steelyard_schedule_find("DYNAMIC")), nullptr);
}

TEST(steelyard_h, finds_nothing_under_no_name) {
  for (const char* name : {static_cast<const char*>(nullptr), "", "no-such-schedule", " steal", "steal,4"}) {
    EXPECT_EQ(steelyard_schedule_find(name), steelyard_schedule_count()) << (name != nullptr ? name : "NULL");
  }
}

TEST(steelyard_h, leaves_the_choice_as_it_was_when_the_text_is_wrong) {
  for (const char* text :
       {static_cast<const char*>(nullptr), "", " ", "stael", "dynamic,", "dynamic,0", "dynamic,4 5"}) {
    steelyard_choice choice{4711, 4712};
    const char* const wrong = steelyard_schedule_parse(text, &choice);
    const char* const shown = text != nullptr ? text : "NULL";
    ASSERT_NE(wrong, nullptr) << shown;
    EXPECT_EQ(std::string_view(wrong).find('\n'), std::string_view::npos) << shown;
    EXPECT_EQ(choice.schedule, 4711U) << shown;
    EXPECT_EQ(choice.chunk, 4712U) << shown;
    EXPECT_STREQ(steelyard_schedule_parse(text, nullptr), wrong) << shown;
  }
}

TEST(steelyard_h, reads_into_a_choice_or_into_nothing) {
  steelyard_choice choice{4711, 4712};
  ASSERT_EQ(steelyard_schedule_parse(" Steal , 9223372036854775807 ", &choice), nullptr);
  EXPECT_EQ(choice.schedule, steelyard_schedule_find("steal"));
  EXPECT_EQ(choice.chunk, (std::uint64_t{1} << 63) - 1);
  ASSERT_EQ(steelyard_schedule_parse("guided", &choice), nullptr);
  EXPECT_EQ(choice.schedule, steelyard_schedule_find("guided"));
  EXPECT_EQ(choice.chunk, 0U);
  EXPECT_EQ(steelyard_schedule_parse("guided,3", nullptr), nullptr);
}

std::string what_is_wrong_with(const std::string& text) {
  try {
    static_cast<void>(steelyard::parse_schedule(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(schedule_hpp, is_the_same_in_cpp) {
  EXPECT_EQ(steelyard::all_schedules().size(), steelyard_schedule_count());
  const auto found = steelyard::find_schedule("WSRI");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "wsri"s);
  EXPECT_FALSE(steelyard::find_schedule(""));
  EXPECT_EQ(steelyard::parse_schedule("static,8").schedule.name, "cyclic"s);
  EXPECT_EQ(what_is_wrong_with("stael"), "'stael' "s + steelyard_schedule_parse("stael", nullptr));
}

/// C sees the text up to the zero byte only, which may well be right.
TEST(schedule_hpp, takes_no_text_with_a_zero_byte_for_what_stands_before_it) {
  EXPECT_FALSE(steelyard::find_schedule("steal\0"s));
  EXPECT_FALSE(steelyard::find_schedule("steal\0x"s));
  EXPECT_FALSE(steelyard::find_schedule("\0steal"s));
  for (const auto& text : {"steal\0"s, "steal\0,4"s, "dynamic,6\0x"s, "\0steal"s}) {
    EXPECT_NE(what_is_wrong_with(text), "") << text;
  }
  EXPECT_EQ(what_is_wrong_with("dynamic,6\0x"s).rfind("'dynamic,6' ", 0), 0U);
}

}  // namespace
