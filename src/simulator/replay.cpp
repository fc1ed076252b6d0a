// SPDX-License-Identifier: Apache-2.0
#include "simulator/replay.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <queue>

#include "schedules/table.hpp"
#include "sync/virtual.hpp"

namespace steelyard::simulator {
namespace {

using schedules::member;
using schedules::operations;
using schedules::step;
using sync::virtual_time;

/// The state of a schedule while a loop runs.
class loop_state {
 public:
  loop_state(const operations& schedule, const schedules::shape& loop)
      : memory_(::operator new(schedule.bytes(loop), line)) {
    schedule.open(memory_.get(), loop);
  }
  [[nodiscard]] void* get() const noexcept { return memory_.get(); }

 private:
  static constexpr std::align_val_t line{support::line_size};
  struct release {
    void operator()(void* memory) const noexcept { ::operator delete(memory, line); }
  };
  std::unique_ptr<void, release> memory_;
};

/// A member about to call, at its clock; `turn` counts calls, so among equals the one that has waited longest is first.
struct caller {
  double clock;
  std::uint64_t turn;
  member who;
  friend bool operator>(const caller& a, const caller& b) noexcept {
    return a.clock != b.clock ? a.clock > b.clock : a.turn > b.turn;
  }
};

double cost_of(const step& chunk, std::span<const double> sums) {
  if (chunk.stride == 1) return sums[chunk.first + chunk.count] - sums[chunk.first];
  double cost = 0;
  for (std::uint64_t k = 0, i = chunk.first; k < chunk.count; ++k, i += chunk.stride) cost += sums[i + 1] - sums[i];
  return cost;
}

std::vector<member> everybody(const schedules::shape& loop) {
  std::vector<member> all(loop.members);
  std::iota(all.begin(), all.end(), member{0});
  return all;
}

}  // namespace

std::span<const operations> all() noexcept { return schedules::table<virtual_time>; }

const operations* find(std::string_view name) noexcept {
  for (const auto& row : all()) {
    if (row.about.name == name) return &row;
  }
  return nullptr;
}

outcome replay(const operations& schedule, const setup& given) {
  const loop_state state(schedule, given.loop);
  const auto everyone = given.arrivals.empty() ? everybody(given.loop) : std::vector<member>{};
  const auto arrivals = given.arrivals.empty() ? std::span<const member>(everyone) : given.arrivals;

  outcome result;
  result.busy.resize(given.loop.members);
  std::priority_queue<caller, std::vector<caller>, std::greater<>> waiting;
  std::uint64_t turn = 0;
  for (const auto m : arrivals) waiting.push({0, turn++, m});

  auto& meter = virtual_time::now();
  meter = sync::meter{};
  while (!waiting.empty()) {
    const auto [clock, unused, who] = waiting.top();
    waiting.pop();
    const auto transfers_before = meter.transfers;
    meter.actor = who;
    const auto chunk = schedule.next(state.get(), who);
    const auto charge = given.cost.call + given.cost.transfer * static_cast<double>(meter.transfers - transfers_before);
    if (given.keep_events) result.events.push_back({clock, who, chunk});
    if (chunk.done()) {
      result.makespan = std::max(result.makespan, clock + charge);
      continue;
    }
    const auto work = cost_of(chunk, given.sums);
    ++result.chunks;
    result.busy[who] += work;
    waiting.push({clock + charge + work, turn++, who});
  }

  for (const auto m : arrivals) {
    const auto counts = schedule.counts(state.get(), m);
    result.steals += counts.steals;
    result.attempts += counts.attempts;
  }
  result.accesses = meter.accesses;
  result.transfers = meter.transfers;
  return result;
}

}  // namespace steelyard::simulator
