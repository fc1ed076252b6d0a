// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/rates.hpp"

#include "learn/averages.hpp"
#include "learn/rate.hpp"
#include "openmp/measure/ends.hpp"

namespace steelyard::openmp {
namespace {

/// Whether the instance is to be timed before which so many were opened. Instances may differ in turn, so the distance is a prime.
constexpr bool is_due(std::uint64_t before) noexcept {
  constexpr std::uint64_t between = 61;
  return before % between == 0 || (before < between && (before & (before - 1)) == 0);
}

}  // namespace

void plan_by_rate(const site& at, plan& by, std::uint64_t granules, std::uint64_t granule) noexcept {
  by.rated = by.schedule != nullptr && by.schedule->about.by_grain && by.chunk == 0;
  if (!by.rated) return;
  by.timed = is_due(at.rated.read());
  if (const auto rate = at.rate.get(); rate != 0) by.know_rate(rate * granule, granules, granule);
}

void count_for_rate(site& at, const plan& by) noexcept {
  if (by.rated) at.rated.add(1);
}

/// What took less was not disturbed, nor did members come late.
void learn_rate(const instance& ended) noexcept {
  const auto took = ending_of(ended);
  if (took.last == 0) return;
  const auto now = learn::rate_of(took.of_all_added, ended.iterations);
  const auto known = ended.at->rate.get();
  ended.at->rate.set(known == 0 || now < known ? now : learn::average(known, now));
}

}  // namespace steelyard::openmp
