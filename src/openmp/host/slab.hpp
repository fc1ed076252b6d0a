// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

namespace steelyard::openmp {

/// Memory for loop instances, implicit tasks and site records: mmap'ed, kept for reuse, never the heap of the host program.
/// Lock-free; usable from any thread, after fork, and before libc is fully initialised.

/// At least `bytes` (up to 1 GiB), aligned to support::line_size, contents undefined. nullptr when the system gives no
/// memory.
[[nodiscard]] void* slab_take(std::size_t bytes) noexcept;

/// Gives a block back; `bytes` as in its slab_take.
void slab_give(void* memory, std::size_t bytes) noexcept;

/// A new one there; nullptr when there is no memory.
template <class T>
[[nodiscard]] T* slab_make() noexcept {
  void* const memory = slab_take(sizeof(T));
  return memory != nullptr ? ::new (memory) T : nullptr;
}

/// Makes `to` hold the same as `from`, if there is memory; nullptr: nothing.
template <class T>
void slab_copy(T*& to, const T* from) noexcept {
  if (from == nullptr) {
    slab_give(to, sizeof(T));
    to = nullptr;
    return;
  }
  if (to == nullptr) to = slab_make<T>();
  if (to != nullptr) *to = *from;
}

}  // namespace steelyard::openmp
