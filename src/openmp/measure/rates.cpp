// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/rates.hpp"

#include "learn/averages.hpp"
#include "learn/rate.hpp"
#include "openmp/measure/ends.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::openmp {
namespace {

/// Whether it steals, and the user leaves chunks to it.
bool goes_by_rate(const plan& by) noexcept {
  const bool hands_out = by.schedule != nullptr && by.chunk == 0 && !config.measuring;
  return hands_out && !by.schedule->about.ascending && !by.schedule->about.preassigned;
}

}  // namespace

void plan_by_rate(const site& at, plan& by, std::uint64_t granules, std::uint64_t granule) noexcept {
  by.rated = goes_by_rate(by);
  if (!by.rated) return;
  by.timed = schedules::loop_record::is_due(at.rated.read());
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
