// SPDX-License-Identifier: Apache-2.0
#include "compare_text.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The output for a measurement, changed where a test wants it.
class compare_output : public testing::Test {
 protected:
  compare_output() {
    options_.program = {"./app", "a b"};
    all_.options = &options_;
    all_.cores = 2;
    measured(made_up::measurement{});
  }

  template <class Measured>
  void measured(const Measured& what) {
    all_.measured = what.result();
    analysed(analyse(what.rows(), all_.measured, all_.cores));
  }

  void analysed(const comparison& found) {
    all_.found = found;
    all_.given = advise(found);
  }

  [[nodiscard]] std::string text() const { return compare_text(all_); }

  compare_options options_;
  compare_outcome all_;
};

TEST_F(compare_output, text_and_json_hold_the_decision) {
  EXPECT_TRUE(contains(text(), "Loop app+0x11a4")) << text();
  EXPECT_TRUE(contains(text(), "as written (dynamic,4)")) << text();
  EXPECT_TRUE(contains(text(), "\napp+0x11a4 steal  # ")) << text();
  EXPECT_TRUE(contains(text(), "  steelyard run --schedule steal -- ./app 'a b'\n")) << text();
  EXPECT_TRUE(contains(text(), "  steelyard run --loops loops.txt -- ./app 'a b'\n")) << text();
  const auto json = compare_json(all_);
  EXPECT_TRUE(contains(json, "\"steelyard_compare\": 1")) << json;
  EXPECT_TRUE(contains(json, "\"site\": \"app+0x11a4\"")) << json;
  EXPECT_TRUE(contains(json, "\"use\": \"schedule\"")) << json;
}

TEST_F(compare_output, no_command_where_nothing_gains) {
  made_up::measurement same;
  same.steal = 100;
  measured(same);
  EXPECT_TRUE(contains(text(), "\nKeep it as written: ")) << text();
  EXPECT_FALSE(contains(text(), "loops.txt")) << text();
  EXPECT_FALSE(contains(text(), "steelyard run")) << text();
}

TEST_F(compare_output, what_to_use_comes_first) {
  measured(made_up::loops_apart());
  const auto all = text();
  EXPECT_TRUE(contains(all, "\napp+0x1000 steal  # app+0x1000\napp+0x1001 wsri  # app+0x1001\n")) << all;
  EXPECT_LT(all.find("--loops loops.txt"), all.find("--schedule wsri")) << all;
  EXPECT_EQ(times(all, "steelyard run"), 2U) << all;
}

TEST_F(compare_output, lines_that_do_not_gain_say_why) {
  measured(made_up::program{
      {"wsri"}, {{made_up::steady(600), made_up::steady(300)}, {made_up::steady(400), made_up::steady(500)}}});
  EXPECT_TRUE(contains(text(), "\n# app+0x1001 wsri  # app+0x1001: not faster than as written\n")) << text();
}

TEST_F(compare_output, commands_repeat_what_was_measured) {
  options_.threads = 2;
  EXPECT_EQ(times(text(), "  OMP_NUM_THREADS=2 steelyard run --"), 2U) << text();
  all_.measured.dropped = {{"OMP_SCHEDULE", "steal"}};
  EXPECT_EQ(times(text(), "  env -u OMP_SCHEDULE OMP_NUM_THREADS=2 steelyard run --"), 2U) << text();
  EXPECT_EQ(times(text(), "Note: dropped for every run, as it would change what is compared: OMP_SCHEDULE=steal\n"), 1U)
      << text();
}

TEST_F(compare_output, the_programs_row_names_no_clause) {
  EXPECT_EQ(times(text(), "  as written (dynamic,4) "), 1U) << text();
  EXPECT_EQ(times(text(), "\n  as written  "), 1U) << text();
}

TEST_F(compare_output, a_marked_quotient_reads_below_the_bound) {
  auto found = all_.found;
  found.loops[0].table.rows[0].over_limit = 0.9801;
  found.loops[0].table.rows[1].over_limit = 0.9799;
  analysed(found);
  EXPECT_TRUE(contains(text(), " 0.98  ")) << text();
  EXPECT_TRUE(contains(text(), " 0.97 *  ")) << text();
  EXPECT_FALSE(contains(text(), "0.98 *")) << text();
}

TEST_F(compare_output, a_limit_above_every_time_is_not_compared_with) {
  made_up::measurement overestimated;
  overestimated.limit_low = overestimated.limit_high = 200;
  measured(overestimated);
  EXPECT_TRUE(contains(text(), "of the time, limit unusable on this run\n")) << text();
  EXPECT_TRUE(contains(text(), "Whole program, limit n/a: a loop's is unusable on this run\n")) << text();
  EXPECT_FALSE(contains(text(), " *")) << text();
}

TEST_F(compare_output, more_threads_than_cores) {
  all_.cores = 1;
  measured(made_up::measurement{});
  EXPECT_TRUE(contains(text(), "2 threads in a loop, 1 core allowed, ")) << text();
  EXPECT_EQ(times(text(), "Note: more threads than cores: times are doubtful, and limits are not given.\n"), 1U)
      << text();
  EXPECT_EQ(times(text(), "limit n/a"), 2U) << text();
}

TEST_F(compare_output, one_thread) {
  all_.measured.threads = 1;
  EXPECT_TRUE(contains(text(), "1 thread in a loop, 2 cores allowed, ")) << text();
  EXPECT_EQ(times(text(), "Note: one thread: no schedule can matter"), 1U) << text();
}

TEST_F(compare_output, processes_side_by_side) {
  for (auto& run : all_.measured.samples) {
    run.process_time = 3 * run.wall;
    run.sites[made_up::loop_site].processes = 3;
  }
  analysed(analyse(made_up::measurement::rows(), all_.measured));
  EXPECT_TRUE(contains(text(), "Whole program, limit n/a: its processes run side by side\n")) << text();
  EXPECT_TRUE(contains(text(), "of the time, summed over 3 processes, limit n/a\n")) << text();
}

TEST_F(compare_output, one_round_has_no_interval) {
  made_up::measurement single;
  single.rounds = 1;
  measured(single);
  EXPECT_EQ(times(text(), " [n/a]\n"), 2U) << text();
}

}  // namespace
}  // namespace steelyard::tool
