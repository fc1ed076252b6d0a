// SPDX-License-Identifier: Apache-2.0
#include "openmp/loop/loop.hpp"
#include "openmp/loop/region.hpp"

#include <algorithm>
#include <cstring>

#include "openmp/host/clock.hpp"
#include "openmp/loop/opening.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/measure/ends.hpp"
#include "openmp/measure/limit.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/passing.hpp"
#include "schedules/deal.hpp"
#include "schedules/granule.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {
namespace {

/// The program's run-time schedule (run-sched-var), as its runtime tells it.
struct run_schedule {
  int kind = 0;  ///< omp_sched_t without the modifier
  int chunk = 0;
  bool monotonic = false;
};

constexpr int omp_static = 1;
constexpr int omp_dynamic = 2;
constexpr int omp_guided = 3;

run_schedule run_schedule_of(const runtime& native) noexcept {
  constexpr int kinds = 0x7;
  run_schedule found;
  if (native.get_schedule == nullptr) return found;
  native.get_schedule(&found.kind, &found.chunk);
  found.monotonic = found.kind < 0;  // the modifier is the sign bit
  found.kind &= kinds;
  if (found.kind == omp_static) found.monotonic = false;  // libgomp sets it there always
  return found;
}

/// Whether it is still the one that stands in for our name in OMP_SCHEDULE or, where the runtime read our name and
/// refused it, its default: `dynamic,1` in libgomp, `static` in libomp.
bool by_environment(const run_schedule& now) noexcept {
  if (now.kind == 0) return true;  // it did not tell
  const std::uint64_t chunk = config.stand_in != 0 ? config.stand_in : 1;
  if (now.kind == omp_dynamic) return now.chunk >= 0 && static_cast<std::uint64_t>(now.chunk) == chunk;
  return now.kind == omp_static && now.chunk <= 0 && config.stand_in == 0;
}

/// Whether a chunk in it is the user's, from OMP_SCHEDULE, and not the program's.
bool by_user(const run_schedule& now) noexcept {
  if (config.stand_in != 0) return by_environment(now);
  if (config.openmp.schedule == nullptr || static_cast<std::uint64_t>(now.chunk) != config.openmp.chunk) return false;
  const char* const name = config.openmp.schedule->about.name;
  if (std::strcmp(name, "cyclic") == 0) return now.kind == omp_static;
  return now.kind == (std::strcmp(name, "guided") == 0 ? omp_guided : omp_dynamic);
}

/// The chunk that the program has written, in the source or by omp_set_schedule, where it has to be kept; 0: none. It is of
/// dynamic and static loops that they promise whole chunks; of guided ones only that no piece is shorter but the last, which
/// whole chunks are not either.
std::uint64_t promised_chunk(const request& wanted, const run_schedule& now) noexcept {
  std::uint64_t chunk = wanted.stated_chunk;
  if (wanted.stated == clause::runtime)
    chunk = now.chunk > 1 && !by_user(now) ? static_cast<std::uint64_t>(now.chunk) : 0;
  return chunk > 1 && !config.split_chunks ? chunk : 0;
}

void note(const request& wanted, fate last, const char* reason, const decision& how) noexcept {
  site& at = *wanted.at;
  at.stated.set(wanted.stated);
  at.stated_chunk.set(wanted.stated_chunk);
  at.last.set(last);
  at.reason.set(reason);
  at.schedule.set(how.schedule);
  at.chunk.set(how.chunk);
  at.granule.set(how.granule);
}

/// A team of one gets the whole loop in one chunk, as from libomp.
void enter_alone(running& loop) noexcept {
  loop.schedule = nullptr;
  loop.shared = nullptr;
  loop.pending = {0, loop.loop.iterations, 1};
}

/// Puts a member's figures where the report finds them.
void count_member(running& loop, std::uint32_t number) noexcept {
  const std::uint64_t finished = now();
  if (loop.shared == nullptr) {
    site& at = *loop.at;
    const std::uint64_t took = finished - loop.began;
    at.instances.add(1);
    at.iterations.add(loop.loop.iterations);
    at.chunks.add(loop.chunks);
    at.members.raise_to(1);
    for (statistic* value : {&at.wall_ns, &at.busy_ns, &at.span_ns}) value->add(took);
    count_alone(*self.top, at, took);
    if (config.measuring) account_alone(at, took);
    return;
  }
  instance& shared = *loop.shared;
  shared.last_finish.raise_to(finished);
  shared.busy.add(finished - loop.began);
  shared.chunks.add(loop.chunks);
  if (shared.schedule != nullptr && number < shared.takers)
    shared.steals.add(shared.schedule->counts(shared.state(), number).steals);
}

/// A loop of a team that has no iterations.
void count_empty(implicit_task& in, site& at) noexcept {
  at.instances.add(1);
  at.members.raise_to(in.members);
  count_opened(in, at);
}

/// The member is through with the loop's iterations.
void retire(running& loop, std::uint32_t number) noexcept {
  if (loop.retired) return;
  loop.retired = true;
  if (self.top != nullptr) end_block(*self.top);
  if (config.reporting) count_member(loop, number);
}

/// A loop whose iterations are handed out by a schedule.
void enter_schedule(implicit_task& in, const request& wanted, const decision& how) noexcept {
  running& loop = in.loop;
  loop.shared = find_or_open(in, wanted, how);
  loop.schedule = in.number < loop.shared->takers ? loop.shared->schedule : nullptr;
  loop.state = loop.shared->state();
  if (loop.shared->granule > 1 || loop.loop.last_alone) loop.granule = loop.shared->granule;
}

/// A loop of contiguous shares: each member has one block, which is known when it comes. `iterations`: of `loop.granule` each.
void enter_share(implicit_task& in, const request& wanted, const share& mine, std::uint64_t iterations) noexcept {
  running& loop = in.loop;
  const schedules::deal::block<std::uint64_t> equal(iterations, in.members, in.number);
  loop.pending = {equal.first, equal.count, 1};
  if (mine.is_told) {
    const auto [first, end] = mine.block;
    STEELYARD_ASSERT(first <= end && end <= iterations, "[I3] of shares/shares.md: a share lies in the loop");
    loop.pending = {first, end - first, 1};
  }
  if (config.reporting) loop.shared = find_or_open(in, wanted, {});
}

/// What `jit` hands a loop out by, in chunks that it has chosen, or the user.
decision in_chunks(const chosen& by, const decision& how, std::uint64_t granule) noexcept {
  decision chunks = how;
  chunks.schedule = by.way.how == learn::way::kind::guided ? config.guided : config.dynamic;
  if (how.chunk == 0) chunks.chunk = by.way.chunk * granule;
  return chunks;
}

running& begin(implicit_task& in, const request& wanted, source from) noexcept {
  in.loop = running{};
  in.loop.from = from;
  in.loop.at = wanted.at;
  in.loop.loop = wanted.loop;
  return in.loop;
}

/// Fetches a member's first chunk. Where the loop is timed that tells what fetching costs.
void fetch_first(implicit_task& in) noexcept {
  running& loop = in.loop;
  if (in.in_dealt == nullptr || !is_timed(*in.team)) return;
  loop.pending = loop.schedule->next(loop.state, in.number);
  note_fetch(in);
}

/// A loop that runs by what is known of its costs.
void enter_learnt(implicit_task& in, const request& wanted, const decision& how) noexcept {
  running& loop = in.loop;
  const bool chooses = openmp::chooses(how.schedule);
  const std::uint64_t written = std::max<std::uint64_t>(how.granule, 1);
  const std::uint64_t granule = how.chunk == 0 || chooses ? written : schedules::granules(how.chunk, written) * written;
  const std::uint64_t iterations = schedules::granules(wanted.loop.iterations, granule);
  const own_share mine = find_own_share(in, *wanted.at, iterations, chooses);
  if (mine.how.is_handed_out()) {
    enter_schedule(in, wanted, in_chunks(mine.how, how, granule));
    begin_block(in, mine);
    return fetch_first(in);
  }
  loop.granule = granule;
  enter_share(in, wanted, mine, iterations);
  begin_block(in, mine);
}

/// Whether all members see alike by what a loop runs, though compilers copy loops, so that they may call from several places: a line of the loops file may
/// be for one of these.
bool is_same_for_all() noexcept { return config.rule_count == 0; }

/// Under `automatic` a loop may be one that is left in equal blocks, untold.
bool runs_plainly(implicit_task& in, const request& wanted, const decision& how) noexcept {
  if (!chooses_schedule(how.schedule) || how.chunk != 0) return false;
  const auto granule = std::max<std::uint64_t>(how.granule, 1);
  return is_plain_now(*in.team, in.plain, schedules::granules(wanted.loop.iterations, granule));
}

/// A loop of equal blocks: each member knows its own, so they share nothing.
void enter_equal_blocks(implicit_task& in, const request& wanted, const decision& how) noexcept {
  const std::uint64_t granule = std::max<std::uint64_t>(how.granule, 1);
  in.loop.granule = granule;
  enter_share(in, wanted, {}, schedules::granules(wanted.loop.iterations, granule));
}

bool hand_out_pending(running& loop, range& out) noexcept {
  const std::uint64_t iterations = loop.loop.iterations;
  const auto front = take_front(loop.pending, std::max<std::uint64_t>(loop.granule, 1), iterations);
  out = {front.first, front.count};
  STEELYARD_ASSERT(out.first < iterations && out.count <= iterations - out.first,
                   "contract.hpp: a step lies in the loop");
  if (loop.loop.last_alone && out.count > 1 && out.first + out.count == iterations) {
    --out.count;
    loop.pending = {iterations - 1, 1, 1};  // and nothing behind it
    loop.granule = 1;
  }
  ++loop.chunks;
  return true;
}

}  // namespace

decision decide(const request& wanted, const implicit_task& in) noexcept {
  decision how;
  const bool asks = wanted.stated == clause::runtime;
  const bool chosen = wanted.at->forced.schedule != nullptr || (asks && config.runtime.schedule != nullptr);
  if (!config.measuring && !chosen) return how;
  const run_schedule now = asks ? run_schedule_of(*wanted.at->native) : run_schedule{};
  if (config.measuring) {
    how.schedule = wanted.monotonic || now.monotonic ? &ascending_measuring_schedule : &measuring_schedule;
    how.chunk = wanted.at->measured_chunk.get();
  } else if (wanted.at->forced.schedule != nullptr) {
    how = decision::of(wanted.at->forced);
  } else if (by_environment(now)) {
    how = decision::of(config.runtime);
  }
  if (how.schedule == nullptr) return how;
  if ((wanted.monotonic || now.monotonic) && !how.schedule->about.ascending) return {nullptr, 0, "monotonic"};
  if (in.members > schedules::max_members) return {nullptr, 0, "team too large"};
  how.granule = promised_chunk(wanted, now);
  return how;
}

void enter(implicit_task& in, const request& wanted, const decision& how) noexcept {
  running& loop = begin(in, wanted, source::ours);
  if (in.number == 0 && in.team != nullptr) in.team->served.set(true);
  if (in.members == 1 || in.team == nullptr) {
    enter_alone(loop);
    count_opened(in, *wanted.at);
  } else if (wanted.loop.iterations == 0) {
    loop.retired = true;  // every member sees the same empty bounds: no shared state is needed
    if (config.reporting && in.number == 0) count_empty(in, *wanted.at);
  } else if (is_nustatic(how.schedule)) {
    enter_learnt(in, wanted, how);
  } else if (is_same_for_all() && (how.schedule == config.equal_blocks || runs_plainly(in, wanted, how))) {
    enter_equal_blocks(in, wanted, how);
  } else {
    enter_schedule(in, wanted, how);
  }
  if (config.reporting) {
    in.timed = true;
    loop.began = now();
    note(wanted, fate::taken, nullptr, how);
  }
  self.taken = &loop;
}

void note_passed(implicit_task& in, const request& wanted, const char* reason) noexcept {
  if (!config.reporting) return;
  note(wanted, fate::passed, reason, {});
  site& at = *wanted.at;
  at.members.raise_to(static_cast<std::uint64_t>(at.native->asks.num_threads()));
  if (at.native->asks.thread_num() != 0) return;
  at.instances.add(1);
  at.iterations.add(wanted.loop.iterations);
  if (!in.hiding) count_opened(in, at);
}

void enter_static(implicit_task& in, const request& wanted, const char* kept, bool only_here) noexcept {
  running& loop = begin(in, wanted, source::observed);
  const schedules::operations* const taken_by = kept == nullptr ? wanted.at->forced.schedule : nullptr;
  if (!only_here || !wanted.at->is_loop())
    note(wanted, kept == nullptr ? fate::taken : fate::passed, kept, {taken_by, 0, nullptr});
  if (in.members > 1 && in.team != nullptr) loop.shared = find_or_open(in, wanted, {});
  loop.chunks = 1;
  loop.began = now();
}

void hide(implicit_task& in, const request& wanted, bool may_be_ours) noexcept {
  in.hiding = true;
  self.taken = nullptr;
  if (may_be_ours && self.passed != nullptr && decide(wanted, in).schedule != nullptr) see_what_passed();
  note_passed(in, wanted, "a team whose start was not seen");
}

void reveal(implicit_task& in) noexcept {
  STEELYARD_ASSERT(in.hiding, "loop.hpp: what is revealed was hidden");
  in.hiding = false;
  self.taken = in.loop.from == source::ours ? &in.loop : nullptr;
}

void observe(implicit_task& in, const request& wanted, const char* reason) noexcept {
  if (!config.reporting) return;
  in.timed = true;
  running& loop = begin(in, wanted, source::observed);
  note(wanted, reason != nullptr ? fate::passed : fate::observed, reason, {});
  if (in.members > 1 && in.team != nullptr) {
    loop.shared = find_or_open(in, wanted, {});
  } else {
    count_opened(in, *wanted.at);
  }
  loop.began = now();
}

bool hand_out_slowly(running& loop, range& out, std::uint32_t number) noexcept {
  if (loop.pending.count != 0) return hand_out_pending(loop, out);
  if (loop.schedule != nullptr) {
    loop.schedule = nullptr;
    STEELYARD_ASSERT(loop.shared != nullptr && !loop.retired,
                     "loop.md: who asks for the last iteration is in the loop");
    if (loop.shared->holds_last && loop.shared->last_claimed.exchange(1, sync::relaxed, sync::site{"L1"}) == 0) {
      loop.pending = {schedules::granules(loop.loop.iterations, loop.shared->granule) - 1, 1, 1};
      return hand_out_pending(loop, out);
    }
  }
  if (!loop.retired && loop.shared != nullptr && loop.shared->last_calls != nullptr) note_end(*loop.shared, number);
  retire(loop, number);
  return false;
}

void leave(implicit_task& in) noexcept {
  if (in.loop.from != source::none) retire(in.loop, in.number);
  in.loop.from = source::none;
  self.taken = nullptr;
}

}  // namespace steelyard::openmp
