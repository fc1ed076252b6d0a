// SPDX-License-Identifier: Apache-2.0
#include "runtime/slots.hpp"

#include <sys/mman.h>

#include "support/address_space.hpp"

namespace steelyard::runtime {
namespace {

constexpr std::size_t least_slots = 64;

}  // namespace

slots::~slots() {
  if (!all_.empty()) munmap(all_.data(), all_.size_bytes());
}

bool slots::reserve(std::size_t most) noexcept {
  if (!all_.empty()) return true;
  const auto given = support::reserve_address_space(most * sizeof(task_slot), least_slots * sizeof(task_slot));
  all_ = {reinterpret_cast<task_slot*>(given.data()), given.size() / sizeof(task_slot)};
  return !all_.empty();
}

void slots::give_back_beyond(task_slot* first, task_slot* last) noexcept {
  constexpr auto page = std::uintptr_t{1} << 16;  // or smaller
  const auto from = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto to = reinterpret_cast<std::uintptr_t>(last) / page * page;
  if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace steelyard::runtime
