// SPDX-License-Identifier: Apache-2.0
// One thread. Times every loop in blocks of iterations, for the limit.
#pragma once

#include "limit.hpp"
#include "program.hpp"

namespace idws::runtime {

inline constexpr const char* schedules = "serial";

inline void check(const settings& chosen) { accept_only(chosen, schedules); }

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  use(block_timed_loop(static_cast<unsigned>(chosen.threads)));
}

}  // namespace idws::runtime
