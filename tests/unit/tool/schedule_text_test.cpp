// SPDX-License-Identifier: Apache-2.0
#include "read/schedule_text.hpp"

#include <gtest/gtest.h>

#include "schedules/registry.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

using list = std::vector<std::string>;

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(checked_schedule(text, "--schedule"));
  } catch (const failure& error) {
    EXPECT_EQ(error.status(), bad_usage);
    return error.what();
  }
  return "accepted";
}

TEST(schedule_text, a_schedule_is_spelled_as_the_registry_does) {
  EXPECT_EQ(checked_schedule("STEAL", ""), "steal");
  EXPECT_EQ(checked_schedule(" dynamic , 64 ", ""), "dynamic,64");
  EXPECT_EQ(checked_schedule("static,8", ""), "cyclic,8");
  EXPECT_EQ(checked_schedule("Nustatic:15,20,25,40", ""), "nustatic:15,20,25,40");
  EXPECT_EQ(checked_schedule("nustatic:every:100", ""), "nustatic:every:100");
  EXPECT_EQ(checked_schedule("Expert: steal+guided ", ""), "expert:steal+guided");
}

TEST(schedule_text, bad_input_is_named_with_its_remedy) {
  EXPECT_EQ(refusal("a.so,4"), "--schedule: 'a.so,4' is not a schedule; for a plug-in write './a.so,4'");
  EXPECT_EQ(refusal("nope"), "--schedule: 'nope' is not a schedule; `steelyard schedules` lists them");
  for (const char* text : {"", "dynamic,", "dynamic,0", "dynamic,-1", "dynamic,1000000000000000000000000000000",
                           "dynamic,x", "dynamic,1,2"}) {
    const auto said = refusal(text);
    EXPECT_TRUE(said.starts_with("--schedule: '")) << text << ": " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST(schedule_text, a_number_belongs_to_the_name_before_it) {
  EXPECT_EQ(schedule_list("dynamic,64,steal", "-s"), (list{"dynamic,64", "steal"}));
  EXPECT_EQ(schedule_list("expert:steal+guided,wsri", "-s"), (list{"expert:steal+guided", "wsri"}));
  EXPECT_EQ(schedule_list("steal,steal", "-s"), (list{"steal"}));
  EXPECT_THROW(static_cast<void>(schedule_list("64,steal", "-s")), failure);
  EXPECT_THROW(static_cast<void>(schedule_list("dynamic,-1", "-s")), failure);
  EXPECT_THROW(static_cast<void>(schedule_list("steal,,dynamic", "-s")), failure);
}

TEST(schedule_text, all_of_them) {
  EXPECT_EQ(schedule_list("all", "-s").size(), schedules::all().size());
  for (const auto& name : usual_schedules()) EXPECT_NE(schedules::find(name), nullptr) << name;
  EXPECT_FALSE(usual_schedules().empty());
}

TEST(schedule_text, names_that_openmp_does_not_know) {
  EXPECT_TRUE(only_ours("steal"));
  EXPECT_TRUE(only_ours("nonmonotonic:WSRI,4"));
  EXPECT_TRUE(only_ours("NonMonotonic:wsri"));
  EXPECT_TRUE(only_ours(" nonmonotonic: wsri "));
  EXPECT_FALSE(only_ours("monotonic:wsri"));
  EXPECT_FALSE(only_ours("NonMonotonic:dynamic"));
  EXPECT_FALSE(only_ours("static,4"));
  EXPECT_FALSE(only_ours("dynamic"));
  EXPECT_FALSE(only_ours("auto"));
  EXPECT_FALSE(only_ours("rubbish"));
}

TEST(schedule_text, as_written_in_any_case) {
  for (const char* text : {"as-written", "AS-WRITTEN", "As-Written"}) EXPECT_TRUE(is_as_written(text)) << text;
  for (const char* text : {"", "as-writte", "as-writtenx", "as written"}) EXPECT_FALSE(is_as_written(text)) << text;
}

}  // namespace
}  // namespace steelyard::tool
