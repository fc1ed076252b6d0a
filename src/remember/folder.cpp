// SPDX-License-Identifier: Apache-2.0
#include "remember/folder.hpp"

#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "support/files.hpp"
#include "support/on_off.hpp"
#include "support/quiet_write.hpp"
#include "support/say.hpp"
#include "support/variables.hpp"
#include "sync/real.hpp"

namespace steelyard::remember {
namespace {

using support::value_of;

/// Of a parallel job, as its launchers have it.
bool is_another_rank(const char* const* environment) noexcept {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const char* const rank = value_of(environment, name);
    if (rank != nullptr && std::strcmp(rank, "0") != 0) return true;
  }
  return false;
}

}  // namespace

const char* read(const char* const* environment, folder& into) noexcept {
  const char* const value = value_of(environment, "STEELYARD_KNOWLEDGE");
  if (value == nullptr || *value == '\0' || support::on_or_off(value) == false || getauxval(AT_SECURE) != 0)
    return nullptr;
  const std::size_t length = std::strlen(value);
  if (*value != '/' || length >= sizeof into.path) return value;
  std::memcpy(into.path, value, length + 1);  // programs that set their title write over their environment
  into.writes = !is_another_rank(environment);
  return nullptr;
}

const char* why_no_folder(const char* value) noexcept {
  return *value == '/' ? "is too long for the path of a folder" : "is neither off nor the whole path of a folder";
}

void say_once(const char* format, ...) noexcept {
  static constinit sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"K3"})) return;
  char line[900];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  support::say("%s", line);
}

open_descriptor::~open_descriptor() {
  if (descriptor_ >= 0) support::close_file(descriptor_);
}

open_descriptor open(const folder& which) noexcept {
  const int opened = support::open_file(which.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char* const why = opened < 0 ? strerror(errno) : why_not_trusted(opened);
  if (why == nullptr) return open_descriptor(opened);
  if (opened >= 0) support::close_file(opened);
  say_once("STEELYARD_KNOWLEDGE=%.400s cannot be used (%s); nothing is remembered", which.path, why);
  return open_descriptor(-1);
}

const char* why_not_trusted(int descriptor) noexcept {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) return strerror(errno);
  if (about.st_uid != static_cast<uid_t>(syscall(SYS_geteuid))) return "it belongs to another user";
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write to it";
  return nullptr;
}

open_descriptor lock(const open_descriptor& opened) noexcept {
  constexpr int most_waits = 100;
  constexpr timespec a_while{0, 10'000'000};
  const int file = support::open_file_in(opened.get(), ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return open_descriptor(-1);
  for (int waits = 0; syscall(SYS_flock, file, LOCK_EX | LOCK_NB) != 0; ++waits) {
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    if (waits == most_waits) {
      support::close_file(file);
      errno = EWOULDBLOCK;
      return open_descriptor(-1);
    }
    syscall(SYS_nanosleep, &a_while, nullptr);
  }
  return open_descriptor(file);
}

int replace(const open_descriptor& opened, const char* name, const char* unfinished, const char* text,
            std::size_t length) noexcept {
  support::remove_file_in(opened.get(), unfinished);
  const open_descriptor file(
      support::open_file_in(opened.get(), unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return errno;
  int error = support::write_all(file.get(), text, length);
  if (error == 0 && support::rename_file_in(opened.get(), unfinished, name) != 0) error = errno;
  if (error != 0) support::remove_file_in(opened.get(), unfinished);
  return error;
}

}  // namespace steelyard::remember
