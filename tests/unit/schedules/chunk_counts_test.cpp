// SPDX-License-Identifier: Apache-2.0
// How many chunks the self-scheduled schedules hand out, by the laws of their sources.
#include <cmath>
#include <cstdint>

#include "loop_run.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::schedules::testing {
namespace {

double chunks_of(const char* name, std::uint64_t n, std::uint32_t members, const loop_record* known = nullptr) {
  shape loop{n, members, 0, 1};
  loop.known.record = known;
  loop_run run(name, loop);
  return static_cast<double>(in_turn(run, everybody(members)).size());
}

constexpr std::uint64_t sizes[] = {100'000, 3'000'000, 1ULL << 40};
constexpr std::uint32_t teams[] = {4, 17, 64, 256};

/// R falls by 1/P with each chunk: P ln(N/P) of them until P are left, and these.
TEST(chunk_counts, of_guided_are_p_ln_n) {
  for (const auto n : sizes) {
    for (const auto p : teams) {
      const double law = p * std::log(static_cast<double>(n) / p) + p;
      EXPECT_NEAR(chunks_of("guided", n, p), law, 0.35 * law) << n << ' ' << p;
      EXPECT_NEAR(chunks_of("guided:libomp", n, p), 2 * law, 0.35 * 2 * law) << n << ' ' << p;
    }
  }
}

/// R halves with each batch of P.
TEST(chunk_counts, of_factoring_are_log_n_batches) {
  for (const auto n : sizes) {
    for (const auto p : teams) {
      const double law = std::log2(static_cast<double>(n) / p);
      for (const char* const name : {"factoring", "wf2", "awf", "awf-b"}) {
        EXPECT_NEAR(chunks_of(name, n, p) / p, law, 2) << name << ' ' << n << ' ' << p;
      }
    }
  }
}

/// Chunks fall linearly from N/2P to 1, so about 4P. What a real decrement loses by rounding down is half an iteration of each, and
/// comes in small chunks behind them.
TEST(chunk_counts, of_trapezoid_are_four_p) {
  for (const auto n : sizes) {
    for (const auto p : teams) {
      for (const char* const name : {"trapezoid", "trapezoid:real", "tfss"}) {
        const auto found = chunks_of(name, n, p);
        EXPECT_GE(found, 2.0 * p) << name << ' ' << n;
        EXPECT_LE(found, 6.0 * p + 1) << name << ' ' << n;
      }
    }
  }
}

/// Of times that do not vary, as guided; the more they vary, the more chunks.
TEST(chunk_counts, of_adaptive_factoring_grow_with_the_spread) {
  for (const auto p : teams) {
    loop_record known;
    known.mean = 1;
    double before = chunks_of("af", 100'000, p, &known);
    const auto guided = chunks_of("guided", 100'000, p);
    EXPECT_NEAR(before, guided, 0.02 * guided);
    for (const double deviation : {0.5, 2.0, 8.0}) {
      known.deviation = deviation;
      const auto now = chunks_of("af", 100'000, p, &known);
      EXPECT_GT(now, before) << p << ' ' << deviation;
      before = now;
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
