// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "simulator/selection/method.hpp"

namespace steelyard::simulator::selection {
namespace {

/// Until members were through, the sum over all.
double finished(const outcome& found) {
  const auto& calls = found.calls;
  const double in_calls = calls.handing_out + calls.stealing + calls.leaving;
  return std::accumulate(found.busy.begin(), found.busy.end(), in_calls);
}

/// As LB4OMP computes it.
double imbalance_of(const outcome& found) {
  const auto members = static_cast<double>(found.busy.size());
  const double last = found.makespan;
  return last > 0 && members > 1 ? (last - finished(found) / members) / last * members / (members - 1) * 100 : 0;
}

schedules::loop_record& record_of(
    std::vector<std::pair<std::string_view, std::unique_ptr<schedules::loop_record>>>& all, std::string_view name) {
  for (auto& [its, record] : all) {
    if (its == name) return *record;
  }
  return *all.emplace_back(name, std::make_unique<schedules::loop_record>()).second;
}

}  // namespace

std::uint64_t repeated_loop::clock(double time) {
  return static_cast<std::uint64_t>(time * under_.ticks_of_unit * (1 + under_.noise * (2 * noise_() - 1)));
}

measured repeated_loop::seen(const outcome& found, const way& how, std::span<const double> sums) {
  measured it;
  it.ticks = clock(found.makespan);
  it.seconds = static_cast<double>(it.ticks) / under_.ticks_of_unit * under_.seconds_of_unit;
  it.imbalance = imbalance_of(found);
  it.finished = clock(finished(found));
  if (!how.observed) return it;
  for (const auto& each : found.events) {
    const auto [first, count] = std::pair(each.what.first, each.what.count);
    if (count != 0) it.chunks.push_back({first, count, clock(sums[first + count] - sums[first])});
  }
  return it;
}

double repeated_loop::run(std::span<const double> sums, std::uint32_t members, std::uint64_t seed) {
  const auto how = by_.next(sums.size() - 1, members);
  setup given;
  given.loop = {sums.size() - 1, how.members, how.chunk, seed, {.contiguous = true, .all_arrive = true}};
  if (!how.ends.empty()) given.loop.known.ends = how.ends.data();
  given.sums = sums;
  given.cost.call = how.observed ? 2 * under_.call : under_.call;  // clocks are read
  given.keep_events = how.observed;
  schedules::loop_record told;
  told.mean = 1;
  told.deviation = how.variation;
  told.hand_over = 1;
  given.record = how.variation > 0 ? &told : &record_of(records_, how.schedule->about.name);
  const auto found = replay(*how.schedule, given);
  by_.took(seen(found, how, sums));
  return found.makespan;
}

}  // namespace steelyard::simulator::selection
