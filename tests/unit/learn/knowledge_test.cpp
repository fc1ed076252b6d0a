// SPDX-License-Identifier: Apache-2.0
#include "learn/knowledge.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

known_loop loop_at(std::uint64_t offset, std::uint64_t iterations = 1000) {
  known_loop loop{
      offset, "gomp", 1, {iterations, 4, {schedules::find("dynamic"), 15, 4, false}, 700, 2500, 31, 90, {}}};
  for (std::size_t bin = 0; bin < loop.what.costs.size(); ++bin)
    loop.what.costs[bin] = static_cast<std::uint16_t>(8 * bin);
  return loop;
}

std::string line_of(const known_loop& loop) {
  std::string text(longest_known_loop, '?');
  text.resize(print(loop, text.data()));
  return text;
}

/// Without its newline.
std::string bare(const known_loop& loop) {
  auto line = line_of(loop);
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  return line;
}

std::string file_of(std::string_view loops) {
  std::string text;
  print_head({"0123abcd", "a host", "/lib/a\nmodule.so", {}}, [&](std::string_view piece) { text += piece; });
  text += loops;
  std::string sum(length_of_sum, '?');
  print_sum(text, sum.data());
  return text + sum;
}

TEST(knowledge, names_a_form_of_a_schedule) {
  auto loop = loop_at(78);
  loop.what.how = {schedules::find("steal:even"), 0, 4, false};
  known_loop read;
  ASSERT_TRUE(parse(bare(loop), read));
  EXPECT_EQ(read.what.how, loop.what.how);
}

TEST(knowledge, a_line_is_read_as_it_was_written) {
  const auto loop = loop_at(77);
  known_loop read;
  const auto line = bare(loop);
  ASSERT_TRUE(parse(line, read));
  EXPECT_EQ(read.offset, 77U);
  EXPECT_EQ(read.api, "gomp");
  EXPECT_EQ(read.granule, 1U);
  EXPECT_EQ(read.what.iterations, 1000U);
  EXPECT_EQ(read.what.members, 4U);
  EXPECT_EQ(read.what.how, loop.what.how);
  EXPECT_EQ(read.what.usual, 700U);
  EXPECT_EQ(read.what.work, 2500U);
  EXPECT_EQ(read.what.deviation, 31U);
  EXPECT_EQ(read.what.hand_over, 90U);
  EXPECT_EQ(read.what.costs, loop.what.costs);
}

TEST(knowledge, says_where_no_costs_are_known) {
  auto loop = loop_at(77);
  loop.what.work = loop.what.deviation = loop.what.hand_over = 0;
  loop.what.costs = {};
  const auto line = bare(loop);
  EXPECT_EQ(line, "loop 77 gomp 1 1000 4 dynamic 15 4 chunks 700 0 0 0 no-costs");
  known_loop read = loop_at(1);
  ASSERT_TRUE(parse(line, read));
  EXPECT_EQ(read.what.usual, 700U);
  EXPECT_EQ(read.what.work, 0U);
  EXPECT_EQ(read.what.costs, loop.what.costs);
  EXPECT_FALSE(parse(bare(loop_at(77)).replace(line.find(" 0 0 0"), 5, " 0"), read)) << "costs of nothing";
  EXPECT_FALSE(parse("loop 77 gomp 1 1000 4 dynamic 15 4 chunks 700 1 0 0 no-costs", read));
}

TEST(knowledge, the_longest_line_has_room) {
  auto loop = loop_at(~std::uint64_t{0}, ~std::uint64_t{0});
  loop.api = "an-api-whose-name-is-quite-long";
  loop.granule = ~std::uint64_t{0};
  loop.what.members = loop.what.how.members = ~std::uint32_t{0};
  loop.what.how.chunk = loop.what.usual = loop.what.work = loop.what.deviation = loop.what.hand_over =
      ~std::uint64_t{0};
  const auto line = bare(loop);
  EXPECT_LT(line.size(), longest_known_loop);
  known_loop read;
  EXPECT_TRUE(parse(line, read));
  EXPECT_EQ(read.what.hand_over, ~std::uint64_t{0});
}

TEST(knowledge, a_name_that_is_no_word_is_not_written) {
  auto loop = loop_at(1);
  for (const std::string_view name :
       {"", "two words", "a\nline", "a name that is by far too long for this to be one"}) {
    loop.api = name;
    EXPECT_EQ(line_of(loop), "") << name;
  }
}

TEST(knowledge, of_a_line_every_character_counts) {
  const auto line = bare(loop_at(77));
  known_loop read;
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(parse(std::string_view(line).substr(0, length), read)) << length;
  EXPECT_FALSE(parse(line + "0", read));
  EXPECT_FALSE(parse(line + " 0", read));
  for (std::size_t at = 0; at < line.size(); ++at) {
    auto wrong = line;
    wrong[at] = '~';
    EXPECT_FALSE(parse(wrong, read) && read.api == "gomp") << at;
  }
}

TEST(knowledge, a_file_is_read_as_it_was_written) {
  const auto loops = line_of(loop_at(1)) + line_of(loop_at(2));
  const auto text = file_of(loops);
  knowledge read;
  ASSERT_EQ(parse(text, read), knowledge_error::none);
  EXPECT_EQ(read.build_id, "0123abcd");
  EXPECT_EQ(read.host, "a host");
  EXPECT_EQ(read.module, "/lib/a?module.so") << "a newline would end the line";
  EXPECT_EQ(read.loops, loops);
}

TEST(knowledge, a_file_that_is_cut_short_or_changed_is_noticed) {
  const auto text = file_of(line_of(loop_at(1)));
  knowledge read;
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(parse(std::string_view(text).substr(0, length), read), knowledge_error::none) << length;
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto wrong = text;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    EXPECT_NE(parse(wrong, read), knowledge_error::none) << at;
  }
  EXPECT_EQ(parse(text + "\n", read), knowledge_error::damaged);
}

TEST(knowledge, says_what_a_file_is) {
  knowledge read;
  EXPECT_EQ(parse("", read), knowledge_error::foreign);
  EXPECT_EQ(parse("# nothing", read), knowledge_error::foreign);
  EXPECT_EQ(parse("steelyard knowledge 12\nbuild-id", read), knowledge_error::other_version);
  EXPECT_EQ(parse("steelyard knowledge 1\n", read), knowledge_error::damaged);
  EXPECT_EQ(parse("steelyard knowledge 1", read), knowledge_error::damaged);
}

TEST(knowledge, heads_that_are_wrong_are_damage) {
  for (const char* heads : {"steelyard knowledge 1\n", "steelyard knowledge 1\nbuild-id ab\nmodule x\nhost y\n",
                            "steelyard knowledge 1\nbuild-id ../ab\nhost y\nmodule x\n",
                            "steelyard knowledge 1\nbuild-id \nhost y\nmodule x\n"}) {
    std::string text = heads;
    std::string sum(length_of_sum, '?');
    print_sum(text, sum.data());
    knowledge read;
    EXPECT_EQ(parse(text + sum, read), knowledge_error::damaged) << heads;
  }
}

TEST(knowledge, a_loop_is_the_same_with_about_as_many_iterations) {
  const auto loop = loop_at(5, 1000);
  EXPECT_TRUE(is_same_loop(loop, loop_at(5, 1200)));
  EXPECT_FALSE(is_same_loop(loop, loop_at(5, 2000)));
  EXPECT_FALSE(is_same_loop(loop, loop_at(6, 1000)));
  auto other = loop;
  other.granule = 2;
  EXPECT_FALSE(is_same_loop(loop, other));
  other = loop;
  other.api = "kmp";
  EXPECT_FALSE(is_same_loop(loop, other));
  other = loop;
  other.what.members = 3;
  EXPECT_FALSE(is_same_loop(loop, other));
}

std::vector<std::uint64_t> kept(std::string_view older, std::string_view found, std::size_t count) {
  std::vector<std::uint64_t> offsets;
  each_older(older, found, count, [&](std::string_view line) {
    known_loop loop;
    EXPECT_TRUE(parse(line, loop));
    offsets.push_back(loop.offset);
  });
  return offsets;
}

TEST(knowledge, what_is_found_anew_takes_the_place_of_what_was_known) {
  const auto older = line_of(loop_at(1)) + "no line\n" + line_of(loop_at(2)) + line_of(loop_at(3));
  EXPECT_EQ(kept(older, line_of(loop_at(2)), 1), (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(kept(older, "", 0), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(knowledge, the_oldest_make_room) {
  const auto older = line_of(loop_at(1)) + line_of(loop_at(2)) + line_of(loop_at(3));
  EXPECT_EQ(kept(older, "", most_known_loops - 2), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(kept(older, "", most_known_loops), std::vector<std::uint64_t>{});
}

}  // namespace
}  // namespace steelyard::learn
