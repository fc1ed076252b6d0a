// SPDX-License-Identifier: Apache-2.0
#include "schedules/choice.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedules/registry.hpp"

namespace steelyard::schedules {
namespace {

std::string name_of(std::string_view text) {
  const auto parsed = parse_choice(text);
  return parsed.value.schedule != nullptr ? parsed.value.schedule->about.name : "";
}

TEST(choice, reads_a_name_in_any_case_with_spaces_around) {
  EXPECT_EQ(name_of("wsri"), "wsri");
  EXPECT_EQ(name_of("  WsRi\t"), "wsri");
  EXPECT_EQ(name_of("STATIC"), "static");
  EXPECT_EQ(parse_choice("guided").value.chunk, 0U);
}

TEST(choice, reads_a_form_in_any_case) {
  EXPECT_EQ(name_of("wsri:paper"), "wsri:paper");
  EXPECT_EQ(name_of(" WSRW:Paper\t"), "wsrw:paper");
  const auto with_chunk = parse_choice("wsr:PAPER , 8");
  EXPECT_EQ(with_chunk.error, choice_error::none);
  EXPECT_EQ(with_chunk.value.schedule, find("wsr:paper"));
  EXPECT_EQ(with_chunk.value.chunk, 8U);
}

TEST(choice, reads_a_chunk) {
  EXPECT_EQ(name_of(" dynamic , 64 "), "dynamic");
  EXPECT_EQ(parse_choice(" dynamic , 64 ").value.chunk, 64U);
  EXPECT_EQ(parse_choice("steal,1").value.chunk, 1U);
  EXPECT_EQ(parse_choice("dynamic,0007").value.chunk, 7U);
  EXPECT_EQ(parse_choice("dynamic,9223372036854775807").value.chunk, (1ULL << 63) - 1);
}

TEST(choice, reads_when_shares_are_learnt_anew) {
  const auto parsed = parse_choice(" NuStatic:Every:100 ");
  EXPECT_EQ(parsed.error, choice_error::none);
  EXPECT_EQ(parsed.value.schedule, find("nustatic"));
  EXPECT_EQ(parsed.value.form, "Every:100");
  EXPECT_EQ(parsed.value.shares.members(), 0U);
  EXPECT_TRUE(parsed.value.again.is_due(200));
  EXPECT_FALSE(parsed.value.again.is_due(150));
  EXPECT_TRUE(parse_choice("nustatic:at:10,50").value.again.is_due(50));
  EXPECT_EQ(parse_choice("nustatic:30,70").value.form, "30,70");
  EXPECT_EQ(parse_choice("nustatic,8").value.form, "");
}

TEST(choice, takes_static_with_a_chunk_for_cyclic) {
  EXPECT_EQ(name_of("Static,8"), "cyclic");
  EXPECT_EQ(parse_choice("static,8").value.chunk, 8U);
}

/// So there is no error for a chunk where none is taken; static's is that of cyclic.
TEST(choice, takes_a_chunk_for_every_schedule) {
  for (const auto& row : all()) {
    const auto parsed = parse_choice(std::string(row.about.name) + ",3");
    ASSERT_NE(parsed.value.schedule, nullptr) << row.about.name;
    EXPECT_NE(parsed.value.schedule->about.chunk_meaning, nullptr) << row.about.name;
    EXPECT_EQ(parsed.value.chunk, 3U) << row.about.name;
  }
}

TEST(choice, says_what_is_wrong) {
  const struct {
    const char* text;
    choice_error error;
  } cases[] = {
      {"", choice_error::empty},
      {" \t\n", choice_error::empty},
      {"stael", choice_error::unknown_name},
      {"wsri2", choice_error::unknown_name},
      {"ws", choice_error::unknown_name},
      {",4", choice_error::unknown_name},
      {"nonmonotonic:dynamic", choice_error::unknown_name},
      {"wsri:", choice_error::unknown_form},
      {"wsri:papers,4", choice_error::unknown_form},
      {"steal:paper", choice_error::unknown_form},
      {"wsri: paper", choice_error::unknown_form},
      {":paper", choice_error::unknown_name},
      {"wsri:4", choice_error::unknown_form},
      {"wsri:paper,", choice_error::chunk_not_a_number},
      {"dynamic,0", choice_error::chunk_out_of_range},
      {"dynamic,-1", choice_error::chunk_out_of_range},
      {"dynamic,-0", choice_error::chunk_out_of_range},
      {"dynamic,9223372036854775808", choice_error::chunk_out_of_range},
      {"dynamic,18446744073709551617", choice_error::chunk_out_of_range},  // 2^64 + 1
      {"dynamic,1000000000000000000000000000000", choice_error::chunk_out_of_range},
      {"dynamic,10^30", choice_error::chunk_not_a_number},
      {"dynamic,1e30", choice_error::chunk_not_a_number},
      {"dynamic,", choice_error::chunk_not_a_number},
      {"dynamic,-", choice_error::chunk_not_a_number},
      {"dynamic,+4", choice_error::chunk_not_a_number},
      {"dynamic,4k", choice_error::chunk_not_a_number},
      {"dynamic,4 5", choice_error::chunk_not_a_number},
      {"dynamic,4,5", choice_error::chunk_not_a_number},
      {"static,0", choice_error::chunk_out_of_range},
      {"nustatic:every:0", choice_error::wrong_instances},
      {"nustatic:at:10,x", choice_error::wrong_instances},
      {"nustatic:every", choice_error::share_not_a_number},
      {"wsri:every:10", choice_error::unknown_form},
  };
  for (const auto& [text, error] : cases) {
    const auto parsed = parse_choice(text);
    EXPECT_EQ(parsed.error, error) << text;
    EXPECT_EQ(parsed.value.schedule, nullptr) << text;
  }
}

TEST(choice, leaves_out_the_modifier_that_promises_nothing) {
  for (const char* text :
       {"wsri,4", " wsri,4\t", "nonmonotonic:wsri,4", "NonMonotonic: wsri,4", " NONMONOTONIC:wsri,4 "}) {
    EXPECT_EQ(without_modifier(text), "wsri,4") << text;
  }
  EXPECT_EQ(without_modifier("monotonic:wsri"), "monotonic:wsri");
  EXPECT_EQ(without_modifier("nonmonotonic"), "nonmonotonic");
  EXPECT_EQ(without_modifier("nonmonotonic:"), "");
  EXPECT_EQ(without_modifier(""), "");
}

TEST(choice, explains_every_error_in_one_line) {
  std::set<std::string> lines;
  for (const auto error :
       {choice_error::empty, choice_error::unknown_name, choice_error::unknown_form, choice_error::chunk_not_a_number,
        choice_error::chunk_out_of_range, choice_error::wrong_instances}) {
    const std::string line = explain(error);
    EXPECT_FALSE(line.empty());
    EXPECT_EQ(line.find('\n'), std::string::npos);
    lines.insert(line);
  }
  EXPECT_EQ(lines.size(), 6U);
}

TEST(registry, finds_other_names_of_the_field) {
  for (const auto& [other, name] : aliases()) {
    EXPECT_EQ(find(other), find(name)) << other;
    EXPECT_NE(find(name), nullptr) << name;
    for (const auto& row : all()) EXPECT_STRNE(row.about.name, other);
  }
  EXPECT_EQ(parse_choice("GSS,4").value.schedule, find("guided"));
  EXPECT_EQ(find("mfac"), find("fac"));
}

TEST(registry, lists_the_schedules_in_order) {
  std::string names;
  for (const auto& row : all()) {
    names += std::string(" ") + row.about.name;
    EXPECT_EQ(find(row.about.name), &row);
    EXPECT_NE(std::string(row.about.summary), "");
  }
  EXPECT_EQ(
      names,
      " static nustatic cyclic dynamic guided guided:libomp trapezoid trapezoid:real factoring mfsc fsc tfss fiss viss"
      " rand tap fac bold wf2 awf awf-b awf-c awf-d awf-e af maf pls binlpt static_steal random wsr wsri wsrw"
      " wsr:paper wsri:paper wsrw:paper nustatic:paper idws adaptive steal steal:even jit automatic");
}

}  // namespace
}  // namespace steelyard::schedules
