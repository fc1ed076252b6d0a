// SPDX-License-Identifier: Apache-2.0
#include "openmp/common/loops_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "openmp/common/slab.hpp"
#include "openmp/common/text.hpp"

namespace steelyard::openmp {
namespace {

constexpr std::size_t largest_file = std::size_t{16} * 1024 * 1024;

/// The file's text with a NUL behind it, in memory that stays; nullptr with errno set.
char* read_whole(const char* path) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer is none
  if (file < 0) return nullptr;
  struct stat about {};
  char* text = nullptr;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && static_cast<std::size_t>(about.st_size) < largest_file) {
    text = static_cast<char*>(slab_take(static_cast<std::size_t>(about.st_size) + 1));
  } else {
    errno = S_ISREG(about.st_mode) ? EFBIG : S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
  }
  std::size_t length = 0;
  while (text != nullptr && length < static_cast<std::size_t>(about.st_size)) {
    const ssize_t got = read(file, text + length, static_cast<std::size_t>(about.st_size) - length);
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (text != nullptr) text[length] = '\0';
  close(file);
  return text;
}

/// A number of these digits and nothing else: no sign, no blank. 0: it is none, or does not fit.
std::uint64_t number_of(const char* digits, const char* allowed, int base) noexcept {
  if (digits[std::strspn(digits, allowed)] != '\0') return 0;
  errno = 0;
  const unsigned long long value = std::strtoull(digits, nullptr, base);
  return errno == 0 ? value : 0;
}

constexpr const char* no_site = "names no site; write `module+0xOFFSET` or `file.c:LINE`";

/// `module+0xOFFSET` or `file:LINE`, cut in place, by the rules of the command; the reason why not, or nullptr.
const char* parse_place(char* place, loop_rule& rule) noexcept {
  if (char* const plus = std::strrchr(place, '+');
      plus != nullptr && plus != place && plus[1] == '0' && plus[2] == 'x') {
    rule.offset = number_of(plus + 3, "0123456789abcdefABCDEF", 16);
    if (rule.offset != 0) {
      *plus = '\0';
      rule.place = place;
      const bool relative = place[0] != '/' && std::strchr(place, '/') != nullptr;
      return relative ? "names no module; write its file name alone or its absolute path" : nullptr;
    }
  }
  char* const colon = std::strrchr(place, ':');
  if (colon == nullptr || colon == place) return no_site;
  const std::uint64_t line = number_of(colon + 1, "0123456789", 10);
  if (line == 0 || line >= 0xffffffffU) return no_site;
  *colon = '\0';
  rule.place = place;
  rule.line = static_cast<std::uint32_t>(line);
  return nullptr;
}

/// One line into a rule; the reason why not, or nullptr.
const char* parse_line(char* line, loop_rule& rule, bool& empty) noexcept {
  if (char* const comment = std::strchr(line, '#'); comment != nullptr) *comment = '\0';
  constexpr char blank[] = " \t\r";
  char* rest = nullptr;
  char* const place = strtok_r(line, blank, &rest);
  empty = place == nullptr;
  if (empty) return nullptr;
  char* const schedule = strtok_r(nullptr, blank, &rest);
  if (schedule == nullptr) return "has no schedule; write `SITE SCHEDULE[,CHUNK]`";
  if (strtok_r(nullptr, blank, &rest) != nullptr) return "has more than two words; write `SITE SCHEDULE[,CHUNK]`";
  if (const char* const wrong = parse_place(place, rule); wrong != nullptr) return wrong;
  const auto parsed = schedules::parse_choice(schedule);
  rule.choice = parsed.value;
  return parsed.error == schedules::choice_error::none ? nullptr : schedules::explain(parsed.error);
}

std::size_t count_lines(const char* text) noexcept {
  std::size_t lines = 1;
  for (; *text != '\0'; ++text) lines += *text == '\n' ? 1 : 0;
  return lines;
}

const char* base_name(const char* path) noexcept {
  const char* const slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

/// Whether `ident` (`;file;function;line;column;;`) states this file and line.
bool ident_states(const char* ident, const loop_rule& rule) noexcept {
  if (ident == nullptr || *ident != ';') return false;
  const char* const file = ident + 1;
  const char* const file_end = std::strchr(file, ';');
  const char* const function_end = file_end != nullptr ? std::strchr(file_end + 1, ';') : nullptr;
  if (function_end == nullptr || std::strtoul(function_end + 1, nullptr, 10) != rule.line) return false;
  const auto length = static_cast<std::size_t>(file_end - file);
  const std::size_t wanted = std::strlen(rule.place);
  if (wanted > length || std::memcmp(file_end - wanted, rule.place, wanted) != 0) return false;
  return wanted == length || file_end[-static_cast<std::ptrdiff_t>(wanted) - 1] == '/';
}

}  // namespace

std::span<const loop_rule> read_loops_file(const char* path, char* warning, std::size_t warning_size) noexcept {
  char* const text = read_whole(path);
  if (text == nullptr) {
    std::snprintf(warning, warning_size, "loops file %.150s cannot be read (%s)", path, strerror(errno));
    say("%s; the program runs as it was", warning);
    return {};
  }
  const std::size_t lines = count_lines(text);
  auto* const rules = static_cast<loop_rule*>(slab_take(lines * sizeof(loop_rule)));
  std::size_t count = 0;
  std::size_t number = 0;
  for (char* line = text; line != nullptr && rules != nullptr;) {
    char* const end = std::strchr(line, '\n');
    if (end != nullptr) *end = '\0';
    ++number;
    bool empty = false;
    loop_rule& rule = *::new (rules + count) loop_rule;
    if (const char* const wrong = parse_line(line, rule, empty); wrong != nullptr) {
      std::snprintf(warning, warning_size, "%.150s:%zu: this line %s", path, number, wrong);
      say("%s; the file is ignored, the program runs as it was", warning);
      return {};
    }
    count += empty ? 0 : 1;
    line = end != nullptr ? end + 1 : nullptr;
  }
  return {rules, count};
}

const loop_rule* find_rule(const char* module, std::uint64_t offset, const char* ident) noexcept {
  for (std::size_t i = 0; i < config.rule_count; ++i) {
    const loop_rule& rule = config.rules[i];
    if (rule.line != 0) {
      if (ident_states(ident, rule)) return &rule;
    } else if (rule.offset == offset && module != nullptr &&
               std::strcmp(rule.place[0] == '/' ? module : base_name(module), rule.place) == 0) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace steelyard::openmp
