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

memory_file::mapping::mapping(const memory_file& of) {
  const auto size = size_of(of.descriptor_);
  if (size == 0) return;
  void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, of.descriptor_, 0);
  if (at != MAP_FAILED) text = {static_cast<const char*>(at), size};
}

memory_file::mapping::~mapping() {
  if (!text.empty()) munmap(const_cast<char*>(text.data()), text.size());
}

}  // namespace steelyard::tool::launch
