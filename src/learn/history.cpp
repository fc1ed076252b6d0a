// SPDX-License-Identifier: Apache-2.0
#include "learn/history.hpp"

#include <array>
#include <cstddef>

namespace steelyard::learn {
namespace {

constexpr unsigned bits = 10;
constexpr std::size_t most_probes = 8;
constinit std::array<history, std::size_t{1} << bits> table;

/// Code that lies near has slots near: the histories of a small program are in few pages.
std::size_t slot_of(const void* key) noexcept { return reinterpret_cast<std::uintptr_t>(key) / 64; }

}  // namespace

history* history_of(const void* key) noexcept {
  for (std::size_t i = 0; i < most_probes; ++i) {
    history& at = table[(slot_of(key) + i) % table.size()];
    const void* found = at.key.load(sync::relaxed, sync::site{"A3"});
    if (found == key) return &at;
    if (found == nullptr && at.key.compare_exchange(found, key, sync::relaxed, sync::relaxed, sync::site{"A4"}))
      return &at;
    if (found == key) return &at;
  }
  return nullptr;
}

}  // namespace steelyard::learn
