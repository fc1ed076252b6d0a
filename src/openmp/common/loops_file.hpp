// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "openmp/common/settings.hpp"

namespace steelyard::openmp {

/// Reads a loops file: lines `module+0xOFFSET schedule[,chunk]` or `file.c:LINE schedule[,chunk]`; `#` starts a comment,
/// empty lines are skipped. The command reads the same language (tools/steelyard/loops_file.cpp). A file that cannot be
/// read or has a malformed line is ignored as a whole, with one line on stderr (`FILE:LINE: …`), which is also copied to
/// `warning`. The rules live as long as the process.
[[nodiscard]] std::span<const loop_rule> read_loops_file(const char* path, char* warning,
                                                         std::size_t warning_size) noexcept;

/// The rule for a site, or nullptr: by module (base name, or absolute path as written) and offset, or by source file
/// (base name or a path's tail) and line as Clang's ident string `;file;function;line;column;;` states them.
[[nodiscard]] const loop_rule* find_rule(const char* module, std::uint64_t offset, const char* ident) noexcept;

}  // namespace steelyard::openmp
