// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/rates.hpp"

#include "learn/averages.hpp"
#include "learn/rate.hpp"
#include "openmp/measure/ends.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::openmp {
namespace {

/// Schedules that hand out in order have a chunk that is no business of ours.
bool goes_by_rate(const plan& by) noexcept {
  const bool is_named = by.schedule != nullptr && by.told == nullptr && by.chunk == 0 && !config.measuring;
  return is_named && !by.schedule->about.ascending && !by.schedule->about.preassigned;
}

}  // namespace

void plan_by_rate(const site& at, plan& by, std::uint64_t granules, std::uint64_t granule) noexcept {
  if (!goes_by_rate(by)) return;
  by.paced = schedules::loop_record::is_due(at.rated.read());
  if (const auto rate = at.rate.get(); rate != 0) by.know_rate(rate * granule, granules, granule);
}

void count_for_rate(site& at, const plan& by) noexcept {
  if (goes_by_rate(by)) at.rated.add(1);
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
