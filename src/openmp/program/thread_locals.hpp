// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::openmp {

/// Whether the object that holds `address` may keep something for each thread from one loop to the next: it has thread-local variables,
/// refers to those of others, or has its compiler's runtime keep them. By its headers and relocations; takes no lock. What the C++
/// library has for itself does not count. True where it cannot be told.
[[nodiscard]] bool uses_thread_locals(std::uintptr_t address) noexcept;

}  // namespace steelyard::openmp
