// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>

/// Files by system calls. A program may have functions of its own that are called `read`, `write` or `open`; as the loader
/// has it, ours would call those in place of libc's. Each fails as libc's does: -1 and errno.
namespace steelyard::support {

/// In that folder.
inline int open_file_in(int folder, const char* path, int flags, mode_t mode = 0) noexcept {
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

inline int rename_file_in(int folder, const char* from, const char* to) noexcept {
  return static_cast<int>(syscall(SYS_renameat, folder, from, folder, to));
}

inline void remove_file_in(int folder, const char* path) noexcept { syscall(SYS_unlinkat, folder, path, 0); }

inline int open_file(const char* path, int flags, mode_t mode = 0) noexcept {
  return open_file_in(AT_FDCWD, path, flags, mode);
}

inline int rename_file(const char* from, const char* to) noexcept { return rename_file_in(AT_FDCWD, from, to); }

inline void remove_file(const char* path) noexcept { remove_file_in(AT_FDCWD, path); }

inline ssize_t read_file(int file, char* bytes, std::size_t count) noexcept {
  return syscall(SYS_read, file, bytes, count);
}

inline ssize_t write_file(int file, const char* bytes, std::size_t count) noexcept {
  return syscall(SYS_write, file, bytes, count);
}

inline void close_file(int file) noexcept { syscall(SYS_close, file); }

}  // namespace steelyard::support
