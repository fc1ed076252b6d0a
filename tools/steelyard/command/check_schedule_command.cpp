// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "check/suite.hpp"
#include "check/virtual_time.hpp"
#include "command/commands.hpp"
#include "schedules/own.hpp"
#include "schedules/plug_in.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

/// The table of a plug-in, which stays loaded; first in another process, for its constructors may do anything. Throws `failure` where it is none.
const steelyard_schedule& load(const std::string& file) {
  if (file.empty()) throw failure(bad_usage, "no file given; write steelyard check-schedule ./FILE.so");
  const auto path = file.find('/') == std::string::npos ? "./" + file : file;
  const auto loads = check::run_apart(
      [&] {
        return check::answer{schedules::open_plug_in(path.c_str()).table != nullptr, ""};
      },
      20);
  if (!loads.right && !loads.text.empty())
    throw failure(schedule_is_wrong, fmt::format("'{}' cannot be loaded: {}", printable(file, 200), loads.text));
  const auto found = schedules::open_plug_in(path.c_str());
  if (found.table == nullptr)
    throw failure(bad_usage, fmt::format("'{}' {}", printable(file, 200), printable(found.wrong, 200)));
  return *found.table;
}

/// Its row, once it is added to the others. Throws `failure` where it cannot be.
const schedules::operations& row_of(const steelyard_schedule& schedule) {
  if (const char* const wrong = schedules::add_own(&schedule))
    throw failure(bad_usage, fmt::format("the schedule '{}' {}", schedule.name, wrong));
  return schedules::own().back();
}

}  // namespace

int check_schedule_command(const std::string& file) {
  const auto& schedule = load(file);
  const auto& row = row_of(schedule);
  fmt::print("{}: {}\n", schedule.name, printable(schedule.summary, 200));
  int wrong = 0;
  unsigned patience = 60;  // seconds
  for (const auto& each : check::trials()) {
    std::fflush(stdout);
    const auto fault = check::run_apart(each, schedule, patience);
    if (fault && fault->find("does it wait") != std::string::npos)
      patience = 5;  // then the others need not be asked for long
    fmt::print("  {:<10} {:<6} {}\n", each.name, fault ? "WRONG" : "ok", fault ? printable(*fault, 400) : each.what);
    wrong += fault ? 1 : 0;
  }
  if (wrong != 0) {
    fmt::print("{} of {} are wrong\n", wrong, check::trials().size());
  } else {
    std::fflush(stdout);
    const auto times = check::run_apart([&] { return check::answer{true, check::in_virtual_time(row)}; });
    if (!times.right) throw failure(schedule_is_wrong, fmt::format("in the simulator {}", printable(times.text, 400)));
    fmt::print("\nIn the simulator, in times of the limit, which is the work divided by the members:\n{}", times.text);
  }
  return wrong == 0 ? success : schedule_is_wrong;
}

}  // namespace steelyard::tool
