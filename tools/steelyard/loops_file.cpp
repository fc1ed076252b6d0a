// SPDX-License-Identifier: Apache-2.0
#include "loops_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "failure.hpp"
#include "schedule_text.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool all_of(std::string_view text, int (*kind)(int)) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [&](char c) { return kind(static_cast<unsigned char>(c)) != 0; });
}

bool is_offset_site(std::string_view site) {
  const auto plus = site.rfind("+0x");
  return plus != std::string_view::npos && plus > 0 && all_of(site.substr(plus + 3), std::isxdigit) &&
         site.find_first_not_of('0', plus + 3) != std::string_view::npos && site.size() - plus - 3 <= 16;
}

bool is_line_site(std::string_view site) {
  const auto colon = site.rfind(':');
  return colon != std::string_view::npos && colon > 0 && all_of(site.substr(colon + 1), std::isdigit) &&
         site.find_first_not_of('0', colon + 1) != std::string_view::npos;
}

void check_site(std::string_view site, const std::string& where) {
  if (!is_offset_site(site) && !is_line_site(site)) {
    throw failure(bad_usage, fmt::format("{}: '{}' is not a loop; write module+0xoffset or file.c:line", where, site));
  }
  const bool relative = site.find('/') != std::string_view::npos && !site.starts_with('/');
  if (is_offset_site(site) && relative) {
    throw failure(bad_usage,
                  fmt::format("{}: '{}': write the module's file name alone or its absolute path", where, site));
  }
}

loop_choice parse_line(std::string_view text, const std::string& where) {
  const auto end = text.find_first_of(blanks);
  const auto site = text.substr(0, end);
  check_site(site, where);
  if (end == std::string_view::npos) {
    throw failure(bad_usage, fmt::format("{}: no schedule after '{}'; write SITE SCHEDULE[,CHUNK]", where, site));
  }
  const auto schedule = trimmed(text.substr(end));
  if (schedule.find_first_of(blanks) != std::string_view::npos) {
    throw failure(bad_usage,
                  fmt::format("{}: more than two words; write SITE SCHEDULE[,CHUNK] without blanks in either", where));
  }
  return {std::string(site), checked_schedule(schedule, where)};
}

}  // namespace

std::vector<loop_choice> read_loops_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) {
    throw failure(bad_usage,
                  fmt::format("{}: cannot be read; name a loops file (steelyard compare prints one)", file.native()));
  }
  std::vector<loop_choice> found;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto text = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (!text.empty()) found.push_back(parse_line(text, fmt::format("{}:{}", file.native(), number)));
  }
  return found;
}

}  // namespace steelyard::tool
