// SPDX-License-Identifier: Apache-2.0
#include "read/knowledge.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "learn/knowledge.hpp"
#include "support/on_off.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;
using std::string_view;

std::string value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// As the XDG base directory specification has it: what is no whole path is ignored.
fs::path usual_folder() {
  const fs::path cache = value_of("XDG_CACHE_HOME");
  if (cache.is_absolute()) return cache / "steelyard";
  const fs::path home = value_of("HOME");
  return home.is_absolute() ? home / ".cache/steelyard" : fs::path();
}

bool is_knowledge(const fs::directory_entry& entry) {
  const auto name = entry.path().filename().native();
  return name.find('@') != std::string::npos && name.front() != '.' && entry.is_regular_file() && !entry.is_symlink();
}

std::string text_of(const fs::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

template <class F>
void each_file(const fs::path& folder, F f) {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_knowledge(entry)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) f(file);
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  gethostname(host.data(), HOST_NAME_MAX);
  return host.data();
}

[[noreturn]] void cannot_write(const fs::path& file) {
  throw failure(bad_usage, fmt::format("{}: cannot be written ({}); name a folder that is yours in STEELYARD_KNOWLEDGE",
                                       file.native(), std::error_code(errno, std::generic_category()).message()));
}

/// As long as this lives no other process changes what is in the folder.
class folder_lock {
 public:
  explicit folder_lock(const fs::path& folder)
      : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) cannot_write(folder);
  }
  ~folder_lock() { close(file_); }
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

 private:
  int file_;
};

void replace(const fs::path& file, const std::string& text) {
  const auto unfinished = file.parent_path() / fmt::format(".{}.{}", file.filename().native(), getpid());
  std::ofstream to(unfinished, std::ios::binary | std::ios::trunc);
  to << text;
  to.close();
  if (!to || chmod(unfinished.c_str(), 0600) != 0 || rename(unfinished.c_str(), file.c_str()) != 0) {
    const int error = errno;
    unlink(unfinished.c_str());
    errno = error;
    cannot_write(file);
  }
}

}  // namespace

fs::path knowledge_folder() {
  const auto given = value_of("STEELYARD_KNOWLEDGE");
  if (given.empty()) {
    const auto usual = usual_folder();
    if (!usual.empty()) return usual;
    throw failure(bad_usage,
                  "neither HOME nor XDG_CACHE_HOME is set; set STEELYARD_KNOWLEDGE to a folder's whole path");
  }
  if (support::on_or_off(given) == false)
    throw failure(bad_usage, fmt::format("STEELYARD_KNOWLEDGE={}: nothing is remembered; unset it", given));
  if (given.front() != '/') {
    throw failure(bad_usage,
                  fmt::format("STEELYARD_KNOWLEDGE={}: is neither off nor the whole path of a folder", given));
  }
  return given;
}

fs::path usual_knowledge() noexcept try {
  const auto folder = usual_folder();
  if (folder.empty()) return {};
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), 0700);
  return fs::is_directory(folder, ignored) ? folder : fs::path();
} catch (const std::exception&) {
  return {};  // there is no memory
}

std::vector<std::string> read_knowledge(const fs::path& folder, std::vector<std::string>& remarks) {
  std::vector<std::string> texts;
  each_file(folder, [&](const fs::path& file) {
    learn::knowledge found;
    auto text = text_of(file);
    const auto error = learn::parse(text, found);
    if (error == learn::knowledge_error::none) {
      texts.push_back(std::move(text));
    } else {
      remarks.push_back(fmt::format("{} {}", file.native(), learn::explain(error)));
    }
  });
  return texts;
}

std::vector<string_view> divided_knowledge(string_view all, const std::string& name) {
  std::vector<string_view> texts;
  while (!all.empty()) {
    const auto sum = all.find("\nsum ");
    const auto end = sum == string_view::npos ? all.size() : std::min(all.size(), sum + 1 + learn::length_of_sum);
    learn::knowledge found;
    const auto error = learn::parse(all.substr(0, end), found);
    if (error != learn::knowledge_error::none)
      throw failure(bad_usage, fmt::format("{} {}; nothing is imported", name, learn::explain(error)));
    texts.push_back(all.substr(0, end));
    all.remove_prefix(end);
  }
  return texts;
}

void add_knowledge(const fs::path& folder, string_view text) {
  learn::knowledge added;
  if (learn::parse(text, added) != learn::knowledge_error::none) return;
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), 0700);
  const folder_lock held(folder);
  const auto host = host_name();
  const auto file = folder / fmt::format("{}@{}", added.build_id, host);
  learn::knowledge before;
  const auto old = text_of(file);
  if (learn::parse(old, before) != learn::knowledge_error::none) before = {};
  added.host = host;
  std::string merged;
  learn::print_head(added, [&](string_view piece) { merged += piece; });
  const auto known = static_cast<std::size_t>(std::count(before.loops.begin(), before.loops.end(), '\n'));
  learn::each_older(added.loops, before.loops, known, [&](string_view line) { merged += fmt::format("{}\n", line); });
  merged += before.loops;
  std::array<char, learn::length_of_sum> sum{};
  learn::print_sum(merged, sum.data());
  merged.append(sum.data(), sum.size());
  replace(file, merged);
}

std::size_t clear_knowledge(const fs::path& folder) {
  std::size_t count = 0;
  each_file(folder, [&](const fs::path& file) {
    if (unlink(file.c_str()) != 0) cannot_write(file);
    ++count;
  });
  return count;
}

}  // namespace steelyard::tool
