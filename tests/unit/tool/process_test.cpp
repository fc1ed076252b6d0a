// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <sys/time.h>

#include <gtest/gtest.h>

#include "failure.hpp"
#include "scratch.hpp"

namespace steelyard::tool {
namespace {

class process : public scratch {
 protected:
  outcome run(const std::string& shell, std::optional<double> timeout = std::nullopt,
              const environment_changes& environment = {}) {
    const command_line arguments = {"sh", "-c", shell};
    const auto program = inspect("/bin/sh");
    return runner_.run({&program, &arguments, environment, output(), timeout});
  }
  std::filesystem::path output() const { return folder_ / "output"; }
  runner runner_;
};

TEST_F(process, exit_status_signal_and_output) {
  EXPECT_TRUE(run("echo one; echo two >&2").good());
  EXPECT_EQ(last_lines(output(), 10), "  | one\n  | two\n");
  EXPECT_EQ(last_lines(output(), 1), "  | two\n");
  EXPECT_EQ(run("exit 3").text(), "exited with status 3");
  EXPECT_TRUE(run("kill -9 $$").text().starts_with("was killed by signal 9"));
}

TEST_F(process, environment_is_changed_for_the_program_only) {
  setenv("TOOL_TEST_GONE", "x", 1);
  run("echo $TOOL_TEST_NEW/$TOOL_TEST_GONE/$HOME", std::nullopt,
      {{"TOOL_TEST_NEW", "1"}, {"TOOL_TEST_GONE", std::nullopt}, {"HOME", "/h"}});
  EXPECT_EQ(last_lines(output(), 1), "  | 1///h\n");
  EXPECT_STREQ(getenv("TOOL_TEST_GONE"), "x");
}

TEST_F(process, the_time_limit_ends_children_too) {
  const auto ended = run("sleep 60 & echo $!; wait", 0.2);
  EXPECT_EQ(ended.how, outcome::kind::timed_out);
  EXPECT_LT(ended.wall_ns, 30e9);
  const auto line = last_lines(output(), 1);
  ASSERT_GT(line.size(), 4U);
  const auto child = static_cast<pid_t>(std::stol(line.substr(4)));
  for (int i = 0; i < 200 && kill(child, 0) == 0; ++i) {  // its new parent may take a moment to collect it
    std::ifstream about("/proc/" + std::to_string(child) + "/stat");
    std::string text;
    std::getline(about, text);
    if (text.find(") Z ") != std::string::npos) return;
    usleep(10000);
  }
  EXPECT_NE(kill(child, 0), 0);
}

TEST_F(process, an_interrupted_wait_goes_on) {  // as after Ctrl-Z and fg, which needs no handler for it
  struct sigaction handled = {};
  struct sigaction before;
  handled.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &handled, &before), 0);
  const itimerval soon = {{0, 50000}, {0, 50000}};
  const itimerval never = {};
  setitimer(ITIMER_REAL, &soon, nullptr);
  const auto without_end = run("sleep 0.4; exit 3");
  const auto with_end = run("sleep 0.4; exit 4", 60);
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(without_end.text(), "exited with status 3");
  EXPECT_EQ(with_end.text(), "exited with status 4");
}

TEST_F(process, a_pipe_on_standard_input_is_not_passed_on) {
  EXPECT_TRUE(run("cat", 20).good());
  EXPECT_EQ(last_lines(output(), 1), "");
}

TEST_F(process, a_script_without_an_interpreter_line) {
  const auto program = inspect(script("bare", "echo from $1\n"));
  const command_line arguments = {"bare", "me"};
  EXPECT_TRUE(runner_.run({&program, &arguments, {}, output(), 20}).good());
  EXPECT_EQ(last_lines(output(), 1), "  | from me\n");
}

TEST_F(process, what_the_system_refuses) {
  const auto program = inspect(script("broken", "#!/nonexistent/interpreter\n"));
  const command_line arguments = {"broken"};
  EXPECT_THROW(runner_.run({&program, &arguments, {}, output(), 20}), failure);
}

}  // namespace
}  // namespace steelyard::tool
