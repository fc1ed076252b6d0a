// SPDX-License-Identifier: Apache-2.0
#include "launch/warnings.hpp"

#include <cctype>

#include "support/words.hpp"

namespace steelyard::tool::launch {
namespace {

/// Without the sequences that colour it.
std::string plain(std::string_view printed) {
  std::string text;
  while (!printed.empty()) {
    const auto escape = printed.find("\33[");
    text += printed.substr(0, escape);
    if (escape == std::string_view::npos) break;
    const auto end = printed.find_first_of("mK", escape);
    printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + 1);
  }
  return text;
}

std::size_t digits_at(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
  return end - at;
}

/// `warning: words` and `cc1plus: warning: words`.
bool warns_of_options(std::string_view line) {
  const auto words = line.find("warning: ");
  return words == 0 || (words != std::string_view::npos && words > 2 && line.find_first_of(": ") == words - 2 &&
                        line[words - 2] == ':');
}

/// Where `:LINE:` of `FILE:LINE:COLUMN: words` ends, or 0 where options are warned of; npos: it is no such line.
std::size_t position_end(std::string_view line) {
  if (warns_of_options(line)) return 0;
  for (auto colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    const auto digits = digits_at(line, colon + 1);
    const auto end = colon + 1 + digits;
    if (colon > 0 && digits > 0 && end < line.size() && line[end] == ':') return end + 1;
  }
  return std::string_view::npos;
}

/// `[-Wname]` at the end of a line, the whole line where it warns of options and has no name; empty: it is no warning. What
/// became an error has another form.
std::string_view name_of_warning(std::string_view line) {
  const auto begin = line.rfind("[-W");
  if (begin == std::string_view::npos && warns_of_options(line)) return line;
  if (begin == std::string_view::npos || !line.ends_with(']') || line.substr(begin).starts_with("[-Werror")) return {};
  return line.substr(begin);
}

/// `FILE: In function 'f':`, `In function 'f',` before where it was inlined, and `At top level:` of GCC; `3 warnings generated.` of Clang.
bool says_where(std::string_view line) {
  const auto file = line.find(": ");
  const auto words = file == std::string_view::npos ? line : line.substr(file + 2);
  const bool names_a_place =
      words.starts_with("In ") || words.starts_with("At global scope") || words.starts_with("At top level");
  if ((line.ends_with(':') || line.ends_with(',')) && names_a_place) return true;
  return digits_at(line, 0) > 0 && line.ends_with(" generated.");
}

/// Source lines and marks below them, `In file included from`, notes, and how a template came to be.
bool stands_beside(std::string_view line) {
  return line.empty() || line.starts_with(' ') || line.starts_with("In file included from ") || says_where(line) ||
         line.find(": note: ") != std::string_view::npos || line.find(":   required ") != std::string_view::npos ||
         line.find(":   recursively required ") != std::string_view::npos;
}

}  // namespace

warnings read_warnings(std::string_view printed) {
  warnings found;
  std::string last;  // the name of the last one
  const auto text = plain(printed);
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = support::take_first(rest, '\n');
    const auto end = line.starts_with(' ') ? std::string_view::npos : position_end(line);
    const auto name = name_of_warning(line);
    if (end == std::string_view::npos || name.empty()) {
      found.only = found.only && stands_beside(line);
    } else {
      last = name;
      found.all.insert(std::string(line.substr(0, end)).append(" ").append(name));
    }
    if (end != std::string_view::npos && !last.empty())
      found.with_notes.insert(std::string(line.substr(0, end)).append(" ").append(last));
  }
  return found;
}

}  // namespace steelyard::tool::launch
