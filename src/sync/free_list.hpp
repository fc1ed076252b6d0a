// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::sync {

/// A lock-free stack of blocks that are never unmapped. Invariants [F1]-[F3]: free_list.md. Blocks are aligned to
/// support::line_size and start with a `block` header, which belongs to the list.
template <class Sync>
class free_list {
 public:
  struct block {
    typename Sync::template atomic<block*> link{};
  };

  void push(block* given) noexcept {
    STEELYARD_ASSERT(given != nullptr && address(pack(given, 0)) == given, "[F2] an address has room beside the tag");
    std::uint64_t head = head_.load(relaxed, site{"F3d"});
    do {
      given->link.store(address(head), relaxed, site{"F1a"});
    } while (!head_.compare_exchange(head, pack(given, head), release, relaxed, site{"F3b"}));
  }

  /// The block pushed last, or nullptr.
  [[nodiscard]] block* take() noexcept {
    std::uint64_t head = head_.load(acquire, site{"F3a"});
    while (address(head) != nullptr) {
      block* const top = address(head);
      block* const below = top->link.load(relaxed, site{"F1b"});
      if (!head_.compare_exchange(head, pack(below, head), acquire, acquire, site{"F3c"})) continue;
      STEELYARD_ASSERT(below != top, "[F1] a block lies on the list once");
      return top;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned address_bits = 41;
  static constexpr std::uint64_t address_mask = (std::uint64_t{1} << address_bits) - 1;

  static block* address(std::uint64_t word) noexcept {
    return reinterpret_cast<block*>((word & address_mask) * support::line_size);
  }
  /// `top` under the tag that follows the tag of `before`.
  static std::uint64_t pack(const block* top, std::uint64_t before) noexcept {
    const std::uint64_t tag = (before >> address_bits) + 1;
    return (reinterpret_cast<std::uintptr_t>(top) / support::line_size) | (tag << address_bits);
  }

  typename Sync::template atomic<std::uint64_t> head_{};
};

}  // namespace steelyard::sync
