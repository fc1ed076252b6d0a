// SPDX-License-Identifier: Apache-2.0
#include "loop/sharing.hpp"

#include <algorithm>
#include <cstddef>

#include "learn/chunk_bounds.hpp"
#include "loop/costs.hpp"
#include "loop/on_caller.hpp"
#include "loop/scratch.hpp"
#include "loop/settings.hpp"
#include "loop/shares_in_use.hpp"
#include "loop/team.hpp"
#include "runtime/pending.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {
namespace {

using schedules::learning;
using schedules::shape;

/// Open ranges leave room above the last iteration for a claim.
constexpr std::uint64_t most_open = std::uint64_t{1} << 62;

/// Who is told what chunks take; nullptr: nobody.
[[nodiscard]] const schedules::feedback_operations* feedback_of(const schedules::choice& how,
                                                                const schedules::loop_record* times) noexcept {
  const auto* const row = how.schedule->feedback;
  if (row == nullptr || row->always) return row;
  return times != nullptr && times->is_due() ? row : nullptr;
}

}  // namespace

/// What is left of the loop.
shape sharing::shape_under(const schedules::choice& how, const part& of) const noexcept {
  const auto& asked = loop_.asked;
  shape loop;
  loop.iterations = asked.iterations - of.first;
  loop.members = std::min(of.members, static_cast<std::uint32_t>(std::min<std::uint64_t>(loop.iterations, of.members)));
  loop.chunk = asked.chunk != 0 ? asked.chunk : how.chunk;
  if (how.shares.members() != 0) loop.known.weights = &how.shares;
  loop.seed = loop_.at;
  // Neighbours share lines, of what they read and of what they write.
  loop.front_end.contiguous = !how.schedule->about.as_published;
  loop.front_end.open =
      how.schedule->open_ranges != nullptr && asked.run_open != nullptr && loop.iterations <= most_open;
  loop.experiment.least_left = settings().least_left;
  loop.experiment.halves = settings().halves;
  loop.front_end.expensive_first = settings().expensive_first && loop.front_end.contiguous;
  loop.experiment.one_try = (asked.flags & STEELYARD_ONE_TRY) != 0 || settings().one_try;
  learn::know_rate(loop, loop_.rate());
  if (of.first == 0 && of.ends.size() == loop.members) loop.known.ends = of.ends.data();
  return loop;
}

sharing::outcome sharing::run(const schedules::choice& how, const part& of) noexcept {
  if (!runtime::settle_pending()) return on_caller(of.first);
  auto& pool = loop_.pool;
  shape loop = shape_under(how, of);
  if (loop.members == 1) return on_caller(of.first);
  // Half a loop has other costs.
  std::optional<costs_in_use> costs;
  if (how.schedule->remaining_work != nullptr && of.first == 0 && loop_.asked.costs != nullptr) {
    const auto expected = learn::ticks_at(loop_.rate(), loop.iterations) / loop.members;
    costs.emplace(pool, loop_.asked, loop, loop_.known, expected);
  }
  runtime::settle_pending();  // what costs have forked
  auto* const times = record_for(how);
  loop.known.record = times;
  const auto learns = how.schedule->about.learns;
  const bool in_shares = learns != learning::nothing && learns != learning::schedule;
  const auto state = how.schedule->bytes(loop) + (loop.front_end.open ? requests::bytes(loop.members) : 0);
  const scratch memory(state + (in_shares ? shares_in_use::bytes(loop.members) : 0));
  if (memory.get() == nullptr) return on_caller(of.first);
  std::optional<shares_in_use> shares;
  if (in_shares) {
    const bool given = how.shares.members() == loop.members;
    shares.emplace(given ? nullptr : place_of_loop(), how, loop, static_cast<std::byte*>(memory.get()) + state);
  }
  if (loop.front_end.open) sync::real::prepare_membarrier();  // which may wait for the kernel, once: no cost of a loop
  const auto then = workers_now();
  const auto* const chunks = feedback_of(how, times);
  team members(pool, loop_.asked, of.first, *how.schedule, loop, memory.get(),
               {shares ? &*shares : nullptr, of.asks_fetches, chunks, of.costs, of.asks_ends});
  pool.threads.run(members, loop.members);
  const bool is_whole = !members.stopped();
  if (times != nullptr && chunks != nullptr && is_whole) chunks->learnt(memory.get(), *times);
  if (times != nullptr) ++times->instances;
  const bool cut_anew = shares && is_whole && of.first == 0 && learn_from(*shares, learns);
  auto found = ended(members, then.sleep);
  found.cut_anew = cut_anew;
  if (is_whole && loop_.known != nullptr) learn_times(members, of, found, then);
  return found;
}

sharing::workers_then sharing::workers_now() const noexcept {
  const auto& even = loop_.of_pool.even;
  const auto they = loop_.workers();
  const auto expected = even.at(loop_.at, they);
  return {they.some_sleep, expected, !they.some_sleep || expected == even.of(true)};
}

/// `asleep`: some workers slept when they opened it.
sharing::outcome sharing::ended(const team& members, bool asleep) noexcept {
  const auto now = support::ticks();
  const auto ran = now - members.opened();
  auto& pool = loop_.of_pool;
  outcome found{members.stopped() ? STEELYARD_STOPPED : STEELYARD_DONE, members.all(), members.opened() - loop_.at,
                now - loop_.at};
  pool.even.ended(now);
  pool.even.shared(asleep, {members.opening(), members.first_arrival(), ran - std::min(ran, found.members.left), ran});
  if (found.members.steals != 0) pool.steals.fetch_add(found.members.steals, sync::relaxed, sync::site{"M4"});
  return found;
}

/// Where workers slept because the run before was alone they would not sleep again, so what it took by the clock counts only if
/// that was short.
void sharing::learn_times(const team& members, const part& of, const outcome& found,
                          const workers_then& then) noexcept {
  auto& took = loop_.known->took;
  const auto n = loop_.asked.iterations - of.first;
  const bool are_as_usual = then.are_as_usual || took.was_shared();
  took.took_together(found.members.busy, n);
  if (of.first != 0) return;
  const auto cost = learn::cost_of_sharing(then.even, members.members());
  const auto apart = std::max(found.took - std::min(found.took, cost), found.members.busy / members.members());
  if (are_as_usual || apart < took.apart(n)) took.took_apart(apart, n, members.first_arrival() != 0);
}

/// Of its place, for schedules that go by what chunks take.
schedules::loop_record* sharing::record_for(const schedules::choice& how) noexcept {
  if (how.schedule->feedback == nullptr) return nullptr;
  place* const here = place_of_loop();
  return here != nullptr ? &here->times : nullptr;
}

bool sharing::learn_from(shares_in_use& shares, learning learns) noexcept {
  if (learns != learning::serially) return shares.learn();
  if (place* const here = place_of_loop(); here != nullptr) here->serial.shared(shares.imbalance());
  return false;
}

sharing::outcome sharing::on_caller(std::uint64_t first) noexcept { return {run_on_caller(loop_.asked, first)}; }

}  // namespace steelyard::loop
