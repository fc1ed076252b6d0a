// SPDX-License-Identifier: Apache-2.0
#include "launch/memory_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace steelyard::tool::launch {

memory_file::memory_file() : descriptor_(memfd_create("steelyard", 0)) {}

memory_file::~memory_file() {
  if (good()) close(descriptor_);
}

std::string memory_file::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

namespace {

std::size_t size_of(int descriptor) {
  struct stat about;
  return fstat(descriptor, &about) == 0 ? static_cast<std::size_t>(about.st_size) : 0;
}

}  // namespace

bool memory_file::empty() const { return size_of(descriptor_) == 0; }

std::string memory_file::text() const {
  std::string all(size_of(descriptor_), '\0');
  std::size_t read = 0;
  while (read < all.size()) {
    const auto got = pread(descriptor_, all.data() + read, all.size() - read, static_cast<off_t>(read));
    if (got <= 0) break;
    read += static_cast<std::size_t>(got);
  }
  all.resize(read);
  return all;
}

bool memory_file::contains_line_with(std::string_view first, std::string_view then) const {
  const auto size = size_of(descriptor_);
  if (size == 0) return false;
  void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (at == MAP_FAILED) return false;
  const std::string_view all(static_cast<const char*>(at), size);
  bool found = false;
  for (auto begin = all.find(first); begin != std::string_view::npos && !found; begin = all.find(first, begin + 1)) {
    const auto line = all.substr(begin, all.find('\n', begin) - begin);
    found = line.find(then) != std::string_view::npos;
  }
  munmap(at, size);
  return found;
}

}  // namespace steelyard::tool::launch
