// SPDX-License-Identifier: Apache-2.0
#include "openmp/compiled/costs.hpp"

#include <sched.h>

#include <algorithm>
#include <span>
#include <utility>

#include "openmp/compiled/bins.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/waits.hpp"
#include "schedules/profile.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp::compiled {

using schedules::profile;

/// What the members of a team state of one loop. Of the region, as long as that lasts.
struct statement {
  statement* next = nullptr;
  site* at = nullptr;
  const loop* source = nullptr;
  std::uint32_t members = 1;
  remark<std::uint64_t> iterations;
  remark<std::uint64_t> key;
  sync::real::atomic<std::uint32_t> ended{};
  sync::real::atomic<bool> incomplete{};      ///< a member knew the costs already
  remark<bool> asked;                         ///< else nothing is stated, and nobody waits
  learn::cost_terms::row* numbers = nullptr;  ///< where it is asked: a row a term, and each member its own bins
  std::uint64_t began = 0;                    ///< of member 0, in ticks
  // Of the first one, on trust:
  enum class verdict : std::uint32_t { pending, yes, no };
  sync::real::atomic<verdict> pays{verdict::yes};  ///< by its maker, who begins before the others
  std::uint32_t maker = 0;
  std::uint64_t maker_began = 0;
};

namespace {

std::uint32_t terms_of(const loop& source) noexcept {
  return static_cast<std::uint32_t>(std::clamp(source.terms, 0, most_terms));
}

std::span<learn::cost_terms::row> numbers_of(const statement& all) noexcept {
  return {all.numbers, terms_of(*all.source)};
}

void make_numbers(statement& of) noexcept {
  of.numbers = static_cast<learn::cost_terms::row*>(slab_take(numbers_of(of).size_bytes()));
}

void give_numbers(statement& of) noexcept {
  slab_give(std::exchange(of.numbers, nullptr), numbers_of(of).size_bytes());
}

void give(statement* of) noexcept {
  give_numbers(*of);
  slab_give(of, sizeof(statement));
}

/// nullptr: there is no memory. Numbers of the first statement are made by whoever begins it: several members may make one.
statement* make(site& at, const loop& source, std::uint32_t members, std::uint32_t maker, bool asked) noexcept {
  auto* const fresh = slab_make<statement>();
  if (fresh == nullptr) return nullptr;
  fresh->at = &at;
  fresh->source = &source;
  fresh->members = members;
  fresh->maker = maker;
  fresh->asked.set(asked);
  if (!asked) return fresh;
  if (config.spares && learn::is_guess(&source.seed) && is_first_stating(at)) {
    fresh->pays.store(statement::verdict::pending, sync::relaxed, sync::site{"V5"});
    return fresh;
  }
  make_numbers(*fresh);
  fresh->asked.set(fresh->numbers != nullptr);
  return fresh;
}

/// That of a loop, the same for all members of a team: who makes it decides for them whether costs are asked for. One that gets no
/// memory can only wait until another has made it.
statement& find_or_make(implicit_task& in, site& at, const loop& source) noexcept {
  const auto alike = [&](const statement& known) { return known.at == &at; };
  region& team = *in.team;
  while (true) {
    for (auto* each = team.statements.load(sync::acquire, sync::site{"V1"}); each != nullptr; each = each->next) {
      if (alike(*each)) return *each;
    }
    auto* const fresh = make(at, source, in.members, in.number, pays_stating(at));
    if (fresh == nullptr) {
      sched_yield();
      continue;
    }
    statement* const agreed = push<sync::real>(team.statements, fresh, alike);
    if (agreed != fresh) give(fresh);
    return *agreed;
  }
}

/// The schedule of a loop that the program leaves to the runtime is that of its own site, which has not been met: so what would run
/// one there.
clause clause_of(const loop& source) noexcept {
  if (source.kind != of_runtime) return clause::unwritten;
  return (source.flags & is_named) != 0 ? clause::dynamic : clause::runtime;
}

std::uint32_t first_bin_of(std::uint64_t member, std::uint32_t members) noexcept {
  return static_cast<std::uint32_t>(profile::bins * member / members);
}

/// All have stated theirs.
void publish(statement& all) noexcept {
  const bool is_complete = !all.incomplete.exchange(false, sync::relaxed, sync::site{"V2"});
  all.ended.store(0, sync::relaxed, sync::site{"V3"});
  all.asked.set(pays_stating(*all.at));
  if (!is_complete) return;
  take_derived(*all.at, {numbers_of(all), all.iterations.get(), all.key.get(), &all.source->seed, all.source->seeds});
}

/// The maker of the first statement judges when it has stated that part of its own iterations: no more than that part of the time that these take, as
/// the compiler guesses.
constexpr std::uint32_t part_to_judge_by = 16;
constexpr std::uint64_t part_for_stating = 20;

bool is_to_judge(const statement& all, const costs& of) noexcept {
  return of.member == all.maker && all.pays.load(sync::relaxed, sync::site{"V5"}) == statement::verdict::pending;
}

void end_judging(statement& all, bool pays) noexcept {
  if (!pays) all.asked.set(false);
  all.pays.store(pays ? statement::verdict::yes : statement::verdict::no, sync::release, sync::site{"V5"});
}

void judge(statement& all, const costs& of) noexcept {
  const auto took = support::ticks() - all.maker_began;
  const auto first = first_bin_of(of.member, all.members);
  const auto stated = of.bin - first;
  const auto its_loop_takes =
      learn::guessed_ticks(numbers_of(all), all.iterations.get(), first, of.bin, &all.source->seed, all.source->seeds);
  const bool pays = stated == 0 || took <= its_loop_takes / part_for_stating;
  if (!pays) count_stating(*all.at, took * (of.bin_behind - first) / stated);
  end_judging(all, pays);
}

/// By all others, before they state anything. The maker has begun, and waits for nobody until it has judged.
bool pays(const statement& all) noexcept {
  auto found = all.pays.load(sync::acquire, sync::site{"V6"});
  for (std::uint32_t turn = 0; found == statement::verdict::pending; ++turn) {
    sync::real::relax(turn);
    found = all.pays.load(sync::acquire, sync::site{"V6"});
  }
  return found == statement::verdict::yes;
}

bool is_known(const statement& all) noexcept {
  return (all.source->flags & costs_have_keys) != 0 && is_derived(*all.at, all.iterations.get(), all.key.get());
}

}  // namespace

void note_flags(site& at, const loop& source) noexcept {
  const bool equal = (source.flags & costs_are_equal) != 0;
  const bool guarded = (source.flags & costs_are_guarded) != 0;
  if (equal || guarded) note_derived(at, equal, guarded);
}

int asks_now(const loop* source, std::uint64_t iterations) noexcept {
  const bool says_all = source->kind == of_runtime && (source->flags & (costs_are_equal | costs_are_guarded)) != 0;
  if (!config.active || iterations == 0 || (source->terms <= 0 && !says_all)) return 0;
  if (source->kind != of_runtime && keeps_grouping(*source)) return 0;
  site& at = record_of(*source);
  implicit_task& in = current_implicit_task();
  if (!seen(in, *at.native)) return 0;
  if (in.members == 0) learn_team(in);
  // Before its region a loop of the runtime's is told of by one thread.
  if (in.team == nullptr ? source->kind != of_runtime : in.members < 2 || in.native->barrier == nullptr) return 0;
  const request wanted{&at, clause_of(*source), 0, false, {0, 1, iterations, iterations}};
  if (!asks_for_costs(decide(wanted, in).schedule)) return 0;
  if (source->terms <= 0) {
    note_flags(at, *source);
  } else if (in.team == nullptr ? pays_stating(at) : find_or_make(in, at, *source).asked.get()) {
    return 1;
  }
  if (source->kind == of_runtime) hand_on_costs(at);
  return 0;
}

int begin_costs(costs* to, const loop* source, std::uint64_t iterations, std::uint64_t key) noexcept {
  *to = {};
  if (asks_now(source, iterations) == 0) return 0;
  site& at = record_of(*source);
  implicit_task& in = current_implicit_task();
  const bool is_alone = in.team == nullptr;
  statement* const all = is_alone ? make(at, *source, 1, 0, true) : &find_or_make(in, at, *source);
  if (all == nullptr) return 0;
  to->member = is_alone ? 0 : in.number;
  if (is_to_judge(*all, *to)) {
    make_numbers(*all);
    if (all->numbers == nullptr) end_judging(*all, false);
    all->maker_began = support::ticks();
  }
  if (!is_to_judge(*all, *to) && (!pays(*all) || all->numbers == nullptr)) {
    if (is_alone) give(all);
    if (source->kind == of_runtime) hand_on_costs(at);
    return 0;
  }
  to->known = all;
  all->iterations.set(iterations);
  all->key.set(key);
  if (to->member == 0) all->began = support::ticks();
  to->bin = first_bin_of(to->member, all->members);
  to->bin_behind = first_bin_of(std::uint64_t{to->member} + 1, all->members);
  if (is_known(*all)) {
    all->incomplete.store(true, sync::relaxed, sync::site{"V2"});
  } else {
    begin_bins(*to, *source, iterations, numbers_of(*all));
  }
  return 1;
}

void next_costs(costs* of) noexcept {
  auto& all = *static_cast<statement*>(of->known);
  next_bin(*of, all.iterations.get(), numbers_of(all));
  if (!is_to_judge(all, *of) || of->at == of->behind) return;
  const auto first = first_bin_of(of->member, all.members);
  if ((of->bin - first) * part_to_judge_by < of->bin_behind - first) return;
  judge(all, *of);
  if (!pays(all)) of->at = of->behind;
}

void end_costs(costs* of) noexcept {
  auto& all = *static_cast<statement*>(of->known);
  implicit_task& in = current_implicit_task();
  const bool is_of_runtime = all.source->kind == of_runtime;
  site& at = *all.at;
  if (is_to_judge(all, *of)) judge(all, *of);
  if (pays(all)) {  // else nobody but the maker has stated anything
    const bool is_last = all.ended.fetch_add(1, sync::acq_rel, sync::site{"V4"}) + 1 == all.members;
    if (is_last) publish(all);
    if (in.team != nullptr) at_barrier(*in.native, [&] { in.native->barrier(); });
    if (of->member == 0) count_stating(at, support::ticks() - all.began);
  }
  if (in.team == nullptr) {
    give(&all);
  } else if (!pays(all)) {
    give_numbers(all);
  }
  if (is_of_runtime) hand_on_costs(at);
}

void forget_statements(region& team) noexcept {
  auto* each = team.statements.load(sync::acquire, sync::site{"V1"});
  while (each != nullptr) {
    statement* const next = each->next;
    give(each);
    each = next;
  }
}

}  // namespace steelyard::openmp::compiled
