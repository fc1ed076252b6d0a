// SPDX-License-Identifier: Apache-2.0
#include "measure/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "scratch.hpp"
#include "text/failure.hpp"

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
  std::string line;
  for (double limit = 0.2; line.size() <= 4; limit *= 2) {  // it may be over before the child's number is said
    EXPECT_EQ(run("sleep 1000 & echo $!; wait", limit).how, outcome::kind::timed_out);
    line = last_lines(output(), 1);
  }
  const auto child = static_cast<pid_t>(std::stol(line.substr(4)));
  while (kill(child, 0) == 0) {  // its new parent may take a moment to collect it
    std::ifstream about("/proc/" + std::to_string(child) + "/stat");
    std::string text;
    std::getline(about, text);
    if (text.find(") Z ") != std::string::npos) return;
    usleep(10000);
  }
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

/// Another standard input for a while; -1: none at all.
class standard_input {
 public:
  explicit standard_input(int descriptor) : before_(dup(STDIN_FILENO)) {
    close(STDIN_FILENO);
    if (descriptor < 0) return;
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
  }
  ~standard_input() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }
  standard_input(const standard_input&) = delete;
  standard_input& operator=(const standard_input&) = delete;

 private:
  int before_;
};

TEST_F(process, a_file_on_standard_input_is_read_by_every_run_from_its_start) {
  const auto file = write("input", "one\ntwo\n");
  const int opened = open(file.c_str(), O_RDONLY);
  char first = 0;
  ASSERT_EQ(read(opened, &first, 1), 1);
  const standard_input replaced(opened);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(run("cat", 20).good());
    EXPECT_EQ(last_lines(output(), 10), "  | one\n  | two\n");
  }
}

TEST_F(process, a_file_that_can_only_be_written_is_no_input) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto file = write("input", "one\n");
  const int opened = open(file.c_str(), O_WRONLY);
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const standard_input replaced(opened);
  EXPECT_TRUE(run("cat", 20).good());
  EXPECT_EQ(last_lines(output(), 10), "");
}

TEST_F(process, without_standard_input) {
  const standard_input none(-1);
  EXPECT_TRUE(run("cat; echo behind", 20).good());
  EXPECT_EQ(last_lines(output(), 10), "  | behind\n");
}

TEST_F(process, an_output_that_cannot_be_written_is_not_the_programs_fault) {
  const auto program = inspect("/bin/sh");
  const command_line arguments = {"sh", "-c", "exit 0"};
  try {
    runner_.run({&program, &arguments, {}, folder_ / "none" / "output", 20});
    FAIL();
  } catch (const failure& error) {
    EXPECT_EQ(error.status(), bad_usage);
    EXPECT_TRUE(std::string(error.what()).starts_with(folder_.native())) << error.what();
  }
}

TEST_F(process, the_end_of_an_output_is_short_and_harmless) {
  run("printf 'a\\033[2Jb\\r\\n'; head -c 1000000 /dev/zero | tr '\\0' x");
  EXPECT_EQ(last_lines(output(), 10), "  | " + std::string(200, 'x') + "...\n");
  run("head -c 100000 /dev/zero; echo; printf 'a\\033[2Jb\\r\\nend'");
  EXPECT_EQ(last_lines(output(), 2), "  | a?[2Jb\n  | end\n");
  EXPECT_EQ(last_lines(folder_ / "none", 2), "");
}

TEST(process_signals, interrupts_that_came_meanwhile_end_nothing) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    {
      const runner held;
      kill(getpid(), signal);
    }
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, signal), 0);
  }
}

TEST(process_signals, what_is_ignored_ends_no_run) {  // nohup
  const auto before = signal(SIGHUP, SIG_IGN);
  {
    runner runs;
    const auto program = inspect("/bin/sh");
    const command_line arguments = {"sh", "-c", "kill -HUP $PPID; sleep 0.1; exit 3"};
    EXPECT_EQ(runs.run({&program, &arguments, {}, "/dev/null", 20}).text(), "exited with status 3");
  }
  signal(SIGHUP, before);
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
