// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "schedules/contract.hpp"
#include "schedules/loop_record.hpp"
#include "simulator/machine.hpp"

/// The simulator: the schedules' own source, driven in virtual time on given iteration costs. What it finds is exact for
/// these costs, at any number of members; it measures nothing.
namespace steelyard::simulator {

/// Every schedule over sync::virtual_time, in the order of the registry.
[[nodiscard]] std::span<const schedules::operations> all() noexcept;

/// The row of exactly that name; nullptr when there is none.
[[nodiscard]] const schedules::operations* find(std::string_view name) noexcept;

/// What calls cost, in the unit of the iterations' costs.
struct charges {
  double call = 0;      ///< every call of `next`, the last of a member included
  double transfer = 0;  ///< an access to a location last written by another member; not where a machine is given
  double request = 0;   ///< from a victim's answer until the thief has it
};

/// One call of `next`, or claim from an open range, in the order in which they happened.
struct event {
  double at = 0;
  schedules::member who = 0;
  schedules::step what;          ///< count 0: the member left; of granules, where the loop has such
  schedules::chunk_time took{};  ///< what a schedule that wants to know is told of it
};

struct setup {
  schedules::shape loop;
  /// Exclusive prefix sums of the iterations' costs, one more than iterations; sums below 2^53 of whole costs are exact.
  std::span<const double> sums;
  charges cost;
  /// The members in the order in which they arrive, all at time 0; empty: all of them by number. Members not named never
  /// come.
  std::span<const schedules::member> arrivals;
  bool keep_events = false;
  /// How fast each member is, 1: as the costs say; empty: all are.
  std::span<const double> speeds = {};
  /// Where the schedule has open ranges and `loop.front_end.open` is set: iterations that an owner claims at once, without a charge.
  /// It answers whoever has asked at its next claim; `cost.request` later the thieves have their answers.
  std::uint64_t claim = 1;
  /// A chunk of the loop that no piece may split (granule.hpp): the schedule gets the loop of granules. 0 or 1: none.
  std::uint64_t granule = 0;
  /// Charges accesses to the schedule's state, and runs its members as fast as its threads are; costs and charges are in
  /// nanoseconds then. At most as many members as it has threads. nullptr: none does.
  const machine* on = nullptr;
  /// What earlier instances have shown, for schedules that go by what chunks take, and where this one is noted: in `ticks` of the
  /// costs' unit. nullptr: nothing is known, and such schedules are told of this loop only.
  schedules::loop_record* record = nullptr;
  static constexpr double ticks = 1024;
};

/// What members took that was not iterations, all of them together, in the unit of the costs. With `busy`, and what they waited for
/// answers and at the end, that is their number times the makespan.
struct account {
  double handing_out = 0;  ///< calls and claims that gave a chunk of the member's own, or of a counter
  double stealing = 0;     ///< calls that asked others and got something, or were told to wait
  double leaving = 0;      ///< last calls, that found nothing
};

struct outcome {
  double makespan = 0;  ///< when the last member left
  account calls;
  std::uint64_t chunks = 0;
  std::uint64_t steals = 0;
  std::uint64_t attempts = 0;
  std::uint64_t accesses = 0;
  std::uint64_t transfers = 0;
  std::uint64_t lines = 0;         ///< on a machine: that came from another core
  std::uint64_t most_lines = 0;    ///< of one call, or claim
  std::uint64_t search_lines = 0;  ///< of calls that asked others, or found that nothing is left
  std::vector<double> busy;        ///< per member: time spent in iterations
  std::vector<event> events;
};

/// Runs the loop: the member with the least clock calls next, among equals the one that has waited longest. A call
/// happens at one instant; its charge and its iterations follow.
[[nodiscard]] outcome replay(const schedules::operations& schedule, const setup& given);

}  // namespace steelyard::simulator
