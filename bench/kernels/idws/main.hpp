// SPDX-License-Identifier: Apache-2.0
// What a kernel's file includes last: the runtime it is built for, and the measurement with it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include RUNTIME_HEADER

#include "program.hpp"

namespace idws {

/// Fills `chosen` and the targets of the program's own options. `--schedules` prints them and ends the program; a
/// schedule or a team that this runtime cannot have is refused.
inline void parse(settings& chosen, int argc, char** argv, const char* summary, const std::vector<argument>& own) {
  chosen.parse(argc, argv, summary, own);
  if (chosen.list != 0) {
    std::puts(runtime::schedules);
    std::exit(EXIT_SUCCESS);
  }
  runtime::check(chosen);
}

template <class Kernel>
int measure(const settings& chosen, Kernel& kernel) {
  measured taken;
  runtime::with_schedule(chosen, [&](auto loop) { taken = time_runs(chosen, kernel, loop); });
  if (chosen.no_verify != 0) return report(chosen, taken, nullptr);
  const std::uint64_t expected = serial_checksum(kernel);
  const int status = report(chosen, taken, &expected);
  if constexpr (requires { kernel.flaw(); }) {
    if (const char* const flaw = kernel.flaw(); flaw != nullptr) return report_flaw(flaw);
  }
  return status;
}

}  // namespace idws
