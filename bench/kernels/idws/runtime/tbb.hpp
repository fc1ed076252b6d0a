// SPDX-License-Identifier: Apache-2.0
// oneTBB with its default partitioner.
#pragma once

#include <cstddef>
#include <cstdint>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "program.hpp"

namespace idws::runtime {

inline constexpr const char* schedules = "auto_partitioner";

class tbb_loop {
 public:
  explicit tbb_loop(tbb::task_arena& arena) : arena_(&arena) {}

  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
    arena_->execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, n),
          [&](const tbb::blocked_range<std::int64_t>& part) {
            for (std::int64_t i = part.begin(); i < part.end(); ++i) body(i);
          },
          tbb::auto_partitioner{});
    });
  }

 private:
  tbb::task_arena* arena_;
};

inline void check(const settings& chosen) { accept_only(chosen, schedules); }

template <class Use>
void with_schedule(const settings& chosen, Use use) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(chosen.threads));
  tbb::task_arena arena(static_cast<int>(chosen.threads));
  use(tbb_loop(arena));
}

}  // namespace idws::runtime
