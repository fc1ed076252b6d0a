// SPDX-License-Identifier: Apache-2.0
#include "schedules/candidates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schedules/choice.hpp"
#include "schedules/registry.hpp"

namespace steelyard::schedules {
namespace {

std::vector<std::string> names_in(std::string_view text) {
  candidates found;
  if (!candidates::parse(text, found)) return {"wrong"};
  std::vector<std::string> names;
  found.each([&](const operations& row) { names.emplace_back(row.about.name); });
  return names;
}

using names = std::vector<std::string>;

TEST(candidates, are_schedules_in_their_order) {
  EXPECT_EQ(names_in("steal"), (names{"steal"}));
  EXPECT_EQ(names_in(" Guided + wsri:paper+fac2 "), (names{"guided", "wsri:paper", "factoring"}));
  EXPECT_EQ(names_in("nustatic+awf-b"), (names{"nustatic", "awf-b"}));
}

TEST(candidates, are_no_others) {
  for (const char* text : {"", " ", "+", "steal+", "+steal", "steal++guided", "stael", "steal,guided", "dynamic,4",
                           "automatic", "jit", "nustatic:paper", "nustatic:30,70", "expert:steal"}) {
    EXPECT_EQ(names_in(text), names{"wrong"}) << text;
  }
}

TEST(candidates, are_twelve_at_most) {
  std::string text = "steal";
  for (std::uint32_t n = 1; n < candidates::most; ++n) text += "+steal";
  EXPECT_EQ(names_in(text).size(), candidates::most);
  EXPECT_EQ(names_in(text + "+steal"), names{"wrong"});
}

TEST(candidates, know_what_is_among_them) {
  candidates found;
  EXPECT_TRUE(found.empty());
  EXPECT_TRUE(found.has_shares()) << "where nothing is named";
  ASSERT_TRUE(candidates::parse("steal+guided", found));
  EXPECT_TRUE(found.has(*find("GUIDED")));
  EXPECT_FALSE(found.has(*find("wsri")));
  EXPECT_FALSE(found.has_shares());
  ASSERT_TRUE(candidates::parse("guided+nustatic", found));
  EXPECT_TRUE(found.has_shares());
  EXPECT_FALSE(found.empty());
}

TEST(candidates, are_a_choice_of_automatic) {
  const auto parsed = parse_choice(" Expert: steal+wsri:paper");
  EXPECT_EQ(parsed.error, choice_error::none);
  EXPECT_EQ(parsed.value.schedule, find("automatic"));
  EXPECT_EQ(parsed.value.chunk, 0U);
  EXPECT_EQ(parsed.value.form, "steal+wsri:paper");
  EXPECT_TRUE(parsed.value.among.has(*find("wsri:paper")));
  EXPECT_TRUE(parse_choice("automatic").value.among.empty());
  for (const char* text : {"expert:", "expert:fastest", "expert:steal,4"}) {
    EXPECT_EQ(parse_choice(text).error, choice_error::wrong_candidates) << text;
  }
  EXPECT_EQ(parse_choice("expert").error, choice_error::unknown_name);
}

}  // namespace
}  // namespace steelyard::schedules
