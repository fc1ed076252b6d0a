// SPDX-License-Identifier: Apache-2.0
#include "read/target.hpp"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "read/elf.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

/// The words of a script's `#!` line; empty when it has none.
std::vector<std::string> shebang(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line(2, '\0');
  if (!in.read(line.data(), 2) || line != "#!") return {};
  std::getline(in, line);
  std::istringstream words(line.substr(0, 4096));
  std::vector<std::string> found;
  for (std::string word; words >> word;) found.push_back(word);
  return found;
}

/// `env [-S] [options] [NAME=value] program`: the program that env starts.
std::optional<fs::path> started_by_env(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with('-') || words[i].find('=') != std::string::npos) continue;
    try {
      return find_program(words[i]);
    } catch (const failure&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The executable that runs the file in the end: itself, its interpreter, or the shell (a script without `#!`).
fs::path final_executable(fs::path file) {
  for (int depth = 0; depth < 5; ++depth) {
    const auto words = shebang(file);
    if (words.empty()) return read_elf(file) ? file : fs::path("/bin/sh");
    const bool env = fs::path(words[0]).filename() == "env";
    const auto next = env ? started_by_env(words) : std::optional<fs::path>(words[0]);
    if (!next) return words[0];
    file = *next;
  }
  return file;
}

/// Does starting the file change privileges, so that the loader ignores LD_PRELOAD?
std::string privileged(const fs::path& file, caller who) {
  struct stat about;
  struct statvfs system;
  if (stat(file.c_str(), &about) != 0) return {};
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return {};
  if (statvfs(file.c_str(), &system) == 0 && (system.f_flag & ST_NOSUID) != 0) return {};
  if ((about.st_mode & S_ISUID) != 0 && about.st_uid != who.user) return "is set-uid";
  const auto set_gid = static_cast<mode_t>(S_ISGID | S_IXGRP);
  if ((about.st_mode & set_gid) == set_gid && about.st_gid != who.group) return "is set-gid";
  if (who.user != 0 && getxattr(file.c_str(), "security.capability", nullptr, 0) > 0) return "has file capabilities";
  return {};
}

/// Why a preloaded library has no effect in this executable; empty: it has.
std::string obstacle(const elf_facts& facts, const std::string& privileges) {
  if (!facts.same_machine) {
    return fmt::format("is built for {}{}, and the drop-in library is not; build it for this machine", facts.machine,
                       facts.is_64_bit || facts.machine.starts_with("32") ? "" : " (32-bit)");
  }
  if (facts.interpreter.empty()) {
    return "is statically linked, so no library can be preloaded; link it without -static";
  }
  if (!privileges.empty()) {
    return privileges + ", so the loader ignores preloaded libraries; run a copy without that privilege";
  }
  if (facts.contains_openmp) {
    return "has its OpenMP runtime linked in statically, so its loops cannot be taken; link libgomp.so or libomp.so";
  }
  return {};
}

}  // namespace

caller caller::current() { return {getuid(), getgid()}; }

target inspect(const fs::path& file, caller who) {
  target found;
  found.file = file;
  found.inspected = final_executable(file);
  found.is_elf = found.inspected == file;
  const auto facts = read_elf(found.inspected);
  if (!facts) return found;
  found.unreachable = obstacle(*facts, privileged(found.inspected, who));
  if (!found.unreachable.empty()) return found;
  if (facts->imports_openmp) return found;
  found.runtime_perhaps_inside = facts->mentions_openmp;
  const auto name = found.inspected.native();
  found.remark =
      found.runtime_perhaps_inside
          ? name + " calls no OpenMP runtime and names variables of one: it may have one linked in statically"
          : name + " calls no OpenMP runtime itself; libraries it loads may";
  return found;
}

}  // namespace steelyard::tool
