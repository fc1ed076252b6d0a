// SPDX-License-Identifier: Apache-2.0
// What is read from an environment, in a process without an OpenMP runtime (as a shell is).
#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "openmp/program/settings.hpp"
#include "schedules/registry.hpp"

namespace {

using namespace steelyard::openmp;

/// Reads the environment anew; `entries` keeps it, changed or not.
struct environment {
  std::vector<std::string> texts;
  std::vector<char*> entries;

  explicit environment(std::vector<std::string> all) : texts(std::move(all)) {
    for (std::string& each : texts) entries.push_back(each.data());
    entries.push_back(nullptr);
    config.~settings();
    ::new (&config) settings{};
    read_settings(entries.data());
  }
  ~environment() {
    config.~settings();
    ::new (&config) settings{};
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
};

const char* name_of(const steelyard::schedules::choice& choice) {
  return choice.schedule != nullptr ? choice.schedule->about.name : "none";
}

TEST(Settings, NothingAskedNothingDone) {
  const environment bare({"PATH=/bin", "OMP_NUM_THREADS=4", "STEELYARD", "=odd", ""});
  EXPECT_FALSE(config.active);
  EXPECT_FALSE(config.reporting);
  const environment empty(
      {"STEELYARD_SCHEDULE=", "STEELYARD_REPORT=", "STEELYARD_LOOPS=", "STEELYARD_VERBOSE=0", "STEELYARD_LIMIT="});
  EXPECT_FALSE(config.active);
  EXPECT_EQ(config.warning_count, 0U);
}

TEST(Settings, NamesInAnyCaseWithSpaces) {
  for (const char* text : {"wsri,5", "WSRI,5", "  Wsri , 5  ", "wSrI,\t5"}) {
    const environment with({std::string("STEELYARD_SCHEDULE=") + text});
    EXPECT_STREQ(name_of(config.all), "wsri") << text;
    EXPECT_EQ(config.all.chunk, 5U) << text;
    EXPECT_TRUE(config.active);
    EXPECT_STREQ(name_of(config.runtime), "none");
  }
}

TEST(Settings, EachSwitch) {
  {
    const environment with({"STEELYARD_REPORT=r.%p"});
    EXPECT_STREQ(config.report, "r.%p");
    EXPECT_TRUE(config.active && config.reporting && !config.measuring && !config.verbose);
  }
  {
    const environment with({"STEELYARD_LIMIT=1"});
    EXPECT_TRUE(config.active && config.reporting && config.measuring && !config.verbose);
  }
  {
    const environment with({"STEELYARD_VERBOSE=yes"});
    EXPECT_TRUE(config.active && config.reporting && config.verbose && !config.measuring);
  }
  {
    const environment with({"STEELYARD_SPLIT_CHUNKS=1"});
    EXPECT_TRUE(config.split_chunks);
    EXPECT_FALSE(config.active);
  }
  const environment with({"STEELYARD_OLD_NAMES=1"});
  EXPECT_TRUE(config.old_names);
  EXPECT_FALSE(config.active);
}

TEST(Settings, SwitchesAreWordsAndWhatIsNeitherIsSaidAndIgnored) {
  for (const char* off : {"0", "no", "false", "OFF"}) {
    const environment with({std::string("STEELYARD_SPLIT_CHUNKS=") + off, std::string("STEELYARD_VERBOSE=") + off,
                            "STEELYARD_SCHEDULE=nustatic", std::string("STEELYARD_STATIC=") + off});
    EXPECT_FALSE(config.split_chunks || config.verbose || config.static_loops) << off;
    EXPECT_EQ(config.warning_count, 0U);
  }
  const environment with({"STEELYARD_SPLIT_CHUNKS=ja", "STEELYARD_SCHEDULE=nustatic", "STEELYARD_STATIC=never"});
  EXPECT_FALSE(config.split_chunks);
  EXPECT_TRUE(config.static_loops) << "as where it is not set";
  ASSERT_EQ(config.warning_count, 2U);
  EXPECT_STREQ(config.warnings[0], "STEELYARD_SPLIT_CHUNKS=ja is neither 0 nor 1");
  EXPECT_STREQ(config.warnings[1], "STEELYARD_STATIC=never is neither 0 nor 1");
}

TEST(Settings, NamesOfOursReachRuntimeLoopsThroughOmpSchedule) {
  for (const char* text : {"wsri", "WSRI", " wsri ", "nonmonotonic:wsri", "NonMonotonic: wsri", " nonmonotonic:wsri"}) {
    const environment with({std::string("OMP_SCHEDULE=") + text});
    EXPECT_STREQ(name_of(config.runtime), "wsri") << text;
    EXPECT_STREQ(name_of(config.all), "none");
    EXPECT_STREQ(config.omp_schedule, text);
    EXPECT_EQ(with.texts[0].data(), with.entries[0]) << "a shell keeps the value for the programs it starts";
  }
  const environment chunked({"OMP_SCHEDULE=steal,64"});
  EXPECT_EQ(config.runtime.chunk, 64U);
}

TEST(Settings, StandardValuesOfOmpScheduleAreTheRuntimes) {
  for (const char* text : {"static",
                           "dynamic",
                           "guided",
                           "auto",
                           "dynamic,4",
                           "STATIC,10",
                           "nonmonotonic:dynamic,4",
                           "monotonic:dynamic",
                           "trapezoidal",
                           "static_steal",
                           " dynamic",
                           "dynamic ",
                           "dynamic ,4",
                           " guided , 7 ",
                           "nonmonotonic: guided",
                           "\tstatic",
                           "dynamic,x",
                           "static,-1",
                           "unheard-of",
                           "unheard-of,3",
                           ""}) {
    const environment with({std::string("OMP_SCHEDULE=") + text});
    EXPECT_STREQ(name_of(config.runtime), "none") << '"' << text << '"';
    EXPECT_FALSE(config.active) << '"' << text << '"';
    EXPECT_EQ(config.warning_count, 0U) << '"' << text << '"';
  }
}

TEST(Settings, AChunkInOmpScheduleIsKnownAsTheUsers) {
  for (const char* text : {"guided,7", "Guided , 7 ", "nonmonotonic:guided,7", "monotonic:guided,7"}) {
    const environment with({std::string("OMP_SCHEDULE=") + text});
    EXPECT_STREQ(name_of(config.openmp), "guided") << text;
    EXPECT_EQ(config.openmp.chunk, 7U) << text;
  }
  for (const char* text : {"auto", "wsri,7", "nonsense,7", "dynamic,0", ""}) {
    const environment with({std::string("OMP_SCHEDULE=") + text});
    EXPECT_EQ(config.openmp.chunk, 0U) << text;
  }
}

TEST(Settings, OmpSchedulesOwnModifierMonotonicIsNotOurs) {
  const environment with({"OMP_SCHEDULE=monotonic:wsri"});
  EXPECT_STREQ(name_of(config.runtime), "none");
}

TEST(Settings, BlocksMayBeMeasuredByInstructions) {
  for (const auto& [value, wanted] :
       {std::pair{"instructions", true}, {"Instructions", true}, {"ticks", false}, {"", false}}) {
    const environment with({"STEELYARD_SCHEDULE=nustatic", std::string("STEELYARD_LEARN_BY=") + value});
    EXPECT_EQ(config.by_instructions, wanted) << value;
    EXPECT_EQ(config.warning_count, 0U) << value;
  }
  const environment not_learnt({"STEELYARD_SCHEDULE=steal", "STEELYARD_LEARN_BY=instructions"});
  EXPECT_FALSE(config.by_instructions) << "there is nothing to measure";
  const environment wrong({"STEELYARD_SCHEDULE=nustatic", "STEELYARD_LEARN_BY=guessing"});
  EXPECT_FALSE(config.by_instructions);
  ASSERT_EQ(config.warning_count, 1U);
  EXPECT_STREQ(config.warnings[0], "STEELYARD_LEARN_BY=guessing is no way to measure; write ticks or instructions");
}

TEST(Settings, SharesMayChangeAtBarriersWhereThatIsAskedFor) {
  const environment all({"STEELYARD_SCHEDULE=nustatic:barriers"});
  EXPECT_TRUE(config.at_barriers);
  EXPECT_TRUE(config.static_loops);
  const environment none({"STEELYARD_SCHEDULE=nustatic:every:10"});
  EXPECT_FALSE(config.at_barriers);
  EXPECT_TRUE(config.static_loops);
  EXPECT_TRUE(config.all.again.is_due(10));
}

/// `automatic` has nothing but shares for them.
TEST(Settings, StaticLoopsAreLeftAloneWhereSharesAreNoneOfTheSchedulesToChooseAmong) {
  const environment without({"STEELYARD_SCHEDULE=expert:steal+guided"});
  EXPECT_STREQ(name_of(config.all), "automatic");
  EXPECT_TRUE(config.all.among.has(*steelyard::schedules::find("guided")));
  EXPECT_FALSE(config.static_loops);
  const environment with({"STEELYARD_SCHEDULE=expert:steal+nustatic"});
  EXPECT_TRUE(config.static_loops);
}

TEST(Settings, EveryWarningIsKept) {
  const environment with({"STEELYARD_LOOPS=/nonexistent/loops", "OMP_SCHEDULE=steal,0", "STEELYARD_SCHEDULE=fastest"});
  ASSERT_EQ(config.warning_count, 3U);
  EXPECT_EQ(std::string(config.warnings[0]).find("STEELYARD_SCHEDULE=fastest is not a schedule"), 0U);
  EXPECT_EQ(std::string(config.warnings[1]).find("OMP_SCHEDULE=steal,0 has a chunk out of range"), 0U);
  EXPECT_EQ(std::string(config.warnings[2]).find("loops file /nonexistent/loops cannot be read"), 0U);
}

TEST(Settings, TheVariableCountsAndNotOneThatBeginsAlike) {
  const environment with({"STEELYARD_SCHEDULES=wsri", "XSTEELYARD_SCHEDULE=wsri", "OMP_SCHEDULE_OLD=wsri"});
  EXPECT_FALSE(config.active);
}

/// Under `automatic` static loops get shares; not where they are forbidden, where a chunk is given, or where it is for
/// schedule(runtime) loops.
TEST(Settings, StaticLoopsUnderAutomatic) {
  {
    const environment with({"STEELYARD_SCHEDULE=automatic"});
    EXPECT_TRUE(config.shares && config.static_loops && config.only_alone);
  }
  {
    const environment with({"STEELYARD_SCHEDULE=automatic", "STEELYARD_STATIC=1"});
    EXPECT_TRUE(config.shares && config.static_loops && !config.only_alone);
  }
  {
    const environment with({"STEELYARD_SCHEDULE=automatic", "STEELYARD_STATIC=perhaps"});
    EXPECT_TRUE(config.shares && config.static_loops && config.only_alone);
    EXPECT_EQ(config.warning_count, 1U);
  }
  for (const char* other : {"STEELYARD_STATIC=0", "STEELYARD_SCHEDULE=automatic,16"}) {
    const environment with({other, "STEELYARD_SCHEDULE=automatic"});
    EXPECT_FALSE(config.shares || config.static_loops || config.watching) << other;
  }
  const environment with({"OMP_SCHEDULE=automatic"});
  EXPECT_FALSE(config.shares || config.static_loops);
}

/// They are told to all of a region as before.
TEST(Settings, StaticLoopsUnderNustatic) {
  const environment with({"STEELYARD_SCHEDULE=nustatic"});
  EXPECT_TRUE(config.shares && config.static_loops && !config.only_alone);
}

}  // namespace
