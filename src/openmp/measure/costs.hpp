// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "learn/cost_terms.hpp"
#include "openmp/team/team.hpp"

/// What the iterations of a loop cost, for a schedule that asks (wsrw, binlpt): declared by the program (steelyard_loop_cost), else
/// learnt from earlier instances of the loop, whose chunks are timed now and then.
namespace steelyard::openmp {

/// wsrw, with the clock read before and after each chunk. Reads the site's history, so it is no row of the registry.
extern const schedules::operations learning_schedule;

[[nodiscard]] inline bool asks_for_costs(const schedules::operations* schedule) noexcept {
  return schedule != nullptr && (schedule->remaining_work != nullptr || schedule == &learning_schedule);
}

/// Gives a loop of so many iterations that is about to be opened the costs that are known of it. What the region was opened
/// with, or this thread has declared since, belongs to this site from now on. `loop` is what the schedule deals: granules,
/// and all but the last, so a position among costs that were declared is wrong by less than one of these.
void use_costs(site& at, implicit_task& in, std::uint64_t iterations, schedules::shape& loop) noexcept;

/// What is known without numbers of a rewritten loop's costs: see compiled/compiled.md.
void note_derived(site& at, bool equal, bool guarded) noexcept;

/// What its members have found of its costs, whose constants are seeds until chunks were timed (learn/cost_terms.hpp).
struct derived_costs {
  std::span<const learn::cost_terms::row> numbers;  ///< of each term
  std::uint64_t iterations;
  std::uint64_t key;
  const double* seed;
  const double* seeds;
};
void take_derived(site& at, const derived_costs& told) noexcept;

/// Whether those with that key are known, of a loop of so many iterations.
[[nodiscard]] bool is_derived(const site& at, std::uint64_t iterations, std::uint64_t key) noexcept;

/// Whether its loops have run long enough for stating their costs once more (learn/reading_debt.hpp).
[[nodiscard]] bool pays_stating(site& at) noexcept;
/// Whether that would be the first time, on trust.
[[nodiscard]] bool is_first_stating(const site& at) noexcept;
/// Stating them took so long, in ticks.
void count_stating(site& at, std::uint64_t took) noexcept;
/// With the time since an instance was opened whose schedule asks for costs, until it is given back.
void pay_for_stating(const instance& ended) noexcept;

/// Those of a rewritten loop are declared for the loop that this thread opens next.
void hand_on_costs(const site& from) noexcept;

/// Whether the loop that is about to be opened there is to be learnt from: the first, second, fourth, … and each 64th, where the loops there
/// have paid for that (learn/reading_debt.hpp); none whose costs were declared.
[[nodiscard]] bool is_time_to_learn(site& at) noexcept;

/// Counts a loop that was opened there.
void count_for_costs(site& at) noexcept;

/// What is known of the loops there; nullptr: nothing.
[[nodiscard]] const schedules::profile* profile_of(const site& at) noexcept;

/// How the costs that a loop there was balanced by came to be known, `learnt` or `declared`; nullptr: none was.
[[nodiscard]] const char* origin_of_costs(const site& at) noexcept;

/// From an ended instance of `learning_schedule`.
void learn_costs(instance& ended) noexcept;

}  // namespace steelyard::openmp
