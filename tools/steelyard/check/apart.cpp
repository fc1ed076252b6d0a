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
#include "support/quiet_write.hpp"
#include "text/failure.hpp"

namespace steelyard::tool::check {
namespace {

/// What the new process says first: without a word from it, whatever status it ends with, it has not come to its end.
constexpr char right = '+';
constexpr char wrong = '-';

[[noreturn]] void run_here(const std::function<answer()>& what, int into, unsigned seconds) {
  alarm(seconds);
  answer found;
  try {
    found = what();
  } catch (const std::exception& error) {
    found = {false, fmt::format("it throws {}", error.what())};
  }
  const auto all = (found.right ? right : wrong) + found.text;
  _exit(support::write_all(into, all.data(), all.size()));
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

answer run_apart(const std::function<answer()>& what, unsigned seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw failure(internal_error, fmt::format("no pipe: {}", std::strerror(errno)));
  const auto child = fork();
  if (child == 0) run_here(what, ends[1], seconds);
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
    return {false, fmt::format("it has not ended after {} seconds: does it wait?", seconds)};
  if (WIFSIGNALED(status)) return {false, fmt::format("it crashes: {}", strsignal(WTERMSIG(status)))};
  if (text.empty()) return {false, "it ends the process"};
  return {text.front() == right, text.substr(1)};
}

std::optional<std::string> run_apart(const trial& what, const steelyard_schedule& schedule, unsigned seconds) {
  const auto found = run_apart(
      [&] {
        const auto fault = what.run(schedule);
        return answer{!fault, fault.value_or("")};
      },
      seconds);
  return found.right ? std::nullopt : std::optional(found.text);
}

}  // namespace steelyard::tool::check
