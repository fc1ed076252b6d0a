// SPDX-License-Identifier: Apache-2.0
#include "simulator/replay.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <queue>

#include "learn/caller.hpp"
#include "schedules/granule.hpp"
#include "schedules/table.hpp"
#include "simulator/coherence.hpp"
#include "support/assert.hpp"
#include "sync/virtual.hpp"

namespace steelyard::simulator {
namespace {

using learn::caller;
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

/// Of a step of granules.
double cost_of(step rest, const setup& given) {
  const auto granule = std::max<std::uint64_t>(given.granule, 1);
  double cost = 0;
  while (rest.count != 0) {
    const auto front = schedules::take_front(rest, granule, given.loop.iterations);
    cost += given.sums[front.first + front.count] - given.sums[front.first];
  }
  return cost;
}

std::vector<member> everybody(const schedules::shape& loop) {
  std::vector<member> all(loop.members);
  std::iota(all.begin(), all.end(), member{0});
  return all;
}

/// A loop on its way through virtual time.
class run {
 public:
  run(const operations& schedule, const setup& given)
      : schedule_(schedule), given_(given), state_(schedule, shape_of(given)), claiming_(given.loop.members),
        running_(given.loop.members) {
    result_.busy.resize(given.loop.members);
    if (given.on == nullptr) return;
    STEELYARD_ASSERT(given.loop.members <= given.on->threads(), "replay.hpp: no more members than threads");
    lines_.emplace(*given.on, state_.get(), schedule.bytes(shape_of(given)));
  }

  outcome operator()() {
    const auto everyone = given_.arrivals.empty() ? everybody(given_.loop) : std::vector<member>{};
    const auto arrivals = given_.arrivals.empty() ? std::span<const member>(everyone) : given_.arrivals;
    for (const auto m : arrivals) calls_.push({0, turn_++, m});
    auto& meter = virtual_time::now();
    meter = sync::meter{};
    while (!calls_.empty()) {
      const auto next = calls_.top();
      calls_.pop();
      meter.actor = next.who;
      if (call(next, meter)) release(next.clock);
    }
    for (const auto m : arrivals) {
      const auto counts = schedule_.counts(state_.get(), m);
      result_.steals += counts.steals;
      result_.attempts += counts.attempts;
    }
    result_.accesses = meter.accesses;
    result_.transfers = meter.transfers;
    if (lines_) result_.lines = lines_->lines_moved();
    if (given_.record != nullptr && is_told()) schedule_.feedback->learnt(state_.get(), *given_.record);
    if (given_.record != nullptr) ++given_.record->instances;
    return std::move(result_);
  }

 private:
  /// A chunk that a member is running.
  struct running {
    step chunk{};
    schedules::chunk_time time{};
  };

  static schedules::shape shape_of(const setup& given) {
    auto loop = schedules::in_granules(given.loop, given.granule);
    if (given.record != nullptr) loop.known.record = given.record;
    return loop;
  }

  /// Whether the schedule wants to know what chunks take.
  [[nodiscard]] bool is_told() const {
    const auto* const row = schedule_.feedback;
    return row != nullptr && (row->always || (given_.record != nullptr && given_.record->is_due()));
  }

  /// By a member that has run its chunk.
  void tell(member who) {
    auto& its = running_[who];
    if (its.chunk.count != 0) schedule_.feedback->completed(state_.get(), who, its.chunk, its.time);
    its = {};
  }

  /// One instant of a member: a claim from its open range, or a call of `next`. Whether anything has changed for others.
  bool call(const caller& at, const sync::meter& meter) {
    const auto who = at.who;
    if (claiming_[who]) {
      const auto wanted = schedules::granules(given_.claim, given_.granule);
      sync::piece got;
      const auto charge = charge_of(at, meter, [&] { got = schedule_.open_ranges->claim(state_.get(), who, wanted); });
      if (got.count != 0) {
        if (given_.keep_events) result_.events.push_back({at.clock, who, {got.first, got.count, 1}});
        if (lines_) result_.calls.handing_out += charge;
        work(at, {got.first, got.count, 1}, lines_ ? charge : 0);
        return true;
      }
      claiming_[who] = false;
    }
    if (is_told()) tell(who);
    step chunk;
    const auto asked = schedule_.counts(state_.get(), who).attempts;
    const auto charge = given_.cost.call + charge_of(at, meter, [&] {
                          chunk = schedule_.next(state_.get(), who);
                          if (chunk.what == step::kind::ask)
                            schedule_.open_ranges->ring(state_.get(), static_cast<member>(chunk.first));
                        });
    if (given_.keep_events) result_.events.push_back({at.clock, who, chunk});
    const bool has_asked = chunk.what == step::kind::ask || schedule_.counts(state_.get(), who).attempts != asked;
    account_of(chunk, has_asked) += charge;
    if (lines_ && (chunk.done() || has_asked)) result_.search_lines += lines_->moved_now();
    if (chunk.what == step::kind::ask) {
      asking_.push_back(who);
    } else if (chunk.what == step::kind::wait) {
      waiting_.push_back(who);
    } else if (chunk.what == step::kind::open) {
      claiming_[who] = true;
      calls_.push({at.clock + charge, turn_++, who});
    } else if (chunk.done()) {
      result_.makespan = std::max(result_.makespan, at.clock + charge);
    } else {
      work(at, chunk, charge);
    }
    return chunk.what != step::kind::wait;
  }

  /// What a call was for that gave that.
  double& account_of(const step& chunk, bool has_asked) noexcept {
    if (chunk.done()) return result_.calls.leaving;
    return has_asked ? result_.calls.stealing : result_.calls.handing_out;
  }

  /// What the accesses of that member cost while it does that.
  template <class Does>
  double charge_of(const caller& at, const sync::meter& meter, Does does) {
    if (!lines_) {
      const auto before = meter.transfers;
      does();
      return given_.cost.transfer * static_cast<double>(meter.transfers - before);
    }
    lines_->begin(at.who, at.clock);
    virtual_time::now().listener = &*lines_;
    does();
    virtual_time::now().listener = nullptr;
    const auto through = lines_->end();
    result_.most_lines = std::max(result_.most_lines, lines_->moved_now());
    return through - at.clock;
  }

  [[nodiscard]] double speed_of(member who) const {
    const auto its = given_.speeds.empty() ? 1.0 : given_.speeds[who];
    return given_.on != nullptr ? its * given_.on->speed_of(who, given_.loop.members) : its;
  }

  void work(const caller& at, const step& chunk, double charge) {
    const auto speed = speed_of(at.who);
    const auto took = cost_of(chunk, given_) / speed;
    ++result_.chunks;
    result_.busy[at.who] += took;
    const auto ticks = [](double time) { return static_cast<std::uint64_t>(std::llround(time * setup::ticks)); };
    running_[at.who] = {chunk, {ticks(took), ticks(charge)}};
    if (given_.keep_events) result_.events.back().took = running_[at.who].time;
    calls_.push({at.clock + charge + took, turn_++, at.who});
  }

  /// Thieves that were answered at this instant go on; so do those that wait for something to change.
  void release(double clock) {
    std::erase_if(asking_, [&](member thief) {
      const bool answered = schedule_.open_ranges->is_answered(state_.get(), thief);
      if (answered) calls_.push({clock + given_.cost.request, turn_++, thief});
      return answered;
    });
    for (const auto m : waiting_) calls_.push({clock, turn_++, m});
    waiting_.clear();
  }

  const operations& schedule_;
  const setup& given_;
  loop_state state_;
  std::optional<coherence> lines_;  ///< nothing: no machine
  std::priority_queue<caller, std::vector<caller>, std::greater<>> calls_;
  std::uint64_t turn_ = 0;
  std::vector<bool> claiming_;  ///< members inside their open range
  std::vector<running> running_;
  std::vector<member> asking_;   ///< that wait for an answer
  std::vector<member> waiting_;  ///< that were told to call again
  outcome result_;
};

}  // namespace

std::span<const operations> all() noexcept { return schedules::table<virtual_time>; }

const operations* find(std::string_view name) noexcept {
  for (const auto& row : all()) {
    if (row.about.name == name) return &row;
  }
  return nullptr;
}

outcome replay(const operations& schedule, const setup& given) { return run(schedule, given)(); }

}  // namespace steelyard::simulator
