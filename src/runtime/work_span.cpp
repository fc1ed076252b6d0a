// SPDX-License-Identifier: Apache-2.0
#include "runtime/callers_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "runtime/environment.hpp"
#include "sync/real.hpp"

namespace steelyard::runtime {

void measure_if_told(steelyard_pool& pool) {
  if (!measures_spans() || pool.threads.measure_tasks()) return;
  static constinit sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"A19"})) return;
  std::fprintf(stderr,
               "steelyard: STEELYARD_SPAN=1 measures pools of one thread, and this one has %u; "
               "set STEELYARD_NUM_THREADS=1\n",
               pool.threads.workers() + 1);
}

void report_work_and_span(const steelyard_pool& pool) noexcept {
  const auto& its = pool.threads.its_tasks().measuring;
  if (!measures_spans() || !its.is_on()) return;
  if (!its.has_result()) {
    std::fputs("steelyard: work and span of a pool could not be measured: several threads have used it\n", stderr);
    return;
  }
  const auto [work, span] = its.so_far();
  if (work == 0) return;
  const double parallelism = static_cast<double>(work) / static_cast<double>(std::max<std::uint64_t>(span, 1));
  const auto seconds = [](std::uint64_t of) { return static_cast<double>(of) * 1e-9; };
  std::fprintf(
      stderr,
      "steelyard: the tasks of a pool of one thread took %.4g s (T1), their critical path %.4g s (T-infinity): "
      "more threads make them %.*f times as fast at most\n",
      seconds(work), seconds(span), parallelism < 100 ? 1 : 0, parallelism);
}

}  // namespace steelyard::runtime
