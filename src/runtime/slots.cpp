// SPDX-License-Identifier: Apache-2.0
#include "runtime/slots.hpp"

#include <sys/mman.h>

namespace steelyard::runtime {
namespace {

constexpr std::size_t least_slots = 64;

}  // namespace

slots::~slots() {
  if (!all_.empty()) munmap(all_.data(), all_.size_bytes());
}

bool slots::reserve(std::size_t most) noexcept {
  if (!all_.empty()) return true;
  for (; most >= least_slots; most /= 2) {
    void* const at = mmap(nullptr, most * sizeof(task_slot), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    madvise(at, most * sizeof(task_slot), MADV_DONTDUMP);
    all_ = {static_cast<task_slot*>(at), most};
    return true;
  }
  return false;
}

void slots::give_back_beyond(task_slot* first, task_slot* last) noexcept {
  constexpr auto page = std::uintptr_t{1} << 16;  // or smaller
  const auto from = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto to = reinterpret_cast<std::uintptr_t>(last) / page * page;
  if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace steelyard::runtime
