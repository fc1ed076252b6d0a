// SPDX-License-Identifier: Apache-2.0
#include "dataflow/arena.hpp"

#include <sys/mman.h>

namespace steelyard::dataflow {
namespace {

constexpr std::size_t most = std::size_t{1} << 30;
constexpr std::size_t least = std::size_t{1} << 16;
/// What stays when frames are empty.
constexpr std::size_t kept = std::size_t{1} << 22;

}  // namespace

arena::~arena() {
  if (!all_.empty()) munmap(all_.data(), all_.size());
}

bool arena::reserve() noexcept {
  if (!all_.empty()) return true;
  for (std::size_t size = most; size >= least; size /= 2) {
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    madvise(at, size, MADV_DONTDUMP);
    all_ = {static_cast<std::byte*>(at), size};
    return true;
  }
  return false;
}

void arena::give_back(const std::byte* used) noexcept {
  const auto end = static_cast<std::size_t>(used - all_.data());
  if (end <= kept) return;
  madvise(all_.data() + kept, end - kept, MADV_DONTNEED);
}

}  // namespace steelyard::dataflow
