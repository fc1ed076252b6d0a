// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <span>

namespace steelyard::support {

/// Of all that a process may have, where that is limited (`ulimit -v`), one reservation takes no more than such a part: what the program allocates comes first.
inline constexpr std::size_t modest = 16;

/// Address space, which costs nothing until it is touched: `most` bytes, or a half of that, a quarter, …, where the process may not have so many. Empty: it may not
/// even have `least`. munmap gives it back.
[[nodiscard]] inline std::span<std::byte> reserve_address_space(std::size_t most, std::size_t least) noexcept {
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  while (is_limited && most / 2 >= least && most > limit.rlim_cur / modest) most /= 2;
  for (; most >= least; most /= 2) {
    void* const at = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    madvise(at, most, MADV_DONTDUMP);
    return {static_cast<std::byte*>(at), most};
  }
  return {};
}

}  // namespace steelyard::support
