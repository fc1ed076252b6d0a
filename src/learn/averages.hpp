// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::learn {

/// At most the largest number.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept { return a + std::min(b, ~a); }

/// What is usual lately: the average moves by an eighth of what is new.
constexpr std::uint64_t average(std::uint64_t before, std::uint64_t now) noexcept {
  constexpr std::uint64_t lately = 8;
  return now > before ? before + (now - before) / lately : before - (before - now) / lately;
}

}  // namespace steelyard::learn
