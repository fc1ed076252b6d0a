// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <string>

#include <fmt/format.h>

#include "check/suite.hpp"
#include "command/commands.hpp"
#include "schedules/own.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

/// The table of a plug-in, which stays loaded. Throws `failure` where it is none.
const steelyard_schedule& load(const std::string& file) {
  const auto path = file.find('/') == std::string::npos ? "./" + file : file;
  void* const code = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (code == nullptr) throw failure(bad_usage, fmt::format("cannot load '{}': {}", printable(file, 200), dlerror()));
  using made = const steelyard_schedule* (*)();
  const auto of = reinterpret_cast<made>(dlsym(code, "steelyard_plug_in_v1"));
  if (of == nullptr) {
    throw failure(bad_usage,
                  fmt::format("'{}' is no plug-in of a schedule; end its source with STEELYARD_PLUG_IN(name)",
                              printable(file, 200)));
  }
  const auto* const table = of();
  if (const char* const wrong = schedules::fault_of(table))
    throw failure(bad_usage, fmt::format("the schedule of '{}' {}", printable(file, 200), wrong));
  return *table;
}

}  // namespace

int check_schedule_command(const std::string& file) {
  const auto& schedule = load(file);
  fmt::print("{}: {}\n", schedule.name, printable(schedule.summary, 200));
  int wrong = 0;
  for (const auto& each : check::trials()) {
    std::fflush(stdout);
    const auto fault = check::run_apart(each, schedule);
    fmt::print("  {:<10} {:<6} {}\n", each.name, fault ? "WRONG" : "ok", fault ? printable(*fault, 400) : each.what);
    wrong += fault ? 1 : 0;
  }
  if (wrong != 0) fmt::print("{} of {} are wrong\n", wrong, check::trials().size());
  return wrong == 0 ? success : schedule_is_wrong;
}

}  // namespace steelyard::tool
