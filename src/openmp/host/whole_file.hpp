// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace steelyard::openmp {

/// The text of a regular file that is open and has fewer than `limit` bytes, with a NUL behind it, in memory that stays and may be
/// changed. Without data: `why`, as it may stand in brackets behind the file's name.
[[nodiscard]] std::span<char> read_whole(int file, std::size_t limit, const char*& why) noexcept;

}  // namespace steelyard::openmp
