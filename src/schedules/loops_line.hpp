// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schedules/choice.hpp"

/// The language of loops files, for the command and the drop-in: a line is `SITE SCHEDULE[,CHUNK]`, where SITE is
/// `module+0xOFFSET` (the module's file name alone, or its absolute path) or `file.c:LINE`. `?` behind either:
/// perhaps no loop runs there, and that is no mistake. The schedule is the last word, the site everything before it, so names may hold blanks. A plug-in is not loaded yet (plug_in.hpp). `#` starts a comment at the start of a line or behind a blank.
namespace steelyard::schedules {

struct loops_line {
  std::string_view place;      ///< module or source file; empty: the line holds no rule
  std::uint64_t offset = 0;    ///< in the module; 0: `place` is a source file
  std::uint32_t line = 0;      ///< of the source file; 0: `place` is a module
  bool may_be_absent = false;  ///< no loop need run there
  choice chosen;
};

enum class line_error { none, no_schedule, more_words, no_site, no_module, schedule };

struct parsed_line {
  loops_line value;
  line_error error = line_error::none;
  choice_error wrong_schedule = choice_error::none;  ///< of line_error::schedule
  std::string_view wrong;                            ///< the words that are meant
};

/// Views of `text`, one line without its newline.
[[nodiscard]] parsed_line parse_loops_line(std::string_view text) noexcept;

/// What is wrong and the remedy, without the words that are meant.
[[nodiscard]] const char* explain(const parsed_line& wrong) noexcept;

/// The text without a byte order mark, as some editors put before the first line.
[[nodiscard]] std::string_view without_mark(std::string_view text) noexcept;

/// A loops file must be smaller than this.
inline constexpr std::size_t largest_loops_file = std::size_t{16} * 1024 * 1024;

}  // namespace steelyard::schedules
