// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

constexpr const char* asks = "the region asks for its thread number";
constexpr const char* thread_local_storage = "the module has thread-local variables";
constexpr const char* reduction = "a reduction, whose grouping would change";
constexpr const char* few_iterations = "fewer iterations than members";
constexpr const char* not_asked = "static";
constexpr const char* told_otherwise = "the loops file gives a loop of as many iterations another schedule";
constexpr const char* unseen = "a team whose start was not seen";

bool uses_thread_locals(const site& at) noexcept { return at.in != nullptr && at.in->uses_thread_locals; }

/// Why the program might notice that loops of the region forked there get other blocks; nullptr: it can not.
const char* noticed(const region_shares& known, const site& fork) noexcept {
  if (const char* const why = known.barred(); why != nullptr) return why;
  return uses_thread_locals(fork) ? thread_local_storage : nullptr;
}

/// The same of one of its loops.
const char* noticed(const region_shares& known, const site& fork, const site& at) noexcept {
  if (at.by_rule) return nullptr;  // whoever wrote the loops file knows the program
  return uses_thread_locals(at) ? thread_local_storage : noticed(known, fork);
}

/// `own`: for the loop at that site alone.
dealt* find_or_deal(region& team, site& at, std::uint64_t iterations, std::uint32_t members, bool own) noexcept {
  const site* const only = own ? &at : nullptr;
  const auto alike = [=](const dealt& known) { return known.iterations == iterations && known.only == only; };
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (!alike(*each)) continue;
    STEELYARD_ASSERT(each->members == members, "[I3] all members of a team agree on a record");
    return each;
  }
  const region_shares::wanted wanted{&at, only, iterations, members, team.timed, team.entered};
  dealt* const fresh = team.shares->deal(wanted);
  if (fresh == nullptr) return nullptr;
  dealt* const agreed = push<sync::real>(team.dealt_loops, fresh, alike);
  if (agreed != fresh) region_shares::give_back(fresh);
  return agreed;
}

/// The member's region.
void bar(const implicit_task* in, const char* why) noexcept {
  if (in != nullptr && in->team != nullptr && in->team->shares != nullptr) in->team->shares->bar(why);
}

/// All loops that the member has been in, and others whose members are not here yet: of the whole region.
void keep_all(region& team, const char* why) noexcept {
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    each->keeps.set(why);
  }
}

}  // namespace

void begin_shares(region& team, site& fork, const void* body) noexcept {
  region_shares* const known = shares_of(fork, body);
  if (known == nullptr) return;
  if (config.rule_count == 0 && noticed(*known, fork) != nullptr) return;
  const bool timed = known->is_time_to_measure();
  STEELYARD_ASSERT(team.shares == nullptr, "shares.md: a region begins once");
  if (!timed && known->is_equal() && !config.shares_are_given) return;
  team.entered = known->enter();
  if (!team.entered && !config.shares_are_given) return;
  team.shares = known;
  team.timed = timed && team.entered;
}

void end_shares(region& team) noexcept {
  if (team.shares == nullptr) return;
  dealt* const all = team.dealt_loops.load(sync::acquire, sync::site{"R7"});
  if (team.entered) {
    team.shares->leave(all, team.timed);
  } else {
    region_shares::give_back_all(all);
  }
}

share find_share(implicit_task& in, site& at, std::uint64_t iterations) noexcept {
  STEELYARD_ASSERT(in.number < in.members, "shares.md: who asks for a block has a number in its team");
  const bool asked = is_nustatic(at.forced.schedule);
  if (in.members < 2) return {nullptr, nullptr, asked ? nullptr : not_asked};
  if (in.team == nullptr) return {nullptr, nullptr, asked ? unseen : not_asked};
  if (iterations < in.members) return {nullptr, nullptr, asked ? few_iterations : not_asked};
  region_shares* const known = in.team->shares;
  if (known == nullptr) {
    if (!asked) return {nullptr, nullptr, not_asked};
    const region_shares* const of_body = in.team->at->shares.load(sync::acquire, sync::site{"R6"});
    return {nullptr, nullptr, of_body != nullptr ? noticed(*of_body, *in.team->at, at) : nullptr};
  }
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, false);
  if (by == nullptr) return {};
  if (!asked) by->keeps.set(at.by_rule ? told_otherwise : not_asked);
  if (const char* const why = noticed(*known, *in.team->at, at); why != nullptr) by->keeps.set(why);
  return {by, by->ends, by->ends == nullptr ? by->keeps.get() : nullptr};
}

share find_own_share(implicit_task& in, site& at, std::uint64_t iterations) noexcept {
  if (in.team->shares == nullptr || iterations < in.members) return {};
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, true);
  return {by, by != nullptr ? by->ends : nullptr, nullptr};
}

void begin_block(implicit_task& in, dealt* by) noexcept {
  if (by == nullptr) return;
  in.reduced = false;
  in.last_dealt = by;
  STEELYARD_ASSERT(!in.team->timed || (in.team->entered && by->times != nullptr),
                   "[I1] only a region that has entered times its blocks");
  in.in_dealt = by;
  if (in.team->timed) in.block_began = support::ticks();
}

void end_block_slowly(implicit_task& in) noexcept {
  dealt* const by = in.in_dealt;
  in.in_dealt = nullptr;
  if (!in.team->timed) return;
  STEELYARD_ASSERT(in.number < by->members, "[I3] a block is that of a member of the team");
  dealt::taken& mine = by->of(in.number);
  mine.ticks.add(support::ticks() - in.block_began);
  mine.loops.add(1);
}

void note_reduction(implicit_task& in, bool may_be_of_region) noexcept {
  if (in.team == nullptr || in.team->shares == nullptr || config.free_reductions) return;
  in.reduced = may_be_of_region;
  if (in.last_dealt != nullptr) in.last_dealt->keeps.set(reduction);
}

void note_barrier(implicit_task& in) noexcept {
  in.reduced = false;
  if (in.in_dealt == nullptr) in.last_dealt = nullptr;  // else it is that of a team inside, which was not seen
}

void end_body(implicit_task& in) noexcept {
  if (in.reduced && in.team != nullptr && in.team->shares != nullptr) keep_all(*in.team, reduction);
}

void note_query() noexcept { bar(self.top, asks); }

void note_query_of_all() noexcept {
  for (const implicit_task* in = self.top; in != nullptr; in = in->outer) bar(in, asks);
}

}  // namespace steelyard::openmp
