// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

#include <sched.h>

#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
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

/// Why the program might notice; nullptr: it can not.
const char* noticed(const region_shares& known, const site& at) noexcept {
  if (at.by_rule) return nullptr;  // whoever wrote the loops file knows the program
  if (const char* const why = known.barred(); why != nullptr) return why;
  return at.in != nullptr && at.in->has_thread_locals ? thread_local_storage : nullptr;
}

/// `own`: for the loop at that site alone. Members cannot disagree about a loop, so one that gets no memory can only wait until
/// another has dealt it or some is given back.
dealt* find_or_deal(region& team, site& at, std::uint64_t iterations, std::uint32_t members, bool own,
                    bool chooses) noexcept {
  const site* const only = own ? &at : nullptr;
  const auto alike = [=](const dealt& known) { return known.iterations == iterations && known.only == only; };
  dealt* fresh = nullptr;
  while (true) {
    for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
      if (alike(*each)) return each;
    }
    fresh = team.shares->deal({&at, only, iterations, members, team.timed, team.entered, chooses});
    if (fresh != nullptr) break;
    sched_yield();
  }
  dealt* const agreed = push<sync::real>(team.dealt_loops, fresh, alike);
  if (agreed != fresh) region_shares::give_back(fresh);
  return agreed;
}

/// All static loops that the member has been in, and others whose members are not here yet: of the whole region.
void keep_all(region& team, const char* why) noexcept {
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (each->only == nullptr) each->keeps.set(why);
  }
}

}  // namespace

void begin_shares(region& team, site& fork, const void* body) noexcept {
  region_shares* const known = shares_of(fork, body);
  if (known == nullptr) return;
  const bool timed = known->is_time_to_measure();
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
  const bool asked = is_nustatic(at.forced.schedule);
  if (in.members < 2) return {nullptr, nullptr, asked ? nullptr : not_asked};
  if (in.team == nullptr) return {nullptr, nullptr, asked ? unseen : not_asked};
  if (iterations < in.members) return {nullptr, nullptr, asked ? few_iterations : not_asked};
  region_shares* const known = in.team->shares;
  if (known == nullptr) {
    if (!asked) return {nullptr, nullptr, not_asked};
    const region_shares* const of_body = in.team->at->shares.load(sync::acquire, sync::site{"R6"});
    return {nullptr, nullptr, of_body != nullptr ? noticed(*of_body, at) : nullptr};
  }
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, false, chooses(at.forced.schedule));
  if (!asked) by->keeps.set(at.by_rule ? told_otherwise : not_asked);
  if (const char* const why = noticed(*known, at); why != nullptr) by->keeps.set(why);
  return {by, by->ends, by->ends == nullptr ? by->keeps.get() : nullptr};
}

share find_own_share(implicit_task& in, site& at, std::uint64_t iterations, bool chooses) noexcept {
  if (in.team->shares == nullptr || iterations < in.members) return {};
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, true, chooses);
  return {by, by->ends, nullptr};
}

void begin_block(implicit_task& in, dealt* by) noexcept {
  in.reduced = false;
  in.last_dealt = by;
  if (by == nullptr || !in.team->timed) return;
  in.in_dealt = by;
  in.block_began = support::ticks();
}

void note_fetch(const implicit_task& in) noexcept {
  const auto by = in.in_dealt->how.way.how == learn::way::kind::guided ? learn::fetches::mechanism::guided
                                                                       : learn::fetches::mechanism::fixed;
  costs_of_fetches.took(by, in.members, support::ticks() - in.block_began, 1);
}

void end_block_slowly(implicit_task& in) noexcept {
  dealt* const by = in.in_dealt;
  in.in_dealt = nullptr;
  dealt::taken& mine = by->of(in.number);
  if (mine.loops.read() == 0) mine.began.set(in.block_began);
  mine.ticks.add(support::ticks() - in.block_began);
  mine.loops.add(1);
}

void note_reduction(implicit_task& in, bool may_be_of_region) noexcept {
  if (in.team == nullptr || in.team->shares == nullptr || config.free_reductions) return;
  in.reduced = may_be_of_region;
  if (in.last_dealt != nullptr && in.last_dealt->only == nullptr) in.last_dealt->keeps.set(reduction);
}

void end_body(implicit_task& in) noexcept {
  if (in.reduced && in.team != nullptr && in.team->shares != nullptr) keep_all(*in.team, reduction);
}

void note_query() noexcept {
  const implicit_task* const in = self.top;
  if (in == nullptr || in->team == nullptr || in->team->shares == nullptr) return;
  in->team->shares->bar(asks);
}

}  // namespace steelyard::openmp
