// SPDX-License-Identifier: Apache-2.0
#include "measure/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "measure/start.hpp"
#include "read/descriptor.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

using clock = std::chrono::steady_clock;

/// Strings and the array of pointers to them that exec wants.
class string_array {
 public:
  explicit string_array(std::vector<std::string> strings) : strings_(std::move(strings)) {
    for (auto& one : strings_) pointers_.push_back(one.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

string_array changed_environment(const environment_changes& changes) {
  std::map<std::string, std::optional<std::string>> overrides(changes.begin(), changes.end());
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string one = *entry;
    if (!overrides.contains(one.substr(0, one.find('=')))) all.push_back(one);
  }
  for (const auto& [name, value] : overrides) {
    if (value) all.push_back(name + "=" + *value);
  }
  return string_array(std::move(all));
}

/// A file on standard input is read again by every run; anything else could be read only once, so runs get nothing.
int input_for_every_run() {
  struct stat about;
  if (fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode)) {
    const int again = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (again >= 0) return again;
  }
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) return nothing;
  throw failure(bad_usage, fmt::format("/dev/null: cannot be opened: {}; the program needs an input", strerror(errno)));
}

int fresh_output(const std::filesystem::path& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (opened >= 0) return opened;
  throw failure(bad_usage,
                fmt::format("{}: cannot be written: {}; set TMPDIR or use --keep", file.native(), strerror(errno)));
}

/// Everything posix_spawn wants to know, freed with it. The files are opened here and not by its actions, so that its
/// errors are those of starting the program. The input comes first: should descriptor 0 be closed, the output is not it.
class spawn_settings {
 public:
  spawn_settings(const run_request& request, const sigset_t& mask, const sigset_t& defaults)
      : input_(input_for_every_run()), output_(fresh_output(request.output)),
        errors_(request.errors.empty() ? -1 : fresh_output(request.errors)) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input_.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output_.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors_.number() < 0 ? STDOUT_FILENO : errors_.number(), STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &mask);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
  }
  ~spawn_settings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  spawn_settings(const spawn_settings&) = delete;
  spawn_settings& operator=(const spawn_settings&) = delete;

  int spawn(pid_t& child, const char* file, const string_array& arguments, const string_array& environment) const {
    return posix_spawn(&child, file, &actions_, &attributes_, arguments.data(), environment.data());
  }

 private:
  descriptor input_;
  descriptor output_;
  descriptor errors_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

pid_t spawn(const run_request& request, const sigset_t& mask) {
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  const spawn_settings settings(request, mask, child_signal);
  const auto environment = changed_environment(request.environment);
  const auto& file = request.program->file;
  pid_t child = 0;
  int error = settings.spawn(child, file.c_str(), string_array(*request.arguments), environment);
  if (error == ENOEXEC && !request.program->is_elf) {
    auto through_shell = *request.arguments;  // a script without #!
    through_shell.front() = file.native();
    through_shell.insert(through_shell.begin(), "/bin/sh");
    error = settings.spawn(child, "/bin/sh", string_array(through_shell), environment);
  }
  if (error != 0) throw cannot_start(file, error);
  return child;
}

timespec as_timespec(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

/// Waits for a held signal: its number, or 0 when `end` came first. Without an end it waits as long as it takes. A stop
/// and continuation of this process (Ctrl-Z, fg) interrupts the wait: a reason to look at the child again.
int await_signal(const sigset_t& held, std::optional<clock::time_point> end) {
  int got = 0;
  if (end) {
    const double left = std::chrono::duration<double>(*end - clock::now()).count();
    if (left <= 0) return 0;
    const auto limit = as_timespec(std::min(left, 1e6));
    got = sigtimedwait(&held, nullptr, &limit);
  } else {
    got = sigwaitinfo(&held, nullptr);
  }
  return got > 0 ? got : (errno == EINTR ? SIGCHLD : 0);
}

/// Ends every process of the group and collects the first.
void end_group(pid_t child) {
  kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Collects the child if it has ended.
std::optional<outcome> collected(pid_t child) {
  siginfo_t ended = {};
  if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != child)
    return {};
  outcome found;
  found.account.waited = waited_by(child);
  int status = 0;
  struct rusage used = {};
  if (wait4(child, &status, 0, &used) != child) return {};
  found.account.own = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  found.how = WIFSIGNALED(status) ? outcome::kind::killed : outcome::kind::exited;
  found.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return found;
}

outcome await(pid_t child, const sigset_t& held, std::optional<clock::time_point> end) {
  for (;;) {
    if (const auto found = collected(child)) return *found;
    const int signal = await_signal(held, end);
    if (signal == SIGCHLD) continue;
    if (signal == 0 && (!end || clock::now() < *end)) continue;
    if (signal == 0) {
      if (const auto found = collected(child)) return *found;
    }
    end_group(child);
    outcome stopped;
    stopped.how = signal == 0 ? outcome::kind::timed_out : outcome::kind::interrupted;
    stopped.code = signal;
    return stopped;
  }
}

}  // namespace

std::string outcome::text() const {
  switch (how) {
    case kind::exited:
      return fmt::format("exited with status {}", code);
    case kind::killed:
      return fmt::format("was killed by signal {} ({})", code, strsignal(code));
    case kind::timed_out:
      return "ran past the time limit";
    case kind::interrupted:
      return "was interrupted";
  }
  return {};
}

runner::runner() {
  sigemptyset(&held_);
  sigaddset(&held_, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now;  // what is ignored (nohup, a shell's background job) would be queued while it is held
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&held_, signal);
  }
  signal(SIGCHLD, SIG_DFL);  // an ignored SIGCHLD, inherited, would make waiting fail
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

runner::~runner() {
  // A second interrupt (`timeout -s INT` sends two) or one after the last run would end this process on the spot, with its
  // files left behind.
  sigset_t ends = held_;
  sigdelset(&ends, SIGCHLD);
  const timespec at_once = {};
  while (sigtimedwait(&ends, nullptr, &at_once) > 0) {
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

outcome runner::run(const run_request& request) {
  const auto before = read_times();
  const auto start = clock::now();
  std::optional<clock::time_point> end;
  if (request.timeout_seconds) {
    end = start + std::chrono::duration_cast<clock::duration>(
                      std::chrono::duration<double>(std::min(*request.timeout_seconds, 1e8)));
  }
  const pid_t child = spawn(request, before_);
  auto found = await(child, held_, end);
  found.wall_ns = std::chrono::duration<double, std::nano>(clock::now() - start).count();
  found.account.before = before;
  found.account.after = read_times();
  found.account.wall = found.wall_ns * 1e-9;
  return found;
}

std::string last_lines(const std::filesystem::path& file, std::size_t count) {
  constexpr std::streamoff most = std::streamoff{64} * 1024;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(size - most, 0));
  std::deque<std::string> kept;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    kept.push_back(printable(line));
    if (kept.size() > count) kept.pop_front();
  }
  std::string text;
  for (const auto& line : kept) text += "  | " + line + "\n";
  return text;
}

}  // namespace steelyard::tool
