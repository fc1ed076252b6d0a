// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "openmp/program/runtime.hpp"

namespace steelyard::openmp::kmp {

/// The counter types of libomp's loops: 4, 4u, 8, 8u bytes.
enum width : std::size_t { w4, w4u, w8, w8u, widths };

template <class T>
inline constexpr width width_of = sizeof(T) == 4 ? (static_cast<T>(-1) < 0 ? w4 : w4u)
                                                 : (static_cast<T>(-1) < 0 ? w8 : w8u);

/// Slots of the table of a runtime's functions.
inline constexpr std::size_t dispatch_init = 0;
inline constexpr std::size_t dispatch_next = dispatch_init + widths;
inline constexpr std::size_t static_init = dispatch_next + widths;
inline constexpr std::size_t fork_call = static_init + widths;
inline constexpr std::size_t fork_call_if = fork_call + 1;
inline constexpr std::size_t serialized_parallel = fork_call + 2;
inline constexpr std::size_t end_serialized_parallel = fork_call + 3;
inline constexpr std::size_t dispatch_deinit = fork_call + 4;
inline constexpr std::size_t doacross_init = fork_call + 5;
inline constexpr std::size_t doacross_fini = fork_call + 6;
inline constexpr std::size_t barrier = fork_call + 7;
inline constexpr std::size_t cancel_barrier = fork_call + 8;
inline constexpr std::size_t copyprivate = fork_call + 9;
inline constexpr std::size_t reduce = fork_call + 10;
inline constexpr std::size_t reduce_nowait = fork_call + 11;
inline constexpr std::size_t end_reduce = fork_call + 12;
inline constexpr std::size_t static_fini = fork_call + 13;
inline constexpr std::size_t master = fork_call + 14;
inline constexpr std::size_t masked = fork_call + 15;
inline constexpr std::size_t slot_count = fork_call + 16;

extern abi api;

/// What Clang tells of the place of a construct; the layout is libomp's ident_t.
struct ident {
  std::int32_t reserved_1, flags, reserved_2, reserved_3;
  const char* source;  ///< ";file;function;line;column;;"
};

[[nodiscard]] inline const char* source_of(const ident* at) noexcept { return at != nullptr ? at->source : nullptr; }

}  // namespace steelyard::openmp::kmp
