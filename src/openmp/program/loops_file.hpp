// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "openmp/program/settings.hpp"

namespace steelyard::openmp {

/// Reads a loops file, whose language is that of schedules/loops_line.hpp. A file that cannot be read or has a malformed
/// line is ignored as a whole, with one line on stderr (`FILE:LINE: …`), which is also copied to `warning`. The rules live
/// as long as the process.
[[nodiscard]] std::span<loop_rule> read_loops_file(const char* path, char* warning, std::size_t warning_size) noexcept;

/// What Clang's ident string `;file;function;line;column;;` states; line 0: nothing.
struct source_place {
  std::string_view file;
  unsigned long line = 0;
};
[[nodiscard]] source_place place_in(const char* ident) noexcept;

/// Whether a site is in the module or in the source file that a rule names.
[[nodiscard]] bool in_same_file(const loop_rule& rule, const char* module, const char* ident) noexcept;

/// Whether it is the very site.
[[nodiscard]] bool is_for(const loop_rule& rule, const char* module, std::uint64_t offset, const char* ident) noexcept;

/// The first rule for a site, or nullptr: by module (base name, or absolute path as written) and offset, or by source file
/// (of its path and the rule's, one ends in the other) and line.
[[nodiscard]] const loop_rule* find_rule(const char* module, std::uint64_t offset, const char* ident) noexcept;

}  // namespace steelyard::openmp
