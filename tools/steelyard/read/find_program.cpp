// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "read/target.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

bool is_regular(const fs::path& file) {
  struct stat about;
  return stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

bool may_execute(const fs::path& file) { return is_regular(file) && access(file.c_str(), X_OK) == 0; }

[[noreturn]] void cannot_execute(const fs::path& file) {
  if (fs::is_directory(file)) {
    throw failure(not_executable, fmt::format("{}: is a directory; name the program in it", file.native()));
  }
  throw failure(not_executable,
                fmt::format("{}: not executable; chmod +x it, or name its interpreter before it", file.native()));
}

/// What to do about a name that is no program's.
std::string remedy(const std::string& name, const char* otherwise) {
  const auto equals = name.find('=');
  if (equals != std::string::npos && equals < name.find('/')) {
    return fmt::format("to set a variable, write env {} and the program", name);
  }
  if (may_execute(name.substr(0, name.find(' ')))) return "write the program and its arguments without quotes";
  return otherwise;
}

fs::path by_path(const std::string& name) {
  std::error_code error;
  if (may_execute(name)) return name;
  if (fs::exists(name, error)) cannot_execute(name);
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
    throw failure(not_executable, fmt::format("{}: {}; check the permissions on the way to it", name, error.message()));
  }
  throw failure(not_found, fmt::format("{}: not found; {}", name, remedy(name, "check the path")));
}

}  // namespace

fs::path find_program(const std::string& name) {
  if (name.empty()) throw failure(bad_usage, "the program's name is empty; name a program after --");
  if (name.find('/') != std::string::npos) return by_path(name);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  fs::path unusable;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (may_execute(candidate)) return candidate;
    if (unusable.empty() && is_regular(candidate)) unusable = candidate;
  }
  if (!unusable.empty()) cannot_execute(unusable);
  if (fs::is_directory(name)) cannot_execute(name);
  if (is_regular(name)) throw failure(not_found, fmt::format("{}: not found in PATH; did you mean ./{}?", name, name));
  throw failure(not_found, fmt::format("{}: not found in PATH; {}", name, remedy(name, "give its path")));
}

}  // namespace steelyard::tool
