// SPDX-License-Identifier: Apache-2.0
// Loops files: what is read from them, which site a rule is for, and what is said of a file that is wrong.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "../schedules/loops_lines.hpp"
#include "openmp/program/loops_file.hpp"
#include "schedules/registry.hpp"

namespace {

using namespace steelyard::openmp;

/// A folder of its own, and what the reader says on stderr.
class LoopsFile : public testing::Test {
 protected:
  LoopsFile() {
    char pattern[] = "/tmp/steelyard-loops-XXXXXX";
    folder_ = mkdtemp(pattern);
    path_ = folder_ + "/loops";
  }
  ~LoopsFile() override {
    config.rules = nullptr;
    config.rule_count = 0;
    for (const auto* name : {"/loops", "/said"}) unlink((folder_ + name).c_str());
    rmdir(folder_.c_str());
  }

  std::span<const loop_rule> read(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return read_path(path_);
  }

  std::span<const loop_rule> read_path(const std::string& path) {
    const std::string said = folder_ + "/said";
    const int kept = dup(STDERR_FILENO);
    const int file = open(said.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    warning_[0] = '\0';
    const auto rules = read_loops_file(path.c_str(), warning_, sizeof warning_);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    std::ifstream in(said);
    said_.assign(std::istreambuf_iterator<char>(in), {});
    config.rules = rules.data();
    config.rule_count = rules.size();
    return rules;
  }

  /// One line, which names the file's line and what is wrong, and nothing read.
  void refuse(const std::string& content, int line, const std::string& reason) {
    EXPECT_TRUE(read(content).empty()) << content;
    const std::string wrong = path_ + ":" + std::to_string(line) + ": this line " + reason;
    EXPECT_EQ(warning_, wrong) << content;
    EXPECT_EQ(said_, "steelyard: " + wrong + "; the file is ignored\n");
  }

  std::string folder_, path_, said_;
  char warning_[256] = {};
};

const char* name_of(const loop_rule& rule) { return rule.choice.schedule->about.name; }

TEST_F(LoopsFile, HoldsPlacesAndSchedules) {
  const auto rules = read(
      "# written by hand\n"
      "app+0x12f4 steal\n"
      "\n"
      "  \t solver.c:218\tDYNAMIC,64   # the hot one\n"
      "/opt/lib/libx.so.1+0xfF wsri,3\n");
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_STREQ(rules[0].place, "app");
  EXPECT_EQ(rules[0].offset, 0x12f4U);
  EXPECT_EQ(rules[0].line, 0U);
  EXPECT_STREQ(name_of(rules[0]), "steal");
  EXPECT_STREQ(rules[1].place, "solver.c");
  EXPECT_EQ(rules[1].line, 218U);
  EXPECT_EQ(rules[1].offset, 0U);
  EXPECT_STREQ(name_of(rules[1]), "dynamic");
  EXPECT_EQ(rules[1].choice.chunk, 64U);
  EXPECT_STREQ(rules[2].place, "/opt/lib/libx.so.1");
  EXPECT_EQ(rules[2].offset, 0xffU);
  EXPECT_EQ(rules[2].choice.chunk, 3U);
  EXPECT_EQ(said_, "");
}

TEST_F(LoopsFile, EndsWithOrWithoutANewline) {
  EXPECT_EQ(read("app+0x1 steal").size(), 1U);
  EXPECT_EQ(read("app+0x1 steal\n").size(), 1U);
  EXPECT_EQ(read("app+0x1 steal\n\n\n").size(), 1U);
  EXPECT_EQ(read("app+0x1 steal\r\napp+0x2 guided,7\r\n").size(), 2U);
  EXPECT_EQ(read("\r\n# only words\r\n").size(), 0U);
  EXPECT_EQ(read("").size(), 0U);
  EXPECT_EQ(said_, "");
}

TEST_F(LoopsFile, ManyLines) {
  std::string content;
  for (int i = 1; i <= 5000; ++i) content += "app+0x" + std::to_string(i) + " static,1\n# in between\n";
  const auto rules = read(content);
  ASSERT_EQ(rules.size(), 5000U);
  EXPECT_EQ(rules[4999].offset, 0x5000U);
  EXPECT_STREQ(name_of(rules[4999]), "cyclic");
}

TEST_F(LoopsFile, SaysWhichLineIsWrong) {
  const std::string no_schedule = "has no schedule; write `SITE SCHEDULE[,CHUNK]`";
  const std::string no_site = "names no site; write `module+0xOFFSET` or `file.c:LINE`";
  refuse("app+0x1", 1, no_schedule);
  refuse("app+0x1 steal\n\napp+0x2 # steal\n", 3, no_schedule);
  refuse("app+0x1 dynamic, 64\n", 1, "has more than two words; write `SITE SCHEDULE[,CHUNK]`");
  for (const char* site :
       {"app",      "+0x1",   ":12",      "app+",     "app+0x",   "app+xyz",        "app+0x0",
        "app+0x1g", "app:",   "app:0",    "app:x",    "app:12x",  "app:4294967295", "app+0x10000000000000000",
        "app+10",   "app+-5", "app+0X10", "app+0x-5", "app+0x+5", "app:+5",         "app:-5",
        "app:0x5"}) {
    refuse("#\n" + std::string(site) + " steal\n", 2, no_site);
  }
  refuse("app+0x1 steal\n./app+0x1 steal\n", 2, "names no module; write its file name alone or its absolute path");
}

TEST_F(LoopsFile, SaysWhichScheduleIsWrong) {
  refuse("a+0x1 steal\na+0x2 fastest\n", 2, "is not a schedule; `steelyard schedules` lists them");
  for (const char* chunk : {"0", "-1", "1000000000000000000000000000000", "9223372036854775808"}) {
    refuse("\r\n\r\na+0x1 dynamic," + std::string(chunk), 3,
           "has a chunk out of range; it is a whole number from 1 to 2^63-1");
  }
  refuse("a+0x1 dynamic,x", 1, "has a chunk that is not a whole number; write for example `dynamic,64`");
}

TEST_F(LoopsFile, EachKindOfLineIsAsTheCommandReadsIt) {
  for (const auto& line : loops_line_cases()) {
    const auto rules = read("#\n" + line.text + "\n");
    if (line.place.empty()) {
      EXPECT_TRUE(rules.empty()) << line.text;
      const auto said = line.schedule == "nothing" ? "" : path_ + ":2: this line " + line.schedule;
      EXPECT_EQ(std::string(warning_).substr(0, said.size()), said) << line.text;
      EXPECT_EQ(said.empty(), warning_[0] == '\0') << line.text << ": " << warning_;
      continue;
    }
    ASSERT_EQ(rules.size(), 1U) << line.text << ": " << said_;
    EXPECT_STREQ(rules[0].place, line.place.c_str());
    EXPECT_EQ(rules[0].offset, line.offset) << line.text;
    EXPECT_EQ(rules[0].line, line.line) << line.text;
    const auto& choice = rules[0].choice;
    const auto chunk = choice.chunk != 0 ? "," + std::to_string(choice.chunk) : "";
    EXPECT_EQ(name_of(rules[0]) + chunk, line.schedule) << line.text;
  }
}

TEST_F(LoopsFile, AByteOrderMarkIsSkipped) {
  const auto rules = read(
      "\xEF\xBB\xBF"
      "app+0x1 steal\n");
  ASSERT_EQ(rules.size(), 1U) << said_;
  EXPECT_STREQ(rules[0].place, "app");
}

TEST_F(LoopsFile, AZeroByteEndsNothing) {
  refuse(std::string("a+0x1 steal\n\0\nodd\n", 18), 2, "has no schedule; write `SITE SCHEDULE[,CHUNK]`");
}

TEST_F(LoopsFile, AVeryLongLineIsOneLineOfComplaint) {
  refuse("a+0x1 steal\n" + std::string(1000000, 'x'), 2, "has no schedule; write `SITE SCHEDULE[,CHUNK]`");
  refuse(std::string(100000, 'a') + " " + std::string(100000, 'b') + "\n", 1,
         "names no site; write `module+0xOFFSET` or `file.c:LINE`");
}

TEST_F(LoopsFile, NamesTheFileThatCannotBeRead) {
  EXPECT_TRUE(read_path(folder_ + "/none").empty());
  EXPECT_EQ(said_,
            "steelyard: loops file " + folder_ + "/none cannot be read (No such file or directory); it is ignored\n");
  EXPECT_TRUE(read_path(folder_).empty());
  EXPECT_EQ(said_.find("steelyard: loops file " + folder_ + " cannot be read ("), 0U) << said_;
  EXPECT_EQ(said_.find('\n'), said_.size() - 1);
}

TEST_F(LoopsFile, FilesOfSourceMayHaveAPlusInTheirPath) {
  const auto rules = read("src/c++/solve.cpp:12 steal\nsums+a1.c:7 guided\nlibstdc++.so.6+0x77 steal\n");
  ASSERT_EQ(rules.size(), 3U) << said_;
  EXPECT_STREQ(rules[0].place, "src/c++/solve.cpp");
  EXPECT_EQ(rules[0].line, 12U);
  EXPECT_EQ(rules[0].offset, 0U);
  EXPECT_STREQ(rules[1].place, "sums+a1.c");
  EXPECT_EQ(rules[1].line, 7U);
  EXPECT_STREQ(rules[2].place, "libstdc++.so.6");
  EXPECT_EQ(rules[2].offset, 0x77U);
}

TEST_F(LoopsFile, ARuleIsForItsModuleAndOffset) {
  read("app+0x12 steal\n/opt/app+0x13 guided\n");
  ASSERT_NE(find_rule("/usr/bin/app", 0x12, nullptr), nullptr);
  EXPECT_STREQ(name_of(*find_rule("/usr/bin/app", 0x12, nullptr)), "steal");
  EXPECT_NE(find_rule("app", 0x12, nullptr), nullptr);
  EXPECT_EQ(find_rule("/usr/bin/app", 0x11, nullptr), nullptr);
  EXPECT_EQ(find_rule("/usr/bin/myapp", 0x12, nullptr), nullptr);
  EXPECT_EQ(find_rule("/usr/bin/app2", 0x12, nullptr), nullptr);
  EXPECT_EQ(find_rule(nullptr, 0x12, nullptr), nullptr);
  EXPECT_NE(find_rule("/opt/app", 0x13, nullptr), nullptr);
  EXPECT_EQ(find_rule("/usr/bin/app", 0x13, nullptr), nullptr);
}

TEST_F(LoopsFile, ARuleIsForItsFileAndLine) {
  read("solve.c:21 steal\nnear/main.c:5 guided\n");
  EXPECT_NE(find_rule("x", 1, ";solve.c;work;21;3;;"), nullptr);
  EXPECT_NE(find_rule("x", 1, ";/home/some/solve.c;work;21;3;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";/home/some/resolve.c;work;21;3;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";/home/some/solve.c;work;2;21;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";/home/some/solve.c;work;210;3;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";solve.cc;work;21;3;;"), nullptr);
  EXPECT_NE(find_rule("x", 1, ";/a/near/main.c;main;5;1;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";/a/far/main.c;main;5;1;;"), nullptr);
  for (const char* ident : {"", ";", ";solve.c", ";solve.c;work", "solve.c;work;21", ";unknown;unknown;0;0;;"}) {
    EXPECT_EQ(find_rule("x", 1, ident), nullptr) << ident;
  }
  EXPECT_EQ(find_rule("x", 1, nullptr), nullptr);
}

TEST_F(LoopsFile, WhereACompilerStartedFromIsNoPartOfAName) {
  read("/src/kernel/solve.c:21 steal\n../near/main.c:5 guided\n");
  EXPECT_NE(find_rule("x", 1, ";./kernel/solve.c;work;21;3;;"), nullptr);
  EXPECT_NE(find_rule("x", 1, ";../.././kernel/solve.c;work;21;3;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";./other/solve.c;work;21;3;;"), nullptr);
  EXPECT_NE(find_rule("x", 1, ";near/main.c;work;5;3;;"), nullptr);
  EXPECT_EQ(find_rule("x", 1, ";./;work;5;3;;"), nullptr);
}

TEST_F(LoopsFile, TheFirstRuleOfAPlaceCounts) {
  read("app+0x1 steal\napp+0x1 guided\n");
  EXPECT_STREQ(name_of(*find_rule("app", 1, nullptr)), "steal");
}

}  // namespace
