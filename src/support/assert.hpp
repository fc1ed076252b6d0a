// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

/// STEELYARD_ASSERT(condition, "[I2] what holds"): a precondition or an invariant of the document beside the source, looked at
/// where it has to hold. Off with NDEBUG: then the condition is compiled, and never evaluated.
///
/// It looks at values that the code has already. An access of its own to a protocol's words would be one more that the model
/// has to run, and no row of the document's table.
#ifdef NDEBUG
#define STEELYARD_ASSERT(condition, invariant) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define STEELYARD_ASSERT(condition, invariant) \
  ((condition) ? static_cast<void>(0) : ::steelyard::support::fail_assertion(__FILE__, __LINE__, #condition, invariant))
#endif

namespace steelyard::support {

/// What a failed assertion does instead of ending the program; it does not return. The model sets it before its threads run, so
/// that there the execution fails.
using assertion_handler = void (*)(const char* message);
inline constinit assertion_handler on_failed_assertion = nullptr;

/// Says what does not hold, and ends the program. Also in a handler of signals.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_assertion(const char* file, int line, const char* condition,
                                                                  const char* invariant) noexcept {
  char message[512];
  std::snprintf(message, sizeof message, "%s:%d: assertion failed: %s: %s", file, line, condition, invariant);
  if (on_failed_assertion != nullptr) on_failed_assertion(message);
  dprintf(STDERR_FILENO, "steelyard: %s\n", message);
  std::abort();
}

}  // namespace steelyard::support
