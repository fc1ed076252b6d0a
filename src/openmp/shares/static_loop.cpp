// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/static_loop.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "learn/work_clock.hpp"
#include "openmp/gomp/names.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

constexpr const char* asks = "the region asks for its thread number";
constexpr const char* thread_local_storage = "the module has thread-local variables";
constexpr const char* not_asked = "static";
constexpr const char* told_otherwise = "the loops file gives a loop of as many iterations another schedule";
constexpr const char* unseen = "a team whose start was not seen";
constexpr const char* one_of_several = "the region has several static loops";

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

/// A member has come to a static loop. `automatic` takes it where it is alone in its region: only then nobody can have meant
/// that its iterations stay with the threads that have done something else with their data. Unless all are asked for.
void note_loop(region_shares& known, const site& at) noexcept {
  if (config.only_alone && !known.is_alone(at)) known.bar(one_of_several);
}

/// Of the loops of so many iterations that this member has met since the last barrier; nullptr: it is the first.
dealt* find_since_barrier(const implicit_task& in, std::uint64_t iterations) noexcept {
  for (dealt* each = in.team->dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (each->iterations != iterations || each->only != nullptr) continue;
    if (each->of(in.number).behind == in.barriers + 1) return each;
  }
  return nullptr;
}

/// `own`: for the loop at that site alone. Members cannot disagree about a loop, so one that gets no memory can only wait until
/// another has dealt it or some is given back.
dealt* find_or_deal(const implicit_task& in, site& at, std::uint64_t iterations, bool own, bool chooses) noexcept {
  region& team = *in.team;
  const site* const only = own ? &at : nullptr;
  // Where shares change at barriers, a trip count is told apart by the loop that comes first behind one, too.
  const site* const first = team.at_barriers ? &at : nullptr;
  const auto alike = [=](const dealt& known) {
    return known.iterations == iterations && known.only == only && (first == nullptr || known.first == first);
  };
  dealt* fresh = nullptr;
  while (true) {
    for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
      if (!alike(*each)) continue;
      STEELYARD_ASSERT(each->members == in.members, "[I3] all members of a team agree on a record");
      return each;
    }
    fresh = team.shares->deal({&at, only, iterations, in.members, team.timed, team.entered, chooses, team.at_barriers});
    if (fresh != nullptr) break;
    sched_yield();
  }
  dealt* const agreed = push<sync::real>(team.dealt_loops, fresh, alike);
  if (agreed != fresh) dealt::give_back(fresh);
  return agreed;
}

/// The member's region.
void bar(const implicit_task* in, const char* why) noexcept {
  if (in != nullptr && in->team != nullptr && in->team->shares != nullptr) in->team->shares->bar(why);
}

/// For the report, which looks up in the end what is known of the loop.
void remember(site& at, region_shares& in, std::uint64_t iterations) noexcept {
  if (!config.reporting) return;
  if (at.shares.load(sync::acquire, sync::site{"R6"}) != &in) at.shares.store(&in, sync::release, sync::site{"R6"});
  at.dealt.set(iterations);
}

/// From the next region on, unless a line of the loops file is for them.
void keep(region& team, dealt& loops, const char* why) noexcept {
  if (!loops.first->by_rule) team.shares->keep(loops, why);
}

/// All static loops that the member has been in, and others whose members are not here yet: of the whole region.
void keep_all(region& team, const char* why) noexcept {
  team.shares->keep_all(why);
  for (dealt* each = team.dealt_loops.load(sync::acquire, sync::site{"R7"}); each != nullptr; each = each->next) {
    if (each->only == nullptr) keep(team, *each, why);
  }
}

/// When the first region begins: libc is ready then.
void count_instructions() noexcept {
  static sync::real::atomic<bool> tried{};
  if (tried.exchange(true, sync::relaxed, sync::site{"R11"})) return;
  const int error = learn::work.count_instructions(learn::instructions_of_kernel);
  if (error != 0)
    say("the kernel lets no instructions be counted here (%s); blocks are measured by time", strerror(error));
}

/// Ways are compared by time, also where shares are learnt by instructions.
std::uint64_t now_for(const dealt& by) noexcept { return by.chooses ? support::ticks() : learn::work.now(); }

/// In a region of which nothing is known the first instance of a loop has equal blocks, from which is learnt at the join. If it comes
/// again before that, and that may be the whole program, costs may be uneven. Each member has counted as many instances.
bool is_left_to_members(dealt& of, std::uint32_t member) noexcept {
  return of.is_new && of.times != nullptr && of.of(member).loops.read() != 0;
}

/// Of static loops, where it is agreed on.
dealt& find_agreed(const implicit_task& in, site& at, std::uint64_t iterations) noexcept {
  const region& team = *in.team;
  dealt* const met = team.at_barriers ? find_since_barrier(in, iterations) : nullptr;
  dealt& by = met != nullptr ? *met : *find_or_deal(in, at, iterations, false, chooses(at.forced.schedule));
  if (team.at_barriers) by.of(in.number).behind = in.barriers + 1;
  if (!at.forced.at_barriers) by.stays.set(true);
  return by;
}

chosen in_small_chunks(const implicit_task& in, std::uint64_t iterations) noexcept {
  constexpr std::uint64_t chunks_of_share = 64;
  const std::uint64_t chunk = iterations / in.members / chunks_of_share;
  return {learn::ways::fixed, {learn::way::kind::fixed, in.members, std::max<std::uint64_t>(chunk, 1)}};
}

}  // namespace

void begin_shares(region& team, site& fork, const void* body) noexcept {
  if (config.by_instructions) count_instructions();
  region_shares* const known = shares_of(fork, body);
  if (known == nullptr) return;
  if (config.rule_count == 0 && noticed(*known, fork) != nullptr) return;
  const auto what = known->begin();
  const bool timed = what == learn::timing_debt::kind::timed;
  STEELYARD_ASSERT(team.shares == nullptr, "shares.md: a region begins once");
  if (what != learn::timing_debt::kind::passes) team.began = support::ticks();
  if (what == learn::timing_debt::kind::looked_at) team.looked_at = known;
  if (!timed && known->is_equal() && !config.shares_are_given) return;
  team.entered = known->enter();
  if (!team.entered && !config.shares_are_given) return;
  team.shares = known;
  team.timed = timed && team.entered;
  team.reads = team.entered && !timed && !config.shares_are_given && config.rule_count == 0 && tells_shares(config.all);
  team.at_barriers = config.at_barriers && team.timed;
}

void end_shares(region& team) noexcept {
  if (team.looked_at != nullptr) team.looked_at->looked(support::ticks() - team.began);
  if (team.shares == nullptr) return;
  dealt* const all = team.dealt_loops.load(sync::acquire, sync::site{"R7"});
  if (team.entered) {
    team.shares->leave(all, team.timed, team.timed ? support::ticks() - team.began : 0, team.inner.read());
  } else {
    dealt::give_back_all(all);
  }
}

std::uint32_t equal_regions(site& fork, const void* body, std::uint32_t most) noexcept {
  if (!config.shares) return most;
  region_shares* const known = shares_of(fork, body);
  if (known == nullptr || config.shares_are_given) return 0;
  if (config.rule_count == 0 && noticed(*known, fork) != nullptr) return most;
  return known->is_equal() ? known->skip(most) : 0;
}

share look_for_share(implicit_task& in, site& at, std::uint64_t iterations) noexcept {
  STEELYARD_ASSERT(in.number < in.members, "shares.md: who asks for a block has a number in its team");
  const bool asked = tells_shares(at.forced);
  if (in.members < 2) return own_block(asked ? nullptr : not_asked, true);
  if (in.team == nullptr) return own_block(asked ? unseen : not_asked, false);
  if (!may_be_balanced(iterations, in.members)) return own_block(asked ? few_iterations : not_asked, true);
  region_shares* const known = in.team->shares;
  if (known == nullptr) {
    if (!asked) return own_block(not_asked, false);
    region_shares* const of_body = in.team->at->shares.load(sync::acquire, sync::site{"R6"});
    if (of_body == nullptr) return own_block(nullptr, false);
    note_loop(*of_body, at);
    return own_block(noticed(*of_body, *in.team->at, at), false);
  }
  note_loop(*known, at);
  remember(at, *known, iterations);
  if (!at.forced.again.is_never()) known->learn_again_at(&at.forced.again);
  bool keeps = false;
  dealt* const standing = in.team->reads ? find_standing(in, at, iterations, keeps) : nullptr;
  if (keeps) return own_block(nullptr, false);
  dealt& by = standing != nullptr ? *standing : find_agreed(in, at, iterations);
  if (!asked) known->keep(by, at.by_rule ? told_otherwise : not_asked);
  if (const char* const why = noticed(*known, *in.team->at, at); why != nullptr) known->keep(by, why);
  return share_of(by, in.number, iterations);
}

own_share find_own_share(implicit_task& in, site& at, std::uint64_t iterations, bool chooses) noexcept {
  if (in.team->shares == nullptr || iterations < in.members) return {};
  if (!at.forced.again.is_never()) in.team->shares->learn_again_at(&at.forced.again);
  dealt& by = *find_or_deal(in, at, iterations, true, chooses);
  remember(at, *in.team->shares, iterations);
  if (chooses && is_left_to_members(by, in.number)) return {{}, in_small_chunks(in, iterations)};
  return {share_of(by, in.number, iterations), by.how};
}

void begin_timed(implicit_task& in, dealt& by) noexcept {
  STEELYARD_ASSERT(in.team->entered && by.times != nullptr, "[I1] only a region that has entered times its blocks");
  in.in_dealt = &by;
  in.block_began = now_for(by);
}

void note_fetch(const implicit_task& in) noexcept {
  const auto by = in.in_dealt->how.way.how == learn::way::kind::guided ? learn::fetches::mechanism::guided
                                                                       : learn::fetches::mechanism::fixed;
  costs_of_fetches.took(by, in.members, support::ticks() - in.block_began, 1);
}

void end_timed(implicit_task& in, dealt& by) noexcept {
  STEELYARD_ASSERT(in.number < by.members, "[I3] a block is that of a member of the team");
  dealt::taken& mine = by.of(in.number);
  if (mine.loops.read() == 0) mine.began.set(in.block_began);
  mine.ticks.add(now_for(by) - in.block_began);
  mine.loops.add(1);
}

void note_reduction(implicit_task& in, bool may_be_of_region) noexcept {
  if (in.team == nullptr || in.team->shares == nullptr || config.free_reductions) return;
  in.reduced = may_be_of_region;
  if (in.last_dealt != nullptr && in.last_dealt->only == nullptr) keep(*in.team, *in.last_dealt, grouping_would_change);
}

void note_barrier(implicit_task& in) noexcept {
  in.reduced = false;
  if (in.in_dealt == nullptr) in.last_dealt = nullptr;  // else it is that of a team inside, which was not seen
}

void end_body(implicit_task& in) noexcept {
  if (in.reduced && in.team != nullptr && in.team->shares != nullptr) keep_all(*in.team, grouping_would_change);
}

void note_query(const void* caller) noexcept {
  implicit_task* const in = self.top;
  if (in->team == nullptr || in->team->shares == nullptr) return;
  // GCC asks for itself, too, to deal the loop over members that the compile launcher puts around one.
  if (in->team->at->api != &gomp::api) return bar(in, asks);
  for (const void*& question : in->questions) {
    if (question == nullptr) question = caller;
    if (question == caller) return;
  }
  bar(in, asks);
}

void end_questions(const implicit_task& in) noexcept {
  for (const void* const question : in.questions) {
    if (question != nullptr) return bar(&in, asks);
  }
}

void note_own_blocks(const implicit_task& in) noexcept { bar(&in, "another loop of its region keeps equal blocks"); }

void note_query_of_all(const void*) noexcept {
  if (std::exchange(self.top->asked, true)) return;
  for (const implicit_task* in = self.top; in != nullptr; in = in->outer) bar(in, asks);
}

}  // namespace steelyard::openmp
