// SPDX-License-Identifier: Apache-2.0
#include "openmp/loop/region.hpp"

#include <algorithm>
#include <utility>

#include "openmp/compiled/costs.hpp"
#include "openmp/host/clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/measure/chunk_times.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/measure/limit.hpp"
#include "openmp/measure/rates.hpp"
#include "openmp/omp/queries.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/prices.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/passing.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

void count_instance(region& team, instance& ended) noexcept {
  site& at = *ended.at;
  const std::uint64_t began = ended.first_start.read();
  const std::uint64_t finished = ended.last_finish.read();
  const std::uint64_t wall = finished > began ? finished - began : 0;
  const std::uint64_t busy = ended.busy.read();
  STEELYARD_ASSERT(busy <= wall * ended.members, "report.cpp: members are busy while the loop runs");
  at.instances.add(1);
  at.iterations.add(ended.iterations);
  at.chunks.add(ended.chunks.read());
  at.steals.add(ended.steals.read());
  at.members.raise_to(ended.members);
  at.wall_ns.add(wall);
  at.busy_ns.add(busy);
  at.span_ns.add(wall * ended.members);
  // Members that do not wait are in several loops at once; each moment is the time of one loop.
  region_figures& of = team.figures();
  const std::uint64_t from = std::max(began, of.covered_until);
  if (finished <= from) return;
  at.own_ns.add((finished - from) / of.divisor);
  of.covered += finished - from;
  of.covered_until = finished;
}

/// The time of a loop or region inside of what `in` stands for belongs to neither a loop nor a region further out.
void take_from_outer(const implicit_task* in, std::uint64_t own) noexcept {
  for (; in != nullptr; in = in->outer) {
    if (in->loop.from != source::none) return in->loop.at->inner_ns.add(own);
    if (in->team != nullptr) return in->team->figures().elsewhere.add(own);
  }
}

/// How many threads may be where `in` is, each with a team of its own: the members of the teams around.
std::uint64_t teams_side_by_side(const implicit_task* in) noexcept {
  while (in != nullptr && in->team == nullptr) in = in->outer;
  return in != nullptr ? in->team->figures().divisor * in->members : 1;
}

void count_region(region& team) noexcept {
  site& at = *team.at;
  region_figures& of = team.figures();
  const std::uint64_t wall = now() - of.began;
  STEELYARD_ASSERT(of.divisor != 0, "report.cpp: a team runs beside itself");
  of.busy.finish();
  const stretch_sums& found = of.busy.found();
  at.regions.add(1);
  at.region_ns.add(wall);
  at.region_loops.add(of.opened.read());
  at.stretches.add(found.count);
  at.stretch_busy_ns.add(found.busy);
  at.stretch_span_ns.add(found.span);
  at.avoidable_ns.add(found.avoidable / of.divisor);
  const std::uint64_t weighted = wall / of.divisor;
  const std::uint64_t others = of.covered / of.divisor + of.elsewhere.read();
  at.region_own_ns.add(weighted > others ? weighted - others : 0);
  take_from_outer(of.outer, weighted);
}

/// Seeing a region costs about as much as dealing one. Of a longer region than that it is less than a hundredth.
bool is_short(std::uint64_t took) noexcept { return took < 100 * price_of_deal(); }

/// So many regions may pass before one is seen: then seeing costs nothing. Fewer, where blocks are timed earlier.
constexpr std::uint32_t regions_at_once = 256;

/// Of one whose loops keep their blocks until its join. What a thread inside asks has to be answered as if it were seen.
void watch(region& team, const site& at, const void* body) noexcept {
  if (team.shares != nullptr || sees_all(body)) return;
  if (only_runtime(*at.api) != at.native || !answers_for_all(*at.native)) return;
  team.body = body;
  team.began = support::ticks();
}

/// Whether others like it may pass. Regions inside of one that is seen are seen, too, so they count as its length does.
void judge(const region& team) noexcept {
  if (team.body == nullptr) return;
  if (team.served.get()) return see_all(team.body);
  const bool pays = team.inner.read() != 0 || is_short(support::ticks() - team.began);
  if (!pays || !is_idle(team.body)) return;
  let_pass(team.body, equal_regions(*team.at, team.body, regions_at_once));
}

}  // namespace

void open_region(region& team, site& at, const void* body) noexcept {
  team.at = &at;
  team.level = at.native->level() + 1;  // asked once, and not by each member
  team.costs = std::exchange(self.costs, nullptr);
  if (self.top != nullptr) ++self.top->inner;
  if (config.shares) begin_shares(team, at, body);
  team.plain = look_up_plain_loops(at, {});
  if (!config.reporting) return watch(team, at, body);
  at.body.set(body);
  region_figures& of = team.told.emplace();
  of.outer = &current_implicit_task();
  of.divisor = teams_side_by_side(of.outer);
  of.began = now();
}

void close_region(region& team) noexcept {
  end_shares(team);
  compiled::forget_statements(team);
  team.loops.drain([&team](instance* node) noexcept { give_back(team, node); });
  if (config.reporting) return count_region(team);
  judge(team);
}

void give_back(region& team, instance* ended) noexcept {
  if (asks_for_costs(ended->schedule)) pay_for_stating(*ended);
  if (ended->schedule == &learning_schedule) learn_costs(*ended);
  if (ended->schedule == &timing_schedule) learn_times(*ended);
  if (ended->told != nullptr) {
    learn_best(team, *ended);
  } else if (ended->last_calls != nullptr) {
    learn_rate(*ended);
  }
  if (config.reporting) {
    count_instance(team, *ended);
    if (config.measuring && ended->schedule != nullptr) account_limit(*ended);
  }
  slab_give(ended, ended->bytes);
}

void count_alone(const implicit_task& in, site& at, std::uint64_t took) noexcept {
  const std::uint64_t own = took / teams_side_by_side(&in);
  at.own_ns.add(own);
  if (in.team != nullptr) {
    in.team->figures().elsewhere.add(own);
  } else {
    take_from_outer(in.outer, own);
  }
}

}  // namespace steelyard::openmp
