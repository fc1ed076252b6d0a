// SPDX-License-Identifier: Apache-2.0
#include "read/loops_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "read/schedule_text.hpp"
#include "schedules/loops_line.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& file) { return printable(file.native()); }

/// As the drop-in demands it: a pipe could be read only once, and not by every process.
void check_file(const fs::path& file) {
  std::error_code error;
  const auto about = fs::status(file, error);
  if (fs::exists(about) && !fs::is_regular_file(about)) {
    throw failure(bad_usage, fmt::format("{}: not a regular file; write the lines into one", shown(file)));
  }
  if (fs::is_regular_file(about) && fs::file_size(file, error) >= schedules::largest_loops_file) {
    throw failure(bad_usage, fmt::format("{}: too large for a loops file; keep one line per loop", shown(file)));
  }
}

/// A place, however it is spelled.
using spot = std::tuple<std::string, std::uint64_t, std::uint32_t>;

spot spot_of(const schedules::loops_line& line) { return {std::string(line.place), line.offset, line.line}; }

std::string text_of(const schedules::loops_line& line) {
  const char* const mark = line.may_be_absent ? "?" : "";
  return line.line != 0 ? fmt::format("{}:{}{}", line.place, line.line, mark)
                        : fmt::format("{}+{:#x}{}", line.place, line.offset, mark);
}

}  // namespace

loops_file read_loops_file(const fs::path& file) {
  check_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw failure(bad_usage, fmt::format("{}: cannot be read ({}); name a loops file (steelyard compare prints one)",
                                         shown(file), std::strerror(errno)));
  }
  loops_file found;
  std::map<spot, std::size_t> first_lines;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto text = number == 1 ? schedules::without_mark(line) : std::string_view(line);
    const auto parsed = schedules::parse_loops_line(text);
    if (parsed.error != schedules::line_error::none) {
      throw failure(bad_usage, fmt::format("{}:{}: '{}' {}", shown(file), number, printable(parsed.wrong, 80),
                                           schedules::explain(parsed)));
    }
    if (parsed.value.place.empty()) continue;
    const auto plug_in = parsed.value.chosen.file;
    if (!plug_in.empty()) static_cast<void>(checked_schedule(plug_in, fmt::format("{}:{}", shown(file), number)));
    const auto& value = parsed.value;
    found.choices.push_back({text_of(value), choice_text(value.chosen), number,
                             value.line != 0 ? std::string(value.place) : std::string(), value.line,
                             value.may_be_absent});
    const auto [earlier, fresh] = first_lines.emplace(spot_of(parsed.value), number);
    if (fresh || !found.warning.empty()) continue;
    found.warning = fmt::format("{}:{}: '{}' stands in line {} already, which counts; delete one of them", shown(file),
                                number, printable(text_of(parsed.value), 80), earlier->second);
  }
  return found;
}

std::string loops_file_line(const std::string& site, const std::string& schedule, const std::string& remark) {
  const auto shown = printable(site, site.size());
  const auto line = fmt::format("{} {}", site, schedule);
  const auto back = schedules::parse_loops_line(line);
  const bool readable = back.error == schedules::line_error::none && !back.value.place.empty() &&
                        text_of(back.value) == site && shown == site;
  if (readable) return fmt::format("{}  # {}\n", line, printable(remark));
  return fmt::format("# {} {}  # {}: a loops file cannot hold this name; rename the file\n", shown, schedule,
                     printable(remark));
}

}  // namespace steelyard::tool
