// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/region_shares.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "learn/chunk_bounds.hpp"
#include "learn/work_clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "openmp/shares/learning.hpp"
#include "openmp/shares/prices.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {
namespace {

using support::ticks;

constexpr std::uint64_t longest_pause = 1024;
/// Loops of a region that take no longer, in ticks, may be as long as what a first instance has to do beside.
constexpr std::uint64_t of_short_loops = 20 * learn::chunk_bounds::ticks_worth_waiting_for;

constinit sync::real::atomic<region_shares*> all_shares{};

/// Why a loop should have kept the blocks that it was not given; nullptr: all is well.
const char* first_kept_too_late(const dealt* all) noexcept {
  for (; all != nullptr; all = all->next) {
    if (all->ends != nullptr && !all->first->by_rule && all->keeps.get() != nullptr) return all->keeps.get();
  }
  return nullptr;
}

/// Once a process.
void say_wrong_count(std::uint32_t given, std::uint32_t members) noexcept {
  static sync::real::atomic<bool> said{};
  if (said.exchange(true, sync::relaxed, sync::site{"R8"})) return;
  say("shares are given for %u members and a team has %u; its loops get learnt ones", given, members);
}

void write_down(const region_shares::wanted& by, dealt& record) noexcept {
  record.first = by.first;
  record.only = by.only;
  record.iterations = by.iterations;
  record.chooses = by.chooses;
  record.how.way.members = by.members;
}

/// By what was cut for as many members, or for this team and loop alone.
void deal_known(const static_loops& from, dealt& record) noexcept {
  const bool timed = record.times != nullptr;
  const bool same_team = from.members == record.members;
  const bool same = same_team && from.iterations == record.iterations;
  if (from.choice != nullptr) {
    const chosen as_there = timed ? from.choice->trial() : from.choice->usual();
    record.how = same ? as_there : from.choice->alike(timed, record.iterations, record.members);
  }
  const bool tries = timed && from.tries();
  if (!from.pays && !(tries && from.doubtful) && record.how.number == learn::ways::shares) return;
  std::uint64_t* const ends = record.own_ends;
  if (same || (same_team && from.choice == nullptr)) {
    const std::uint64_t* const cut = tries ? from.trial : from.cut;
    if (cut == nullptr) return;
    cut_by(cut, record.members, record.iterations, ends);
    record.deal(ends);
  } else if (blocks_of(record.how, from.known, record.iterations, record.members, ends)) {
    record.deal(ends);
  }
}

}  // namespace

void region_shares::leave(dealt* all, bool timed, std::uint64_t took, std::uint64_t inner) noexcept {
  const char* too_late = found_.get();
  if (too_late == nullptr) too_late = first_kept_too_late(all);
  if (!timed && too_late == nullptr) {
    turns_.leave();
  } else if (turns_.leave_to_change()) {
    timed ? learn_all(all, took, inner) : keep_found(all);
    turns_.changed();
  } else if (too_late != nullptr) {
    bar(too_late);  // nothing of single loops can be changed just now
  }
  dealt::give_back_all(all);
}

void region_shares::keep_found(const dealt* all) noexcept {
  for (const dealt* each = all; each != nullptr; each = each->next) {
    if (each->keeps.get() == nullptr) continue;
    if (static_loops* const of = loops_.find_or_make(*each); of != nullptr) of->keeps = each->keeps.get();
  }
  settle();
}

void region_shares::settle() noexcept {
  if (found_.get() != nullptr) loops_.keep_what_was_found();
  found_.set(nullptr);
  unequal_.set(loops_.settle(price_of_deal(), inner_ * price_of_deal()));
}

void region_shares::keep(dealt& loops, const char* why) noexcept {
  loops.keeps.set(why);
  if (loops.parts != nullptr) found_.set(why);
}

void region_shares::keep_all(const char* why) noexcept {
  for (static_loops* each = loops_.newest(); each != nullptr; each = each->next) {
    if (each->only == nullptr && !each->first->by_rule) keep(each->standing, why);
  }
}

void region_shares::learn_all(dealt* all, std::uint64_t took, std::uint64_t inner) noexcept {
  const std::uint64_t began = ticks();
  ++regions_;
  std::uint64_t longest = 0;
  std::uint64_t blocks = 0;
  if (is_due_.get()) learn_again();
  for (dealt* each = all; each != nullptr; each = each->next) {
    STEELYARD_ASSERT(each->times != nullptr, "shares.md: what a region that is timed deals is timed");
    std::uint64_t most = 0;
    for (std::uint32_t m = 0; m < each->members; ++m) most = std::max(most, each->of(m).ticks.read());
    longest += most + each->longest;
    blocks += each->of(0).loops.read();
  }
  const bool cold = !had_loops_ && longest <= of_short_loops;
  for (dealt* each = all; each != nullptr; each = each->next) learn(*each, cold);
  begun_before_ = begun_.get();
  inner_ = inner;
  settle();
  const std::uint64_t owed =
      blocks != 0 ? debt_of(price_of_learning(ticks() - began) + (1 + inner) * price_of_deal(), blocks) : 0;
  if (blocks == 0 || (loops_.all_keep() && took < owed)) {
    had_loops_ = had_loops_ || blocks != 0;
    empty_pause_ = std::min(2 * empty_pause_ + 1, longest_pause);
    return debt_.timed_in_vain(empty_pause_);
  }
  owe(owed, took, learn::work.least_ticks(longest), cold);
}

/// The first times meet memory that nothing has touched yet, and now and then a thread loses its core: neither is a price.
std::uint64_t region_shares::price_of_learning(std::uint64_t took) noexcept {
  constexpr std::uint32_t first = 2;
  constexpr std::uint64_t many = 4;
  constexpr std::uint64_t lately = 8;
  if (learnt_ < first) {
    usual_learning_ = learnt_++ == 0 ? took : std::min(usual_learning_, took);
    return 0;
  }
  const std::uint64_t price = std::min(took, many * usual_learning_);
  usual_learning_ = usual_learning_ - usual_learning_ / lately + price / lately;
  return price;
}

/// What was seen for the first time is measured once more at once, on credit. Ways that are compared follow one another: between two
/// timings there may be hundreds of regions, of another length. Where no loop is to
/// be dealt, as in a team of one, or where all keep their blocks, the pause is longer each time.
void region_shares::owe(std::uint64_t owed, std::uint64_t took, std::uint64_t longest, bool cold) noexcept {
  had_loops_ = had_loops_ || longest != 0;
  empty_pause_ = 0;
  const bool doubts = std::exchange(in_doubt_, false);
  const bool tries = std::exchange(is_trying_, false);
  const bool at_once = (doubts && (cold || on_credit_ == 0)) || (tries && on_credit_ < learn::chooser::most_trials);
  on_credit_ = at_once && (!cold || tries) ? on_credit_ + 1 : 0;
  debt_.timed(took, longest, owed, at_once);
}

void region_shares::learn_again() noexcept {
  is_due_.set(false);
  for (static_loops* each = loops_.newest(); each != nullptr; each = each->next) {
    if (each->known != nullptr) each->known->learn_again();
  }
}

learn::timing_debt::kind region_shares::begin() noexcept {
  begun_.set(begun_.get() + 1);
  const auto* const again = again_.load(sync::acquire, sync::site{"R12"});
  if (again != nullptr && again->is_due(begun_.get())) is_due_.set(true);
  return is_due_.get() ? learn::timing_debt::kind::timed : debt_.begin();
}

/// Regions at which something is learnt anew begin one by one.
std::uint32_t region_shares::skip(std::uint32_t most) noexcept {
  if (is_due_.get() || again_.load(sync::acquire, sync::site{"R12"}) != nullptr) return 0;
  const std::uint32_t skipped = debt_.skip(most);
  begun_.set(begun_.get() + skipped);
  return skipped;
}

const static_loops* region_shares::unequal(const wanted& by) const noexcept {
  if (!by.entered || is_given(by)) return nullptr;
  const static_loops* const known = loops_.find(by.first, by.only, by.iterations);
  if (known == nullptr || known->keeps != nullptr) return nullptr;
  return known->known != nullptr || known->choice != nullptr ? known : nullptr;
}

/// Whoever writes a loops file knows the program. Otherwise a first region shows whether it may get other blocks.
bool region_shares::is_given(const wanted& by) const noexcept {
  const site& first = *by.first;
  const std::uint32_t given = first.forced.shares.members();
  if (given == 0) return false;
  if (given != by.members) {
    say_wrong_count(given, by.members);
    return false;
  }
  if (first.by_rule || by.only != nullptr) return true;
  if (!by.entered || barred() != nullptr) return false;
  const static_loops* const known = loops_.find(by.first, by.only, by.iterations);
  return known != nullptr && known->keeps == nullptr;
}

/// Why the loops of this trip count, or the last one there, have kept equal blocks; nullptr: they need not, or are not known.
const char* region_shares::why_kept(const wanted& by) const noexcept {
  const static_loops* const known = loops_.find(by.first, by.only, by.iterations);
  return known != nullptr ? known->keeps : nullptr;
}

dealt* region_shares::deal(const wanted& by) const noexcept {
  STEELYARD_ASSERT(by.entered || !by.timed, "[I1] only a region that has entered times its blocks");
  STEELYARD_ASSERT(by.members >= 2 && by.iterations >= by.members,
                   "shares.md: a share is of a team, and of more than nothing");
  const bool given = is_given(by);
  const static_loops* const from = unequal(by);
  const bool may_change =
      by.at_barriers && by.timed && !given && by.first->forced.at_barriers && by.members <= learn::shares::most_members;
  auto* const record = dealt::make(by.members, by.timed, given || may_change || from != nullptr);
  if (record == nullptr) return nullptr;
  write_down(by, *record);
  record->may_change = may_change;
  record->before = may_change && from != nullptr ? from->known : nullptr;
  record->is_new = from == nullptr && !given;
  if (by.entered) record->keeps.set(why_kept(by));
  if (given) {
    by.first->forced.shares.cut(by.iterations, record->own_ends);
    record->deal(record->own_ends);
  } else if (from != nullptr) {
    deal_known(*from, *record);
  }
  return record;
}

void region_shares::learn(const dealt& from, bool cold) noexcept {
  static_loops* const of = loops_.find_or_make(from);
  if (of == nullptr) return;
  const bool follows = of->last_used + 1 == regions_ && begun_before_ + 1 == begun_.get();
  of->last_used = regions_;
  in_doubt_ = learn_from(from, *of, {cold, follows}) || in_doubt_;
  is_trying_ = (of->choice != nullptr && of->keeps == nullptr && of->choice->is_trying()) || is_trying_;
}

region_shares* shares_of(site& fork, const void* body) noexcept {
  region_shares* known = fork.shares.load(sync::acquire, sync::site{"R6"});
  // A fork that ends its function is a jump: then several bodies may be forked at one place, that which the caller returns to.
  if (known != nullptr && (known->body() == body || known->body() == nullptr)) return known;
  const auto alike = [=](const region_shares& other) { return other.body() == body; };
  for (known = first_shares(); known != nullptr && !alike(*known);) known = known->next;
  if (known == nullptr) {
    void* const memory = slab_take(sizeof(region_shares));
    if (memory == nullptr) return nullptr;
    auto* const fresh = ::new (memory) region_shares(body);
    known = push<sync::real>(all_shares, fresh, alike);
    if (known != fresh) slab_give(fresh, sizeof(region_shares));
  }
  fork.shares.store(known, sync::release, sync::site{"R6"});
  return known;
}

const char* why_kept(const site& loop) noexcept {
  const region_shares* const of = loop.shares.load(sync::acquire, sync::site{"R6"});
  if (of == nullptr || loop.by_rule || loop.stated.get() != clause::fixed) return nullptr;
  const char* why = of->barred();
  tell_shares(loop, [&why](const static_loops& loops) { why = why != nullptr ? why : loops.keeps; });
  return why;
}

region_shares* first_shares() noexcept { return all_shares.load(sync::acquire, sync::site{"R9"}); }

void forget_bodies() noexcept {
  for (region_shares* each = first_shares(); each != nullptr; each = each->next) each->forget_body();
}

}  // namespace steelyard::openmp
