// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include "support/files.hpp"

namespace steelyard::support {

/// Why a file that is open is none to read; nullptr: it is one, and has `size` bytes, fewer than `limit`.
inline const char* why_not_whole(int file, std::size_t limit, std::size_t& size) noexcept {
  struct stat about {};
  if (fstat(file, &about) != 0) return strerror(errno);
  if (!S_ISREG(about.st_mode)) return "it is not a regular file";
  size = static_cast<std::size_t>(about.st_size);
  return size >= limit ? "it is too large" : nullptr;
}

/// The text of a regular file that is open and has fewer than `limit` bytes, with a NUL behind it, in memory of take(bytes), nullptr:
/// there is none. Without data: `why`, as it may stand in brackets behind the file's name.
template <class Take>
[[nodiscard]] std::span<char> read_whole(int file, std::size_t limit, Take take, const char*& why) noexcept {
  std::size_t size = 0;
  why = why_not_whole(file, limit, size);
  if (why != nullptr) return {};
  auto* const text = static_cast<char*>(take(size + 1));
  if (text == nullptr) {
    why = "no memory";
    return {};
  }
  std::size_t length = 0;
  while (length < size) {
    const ssize_t got = read_file(file, text + length, size - length);
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  text[length] = '\0';
  return {text, length};
}

}  // namespace steelyard::support
