// SPDX-License-Identifier: Apache-2.0
#include "read/schedule_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "schedules/plug_in.hpp"
#include "schedules/registry.hpp"
#include "support/words.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

/// One of each family; `--schedules all` runs the rest as well.
constexpr std::array<std::string_view, 9> usual = {"static", "nustatic", "dynamic", "guided",   "factoring",
                                                   "wsri",   "steal",    "jit",     "automatic"};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool looks_like_a_chunk(std::string_view part) {
  const auto first = part.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  const char c = part[first];
  return (c >= '0' && c <= '9') || c == '-' || c == '+';
}

void add_once(std::vector<std::string>& list, const std::string& one) {
  if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
}

}  // namespace

bool is_as_written(std::string_view text) { return support::same_word(text, "as-written"); }

std::string choice_text(const schedules::choice& chosen) {
  const char* const name = chosen.schedule->about.name;
  if (!chosen.file.empty()) return std::string(chosen.file);
  if (!chosen.among.empty()) return fmt::format("expert:{}", chosen.form);
  if (!chosen.form.empty()) return fmt::format("{}:{}", name, chosen.form);
  return chosen.chunk == 0 ? name : fmt::format("{},{}", name, chosen.chunk);
}

namespace {

/// As the user wrote it. The plug-in is loaded to see whether it can be.
std::string checked_plug_in(std::string_view text, std::string_view where) {
  const auto [file, chunk] = schedules::split_plug_in(text);
  const auto refuse = [&](const char* why) {
    throw failure(bad_usage, fmt::format("{}: '{}' {}", where, printable(text, 80), printable(why, 240)));
  };
  if (const auto found = schedules::open_plug_in(std::string(file).c_str()); found.table == nullptr)
    refuse(found.wrong);
  const auto error =
      chunk.empty() ? schedules::choice_error::none : schedules::parse_choice("dynamic" + std::string(chunk)).error;
  if (error != schedules::choice_error::none) refuse(schedules::explain(error));
  return std::string(file).append(chunk);
}

}  // namespace

std::string checked_schedule(std::string_view text, std::string_view where) {
  if (schedules::names_plug_in(text)) return checked_plug_in(text, where);
  const auto parsed = schedules::parse_choice(text);
  if (parsed.error == schedules::choice_error::unknown_name && text.substr(0, text.find(',')).ends_with(".so")) {
    throw failure(bad_usage,
                  fmt::format("{0}: '{1}' is not a schedule; for a plug-in write './{1}'", where, printable(text, 80)));
  }
  if (parsed.error != schedules::choice_error::none) {
    throw failure(bad_usage, fmt::format("{}: '{}' {}", where, printable(text, 80), schedules::explain(parsed.error)));
  }
  return choice_text(parsed.value);
}

std::vector<std::string> schedule_list(std::string_view text, std::string_view where) {
  std::vector<std::string> joined;
  for (const auto part : split(text, ',')) {
    if (looks_like_a_chunk(part) && !joined.empty()) {
      joined.back() += fmt::format(",{}", part);
    } else {
      joined.emplace_back(part);
    }
  }
  std::vector<std::string> list;
  for (const auto& one : joined) {
    if (one == "all") {
      for (const auto& row : schedules::all()) add_once(list, row.about.name);
    } else {
      add_once(list, checked_schedule(one, where));
    }
  }
  return list;
}

bool only_ours(std::string_view omp_schedule) {
  omp_schedule = schedules::without_modifier(omp_schedule);
  const auto* named = schedules::parse_choice(omp_schedule.substr(0, omp_schedule.find(','))).value.schedule;
  constexpr std::array<std::string_view, 3> theirs = {"static", "dynamic", "guided"};
  return named != nullptr && std::find(theirs.begin(), theirs.end(), named->about.name) == theirs.end();
}

std::vector<std::string> usual_schedules() {
  std::vector<std::string> list;
  for (const auto& row : schedules::all()) {
    if (std::find(usual.begin(), usual.end(), row.about.name) != usual.end()) list.emplace_back(row.about.name);
  }
  return list;
}

}  // namespace steelyard::tool
