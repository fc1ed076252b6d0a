// SPDX-License-Identifier: Apache-2.0
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

constexpr bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// U+0080 to U+009F, which some terminals obey too.
bool is_wide_control(std::string_view text, std::size_t at) {
  return text[at] == '\xC2' && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
         static_cast<unsigned char>(text[at + 1]) <= 0x9f;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  auto shown = text.substr(0, longest);
  if (shown.size() < text.size()) {  // no half character
    while (!shown.empty() && continues_a_character(text[shown.size()])) shown.remove_suffix(1);
  }
  std::string line;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (is_wide_control(shown, i)) {
      line += '?';
      ++i;
    } else {
      line += shown[i] == '\t' ? ' ' : is_control(shown[i]) ? '?' : shown[i];
    }
  }
  return shown.size() < text.size() ? line + "..." : line;
}

}  // namespace steelyard::tool
