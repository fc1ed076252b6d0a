// SPDX-License-Identifier: Apache-2.0
#include "read/knowledge.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "learn/knowledge.hpp"
#include "read/descriptor.hpp"
#include "support/on_off.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

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

/// Where there is none yet. Whether that was possible shows when it is used.
void make(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), 0700);
}

/// Why what others may have written is not used; empty: they may not.
std::string why_not(int descriptor, struct stat& about) {
  if (fstat(descriptor, &about) != 0) return std::strerror(errno);
  if (about.st_uid != geteuid()) return "belongs to another user";
  return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "may be written by others" : "";
}

/// Throws `failure` where a folder that is there cannot be trusted.
void check_folder(const fs::path& folder) {
  const descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0 && errno == ENOENT) return;
  struct stat about {};
  const auto why =
      opened.number() < 0 ? std::string("cannot be read: ") + std::strerror(errno) : why_not(opened.number(), about);
  if (why.empty()) return;
  throw failure(bad_usage, fmt::format("{}: {}; name a folder that is yours alone in STEELYARD_KNOWLEDGE",
                                       printable(folder.native(), 400), why));
}

/// A file of the folder, as the drop-in reads it.
struct file_text {
  std::string text = {};
  std::string wrong = {};  ///< why it is not read, or is none; empty: all is well
  time_t written = 0;
};

file_text text_of(const fs::path& file) {
  const descriptor opened(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (opened.number() < 0) return {{}, errno == ELOOP ? "is a link" : std::strerror(errno)};
  struct stat about {};
  file_text found{{}, why_not(opened.number(), about), about.st_mtime};
  if (found.wrong.empty() && !S_ISREG(about.st_mode)) found.wrong = "is not a regular file";
  const auto size = static_cast<std::size_t>(about.st_size);
  if (found.wrong.empty() && size > learn::largest_knowledge) found.wrong = "is too large";
  if (!found.wrong.empty()) return found;
  found.text.resize(size);
  std::size_t length = 0;
  for (ssize_t got = 1; got > 0 && length < size; length += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
    got = read(opened.number(), found.text.data() + length, size - length);
  found.text.resize(length);
  learn::knowledge known;
  const auto error = learn::parse(found.text, known);
  if (error != learn::knowledge_error::none) found.wrong = learn::explain(error);
  return found;
}

bool is_unfinished(const fs::path& file) { return file.filename().native().starts_with('.'); }

/// Of what processes have written, and of what they were about to.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().native().find('@') != std::string::npos) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

time_t written(const fs::path& file) {
  struct stat about {};
  return lstat(file.c_str(), &about) == 0 ? about.st_mtime : 0;
}

/// A folder that is used for years holds what was learnt of many builds that are gone.
void tidy_up(const fs::path& folder) {
  constexpr std::size_t most_modules = 256;
  constexpr time_t day = 24 * 60 * 60;
  auto files = files_in(folder);
  for (const auto& file : files) {
    if (is_unfinished(file) && written(file) + day < std::time(nullptr)) unlink(file.c_str());
  }
  std::erase_if(files, is_unfinished);
  if (files.size() <= most_modules) return;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return written(a) < written(b); });
  for (std::size_t i = 0; i < files.size() - most_modules; ++i) unlink(files[i].c_str());
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 2> host{};
  gethostname(host.data(), host.size() - 1);
  return host.data();
}

[[noreturn]] void cannot_write(const fs::path& file) {
  throw failure(bad_usage,
                fmt::format("{}: cannot be written ({}); name a folder that is yours in STEELYARD_KNOWLEDGE",
                            printable(file.native(), 400), std::error_code(errno, std::generic_category()).message()));
}

/// As long as this lives no other process changes what is in the folder.
class folder_lock {
 public:
  explicit folder_lock(const fs::path& folder)
      : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
    if (file_.number() < 0) cannot_write(folder);
    for (int waits = 0; flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++waits) {
      if (waits == 100) cannot_write(folder);
      usleep(10'000);
    }
  }

 private:
  descriptor file_;
};

void replace(const fs::path& file, string_view text) {
  const auto unfinished = file.parent_path() / fmt::format(".{}.{}", file.filename().native(), getpid());
  unlink(unfinished.c_str());
  const descriptor to(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  bool done = to.number() >= 0;
  while (done && !text.empty()) {
    const auto count = write(to.number(), text.data(), text.size());
    done = count > 0;
    if (done) text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (done && rename(unfinished.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  unlink(unfinished.c_str());
  errno = error;
  cannot_write(file);
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
  make(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  tidy_up(folder);
  return folder;
} catch (const std::exception&) {
  return {};  // there is no memory
}

std::vector<std::string> read_knowledge(const fs::path& folder, std::vector<std::string>& remarks) {
  check_folder(folder);
  std::map<std::string, file_text> latest;  // by host and module: of a program that was built anew the last build
  for (const auto& file : files_in(folder)) {
    if (is_unfinished(file)) continue;
    auto found = text_of(file);
    if (!found.wrong.empty()) {
      remarks.push_back(fmt::format("{} {}", file.native(), found.wrong));
      continue;
    }
    learn::knowledge known;
    static_cast<void>(learn::parse(found.text, known));
    auto& place = latest[fmt::format("{}\n{}", known.module, known.host)];
    if (place.text.empty() || place.written <= found.written) place = std::move(found);
  }
  std::vector<std::string> texts;
  for (auto& [module, found] : latest) texts.push_back(std::move(found.text));
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
      throw failure(bad_usage, fmt::format("{} {}; nothing is imported", printable(name, 400), learn::explain(error)));
    texts.push_back(all.substr(0, end));
    all.remove_prefix(end);
  }
  return texts;
}

void add_knowledge(const fs::path& folder, string_view text) {
  learn::knowledge added;
  if (learn::parse(text, added) != learn::knowledge_error::none) return;
  make(folder);
  check_folder(folder);
  const folder_lock held(folder);
  const auto host = host_name();
  const auto file = folder / fmt::format("{}@{}", added.build_id, host);
  learn::knowledge before;
  const auto old = text_of(file);
  if (learn::parse(old.text, before) != learn::knowledge_error::none) before = {};
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
  check_folder(folder);
  std::size_t count = 0;
  for (const auto& file : files_in(folder)) {
    if (unlink(file.c_str()) != 0) cannot_write(file);
    count += is_unfinished(file) ? 0 : 1;
  }
  return count;
}

}  // namespace steelyard::tool
