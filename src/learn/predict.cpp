// SPDX-License-Identifier: Apache-2.0
#include "learn/predict.hpp"

#include <algorithm>
#include <functional>

#include "learn/caller.hpp"
#include "schedules/draw.hpp"
#include "schedules/roots.hpp"
#include "support/cache_line.hpp"

namespace steelyard::learn {
namespace {

using schedules::member;
using schedules::operations;
using schedules::shape;
using schedules::step;

std::size_t bytes_of_state(const operations& schedule, const shape& loop) noexcept {
  return support::whole_lines(schedule.bytes(loop));
}

}  // namespace

chunk_costs::chunk_costs(const loop_costs& known, std::uint64_t iterations) noexcept
    : bins_in_one_(density::bins / static_cast<double>(iterations)),
      deviation_(static_cast<double>(known.deviation) / 1024), hand_over_(static_cast<double>(known.hand_over)) {
  for (std::uint32_t bin = 0; bin < density::bins; ++bin)
    before_[bin + 1] = before_[bin] + known.spread->cost(bin) * static_cast<double>(known.work);
}

double chunk_costs::of(const step& chunk) noexcept {
  const auto first = static_cast<double>(chunk.first);
  const auto stride = static_cast<double>(chunk.stride);
  const auto count = static_cast<double>(chunk.count);
  const auto cost = stride > 1 && stride * bins_in_one_ > 1 ? one_by_one(first, stride, chunk.count)
                                                            : (up_to(first + count * stride) - up_to(first)) / stride;
  return deviation_ > 0 && cost > 0 ? disturbed(cost, count) : cost;
}

/// Of iterations that are farther apart than the parts are wide, so there are no more of them than parts.
double chunk_costs::one_by_one(double first, double stride, std::uint64_t count) const noexcept {
  double cost = 0;
  for (std::uint64_t i = 0; i < count; ++i, first += stride) cost += up_to(first + 1) - up_to(first);
  return cost;
}

double chunk_costs::up_to(double iteration) const noexcept {
  const auto at = std::min(iteration * bins_in_one_, double{density::bins});
  const auto bin = std::min(static_cast<std::uint32_t>(at), density::bins - 1);
  return before_[bin] + (before_[bin + 1] - before_[bin]) * (at - bin);
}

/// From 0 to 1.
double chunk_costs::draw() noexcept { return static_cast<double>(schedules::draw(random_) >> 11) * 0x1.0p-53; }

/// Never below nothing, of that mean and the deviation of so many iterations, which deviate independently.
double chunk_costs::disturbed(double cost, double count) noexcept {
  const auto relative = deviation_ / schedules::square_root(count);
  if (relative < 0.28) {  // the sum of four is like a normal one, and never that far from its mean
    const auto sum = draw() + draw() + draw() + draw() - 2;
    return cost * (1 + relative * sum * 1.7320508);
  }
  if (relative < 1) return cost * (draw() < 0.5 ? 1 - relative : 1 + relative);
  const auto seldom = 1 / (1 + relative * relative);
  return draw() < seldom ? cost / seldom : 0;
}

std::size_t room_to_predict(const operations& schedule, const shape& loop) noexcept {
  return bytes_of_state(schedule, loop) + loop.members * sizeof(caller);
}

std::uint64_t predict(const operations& schedule, const shape& loop, chunk_costs& costs, void* room) noexcept {
  costs.begin(loop.seed);
  schedule.open(room, loop);
  auto* const calls = reinterpret_cast<caller*>(static_cast<std::byte*>(room) + bytes_of_state(schedule, loop));
  auto* end = calls;
  std::uint64_t turn = 0;
  for (member m = 0; m < loop.members; ++m) *end++ = {0, turn++, m};
  double last = 0;
  while (end != calls) {
    std::pop_heap(calls, end, std::greater<>());
    caller& now = *(end - 1);
    const auto chunk = schedule.next(room, now.who);
    const bool waits = chunk.what != step::kind::closed;
    if (waits || turn == most_calls_to_predict) return not_predicted;
    now.clock += costs.hand_over();
    if (chunk.done()) {
      last = std::max(last, now.clock);
      --end;
      continue;
    }
    now.clock += costs.of(chunk);
    now.turn = turn++;
    std::push_heap(calls, end, std::greater<>());
  }
  return static_cast<std::uint64_t>(last);
}

}  // namespace steelyard::learn
