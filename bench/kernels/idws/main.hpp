// SPDX-License-Identifier: Apache-2.0
// What a kernel's file includes last: the runtime it is built for, and the measurement with it.
#pragma once

#include <cstdint>
#include <cstdio>

#include RUNTIME_HEADER

#include "program.hpp"

namespace idws {

/// Whether `--schedules` was given; they are printed then.
inline bool listed(const settings& chosen) {
  if (chosen.list == 0) return false;
  std::puts(runtime::schedules);
  return true;
}

template <class Kernel>
int measure(const settings& chosen, Kernel& kernel) {
  measured taken;
  runtime::with_schedule(chosen, [&](auto loop) { taken = time_runs(chosen, kernel, loop); });
  if (chosen.no_verify != 0) return report(chosen, taken, nullptr);
  const std::uint64_t expected = serial_checksum(kernel);
  return report(chosen, taken, &expected);
}

}  // namespace idws
