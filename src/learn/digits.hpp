// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard::learn {

/// Room for the digits of any number.
using room_for_digits = char[20];

/// A number in decimal digits, in `room`. (std::to_chars has a table that a static library would show to the programs that link it.)
[[nodiscard]] constexpr std::string_view digits_of(std::uint64_t value, room_for_digits& room) noexcept {
  char* const end = room + sizeof room;
  char* at = end;
  do *--at = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace steelyard::learn
