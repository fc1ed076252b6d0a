// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::sync {

/// Memory that is handed out from the front to the back and never comes back, lock-free. It comes from chunks of so many bytes, one after the other.
/// Invariants [F4]-[F5]: arena.md.
template <class Sync>
class arena {
 public:
  /// `chunk_bytes`: a multiple of support::line_size.
  explicit constexpr arena(std::size_t chunk_bytes) noexcept : chunk_bytes_(chunk_bytes) {}

  /// The most that `take` can be asked for.
  [[nodiscard]] constexpr std::size_t most() const noexcept { return chunk_bytes_ - support::line_size; }

  /// So many bytes, a multiple of support::line_size, aligned to it. Where the chunk has no room for them, `map` is asked for another one, as aligned; nullptr:
  /// it gave none. O(1).
  template <class Map>
  [[nodiscard]] void* take(std::size_t bytes, Map map) noexcept {
    STEELYARD_ASSERT(bytes % support::line_size == 0 && bytes <= most(),
                     "arena.hpp: whole lines, and no more than a chunk has");
    if (chunk* const known = current_.load(acquire, site{"F5a"}); known != nullptr) {
      const std::size_t begin = known->used.fetch_add(bytes, relaxed, site{"F4a"});
      if (begin <= chunk_bytes_ - bytes) return reinterpret_cast<std::byte*>(known) + begin;
    }
    void* const memory = map(chunk_bytes_);
    if (memory == nullptr) return nullptr;
    auto* const fresh = ::new (memory) chunk{support::line_size + bytes};
    current_.store(fresh, release, site{"F5b"});
    return static_cast<std::byte*>(memory) + support::line_size;
  }

 private:
  /// At the front of each.
  struct chunk {
    explicit chunk(std::size_t bytes) noexcept : used(bytes) {}
    typename Sync::template atomic<std::size_t> used;  ///< more than there are: it has no room
  };

  const std::size_t chunk_bytes_;
  typename Sync::template atomic<chunk*> current_{};
};

}  // namespace steelyard::sync
