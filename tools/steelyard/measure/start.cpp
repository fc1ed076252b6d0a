// SPDX-License-Identifier: Apache-2.0
#include "measure/start.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "text/failure.hpp"

namespace steelyard::tool {

void start(const target& program, const command_line& arguments) {
  std::vector<char*> pointers;
  for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  if (program.is_elf) {
    execv(program.file.c_str(), pointers.data());
  } else {
    execvp(program.file.c_str(), pointers.data());  // a script without #! goes to the shell, as from a shell
  }
  throw cannot_start(program.file, errno);
}

failure cannot_start(const std::filesystem::path& file, int error) {
  const auto& name = file.native();
  if (error == ENOENT) {
    return {not_found, fmt::format("{}: the interpreter or loader it asks for does not exist; install it", name)};
  }
  if (error == ENOEXEC) {
    return {not_executable, fmt::format("{}: not a program for this machine; build it for this one", name)};
  }
  return {not_executable, fmt::format("{}: cannot be started: {}", name, std::strerror(error))};
}

}  // namespace steelyard::tool
