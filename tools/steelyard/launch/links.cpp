// SPDX-License-Identifier: Apache-2.0
#include "launch/links.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "launch/compiler.hpp"
#include "support/words.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool::launch {
namespace {

namespace fs = std::filesystem;

/// What colons part.
std::vector<fs::path> paths_in(std::string_view rest) {
  std::vector<fs::path> all;
  while (!rest.empty()) {
    if (const auto each = support::take_first(rest, ':'); !each.empty()) all.emplace_back(each);
  }
  return all;
}

std::vector<fs::path> folders_in_path() {
  const char* path = std::getenv("PATH");
  return paths_in(path == nullptr ? "/bin:/usr/bin" : path);  // as execvp does
}

/// This command, a copy of it under another name that is running, or another Steelyard's.
bool is_this_command(const fs::path& file) {
  std::error_code error;
  return fs::canonical(file, error).filename() == "steelyard" || fs::equivalent(file, "/proc/self/exe", error);
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

constexpr const char* started = "STEELYARD_CC_STARTED";

std::string first_in_path(const std::string& name) {
  for (const auto& folder : folders_in_path()) {
    if (const auto candidate = folder / name; access(candidate.c_str(), X_OK) == 0) return candidate.native();
  }
  return "";
}

/// The next command of that name that was not started before, and notes that it is; the last one where all were, which is no wrapper.
/// Empty: there is none.
std::string start_next(const std::string& name) {
  const char* noted = std::getenv(started);
  const std::string before = noted == nullptr ? "" : noted;
  const auto all_before = paths_in(before);
  std::string last;
  for (const auto& folder : folders_in_path()) {
    const auto candidate = folder / name;
    if (!can_be_started(candidate)) continue;
    last = candidate.native();
    if (std::find(all_before.begin(), all_before.end(), candidate) != all_before.end()) continue;
    setenv(started, (before.empty() ? last : before + ":" + last).c_str(), 1);
    break;
  }
  return last;
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
  const auto next = start_next(name);
  if (!next.empty()) return next;
  throw failure(not_found,
                fmt::format("{0} is a link to steelyard, and PATH has no other {0}; install it, or remove the link",
                            printable(name)));
}

std::string away_from_here(const std::string& compiler) {
  if (compiler.empty() || compiler.find('/') != std::string::npos) return compiler;
  const auto first = first_in_path(compiler);
  const auto next = start_next(compiler);
  return next.empty() || next == first ? compiler : next;
}

int make_links(const std::string& folder) {
  if (folder.empty() || folder.find(':') != std::string::npos)
    throw failure(bad_usage, fmt::format("--links '{}': PATH cannot have such a folder; name one without a colon",
                                         printable(folder)));
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
  fmt::print("{}\nWith the folder first in PATH, builds go through steelyard cc: PATH=\"{}:$PATH\" make\n", made,
             place.native());
  return success;
}

}  // namespace steelyard::tool::launch
