// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace steelyard::remember {

/// Digits of the longest build-id that is taken, with the NUL behind them.
inline constexpr std::size_t room_for_build_id = 2 * 32 + 1;

/// The build-id of the object that holds this address, in hexadecimal digits: what linkers write into an object to tell it from all
/// others (`ld --build-id`). False: it has none, or libc does not say where the object lies (before glibc 2.35).
bool find_build_id(std::uintptr_t address, char (&into)[room_for_build_id]) noexcept;

}  // namespace steelyard::remember
