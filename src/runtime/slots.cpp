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

}  // namespace steelyard::runtime
