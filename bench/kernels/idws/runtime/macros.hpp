// SPDX-License-Identifier: Apache-2.0
// The macros of the IDWS paper in an `omp parallel` region.
#pragma once

#include <cstdint>

#include <omp.h>

#include <IDWS.h>

#include "program.hpp"

namespace idws::runtime {

inline constexpr const char* schedules = "macros";

struct macros_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
    const int nthreads = omp_get_max_threads();
#pragma omp parallel
    {
      const int tid = omp_get_thread_num();
      IDWS_prologue(std::int64_t, i, n)
        body(i);
      IDWS_epilogue
    }
  }
};

inline void check(const settings& chosen) { accept_only(chosen, schedules); }

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  omp_set_num_threads(static_cast<int>(chosen.threads));
  use(macros_loop{});
}

}  // namespace idws::runtime
