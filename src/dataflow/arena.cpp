// SPDX-License-Identifier: Apache-2.0
#include "dataflow/arena.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "support/assert.hpp"

namespace steelyard::dataflow {
namespace {

constexpr std::size_t most = std::size_t{1} << 30;
constexpr std::size_t least = std::size_t{1} << 16;
/// What stays when frames are empty.
constexpr std::ptrdiff_t kept = std::ptrdiff_t{1} << 22;

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

void arena::give_back(std::byte* first, std::byte* last) noexcept {
  STEELYARD_ASSERT(first >= all_.data() && last <= all_.data() + all_.size(),
                   "arena.hpp: what is given back lies in it");
  if (last - first <= kept) return;
  constexpr auto page = std::uintptr_t{1} << 16;  // or smaller
  const auto from = (reinterpret_cast<std::uintptr_t>(first) + kept) / page * page;
  const auto to = reinterpret_cast<std::uintptr_t>(last) / page * page;  // what lies behind it is
  if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace steelyard::dataflow
