// SPDX-License-Identifier: Apache-2.0
// Lists the schedules through the C++ interface and shows that bad input throws.
#include <cstdio>
#include <stdexcept>
#include <steelyard/schedule.hpp>
#include <string>

int main() {
  for (const auto& schedule : steelyard::all_schedules()) std::puts(schedule.name);
  if (steelyard::find_schedule("no-such-schedule") || !steelyard::find_schedule("Dynamic")) return 1;
  if (const auto choice = steelyard::parse_schedule("dynamic,64");
      choice.chunk != 64 || std::string{choice.schedule.name} != "dynamic") {
    return 1;
  }
  try {
    static_cast<void>(steelyard::parse_schedule("dynamic,0"));
  } catch (const std::invalid_argument& error) {
    return std::string{error.what()}.find("'dynamic,0'") == 0 ? 0 : 1;
  }
  return 1;
}
