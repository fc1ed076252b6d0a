// SPDX-License-Identifier: Apache-2.0
#include "launch/child.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "text/failure.hpp"

extern "C" char** environ;

namespace steelyard::tool::launch {
namespace {

volatile sig_atomic_t running = 0;   // the child's process id
volatile sig_atomic_t ended_by = 0;  // the signal that asked us to end

void hand_on(int signal) {
  ended_by = signal;
  if (running > 0) kill(running, signal);
}

constexpr std::array<int, 4> ending = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// While it lives, signals that end a process are handed on. What is ignored stays so.
class handing_on {
 public:
  handing_on() {
    struct sigaction ours {};
    ours.sa_handler = hand_on;
    for (std::size_t i = 0; i < ending.size(); ++i) {
      sigaction(ending[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(ending[i], &ours, nullptr);
    }
  }
  ~handing_on() {
    for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], &before_[i], nullptr);
  }
  handing_on(const handing_on&) = delete;
  handing_on& operator=(const handing_on&) = delete;

 private:
  std::array<struct sigaction, ending.size()> before_{};
};

std::vector<char*> pointers(const std::vector<std::string>& command) {
  std::vector<char*> all;
  for (const auto& word : command) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// Starts it with signals still held back, so that none is lost between the start and `running`.
int start(const std::vector<std::string>& command, const streams& to, const sigset_t& before) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (to.input >= 0) posix_spawn_file_actions_adddup2(&actions, to.input, STDIN_FILENO);
  if (to.output >= 0) posix_spawn_file_actions_adddup2(&actions, to.output, STDOUT_FILENO);
  if (to.errors >= 0) posix_spawn_file_actions_adddup2(&actions, to.errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &before);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, command.front().c_str(), &actions, &attributes, pointers(command).data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  running = error == 0 ? child : 0;
  return error;
}

void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

int run_child(const std::vector<std::string>& command, const streams& to) {
  int status = 0;
  {
    const handing_on signals;
    sigset_t held;
    sigset_t before;
    sigemptyset(&held);
    for (const int signal : ending) sigaddset(&held, signal);
    sigprocmask(SIG_BLOCK, &held, &before);
    const int error = start(command, to, before);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) return 127;
    while (waitpid(running, &status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
  }
  if (ended_by != 0) end_by(ended_by);
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

void become(const std::vector<std::string>& command) {
  execvp(command.front().c_str(), pointers(command).data());
  const int error = errno;
  throw failure(error == ENOENT ? not_found : not_executable,
                fmt::format("{}: {}; name a compiler after steelyard cc", command.front(), std::strerror(error)));
}

}  // namespace steelyard::tool::launch
