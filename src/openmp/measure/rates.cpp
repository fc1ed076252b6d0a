// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/rates.hpp"

#include "learn/averages.hpp"
#include "learn/rate.hpp"
#include "openmp/measure/ends.hpp"
#include "schedules/granule.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::openmp {
namespace {

/// A prime, as instances may differ in turn.
constexpr std::uint64_t between = 61;

}  // namespace

void plan_by_rate(const site& at, plan& by, std::uint64_t iterations, std::uint64_t granule) noexcept {
  by.rated = by.schedule != nullptr && by.schedule->about.by_grain && by.chunk == 0;
  if (!by.rated) return;
  by.timed = schedules::loop_record::is_due(at.rated.read(), between);
  if (const auto rate = at.rate.get(); rate != 0)
    by.know_rate(rate * granule, schedules::granules(iterations, granule), granule);
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
