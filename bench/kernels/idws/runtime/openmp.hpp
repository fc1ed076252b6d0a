// SPDX-License-Identifier: Apache-2.0
// OpenMP: one loop for each clause, the clause in the source. Through schedule(runtime) libgomp's static is slower.
#pragma once

#include <cstdint>
#include <string_view>

#include <omp.h>

#include "program.hpp"

namespace idws::runtime {

inline constexpr const char* schedules = "static static,1 dynamic guided";

struct static_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

struct static_1_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

struct dynamic_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

struct guided_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
#pragma omp parallel for schedule(guided)
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  omp_set_num_threads(static_cast<int>(chosen.threads));
  const std::string_view schedule = chosen.schedule != nullptr ? chosen.schedule : "static";
  if (schedule == "static") return use(static_loop{});
  if (schedule == "static,1") return use(static_1_loop{});
  if (schedule == "dynamic") return use(dynamic_loop{});
  if (schedule == "guided") return use(guided_loop{});
  refuse_schedule(chosen, schedules);
}

}  // namespace idws::runtime
