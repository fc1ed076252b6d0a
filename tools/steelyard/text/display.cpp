// SPDX-License-Identifier: Apache-2.0
#include "text/display.hpp"

#include <algorithm>
#include <array>

namespace steelyard::tool {
namespace {

struct range {
  char32_t first, last;
};

/// East Asian Width W and F of Unicode 15, whole blocks where nearly all is.
constexpr std::array<range, 12> wide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0xA4CF},
                                         {0xA960, 0xA97F},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0xFFE0, 0xFFE6},
                                         {0x1F300, 0x1F64F},
                                         {0x1F680, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};
constexpr std::array<range, 6> without_width = {
    {{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};

template <std::size_t Size>
bool is_in(const std::array<range, Size>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const auto& one) { return c >= one.first && c <= one.last; });
}

/// A piece of a text that must not be cut: a character, or a colour.
struct glyph {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

glyph colour_at(std::string_view text) {
  const auto end = text.find('m');
  return end == std::string_view::npos ? glyph{1, 0} : glyph{end + 1, 0};
}

glyph first_glyph(std::string_view text) {
  if (text.starts_with("\033[")) return colour_at(text);
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  bytes = std::min(bytes, text.size());
  char32_t c = bytes == 1 ? lead : lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {bytes, is_in(without_width, c) ? 0U : is_in(wide, c) ? 2U : 1U};
}

/// How many bytes of a text fit into `width` columns.
std::size_t fitting(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const auto next = first_glyph(text.substr(at));
    if (used + next.columns > width) break;
    used += next.columns;
    at += next.bytes;
  }
  return at;
}

/// The shortest end of a text that is behind all but `width` columns of it.
std::string_view tail(std::string_view text, std::size_t width) {
  std::size_t left = displayed_width(text);
  while (left > width) {
    const auto first = first_glyph(text);
    left -= first.columns;
    text.remove_prefix(first.bytes);
  }
  return text;
}

/// Puts words on lines.
class paragraph {
 public:
  paragraph(std::size_t indent, std::size_t width)
      : width_(width), rest_(std::min(indent + 2, width / 2), ' '), line_(indent, ' ') {}

  void add(std::string_view word) {
    const bool first = line_.find_first_not_of(' ') == std::string::npos;
    if (!first && displayed_width(line_) + 1 + displayed_width(word) > width_) {
      end_line();
    } else if (!first) {
      line_ += ' ';
    }
    while (displayed_width(line_) + displayed_width(word) > width_) {
      const auto fits = std::max<std::size_t>(fitting(word, width_ - displayed_width(line_)), first_glyph(word).bytes);
      line_ += word.substr(0, fits);
      word.remove_prefix(fits);
      end_line();
    }
    line_ += word;
  }

  [[nodiscard]] std::string text() const { return done_ + line_; }

 private:
  void end_line() {
    done_ += line_ + '\n';
    line_ = rest_;
  }

  std::size_t width_;
  std::string rest_, line_, done_;
};

std::string wrapped_line(std::string_view line, std::size_t width) {
  if (displayed_width(line) <= width) return std::string(line);
  const auto indent = std::min(line.find_first_not_of(' '), line.size());
  paragraph made(std::min(indent, width / 2), width);
  for (auto at = indent; at < line.size();) {
    const auto end = std::min(line.find(' ', at), line.size());
    if (end > at) made.add(line.substr(at, end - at));
    at = end + 1;
  }
  return made.text();
}

/// A word without quotes, over several lines.
std::string broken_word(std::string_view word, std::size_t width) {
  std::string text;
  while (displayed_width(word) > width) {
    const auto fits = fitting(word, width - 1);
    text += std::string(word.substr(0, fits)) + "\\\n";
    word.remove_prefix(fits);
  }
  return text + std::string(word);
}

}  // namespace

std::size_t displayed_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto next = first_glyph(text);
    columns += next.columns;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string elided(const std::string& text, std::size_t width) {
  constexpr std::string_view dots = "...";
  if (displayed_width(text) <= width) return text;
  if (width <= dots.size()) return text.substr(0, fitting(text, width));
  const auto kept = width - dots.size();
  const auto before = text.substr(0, fitting(text, kept - kept / 3));
  return before + std::string(dots) + std::string(tail(text, kept / 3));
}

std::string wrapped(const std::string& text, std::size_t width) {
  if (width == 0) return text;
  std::string all;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    all += wrapped_line(std::string_view(text).substr(begin, end == std::string::npos ? end : end - begin), width);
    if (end == std::string::npos) break;
    all += '\n';
    begin = end + 1;
  }
  return all;
}

std::string wrapped_command(const std::vector<std::string>& words, const std::string& indent, std::size_t width) {
  std::string all;
  std::string line = indent;
  for (const auto& word : words) {
    const bool first = displayed_width(line) == indent.size() && all.empty();
    const auto needed = displayed_width(line) + (first ? 0 : 1) + displayed_width(word) + 2;  // with ` \` behind it
    if (width == 0 || needed <= width) {
      line += (first ? "" : " ") + word;
      continue;
    }
    all += first ? "" : line + " \\\n";
    line = indent + "    " + word;
    const bool quoted = word.find('\'') != std::string::npos;
    if (displayed_width(line) + 2 > width && !quoted) line = broken_word(line, width - 2);
  }
  return all + line;
}

}  // namespace steelyard::tool
