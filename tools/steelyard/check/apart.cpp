// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "check/suite.hpp"
#include "text/failure.hpp"

namespace steelyard::tool::check {
namespace {

/// In the new process: what is wrong goes into the pipe.
[[noreturn]] void run_here(const trial& what, const steelyard_schedule& schedule, int into, unsigned seconds) {
  alarm(seconds);
  std::optional<std::string> wrong;
  try {
    wrong = what.run(schedule);
  } catch (const std::exception& error) {
    wrong = fmt::format("it throws {}", error.what());
  }
  if (wrong && write(into, wrong->data(), wrong->size()) < 0) _exit(2);
  _exit(wrong ? 1 : 0);
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 512> part{};
  for (;;) {
    const auto count = read(from, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::optional<std::string> run_apart(const trial& what, const steelyard_schedule& schedule, unsigned seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw failure(internal_error, fmt::format("no pipe: {}", std::strerror(errno)));
  const auto child = fork();
  if (child == 0) run_here(what, schedule, ends[1], seconds);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw failure(internal_error, fmt::format("no process: {}", std::strerror(errno)));
  }
  const auto text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return fmt::format("it has not ended after {} seconds: does it wait?", seconds);
  if (WIFSIGNALED(status)) return fmt::format("it crashes: {}", strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == 0) return std::nullopt;
  return text.empty() ? "it ends the process" : text;
}

}  // namespace steelyard::tool::check
