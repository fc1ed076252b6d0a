// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/knowledge.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <span>
#include <string_view>

#include "learn/knowledge.hpp"
#include "openmp/host/files.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/host/whole_file.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/program/build_id.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"

namespace steelyard::openmp {

/// What earlier processes have written of a module; never freed.
struct known_module {
  pid_t reader = 0;  ///< the process
  char build_id[room_for_build_id] = {};
  char host[HOST_NAME_MAX + 2] = {};
  learn::knowledge what;
};

namespace {

using std::string_view;

/// Once a process: a folder that is wrong is so for all modules.
[[gnu::format(printf, 1, 2)]] void say_once(const char* format, ...) noexcept {
  static sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"K3"})) return;
  char line[900];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  say("%s", line);
}

class open_descriptor {
 public:
  explicit open_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~open_descriptor() {
    if (descriptor_ >= 0) close_file(descriptor_);
  }
  open_descriptor(const open_descriptor&) = delete;
  open_descriptor& operator=(const open_descriptor&) = delete;
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Why what others may have written there is not read; nullptr: they may not.
const char* why_not(int descriptor) noexcept {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) return strerror(errno);
  if (about.st_uid != static_cast<uid_t>(syscall(SYS_geteuid))) return "it belongs to another user";
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write to it";
  return nullptr;
}

/// The folder, where it can be trusted.
int open_folder() noexcept {
  const int folder = open_file(config.knowledge, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char* const why = folder < 0 ? strerror(errno) : why_not(folder);
  if (why == nullptr) return folder;
  if (folder >= 0) close_file(folder);
  say_once("STEELYARD_KNOWLEDGE=%.400s cannot be used (%s); nothing is remembered", config.knowledge, why);
  return -1;
}

struct name {
  char text[room_for_build_id + HOST_NAME_MAX + 32];
};

name name_of(const known_module& of, const char* before = "", long process = 0) noexcept {
  name made;
  std::snprintf(made.text, sizeof made.text, process != 0 ? "%s%s@%s.%ld" : "%s%s@%s", before, of.build_id, of.host,
                process);
  return made;
}

/// The text of a file that is there and can be trusted, in memory that stays; without data: there is none.
string_view read_text(int folder, const char* file_name) noexcept {
  const open_descriptor file(open_file_in(folder, file_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return {};
  const char* why = file.is_open() ? why_not(file.get()) : strerror(errno);
  std::span<char> text;
  if (why == nullptr) text = read_whole(file.get(), learn::largest_knowledge + 1, why);
  if (why != nullptr) say_once("%.300s/%.200s is not read (%s)", config.knowledge, file_name, why);
  return {text.data(), text.size()};
}

/// What a module's file says, unless it is another's or wrong.
learn::knowledge read_knowledge(int folder, const known_module& of) noexcept {
  const name file = name_of(of);
  const auto text = read_text(folder, file.text);
  learn::knowledge found;
  if (text.data() == nullptr) return {};
  auto error = learn::parse(text, found);
  if (error == learn::knowledge_error::none && (found.build_id != of.build_id || found.host != of.host))
    error = learn::knowledge_error::foreign;
  if (error == learn::knowledge_error::none) return found;
  say_once("%.300s/%.200s %s; it is ignored, and written anew", config.knowledge, file.text, learn::explain(error));
  return {};
}

/// What is known of the module that a site is in, read at the first time; nullptr: nothing can be.
known_module* known_of(const site& at) noexcept {
  if (at.in == nullptr || config.knowledge[0] == '\0') return nullptr;
  known_module* known = at.in->knowledge.load(sync::acquire, sync::site{"K1"});
  if (known != nullptr) return known->build_id[0] != '\0' ? known : nullptr;
  auto* const fresh = slab_make<known_module>();
  if (fresh == nullptr) return nullptr;
  const int error = errno;  // the program's
  fresh->reader = getpid();
  if (gethostname(fresh->host, sizeof fresh->host - 1) == 0 && find_build_id(at.address - 1, fresh->build_id)) {
    const open_descriptor folder(open_folder());
    if (folder.is_open()) fresh->what = read_knowledge(folder.get(), *fresh);
  }
  errno = error;
  if (at.in->knowledge.compare_exchange(known, fresh, sync::release, sync::acquire, sync::site{"K2"})) known = fresh;
  return known->build_id[0] != '\0' ? known : nullptr;
}

/// A text that is being put together in memory of that size.
class page {
 public:
  explicit page(std::size_t size) noexcept : at_(static_cast<char*>(slab_take(size))), size_(size) {}
  ~page() {
    if (at_ != nullptr) slab_give(at_, size_);
  }
  page(const page&) = delete;
  page& operator=(const page&) = delete;
  [[nodiscard]] bool is_there() const noexcept { return at_ != nullptr; }
  void put(string_view piece) noexcept {
    if (piece.size() > size_ - used_) return;
    std::memcpy(at_ + used_, piece.data(), piece.size());
    used_ += piece.size();
  }
  void put(const learn::known_loop& loop) noexcept {
    if (size_ - used_ >= learn::longest_known_loop) used_ += learn::print(loop, at_ + used_);
  }
  [[nodiscard]] string_view text() const noexcept { return {at_, used_}; }

 private:
  char* at_;
  std::size_t size_;
  std::size_t used_ = 0;
};

/// What this process has found of a module's loops.
struct findings {
  const module& of;
  page& into;
  std::size_t count = 0;
};

void gather(findings& found) noexcept {
  for (site* at = first_site(); at != nullptr; at = at->next) {
    if (at->in != &found.of) continue;
    each_lesson(*at, [&](const learn::lesson& what, std::uint64_t granule) {
      if (found.count == learn::most_known_loops) return;
      found.into.put({at->offset, at->api->name, granule, what});
      ++found.count;
    });
  }
}

/// One process at a time changes what is in the folder. Who has waited long for the others leaves without. Where the file system has no
/// locks, two that write at once are both right, and what one of them has found may be lost.
open_descriptor lock(int folder) noexcept {
  constexpr int most_waits = 100;
  constexpr timespec a_while{0, 10'000'000};
  const int file = open_file_in(folder, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return open_descriptor(-1);
  for (int waits = 0; syscall(SYS_flock, file, LOCK_EX | LOCK_NB) != 0; ++waits) {
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    if (waits == most_waits) {
      close_file(file);
      errno = EWOULDBLOCK;
      return open_descriptor(-1);
    }
    syscall(SYS_nanosleep, &a_while, nullptr);
  }
  return open_descriptor(file);
}

/// Whoever reads the file sees the old one or the new one.
int replace(int folder, const known_module& known, string_view whole) noexcept {
  const name unfinished = name_of(known, ".", static_cast<long>(getpid()));
  remove_file_in(folder, unfinished.text);
  const open_descriptor file(
      open_file_in(folder, unfinished.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return errno;
  text out(file.get());
  out.put(whole.data(), whole.size()).flush();
  int error = out.error();
  if (error == 0 && rename_file_in(folder, unfinished.text, name_of(known).text) != 0) error = errno;
  if (error != 0) remove_file_in(folder, unfinished.text);
  return error;
}

/// Returns why it could not (errno), or 0.
int keep(int folder, const module& of, const known_module& known, string_view found, std::size_t count) noexcept {
  const auto before = read_knowledge(folder, known);
  page text(std::strlen(of.path) + before.loops.size() + found.size() + 1024);
  if (!text.is_there()) return ENOMEM;
  learn::print_head({known.build_id, known.host, of.path, {}}, [&](string_view piece) { text.put(piece); });
  learn::each_older(before.loops, found, count, [&](string_view line) {
    text.put(line);
    text.put("\n");
  });
  text.put(found);
  char sum[learn::length_of_sum];
  learn::print_sum(text.text(), sum);
  text.put({sum, sizeof sum});
  return replace(folder, known, text.text());
}

/// What this process knows of a module; nullptr: nothing that it might write. A child of fork leaves that to its parent.
const known_module* known_here(const module& of) noexcept {
  const known_module* const known = of.knowledge.load(sync::acquire, sync::site{"K1"});
  return known != nullptr && known->build_id[0] != '\0' && known->reader == getpid() ? known : nullptr;
}

/// False: nothing can be written there.
bool keep(const module& of) noexcept {
  const known_module* const known = known_here(of);
  if (known == nullptr) return true;
  page lines(learn::largest_knowledge - 8192);
  if (!lines.is_there()) return true;
  findings found{of, lines};
  gather(found);
  if (found.count == 0) return true;
  const open_descriptor folder(open_folder());
  if (!folder.is_open()) return false;
  const open_descriptor held(lock(folder.get()));
  const int error = held.is_open() ? keep(folder.get(), of, *known, lines.text(), found.count) : errno;
  if (error != 0) say_once("%.300s cannot be written (%s); what was learnt is lost", config.knowledge, strerror(error));
  return error == 0;
}

bool has_something_to_keep() noexcept {
  for (const module* each = first_module(); each != nullptr; each = each->next) {
    if (known_here(*each) != nullptr) return true;
  }
  return false;
}

}  // namespace

void look_up(const site& at) noexcept { static_cast<void>(known_of(at)); }

void recall(const site& at, std::uint64_t granules, std::uint64_t granule, std::uint32_t members,
            learn::automatic& chooser) noexcept {
  const known_module* const known = known_of(at);
  if (known == nullptr) return;
  learn::known_loop loop{at.offset, at.api->name, granule, {}};
  char text[learn::longest_known_loop];
  const string_view here(text, learn::print_place(loop, text));
  for (auto lines = known->what.loops; !lines.empty();) {
    const auto line = learn::take_line(lines);
    if (!line.starts_with(here) || !learn::parse(line, loop)) continue;
    if (loop.what.is_for(granules, members) && chooser.learn(loop.what)) return;
  }
}

void keep_knowledge() noexcept {
  static sync::real::atomic<bool> kept{};
  if (!config.keeps_knowledge || !has_something_to_keep()) return;
  if (kept.exchange(true, sync::relaxed, sync::site{"K4"})) return;
  for (const module* each = first_module(); each != nullptr && keep(*each);) each = each->next;
}

}  // namespace steelyard::openmp
