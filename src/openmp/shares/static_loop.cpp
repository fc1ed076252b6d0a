// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

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

/// `own`: for the loop at that site alone.
dealt* find_or_deal(region& team, site& at, std::uint64_t iterations, std::uint32_t members, bool own) noexcept {
  const site* const only = own ? &at : nullptr;
  const auto alike = [=](const dealt& known) { return known.iterations == iterations && known.only == only; };
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (alike(*each)) return each;
  }
  const region_shares::wanted wanted{&at, only, iterations, members, team.timed, team.entered};
  dealt* const fresh = team.shares->deal(wanted);
  if (fresh == nullptr) return nullptr;
  dealt* const agreed = push<sync::real>(team.dealt_loops, fresh, alike);
  if (agreed != fresh) region_shares::give_back(fresh);
  return agreed;
}

/// For the report, which looks up in the end what is known of the loop.
void remember(site& at, region_shares& in, std::uint64_t iterations) noexcept {
  if (!config.reporting) return;
  if (at.shares.load(sync::acquire, sync::site{"R6"}) != &in) at.shares.store(&in, sync::release, sync::site{"R6"});
  at.dealt.set(iterations);
}

/// From the next region on, unless a line of the loops file is for them.
void keep(dealt& loops, const char* why) noexcept {
  if (!loops.first->by_rule) loops.keeps.set(why);
}

/// All loops that the member has been in, and others whose members are not here yet: of the whole region.
void keep_all(region& team, const char* why) noexcept {
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    keep(*each, why);
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

share find_share(frame& in, site& at, std::uint64_t iterations) noexcept {
  const bool asked = is_nustatic(at.forced.schedule);
  if (in.members < 2) return {nullptr, nullptr, asked ? nullptr : not_asked, true};
  if (in.team == nullptr) return {nullptr, nullptr, asked ? unseen : not_asked};
  if (iterations < in.members) return {nullptr, nullptr, asked ? few_iterations : not_asked, true};
  region_shares* const known = in.team->shares;
  if (known == nullptr) {
    if (!asked) return {nullptr, nullptr, not_asked};
    const region_shares* const of_body = in.team->at->shares.load(sync::acquire, sync::site{"R6"});
    return {nullptr, nullptr, of_body != nullptr ? noticed(*of_body, at) : nullptr};
  }
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, false);
  if (by == nullptr) return {};
  remember(at, *known, iterations);
  if (!asked) by->keeps.set(at.by_rule ? told_otherwise : not_asked);
  if (const char* const why = noticed(*known, at); why != nullptr) by->keeps.set(why);
  return {by, by->ends, by->ends == nullptr ? by->keeps.get() : nullptr};
}

share find_own_share(frame& in, site& at, std::uint64_t iterations) noexcept {
  if (in.team->shares == nullptr || iterations < in.members) return {};
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members, true);
  remember(at, *in.team->shares, iterations);
  return {by, by != nullptr ? by->ends : nullptr, nullptr};
}

void begin_block(frame& in, dealt* by) noexcept {
  in.reduced = false;
  in.last_dealt = by;
  if (by == nullptr || !in.team->timed) return;
  in.in_dealt = by;
  in.block_began = support::ticks();
}

void end_block_slowly(frame& in) noexcept {
  dealt* const by = in.in_dealt;
  in.in_dealt = nullptr;
  dealt::taken& mine = by->of(in.number);
  mine.ticks.add(support::ticks() - in.block_began);
  mine.loops.add(1);
}

void note_reduction(frame& in, bool may_be_of_region) noexcept {
  if (in.team == nullptr || in.team->shares == nullptr || config.free_reductions) return;
  in.reduced = may_be_of_region;
  if (in.last_dealt != nullptr) keep(*in.last_dealt, reduction);
}

void end_body(frame& in) noexcept {
  if (in.reduced && in.team != nullptr && in.team->shares != nullptr) keep_all(*in.team, reduction);
}

void note_query() noexcept {
  const frame* const in = self.top;
  if (in == nullptr || in->team == nullptr || in->team->shares == nullptr) return;
  in->team->shares->bar(asks);
}

}  // namespace steelyard::openmp
