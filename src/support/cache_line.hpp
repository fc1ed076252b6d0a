// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::support {

/// Distance in bytes at which two members' data no longer disturb each other. Two 64-byte lines: the adjacent-line
/// prefetcher of x86-64 and the 128-byte lines of some AArch64 cores both make neighbours share.
inline constexpr std::size_t line_size = 128;

/// So many bytes, rounded up to whole lines.
[[nodiscard]] constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
  return (bytes + line_size - 1) / line_size * line_size;
}

}  // namespace steelyard::support
