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

inline std::string_view schedule_of(const settings& chosen) {
  return chosen.schedule != nullptr ? chosen.schedule : "static";
}

inline void check(const settings& chosen) {
  const std::string_view name = schedule_of(chosen);
  if (name != "static" && name != "static,1" && name != "dynamic" && name != "guided")
    refuse_schedule(chosen, schedules);
}

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  omp_set_num_threads(static_cast<int>(chosen.threads));
  const std::string_view name = schedule_of(chosen);
  if (name == "static") use(static_loop{});
  if (name == "static,1") use(static_1_loop{});
  if (name == "dynamic") use(dynamic_loop{});
  if (name == "guided") use(guided_loop{});
}

}  // namespace idws::runtime
