// SPDX-License-Identifier: Apache-2.0
#include "launch/pragmas.hpp"

#include <algorithm>
#include <cctype>

namespace steelyard::tool::launch {
namespace {

std::string_view line_at(std::string_view text, std::size_t at) { return text.substr(at, text.find('\n', at) - at); }

/// Calls `take(line, at)` for the lines that begin so, until it says true.
template <class Take>
bool any_line(std::string_view text, std::string_view first, Take take) {
  for (auto at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && take(line_at(text, at), at)) return true;
  }
  return false;
}

/// By the marker before: its flag 3 says so.
bool is_in_system_header(std::string_view text, std::size_t at) {
  for (auto marker = text.rfind("\n# ", at); marker != std::string_view::npos;
       marker = text.rfind("\n# ", marker - 1)) {
    const auto line = line_at(text, marker + 1);
    if (line.size() > 2 && std::isdigit(static_cast<unsigned char>(line[2])) != 0)
      return line.find(" 3", line.rfind('"')) != std::string_view::npos;
    if (marker == 0) break;
  }
  return false;
}

/// `#pragma pack(push, NAME)`, where NAME is no word of the pragma's own.
bool packs_by_name(std::string_view line) {
  const auto is_of_word = [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; };
  auto rest = line.substr(std::min(line.find('('), line.size()));
  while (!rest.empty()) {
    const auto begin = std::find_if(rest.begin(), rest.end(), is_of_word);
    const auto end = std::find_if_not(begin, rest.end(), is_of_word);
    const std::string_view word(begin, end);
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 && word != "push" &&
        word != "pop" && word != "show")
      return true;
    rest = std::string_view(end, rest.end());
  }
  return false;
}

}  // namespace

bool has_line_with(std::string_view text, std::string_view first, std::string_view then) {
  return any_line(text, first,
                  [&](std::string_view line, std::size_t) { return line.find(then) != std::string_view::npos; });
}

std::string changed_by_preprocessing(std::string_view text, bool by_clang) {
  std::string found;
  const auto note = [&](std::string_view line, std::size_t at) {
    const bool counts = by_clang ? packs_by_name(line) : !is_in_system_header(text, at);
    if (counts) found = line;
    return counts;
  };
  if (by_clang) {
    any_line(text, "#pragma pack(", note);
  } else if (!any_line(text, "#pragma GCC target", note)) {
    any_line(text, "#pragma GCC optimize", note);
  }
  return found;
}

}  // namespace steelyard::tool::launch
