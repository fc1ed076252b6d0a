// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/arguments.h"
#include "simulator/replay.hpp"

/// The schedules named in the list that is given to `--schedules`, separated by commas. The program ends where one is unknown.
inline std::vector<const steelyard::schedules::operations*> schedules_named(std::string_view names) {
  std::vector<const steelyard::schedules::operations*> found;
  while (!names.empty()) {
    const std::string name(names.substr(0, names.find(',')));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    found.push_back(steelyard::simulator::find(name));
    if (found.back() == nullptr) bad_input("--schedules %s: no such schedule", name.c_str());
  }
  return found;
}
