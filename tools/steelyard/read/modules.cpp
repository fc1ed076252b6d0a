// SPDX-License-Identifier: Apache-2.0
#include "read/modules.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "read/elf.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t got = 0; (got = read(descriptor, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// What a command writes to its standard output; its errors are nobody's concern.
std::string output_of(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const auto text = started ? read_all(ends[0]) : std::string();
  close(ends[0]);
  if (started) waitpid(child, nullptr, 0);
  return text;
}

/// Of a line `libx.so => /lib/libx.so (0x…)` or `/lib/libx.so (0x…)`; empty: it names none.
fs::path library_in(const std::string& line) {
  const auto arrow = line.find("=> ");
  const auto begin = arrow == std::string::npos ? line.find_first_not_of(" \t") : arrow + 3;
  const auto end = line.rfind(" (");
  if (begin == std::string::npos || end == std::string::npos || end <= begin || line[begin] != '/') return {};
  return line.substr(begin, end - begin);
}

}  // namespace

std::vector<fs::path> modules_of(const target& program) {
  std::vector<fs::path> modules = {program.inspected};
  const auto facts = read_elf(program.inspected);
  if (!facts || !facts->same_machine || facts->interpreter.empty() || !program.unreachable.empty()) return modules;
  std::istringstream lines(output_of({facts->interpreter, "--list", fs::absolute(program.inspected).native()}));
  for (std::string line; std::getline(lines, line);) {
    if (auto library = library_in(line); !library.empty()) modules.push_back(std::move(library));
  }
  return modules;
}

bool uses_our_library(const std::vector<fs::path>& modules) {
  return std::any_of(modules.begin(), modules.end(),
                     [](const auto& one) { return one.filename().native().starts_with("libsteelyard.so"); });
}

}  // namespace steelyard::tool
