// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/best_schedule.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include "learn/automatic.hpp"
#include "learn/choosers.hpp"
#include "learn/chunk_bounds.hpp"
#include "learn/cost_profile.hpp"
#include "learn/forecast_debt.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/measure/ends.hpp"
#include "openmp/measure/knowledge.hpp"
#include "openmp/program/records.hpp"
#include "schedules/draw.hpp"
#include "schedules/granule.hpp"
#include "schedules/registry.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {

/// Of the loops of a site with one trip count; never freed. Its chooser is that of who holds in_use of its site.
struct told_best {
  learn::automatic chooser;
  std::uint64_t granule = 1;                    ///< iterations that stay together
  sync::real::atomic<std::uint32_t> running{};  ///< an instance is, that is told

  [[nodiscard]] bool is_for(std::uint64_t n, std::uint32_t members) const noexcept {
    return chooser.is_for(n, members);
  }
  void pay_first() noexcept { chooser.pay_first(); }
  [[nodiscard]] bool is_free() const noexcept { return running.load(sync::acquire, sync::site{"T14"}) == 0; }
  void end() noexcept { running.store(0, sync::release, sync::site{"T14"}); }
};

static_assert(sizeof(told_best) <= 4096, "a place has up to sixteen of them, and the slab has blocks of that size");

/// Of one site, or of all that fork one body; never freed.
struct site_best {
  // Of who holds in_use:
  learn::choosers<told_best*> choosers;
  learn::forecast_debt debt;
  std::array<std::uint64_t, learn::automatic::most_shares>* ends =
      nullptr;  ///< made where a loop has shares for the first time
  std::uint64_t dice = 0;
  sync::real::atomic<std::uint32_t> in_use{};
};

namespace {

using schedules::member;
using schedules::operations;
using schedules::shape;
using schedules::step;

constexpr const char* stolen = "steal";
constexpr const char* as_written = "dynamic";

struct alignas(support::line_size) observer {
  std::uint64_t began = 0;
  std::uint64_t handed_over = 0;  ///< ticks in calls of the schedule
  std::uint64_t calls = 0;
  step current{};
};

/// In front of the schedule's own state.
struct alignas(support::line_size) observing {
  observing(const operations& schedule, const shape& loop) noexcept : does(schedule), members(loop.members) {
    costs.begin(loop.iterations);
  }

  const operations& does;
  std::uint32_t members;
  learn::cost_profile costs;

  observer& of(member m) noexcept { return reinterpret_cast<observer*>(this + 1)[m]; }
  void* schedule() noexcept { return &of(members); }
  [[nodiscard]] const void* schedule() const noexcept { return reinterpret_cast<const observer*>(this + 1) + members; }

  /// What a call takes, on average.
  [[nodiscard]] std::uint64_t hand_over() noexcept {
    std::uint64_t all = 0;
    std::uint64_t calls = 0;
    for (member m = 0; m < members; ++m) {
      all += of(m).handed_over;
      calls += of(m).calls;
    }
    return all / std::max<std::uint64_t>(calls, 1);
  }
};

observing& of(void* state) noexcept { return *static_cast<observing*>(state); }
const observing& of(const void* state) noexcept { return *static_cast<const observing*>(state); }

step next_observed(void* state, member m) noexcept {
  auto& all = of(state);
  auto& own = all.of(m);
  const auto asked = support::ticks();
  if (own.current.count != 0) all.costs.took(own.current.first, own.current.count, asked - own.began);
  own.current = all.does.next(all.schedule(), m);
  STEELYARD_ASSERT(own.current.count == 0 || own.current.stride == 1,
                   "contract.hpp: contiguous front ends get contiguous steps");
  own.began = support::ticks();
  own.handed_over += own.began - asked;
  ++own.calls;
  return own.current;
}

void forecast(learn::automatic& chooser, learn::forecast_debt& debt) noexcept {
  const auto began = support::ticks();
  const auto bytes = chooser.room_to_forecast();
  void* const room = slab_take(bytes);
  if (room == nullptr) return;
  chooser.forecast(room);
  slab_give(room, bytes);
  debt.add(support::ticks() - began);
}

/// Of another place that forks the same body: a compiler may copy a fork into several callers. What no line of a loops file is for has the
/// candidates of the whole process.
site_best* best_of_body(const site& at) noexcept {
  if (at.body.get() == nullptr || at.by_rule) return nullptr;
  for (const site* other = first_site(); other != nullptr; other = other->next) {
    if (other->body.get() != at.body.get() || other->in != at.in || other->api != at.api || other->by_rule) continue;
    site_best* const known = other->best.load(sync::acquire, sync::site{"T12"});
    if (known != nullptr) return known;
  }
  return nullptr;
}

site_best* best_at(site& at) noexcept {
  site_best* const known = at.best.load(sync::acquire, sync::site{"T12"});
  if (known != nullptr) return known;
  site_best* const others = best_of_body(at);
  return others != nullptr ? take_over(at.best, others) : record_at(at.best);
}

/// That schedule, with the clock read before and behind each chunk.
template <const char* const& name>
constexpr operations observed{
    {name, "times its chunks", nullptr, false, false},
    [](const shape& loop) {
      return sizeof(observing) + loop.members * sizeof(observer) + schedules::find(name)->bytes(loop);
    },
    [](void* memory, const shape& loop) {
      auto& fresh = *::new (memory) observing(*schedules::find(name), loop);
      for (member m = 0; m < loop.members; ++m) ::new (&fresh.of(m)) observer;
      fresh.does.open(fresh.schedule(), loop);
    },
    [](void* state, member m) { return next_observed(state, m); },
    [](const void* state, member m) { return of(state).does.remaining(of(state).schedule(), m); },
    [](const void* state, member m) { return of(state).does.counts(of(state).schedule(), m); },
};

const operations& observed_form(const operations& of) noexcept {
  return &of == schedules::find(as_written) ? observed<as_written> : observed<stolen>;
}

/// Returns how long it took; 0: it was cancelled.
std::uint64_t take(site_best& known, instance& ended) noexcept {
  auto& chooser = ended.told->chooser;
  const auto [took, of_all, of_takers] = ending_of(ended);
  if (took == 0) {
    chooser.stopped();
    return 0;
  }
  learn::observation seen{nullptr, 0, of_all};
  if (observes(*ended.schedule)) {
    auto& noted = of(ended.state());
    seen.chunks = &noted.costs;
    seen.hand_over = noted.hand_over();
  }
  known.debt.pay(took);
  known.debt.wait(took, took - of_takers / ended.takers);
  if (chooser.took(took, seen) && known.debt.is_paid(ended.takers) && !chooser.looks_first())
    forecast(chooser, known.debt);
  return took;
}

}  // namespace

void plan::know_rate(std::uint64_t rate, std::uint64_t granules, std::uint64_t granule) noexcept {
  const auto bounds = learn::chunk_bounds::of(granules, members, rate);
  grain = bounds.grain * granule;
  most_at_once = bounds.most_at_once * granule;
}

bool observes(const operations& row) noexcept { return &row == &observed<as_written> || &row == &observed<stolen>; }

lent_chooser::lent_chooser(site& at) noexcept : lent_chooser(best_at(at)) {}

lent_chooser::lent_chooser(site_best* known) noexcept {
  if (known == nullptr) return;
  // Who waits reads the line, and takes it from nobody.
  is_taken_ = known->in_use.load(sync::relaxed, sync::site{"T13"}) != 0 ||
              known->in_use.exchange(1, sync::acquire, sync::site{"T13"}) != 0;
  if (!is_taken_) held_ = known;
}

lent_chooser::~lent_chooser() {
  if (held_ != nullptr) held_->in_use.store(0, sync::release, sync::site{"T13"});
}

void lent_chooser::choose(const site& at, plan& next, const schedules::candidates& among, std::uint64_t granules,
                          std::uint64_t granule) noexcept {
  told_best* const its = held_->choosers.of(granules, next.members, slab_make<told_best>,
                                            [](const told_best& other) { return other.is_free(); });
  if (its == nullptr) return;
  if (its->is_free()) its->chooser.choose_among(among);
  if (!its->is_for(granules, next.members)) {
    its->chooser.plain_saves(saved_by_plain_loops(next.members));
    its->chooser.iterations_are_chunks(next.are_chunks);
    recall(at, granules, granule, next.members, its->chooser);
  }
  its->granule = granule;
  learn::automatic::plan found{its->chooser.usual(), false};
  // Whether a plain loop is told its region has drawn.
  const bool is_untold = !its->chooser.is_plain(granules, next.members) &&
                         its->chooser.may_go_untold(granules, next.members) &&
                         schedules::draw(held_->dice) % plain_loops::one_of != 0;
  if (its->is_free() && !is_untold) {
    found = its->chooser.next(granules, next.members, support::ticks());
    its->running.store(1, sync::relaxed, sync::site{"T14"});
    next.told = its;
  }
  if (found.how.schedule == nullptr) return;
  next.schedule = found.observed ? &observed_form(*found.how.schedule) : found.how.schedule;
  next.chunk = found.how.chunk * granule;
  next.members = found.how.members;
  // Equal blocks, by which the briefest loops run, hand out no chunks.
  if (const auto rate = found.how.schedule->about.preassigned ? 0 : its->chooser.rate(); rate != 0)
    next.know_rate(rate, granules, granule);
  if (!found.how.by_shares) return;
  if (held_->ends == nullptr) held_->ends = slab_make<std::array<std::uint64_t, learn::automatic::most_shares>>();
  if (held_->ends == nullptr) return;  // equal blocks then
  its->chooser.cut(granules, next.members, held_->ends->data());
  next.ends = held_->ends->data();
}

void lent_chooser::withdraw(const plan& by) noexcept {
  by.told->chooser.withdrawn();
  by.told->end();
}

void learn_best(const region& team, instance& ended) noexcept {
  site_best* const known = ended.at->best.load(sync::acquire, sync::site{"T12"});
  STEELYARD_ASSERT(known != nullptr, "[B1] of measuring.md: who is told has been planned");
  if (const lent_chooser lent(known); lent.get() != nullptr) {
    const auto took = take(*known, ended);
    const auto granules = schedules::granules(ended.iterations, ended.granule);
    const auto& chooser = ended.told->chooser;
    if (took != 0)
      note_plain_loop(team, {granules, chooser.is_plain(granules, ended.members), took, chooser.is_learnt()});
  }
  ended.told->end();
}

void each_lesson(const site& at, void (*say)(void* to, const learn::lesson& what, std::uint64_t granule),
                 void* to) noexcept {
  const lent_chooser lent(at.best.load(sync::acquire, sync::site{"T12"}));
  if (lent.get() == nullptr) return;
  lent.get()->choosers.each([=](const told_best& each) {
    learn::lesson found;
    if (each.chooser.teach(found)) say(to, found, each.granule);
  });
}

bool tell_best(const site& at, best_told& out) noexcept {
  const lent_chooser lent(at.best.load(sync::acquire, sync::site{"T12"}));
  if (lent.get() == nullptr) return false;
  const told_best* const last = lent.get()->choosers.last();
  if (last == nullptr || last->chooser.chosen().schedule == nullptr) return false;
  const auto& chooser = last->chooser;
  const auto how = chooser.runs_by();
  std::snprintf(out.schedule, sizeof out.schedule, how.chunk != 0 ? "%s,%llu" : "%s", how.schedule->about.name,
                static_cast<unsigned long long>(how.chunk * std::max<std::uint64_t>(at.granule.get(), 1)));
  chooser.explain(out.reason, sizeof out.reason);
  out.is_settled = chooser.is_settled() || chooser.is_compared();
  out.is_learnt = chooser.is_learnt() && (how == chooser.chosen() || !chooser.is_settled());
  out.settled_after = chooser.settled_after();
  return true;
}

}  // namespace steelyard::openmp
