// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "command/commands.hpp"
#include "present/explanations.hpp"
#include "schedules/registry.hpp"
#include "support/words.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"
#include "text/table.hpp"

namespace steelyard::tool {
namespace {

const char* chunk_of(const schedules::operations& row) {
  return row.about.chunk_meaning == nullptr ? "takes none" : row.about.chunk_meaning;
}

/// Words of lines that are no longer than a terminal is wide.
class word_lines {
 public:
  void add(std::string_view word) {
    if (!line_.empty() && line_.size() + 1 + word.size() > width) end();
    line_ += fmt::format("{}{}", line_.empty() ? "  " : " ", word);
  }
  void end() {
    fmt::print("{}\n", line_);
    line_.clear();
  }

 private:
  static constexpr std::size_t width = 80;
  std::string line_;
};

void list_families() {
  for (const auto& one : families()) {
    fmt::print("{}: {}\n", one.name, one.what);
    word_lines names;
    for (const auto& each : explanations()) {
      if (each.family == one.name) names.add(each.schedule);
    }
    names.end();
  }
  fmt::print(
      "\nWrite a schedule as name or name,chunk: steelyard run --schedule dynamic,64 -- ./program\n"
      "steelyard schedules --explain NAME tells of one, --all lists them.\n");
}

void list_all() {
  table shown({{"schedule", table::left}, {"what it does", table::left}, {"chunk", table::left}});
  for (const auto& each : explanations()) {
    const auto& row = *schedules::find(each.schedule);
    shown.add({row.about.name, row.about.summary, chunk_of(row)});
  }
  fmt::print("{}", shown.text());
}

void explain(std::string_view name) {
  const auto* row = schedules::find(support::trimmed(name));
  const auto* told = row != nullptr ? explanation_of(row->about.name) : nullptr;
  if (told == nullptr) {
    throw failure(bad_usage,
                  fmt::format("'{}' is not a schedule; `steelyard schedules --names` lists them", printable(name, 80)));
  }
  fmt::print("{}: {}\n\n  formula  {}\n  source   {}\n  use it   {}\n  chunk    {}\n  order    {}\n  family   {}\n",
             told->schedule, row->about.summary, told->formula, told->source, told->when, chunk_of(*row),
             row->about.ascending ? "each thread's iterations ascend, so `monotonic:` may stand" : "any", told->family);
  for (const auto& [other, meant] : schedules::aliases()) {
    if (told->schedule == meant) fmt::print("  also     {}\n", other);
  }
}

}  // namespace

int schedules_command(const schedules_options& options) {
  if (options.explained) {
    explain(*options.explained);
  } else if (options.names_only) {
    for (const auto& row : schedules::all()) fmt::print("{}\n", row.about.name);
  } else if (options.all) {
    list_all();
  } else {
    list_families();
  }
  return success;
}

}  // namespace steelyard::tool
