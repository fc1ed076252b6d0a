// SPDX-License-Identifier: Apache-2.0
#include "dataflow/arena.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "support/address_space.hpp"
#include "support/assert.hpp"

namespace steelyard::dataflow {
namespace {

/// Some four million tasks. Where no thread is idle they run when it is used up.
constexpr std::size_t most = std::size_t{1} << 28;
constexpr std::size_t least = std::size_t{1} << 16;
/// What stays when frames are empty.
constexpr std::ptrdiff_t kept = std::ptrdiff_t{1} << 22;

}  // namespace

arena::~arena() {
  if (!all_.empty()) munmap(all_.data(), all_.size());
}

bool arena::reserve() noexcept {
  if (!all_.empty()) return true;
  all_ = support::reserve_address_space(most, least);
  return !all_.empty();
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
