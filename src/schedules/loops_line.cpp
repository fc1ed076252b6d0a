// SPDX-License-Identifier: Apache-2.0
#include "schedules/loops_line.hpp"

#include <limits>

#include "schedules/plug_in.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

constexpr auto npos = std::string_view::npos;

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view first(std::string_view text, std::size_t count) noexcept { return {text.data(), count}; }

std::string_view behind(std::string_view text, std::size_t count) noexcept {
  text.remove_prefix(count);
  return text;
}

std::string_view without_comment(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#' && (i == 0 || is_blank(text[i - 1]))) return first(text, i);
  }
  return text;
}

/// The last blank; npos: there is none.
std::size_t last_blank(std::string_view text) noexcept {
  for (std::size_t i = text.size(); i > 0; --i) {
    if (is_blank(text[i - 1])) return i - 1;
  }
  return npos;
}

constexpr unsigned no_digit = 16;

constexpr unsigned digit_of(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return no_digit;
}

/// A number of digits and nothing else. 0: it is none, or does not fit.
std::uint64_t number_of(std::string_view digits, unsigned base) noexcept {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const unsigned digit = digit_of(c);
    if (digit >= base || value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return 0;
    value = value * base + digit;
  }
  return value;
}

bool is_offset_site(std::string_view site, loops_line& out) noexcept {
  const auto plus = site.rfind('+');
  if (plus == npos || plus == 0 || site.size() < plus + 3 || site[plus + 1] != '0' || site[plus + 2] != 'x')
    return false;
  out.offset = number_of(behind(site, plus + 3), 16);
  out.place = first(site, plus);
  return out.offset != 0;
}

bool is_line_site(std::string_view site, loops_line& out) noexcept {
  const auto colon = site.rfind(':');
  if (colon == npos || colon == 0) return false;
  const std::uint64_t line = number_of(behind(site, colon + 1), 10);
  if (line == 0 || line >= std::numeric_limits<std::uint32_t>::max()) return false;
  out.line = static_cast<std::uint32_t>(line);
  out.place = first(site, colon);
  return true;
}

line_error parse_site(std::string_view site, loops_line& out) noexcept {
  if (site.find('\0') != npos) return line_error::no_site;
  const bool may_be_absent = site.ends_with('?');
  if (may_be_absent) site.remove_suffix(1);
  const bool by_offset = is_offset_site(site, out);
  if (!by_offset) out = {};
  out.may_be_absent = may_be_absent;
  if (!by_offset) return is_line_site(site, out) ? line_error::none : line_error::no_site;
  const bool relative = out.place.front() != '/' && out.place.find('/') != npos;
  return relative ? line_error::no_module : line_error::none;
}

bool has_blank(std::string_view text) noexcept { return last_blank(text) != npos; }

}  // namespace

parsed_line parse_loops_line(std::string_view text) noexcept {
  parsed_line found;
  text = support::trimmed(without_comment(text));
  if (text.empty()) return found;
  const auto blank = last_blank(text);
  if (blank == npos) return {{}, line_error::no_schedule, choice_error::none, text};
  const auto site = support::trimmed(first(text, blank));
  const auto schedule = behind(text, blank + 1);
  found.error = parse_site(site, found.value);
  if (found.error == line_error::no_site && has_blank(site)) found.error = line_error::more_words;
  found.wrong = found.error == line_error::more_words ? text : site;
  if (found.error != line_error::none) return found;
  const auto parsed = names_plug_in(schedule) ? parsed_choice{not_yet_loaded(schedule)} : parse_choice(schedule);
  found.value.chosen = parsed.value;
  if (parsed.error == choice_error::none) return found;
  found.error = line_error::schedule;
  found.wrong_schedule = parsed.error;
  found.wrong = schedule;
  return found;
}

const char* explain(const parsed_line& wrong) noexcept {
  switch (wrong.error) {
    case line_error::none:
      return "is a line of a loops file";
    case line_error::no_schedule:
      return "has no schedule; write `SITE SCHEDULE[,CHUNK]`";
    case line_error::more_words:
      return "has more than two words; write `SITE SCHEDULE[,CHUNK]`";
    case line_error::no_site:
      return "names no site; write `module+0xOFFSET` or `file.c:LINE`";
    case line_error::no_module:
      return "names no module; write its file name alone or its absolute path";
    case line_error::schedule:
      return explain(wrong.wrong_schedule);
  }
  return "is no line of a loops file";
}

std::string_view without_mark(std::string_view text) noexcept {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

}  // namespace steelyard::schedules
