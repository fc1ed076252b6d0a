// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command/commands.hpp"
#include "schedules/registry.hpp"
#include "text/failure.hpp"
#include "text/table.hpp"

namespace steelyard::tool {

int schedules_command(bool names_only) {
  if (names_only) {
    for (const auto& row : schedules::all()) fmt::print("{}\n", row.about.name);
    return success;
  }
  table shown({{"schedule", table::left}, {"what it does", table::left}, {"chunk", table::left}});
  for (const auto& row : schedules::all()) {
    const auto* chunk = row.about.chunk_meaning;
    shown.add({row.about.name, row.about.summary, chunk == nullptr ? "takes none" : chunk});
  }
  fmt::print("{}\nWrite a schedule as name or name,chunk: steelyard run --schedule dynamic,64 -- ./program\n",
             shown.text());
  return success;
}

}  // namespace steelyard::tool
