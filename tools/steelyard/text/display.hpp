// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Texts in UTF-8 as a terminal shows them: in columns, of which a character takes one, two (East Asian ones, pictures)
/// or none (accents that combine, colours).
namespace steelyard::tool {

/// Columns that a text takes.
[[nodiscard]] std::size_t displayed_width(std::string_view text);

/// A text of at most `width` columns: where it takes more, `...` stands between its beginning and, half as long, its end.
/// A loop's file and line are at the beginning, what tells one template's instances apart is at the end.
[[nodiscard]] std::string elided(const std::string& text, std::size_t width);

/// Each line longer than `width` broken at blanks, its rest two columns further in; a word longer than that is broken
/// too. 0: as it is.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width);

/// A shell command of these words on lines of at most `width`, each behind `indent`, which the shell reads as one. 0: on
/// one line. A quoted word longer than a line stays whole.
[[nodiscard]] std::string wrapped_command(const std::vector<std::string>& words, const std::string& indent,
                                          std::size_t width);

}  // namespace steelyard::tool
