// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

// The most memory that this program has had; that of getrusage is never less than its parent's was.
inline long peak_kib() {
  long kib = 0;
  if (std::FILE* const status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status) != nullptr && std::sscanf(line, "VmHWM: %ld", &kib) != 1) {
    }
    std::fclose(status);
  }
  return kib;
}
