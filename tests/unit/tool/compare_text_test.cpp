// SPDX-License-Identifier: Apache-2.0
#include "present/compare_text.hpp"

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

TEST_F(compare_output, says_where_written_chunks_are_kept) {
  EXPECT_FALSE(contains(text(), "whole chunks")) << text();
  auto measured = all_.measured;
  measured.sites.begin()->second.granule = 64;
  analysed(analyse(made_up::measurement::rows(), measured, all_.cores));
  EXPECT_TRUE(contains(text(), " of the time, in whole chunks of 64 as written, limit ")) << text();
  EXPECT_TRUE(contains(compare_json(all_), "\"granule\": 64")) << compare_json(all_);
}

TEST_F(compare_output, says_that_chunks_are_split_and_how_to_go_on) {
  options_.split_chunks = true;
  EXPECT_TRUE(contains(text(), "\nNote: schedules split the chunks that the program has written; ")) << text();
  EXPECT_TRUE(contains(text(), "  steelyard run --split-chunks --schedule steal -- ./app 'a b'\n")) << text();
  EXPECT_TRUE(contains(compare_json(all_), "\"split_chunks\": true")) << compare_json(all_);
}

TEST_F(compare_output, no_command_where_nothing_gains) {
  made_up::measurement same;
  same.steal = 100;
  measured(same);
  EXPECT_TRUE(contains(text(), "\nVerdict: none\nKeep it as written: ")) << text();
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

TEST_F(compare_output, a_limit_above_a_time_is_withdrawn) {
  made_up::measurement overestimated;
  overestimated.limit_low = overestimated.limit_high = 200;
  measured(overestimated);
  EXPECT_TRUE(contains(text(), "of the time, limit n/a: withdrawn, `steal` was faster than it\n")) << text();
  EXPECT_TRUE(contains(text(), "Whole program, limit n/a: a loop's was withdrawn\n")) << text();
}

TEST_F(compare_output, a_limit_has_the_digits_that_its_doubt_leaves) {
  EXPECT_TRUE(contains(text(), "of the time, limit 47 us (-4.3 % +4.3 %)\n")) << text();
  all_.found.loops[0].table.limit = limit_estimate{47e3, 46.98e3, 47e3, 2};
  EXPECT_TRUE(contains(text(), "of the time, limit 47.00 us (-0.1 % +0.1 %)\n")) << text();
  all_.found.loops[0].table.limit = limit_estimate{47e3, 47e3, 47e3, 1};
  EXPECT_TRUE(contains(text(), "of the time, limit about 47 us (measured once)\n")) << text();
}

TEST_F(compare_output, a_row_that_differs_is_marked_and_said_once) {
  all_.measured.faults[1] = {output_differs, "line 3: `8` in place of `7`"};
  analysed(analyse(made_up::measurement::rows(), all_.measured));
  EXPECT_EQ(times(text(), "  steal (output differs) "), 2U) << text();
  EXPECT_EQ(times(text(),
                  "Note: `steal` is not advised: its output differs from that as written, line 3: `8` in place of "
                  "`7`; if that may be so, use --ignore-output.\n"),
            1U)
      << text();
  EXPECT_TRUE(contains(text(), "\nVerdict: not sure: ")) << text();
  EXPECT_TRUE(contains(compare_json(all_), "\"mark\": \"output differs\"")) << compare_json(all_);
}

TEST_F(compare_output, the_verdict_stands_in_text_and_json) {
  EXPECT_TRUE(contains(text(), "\nVerdict: " + all_.given.decided.text() + "\nUse `steal`")) << text();
  EXPECT_TRUE(contains(text(), "corrected for choosing among 1 schedule, in the program and 1 loop (Bonferroni).)\n"))
      << text();
  EXPECT_TRUE(contains(compare_json(all_), "\"kind\": \"gain\"")) << compare_json(all_);
}

TEST_F(compare_output, what_happened_to_the_runs_is_said) {
  all_.measured.interrupted = true;
  all_.measured.rounds = 3;
  all_.measured.repeated = 2;
  all_.measured.output_remark = "odd";
  all_.measured.faults[2] = {"failed", "it exited with status 3 in round 1"};
  const auto all = text();
  EXPECT_TRUE(contains(all, "Note: interrupted; this is of 3 rounds.\n")) << all;
  EXPECT_TRUE(contains(all, "Note: 2 runs were made once more: others took more than 5 % of their time.\n")) << all;
  EXPECT_TRUE(contains(all, "Note: no limit from a measuring run: it exited with status 3 in round 1.\n")) << all;
  EXPECT_TRUE(contains(all, "Note: odd.\n")) << all;
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
  EXPECT_TRUE(contains(text(), "of the time, summed over 3 processes, limit n/a: processes run side by side\n"))
      << text();
}

TEST_F(compare_output, one_or_two_rounds_have_no_interval) {
  for (const unsigned rounds : {1U, 2U}) {
    made_up::measurement few;
    few.rounds = rounds;
    measured(few);
    EXPECT_EQ(times(text(), " [n/a]\n"), 2U) << text();
  }
}

}  // namespace
}  // namespace steelyard::tool
