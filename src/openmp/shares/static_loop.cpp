// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

#include <cstring>

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
constexpr const char* unseen = "a team whose start was not seen";

bool is_nustatic(const schedules::choice& chosen) noexcept {
  return chosen.schedule != nullptr && std::strcmp(chosen.schedule->about.name, "nustatic") == 0;
}

/// Why the program might notice; nullptr: it can not.
const char* noticed(const region_shares& known, const site& at) noexcept {
  if (at.by_rule) return nullptr;  // whoever wrote the loops file knows the program
  if (const char* const why = known.barred(); why != nullptr) return why;
  return at.in != nullptr && at.in->has_thread_locals ? thread_local_storage : nullptr;
}

dealt* find_or_deal(region& team, site& at, std::uint64_t iterations, std::uint32_t members) noexcept {
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (each->iterations == iterations) return each;
  }
  dealt* const fresh = team.shares->deal(at, iterations, members, team.timed);
  if (fresh == nullptr) return nullptr;
  const auto alike = [=](const dealt& known) { return known.iterations == iterations; };
  dealt* const agreed = push<sync::real>(team.dealt_loops, fresh, alike);
  if (agreed != fresh) region_shares::give_back(fresh);
  return agreed;
}

/// All loops that the member has been in, and others whose members are not here yet: of the whole region.
void keep_all(region& team, const char* why) noexcept {
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    each->keeps.set(why);
  }
}

}  // namespace

void begin_shares(region& team, site& fork) noexcept {
  region_shares* const known = shares_of(fork);
  if (known == nullptr) return;
  if (known->barred() != nullptr && config.rule_count == 0) return;
  const bool timed = known->is_time_to_measure();
  if (!timed && known->is_equal()) return;
  if (!known->enter()) return;
  team.shares = known;
  team.timed = timed;
}

void end_shares(region& team) noexcept {
  if (team.shares == nullptr) return;
  team.shares->leave(team.dealt_loops.load(sync::acquire, sync::site{"R7"}), team.timed);
}

share find_share(frame& in, site& at, std::uint64_t iterations) noexcept {
  if (!is_nustatic(at.forced)) return {nullptr, nullptr, not_asked};
  if (in.members < 2) return {};
  if (iterations < in.members) return {nullptr, nullptr, few_iterations};
  if (in.team == nullptr) return {nullptr, nullptr, unseen};
  region_shares* const known = in.team->shares;
  if (known == nullptr) {
    const region_shares* const of_fork = in.team->at->shares.load(sync::acquire, sync::site{"R6"});
    return {nullptr, nullptr, of_fork != nullptr ? noticed(*of_fork, at) : nullptr};
  }
  dealt* const by = find_or_deal(*in.team, at, iterations, in.members);
  if (by == nullptr) return {};
  if (const char* const why = noticed(*known, at); why != nullptr) by->keeps.set(why);
  const char* const kept = by->ends == nullptr ? by->keeps.get() : nullptr;
  return {by, by->ends, kept};
}

void begin_block(frame& in, dealt* by) noexcept {
  in.reduced = false;
  in.last_dealt = by;
  if (by == nullptr || !in.team->timed) return;
  in.in_dealt = by;
  in.block_began = support::ticks();
}

void end_block(frame& in) noexcept {
  dealt* const by = in.in_dealt;
  if (by == nullptr) return;
  in.in_dealt = nullptr;
  dealt::taken& mine = by->of(in.number);
  mine.ticks.add(support::ticks() - in.block_began);
  mine.loops.add(1);
}

void note_reduction(frame& in, bool may_be_of_region) noexcept {
  if (in.team == nullptr || in.team->shares == nullptr || config.free_reductions) return;
  in.reduced = may_be_of_region;
  if (in.last_dealt != nullptr) in.last_dealt->keeps.set(reduction);
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
