// SPDX-License-Identifier: Apache-2.0
// Ours, on the process's own pool.
#pragma once

#include <cstdint>
#include <string>

#include <steelyard/loop.hpp>

#include "program.hpp"

namespace idws::runtime {

inline const char* const schedules = [] {
  static std::string names;
  for (std::size_t i = 0; i < steelyard_schedule_count(); ++i) {
    names += (i == 0 ? "" : " ") + std::string(steelyard_schedule_name(i));
  }
  return names.c_str();
}();

class steelyard_loop {
 public:
  explicit steelyard_loop(const char* schedule) : schedule_(schedule) {}

  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
    steelyard::parallel_for(std::int64_t{0}, n, body, {.schedule = schedule_});
  }

 private:
  const char* schedule_;
};

inline void check(const settings& chosen) {
  if (chosen.schedule != nullptr && steelyard_schedule_parse(chosen.schedule, nullptr) != nullptr) {
    refuse_schedule(chosen, schedules);
  }
  const auto threads = static_cast<long>(steelyard::threads());
  if (threads != chosen.threads) {
    bad_input("--threads %ld: the pool has %ld: set STEELYARD_NUM_THREADS=%ld", chosen.threads, threads,
              chosen.threads);
  }
}

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  use(steelyard_loop(chosen.schedule));
}

}  // namespace idws::runtime
