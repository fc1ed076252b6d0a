// SPDX-License-Identifier: Apache-2.0
#include "openmp/host/whole_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "openmp/host/files.hpp"
#include "openmp/host/slab.hpp"

namespace steelyard::openmp {
namespace {

/// Why a file that is there is none to read.
const char* misfit(const struct stat& about, std::size_t limit) noexcept {
  if (!S_ISREG(about.st_mode)) return "it is not a regular file";
  if (static_cast<std::size_t>(about.st_size) >= limit) return "it is too large";
  return nullptr;
}

}  // namespace

std::span<char> read_whole(int file, std::size_t limit, const char*& why) noexcept {
  struct stat about {};
  why = fstat(file, &about) == 0 ? misfit(about, limit) : strerror(errno);
  if (why != nullptr) return {};
  const auto size = static_cast<std::size_t>(about.st_size);
  auto* const text = static_cast<char*>(slab_take(size + 1));
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

}  // namespace steelyard::openmp
