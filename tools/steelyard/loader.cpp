// SPDX-License-Identifier: Apache-2.0
#include "loader.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

namespace steelyard::tool {
namespace {

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const auto got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// What a command writes to its standard output; empty when it fails.
std::string output_of(std::array<const char*, 4> arguments) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, arguments[0], &actions, nullptr, const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  auto text = failed == 0 ? read_all(ends[0]) : std::string();
  close(ends[0]);
  int status = 0;
  if (failed == 0 && (waitpid(child, &status, 0) != child || status != 0)) text.clear();
  return text;
}

}  // namespace

std::map<std::string, std::filesystem::path> parse_loader_list(const std::string& output) {
  std::map<std::string, std::filesystem::path> found;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    const auto arrow = line.find(" => /");
    const auto address = line.rfind(" (0x");
    if (arrow == std::string::npos || address == std::string::npos || address < arrow + 4) continue;
    const auto name = line.substr(0, arrow);
    const auto first = name.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    found.emplace(name.substr(first), line.substr(arrow + 4, address - arrow - 4));
  }
  return found;
}

std::map<std::string, std::filesystem::path> resolved_libraries(const std::filesystem::path& interpreter,
                                                                const std::filesystem::path& executable) {
  return parse_loader_list(output_of({interpreter.c_str(), "--list", executable.c_str(), nullptr}));
}

}  // namespace steelyard::tool
