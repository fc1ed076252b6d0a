// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/loops_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/plug_ins.hpp"
#include "schedules/loops_line.hpp"
#include "support/files.hpp"
#include "support/whole_file.hpp"

namespace steelyard::openmp {
namespace {

/// In memory that stays. It is cut into pieces with a NUL behind each.
std::span<char> text_of(const char* path, const char*& why) noexcept {
  const int file = support::open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer is none
  if (file < 0) {
    why = strerror(errno);
    return {};
  }
  const auto text = support::read_whole(file, schedules::largest_loops_file, slab_take, why);
  support::close_file(file);
  return text;
}

/// Where the line that starts at `from` ends: at its newline, or at the end of the text.
std::size_t end_of_line(std::span<const char> text, std::size_t from) noexcept {
  const auto* const newline = static_cast<const char*>(std::memchr(text.data() + from, '\n', text.size() - from));
  return newline != nullptr ? static_cast<std::size_t>(newline - text.data()) : text.size();
}

std::size_t count_lines(std::span<const char> text) noexcept {
  std::size_t lines = 1;
  for (std::size_t i = 0; i < text.size(); ++i) lines += text[i] == '\n' ? 1 : 0;
  return lines;
}

/// A rule whose place is cut out of the line: what stands behind it has been read.
loop_rule rule_of(const schedules::loops_line& line) noexcept {
  loop_rule rule;
  char* const place = const_cast<char*>(line.place.data());
  place[line.place.size()] = '\0';
  rule.place = place;
  rule.offset = line.offset;
  rule.line = line.line;
  rule.may_be_absent = line.may_be_absent;
  rule.choice = to_be_loaded(line.chosen);
  return rule;
}

const char* base_name(const char* path) noexcept {
  const char* const slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

/// Whether a path ends in another, in whole names.
bool ends_in(std::string_view path, std::string_view tail) noexcept {
  if (tail.empty() || !path.ends_with(tail)) return false;
  return path.size() == tail.size() || path[path.size() - tail.size() - 1] == '/';
}

/// Without the `./` and `../` in front.
std::string_view named(std::string_view path) noexcept {
  for (;;) {
    const std::size_t dots = path.starts_with("./") ? 2 : path.starts_with("../") ? 3 : 0;
    if (dots == 0) return path;
    path.remove_prefix(dots);
  }
}

/// Whether a source file is the rule's. Either may have more of the path than the other: a compiler knows what it was
/// given, which may be a base name, or start from the folder that it was called in.
bool same_file(std::string_view file, std::string_view wanted) noexcept {
  const std::string_view known = named(file);
  return ends_in(known, named(wanted)) || (!known.starts_with('/') && ends_in(named(wanted), known));
}

}  // namespace

std::span<loop_rule> read_loops_file(const char* path, char* warning, std::size_t warning_size) noexcept {
  const char* why = "";
  const auto text = text_of(path, why);
  if (text.data() == nullptr) {
    std::snprintf(warning, warning_size, "loops file %.150s cannot be read (%s)", path, why);
    say("%s; it is ignored", warning);
    return {};
  }
  auto* const rules = static_cast<loop_rule*>(slab_take(count_lines(text) * sizeof(loop_rule)));
  std::size_t count = 0;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size() && rules != nullptr;) {
    const std::size_t end = end_of_line(text, from);
    std::string_view line(text.data() + from, end - from);
    if (++number == 1) line = schedules::without_mark(line);
    const auto parsed = schedules::parse_loops_line(line);
    if (parsed.error != schedules::line_error::none) {
      std::snprintf(warning, warning_size, "%.150s:%zu: this line %s", path, number, schedules::explain(parsed));
      say("%s; the file is ignored", warning);
      return {};
    }
    if (!parsed.value.place.empty()) ::new (rules + count++) loop_rule(rule_of(parsed.value));
    from = end + 1;
  }
  return {rules, count};
}

source_place place_in(const char* ident) noexcept {
  if (ident == nullptr || *ident != ';') return {};
  const char* const file = ident + 1;
  const char* const file_end = std::strchr(file, ';');
  const char* const function_end = file_end != nullptr ? std::strchr(file_end + 1, ';') : nullptr;
  if (function_end == nullptr) return {};
  return {{file, static_cast<std::size_t>(file_end - file)}, std::strtoul(function_end + 1, nullptr, 10)};
}

bool in_same_file(const loop_rule& rule, const char* module, const char* ident) noexcept {
  if (rule.line != 0) return same_file(place_in(ident).file, rule.place);
  return module != nullptr && std::strcmp(rule.place[0] == '/' ? module : base_name(module), rule.place) == 0;
}

bool is_for(const loop_rule& rule, const char* module, std::uint64_t offset, const char* ident) noexcept {
  const bool same = rule.line != 0 ? place_in(ident).line == rule.line : rule.offset == offset;
  return same && in_same_file(rule, module, ident);
}

const loop_rule* find_rule(const char* module, std::uint64_t offset, const char* ident) noexcept {
  for (std::size_t i = 0; i < config.rule_count; ++i) {
    if (is_for(config.rules[i], module, offset, ident)) return &config.rules[i];
  }
  return nullptr;
}

}  // namespace steelyard::openmp
