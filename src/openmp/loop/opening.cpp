// SPDX-License-Identifier: Apache-2.0
#include "openmp/loop/opening.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "openmp/host/clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/loop/region.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/measure/chunk_times.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/measure/limit.hpp"
#include "openmp/measure/rates.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/expensive_first.hpp"
#include "schedules/granule.hpp"
#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

/// The loop as the schedule sees it that deals it.
schedules::shape shape_of(const request& wanted, const decision& how, const plan& by, bool holds_last) noexcept {
  schedules::shape shape{wanted.loop.iterations, by.members, by.chunk, wanted.at->offset};
  shape.known.weights = how.weights;
  shape.known.grain = by.grain;
  shape.known.most_at_once = by.most_at_once;
  shape.front_end.contiguous = by.schedule == nullptr || !by.schedule->about.as_published;
  shape.front_end.all_arrive = true;
  shape.front_end.expensive_first = shape.front_end.contiguous;
  shape = in_granules(shape, how.granule);
  STEELYARD_ASSERT(!holds_last || shape.iterations != 0, "loop.md: a loop that is shared has a last iteration");
  if (holds_last) --shape.iterations;
  return shape;
}

/// A block for an instance, the member's spare when that is large enough; nullptr: there is no memory. `bytes` becomes its size.
void* room_for(implicit_task& in, std::size_t& bytes) noexcept {
  if (in.spare != nullptr && in.spare->bytes < bytes) {
    slab_give(in.spare, in.spare->bytes);
    in.spare = nullptr;
  }
  if (in.spare == nullptr) return slab_take(bytes);
  bytes = in.spare->bytes;
  return std::exchange(in.spare, nullptr);
}

/// Its members say there when they are through.
void tell_ends(instance& fresh, void* room) noexcept {
  fresh.last_calls = static_cast<last_call*>(room);
  for (std::uint32_t m = 0; m < fresh.members; ++m) ::new (static_cast<void*>(fresh.last_calls + m)) last_call;
}

/// What is known of a loop stands behind everything else of its instance: where the shares end, and where lists begin.
std::size_t bytes_of_known(const plan& by, const schedules::shape& loop) noexcept {
  return (by.ends != nullptr ? by.members * sizeof(std::uint64_t) : 0) +
         (loop.known.roughly != nullptr ? by.members * sizeof(std::uint32_t) : 0);
}

void keep_known(const plan& by, schedules::shape& loop, char* room) noexcept {
  if (by.ends != nullptr) {
    auto* const ends = reinterpret_cast<std::uint64_t*>(room);
    room = reinterpret_cast<char*>(std::copy_n(by.ends, by.members, ends));
    loop.known.ends = ends;
  }
  if (loop.known.roughly != nullptr) {
    auto* const starts = reinterpret_cast<std::uint32_t*>(room);
    if (schedules::begin_with_expensive(loop, starts)) loop.known.starts = starts;
  }
}

/// A prepared instance for this loop; nullptr when there is no memory.
instance* prepare(implicit_task& in, const request& wanted, const decision& how, const plan& by) noexcept {
  STEELYARD_ASSERT(by.members != 0 && by.members <= in.members, "contract.hpp: who is to take iterations comes");
  const auto* schedule = by.schedule;
  const bool holds_last = schedule != nullptr && !schedule->about.ascending;
  auto shape = shape_of(wanted, how, by, holds_last);
  const bool asks = asks_for_costs(schedule);
  if (asks) {
    use_costs(*wanted.at, in, wanted.loop.iterations, shape);
    if (is_time_to_learn(*wanted.at)) schedule = &learning_schedule;
  }
  const bool timed = schedule != nullptr && is_to_be_timed(*schedule, *wanted.at);
  const std::size_t used =
      support::whole_lines(sizeof(instance) + (schedule != nullptr ? bytes_of(*schedule, shape, timed) : 0));
  const bool tells = by.told != nullptr || by.timed;
  const std::size_t calls = tells ? in.members * sizeof(last_call) : 0;
  std::size_t bytes = used + calls + bytes_of_known(by, shape);
  void* const memory = room_for(in, bytes);
  if (memory == nullptr) return nullptr;
  auto* const fresh = ::new (memory) instance;
  fresh->at = wanted.at;
  fresh->schedule = schedule;
  fresh->bytes = bytes;
  fresh->members = in.members;
  fresh->takers = by.members;
  fresh->holds_last = holds_last;
  fresh->iterations = wanted.loop.iterations;
  fresh->granule = std::max<std::uint64_t>(how.granule, 1);
  if (config.reporting) fresh->first_start.raise_to(now());
  if (asks || tells) fresh->began_ticks = support::ticks();
  fresh->told = by.told;
  fresh->plain = (by.told != nullptr ? look_up_plain_loops(*in.team->at, in.plain) : in.plain).which;
  if (tells) tell_ends(*fresh, static_cast<char*>(memory) + used);
  keep_known(by, shape, static_cast<char*>(memory) + used + calls);
  if (schedule != nullptr) fresh->schedule = open_with_times(fresh->state(), *schedule, shape, *wanted.at, timed);
  if (config.measuring && schedule != nullptr) plan_limit(*fresh);
  return fresh;
}

/// Opens it unless another member is faster. nullptr: there is no memory.
instance* open(implicit_task& in, const request& wanted, const decision& how, const plan& by) noexcept {
  instance* const fresh = prepare(in, wanted, how, by);
  if (fresh == nullptr) {
    sched_yield();
    return in.team->loops.behind(in.at);
  }
  // Whoever was faster meanwhile is found without taking the line from others.
  instance* found = in.team->loops.behind(in.at);
  if (found == nullptr) found = in.team->loops.publish(in.at, fresh);
  if (found != fresh) {
    in.spare = fresh;
    return found;
  }
  count_opened(in, *wanted.at);
  count_for_costs(*wanted.at);
  count_for_times(*wanted.at);
  count_for_rate(*wanted.at, by);
  return found;
}

/// The same, by the schedule that was named.
instance* open_by_name(implicit_task& in, const request& wanted, const decision& how) noexcept {
  plan by{how.schedule, how.chunk, in.members};
  const auto granule = std::max<std::uint64_t>(how.granule, 1);
  plan_by_rate(*wanted.at, by, wanted.loop.iterations, granule);
  return open(in, wanted, how, by);
}

/// The same, by the schedule that is the best there. A member waits a little for another that plans, and then goes without a plan: in the
/// child of a fork nobody may plan any more.
instance* open_by_the_best(implicit_task& in, const request& wanted, const decision& how) noexcept {
  constexpr std::uint32_t most_waits = 4096;
  plan by{how.schedule, 0, in.members};
  const auto granule = std::max<std::uint64_t>(how.granule, 1);
  by.are_chunks = granule > 1 && wanted.stated == clause::dynamic;
  for (std::uint32_t waits = 0; waits < most_waits; ++waits) {
    lent_chooser chooser(*wanted.at);
    if (instance* const found = in.team->loops.behind(in.at); found != nullptr) return found;
    if (chooser.is_taken()) {
      sync::real::relax(waits);
      continue;
    }
    if (chooser.get() == nullptr) break;
    chooser.choose(*wanted.at, by, how.among, schedules::granules(wanted.loop.iterations, granule), granule);
    instance* const found = open(in, wanted, how, by);
    if (by.told != nullptr && (found == nullptr || found->told != by.told)) lent_chooser::withdraw(by);
    return found;
  }
  return open(in, wanted, how, by);
}

}  // namespace

void count_opened(implicit_task& in, const site& at) noexcept {
  const bool is_left = at.stated.get() == clause::fixed && at.last.get() != fate::taken;
  if (config.reporting && in.team != nullptr && !is_left) in.team->figures().opened.add(1);
}

instance* find_or_open(implicit_task& in, const request& wanted, const decision& how) noexcept {
  const bool is_chosen = chooses_schedule(how.schedule) && how.chunk == 0;
  instance* found = in.team->loops.behind(in.at);
  while (found == nullptr) {
    found = is_chosen ? open_by_the_best(in, wanted, how) : open_by_name(in, wanted, how);
  }
  in.plain.which = found->plain;
  STEELYARD_ASSERT(found->members == in.members, "[C1] all members of a team see the same instance");
  if (instance* const ended = in.team->loops.move(in.at, found, in.members); ended != nullptr)
    give_back(*in.team, ended);
  return found;
}

}  // namespace steelyard::openmp
