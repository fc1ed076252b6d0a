// SPDX-License-Identifier: Apache-2.0
#include "launch/links.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "launch/compiler.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool::launch {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in_path() {
  const char* path = std::getenv("PATH");
  std::vector<fs::path> folders;
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const auto each = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
    if (!each.empty()) folders.emplace_back(each);
  }
  return folders;
}

/// This command, or another Steelyard's.
bool is_this_command(const fs::path& file) {
  std::error_code error;
  return fs::canonical(file, error).filename() == "steelyard";
}

bool can_be_started(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0 && !is_this_command(file);
}

/// The names of the compilers in PATH.
std::set<std::string> compilers_in_path() {
  std::set<std::string> names;
  for (const auto& folder : folders_in_path()) {
    std::error_code error;
    for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
         each.increment(error)) {
      const auto name = each->path().filename().native();
      if (names_a_compiler(name) && can_be_started(each->path())) names.insert(name);
    }
  }
  return names;
}

failure cannot_make(const fs::path& file, const std::string& why) {
  return {bad_usage,
          fmt::format("{}: {}; name a folder for the links that can be written", printable(file.native()), why)};
}

/// Whether it could be made: not where something else has its name.
bool make_link(const fs::path& link, const fs::path& to) {
  std::error_code error;
  const auto status = fs::symlink_status(link, error);
  if (fs::exists(status)) {
    const bool is_ours = fs::is_symlink(status) && fs::read_symlink(link, error).filename() == "steelyard";
    if (!is_ours) return false;
    fs::remove(link, error);
  }
  fs::create_symlink(to, link, error);
  if (error) throw cannot_make(link, error.message());
  return true;
}

}  // namespace

std::string stands_for(const std::string& called_as) {
  const auto name = name_of(called_as);
  if (name == "steelyard-cc" || !names_a_compiler(name)) return "";
  for (const auto& folder : folders_in_path()) {
    if (const auto candidate = folder / name; can_be_started(candidate)) return candidate.native();
  }
  throw failure(not_found,
                fmt::format("{0} is a link to steelyard, and PATH has no other {0}; install it, or remove the link",
                            printable(name)));
}

int make_links(const std::string& folder) {
  const auto names = compilers_in_path();
  if (names.empty()) throw failure(bad_usage, "PATH has no compiler to make a link for; install GCC or Clang");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw cannot_make(folder, error.message());
  const auto place = fs::canonical(folder);
  const auto command = fs::read_symlink("/proc/self/exe");
  std::string made;
  for (const auto& name : names) {
    if (make_link(place / name, command)) {
      made.append(made.empty() ? "" : " ").append(name);
    } else {
      fmt::print(stderr, "steelyard: {}: left as it is, for it is no link of ours\n",
                 printable((place / name).native()));
    }
  }
  fmt::print("{}\nWith the folder first in PATH, builds go through steelyard cc: PATH={}:$PATH make\n", made,
             place.native());
  return success;
}

}  // namespace steelyard::tool::launch
