// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/dealt.hpp"

#include <algorithm>
#include <new>

#include "openmp/host/slab.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {

bool partition(const std::uint64_t* ends, std::uint32_t members, std::uint64_t iterations) noexcept {
  return std::is_sorted(ends, ends + members) && ends[members - 1] == iterations;
}

void cut_by(const std::uint64_t* parts, std::uint32_t members, std::uint64_t iterations, std::uint64_t* ends) noexcept {
  for (std::uint32_t m = 0; m < members; ++m) ends[m] = place_of(parts[m], iterations);
}

void dealt::deal(const std::uint64_t* blocks) noexcept {
  STEELYARD_ASSERT(blocks == nullptr || partition(blocks, members, iterations),
                   "[I3] a record holds each iteration once");
  ends = blocks;
}

dealt* dealt::make(std::uint32_t members, bool timed, bool room_for_ends) noexcept {
  constexpr std::size_t head = support::whole_lines(sizeof(dealt));
  const std::size_t lines = timed ? members * sizeof(taken) : 0;
  const std::size_t bytes = head + lines + (room_for_ends ? bytes_of_ends(members) : 0);
  void* const memory = slab_take(bytes);
  if (memory == nullptr) return nullptr;
  auto* const record = ::new (memory) dealt;
  auto* const behind = static_cast<std::byte*>(memory) + head;
  record->bytes_ = bytes;
  record->members = members;
  if (timed) {
    record->times = reinterpret_cast<taken*>(behind);
    for (std::uint32_t m = 0; m < members; ++m) ::new (&record->of(m)) taken;
  }
  if (room_for_ends) record->own_ends = reinterpret_cast<std::uint64_t*>(behind + lines);
  return record;
}

void dealt::give_back(dealt* record) noexcept {
  if (record->known != nullptr) slab_give(record->known, sizeof(learn::shares));
  slab_give(record, record->bytes_);
}

void dealt::give_back_all(dealt* all) noexcept {
  while (all != nullptr) {
    dealt* const next = all->next;
    give_back(all);
    all = next;
  }
}

}  // namespace steelyard::openmp
