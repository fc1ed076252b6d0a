// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/best_schedule.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include "learn/automatic.hpp"
#include "learn/forecast_debt.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/program/records.hpp"
#include "schedules/registry.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

namespace steelyard::openmp {

/// Of one site; never freed.
struct site_best {
  // Of who holds in_use:
  learn::automatic chooser;
  learn::forecast_debt debt;
  std::array<std::uint64_t, learn::automatic::most_shares> ends;
  sync::real::atomic<std::uint32_t> in_use{};
  /// An instance runs that is told.
  sync::real::atomic<std::uint32_t> running{};
};

namespace {

using schedules::member;
using schedules::operations;
using schedules::shape;
using schedules::step;

const operations& steal() noexcept { return *schedules::find("steal"); }

struct alignas(support::line_size) observer {
  std::uint64_t began = 0;
  std::uint64_t handed_over = 0;  ///< ticks in calls of the schedule
  std::uint64_t calls = 0;
  step current{};
};

/// In front of the schedule's own state.
struct alignas(support::line_size) observing {
  explicit observing(const shape& loop) noexcept : does(steal()), members(loop.members) {
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

void forecast(site_best& known) noexcept {
  const auto began = support::ticks();
  const auto bytes = known.chooser.room_to_forecast();
  void* const room = slab_take(bytes);
  if (room == nullptr) return;
  known.chooser.forecast(room);
  slab_give(room, bytes);
  known.debt.add(support::ticks() - began);
}

void take(site_best& known, instance& ended) noexcept {
  const auto finished = ended.finished_ticks.read();
  if (finished <= ended.began_ticks) return known.chooser.stopped();
  std::uint64_t hand_over = 0;
  if (ended.schedule == &observing_schedule) {
    auto& seen = of(ended.state());
    known.chooser.profile().add(seen.costs);
    hand_over = seen.hand_over();
  }
  const auto took = finished - ended.began_ticks;
  known.debt.pay(took);
  const bool is_due = known.chooser.took(took, hand_over);
  if (is_due && known.debt.is_paid(ended.takers)) forecast(known);
}

}  // namespace

constinit const operations observing_schedule{
    {"steal", "times its chunks", nullptr, false, false},
    [](const shape& loop) { return sizeof(observing) + loop.members * sizeof(observer) + steal().bytes(loop); },
    [](void* memory, const shape& loop) {
      auto& fresh = *::new (memory) observing(loop);
      for (member m = 0; m < loop.members; ++m) ::new (&fresh.of(m)) observer;
      fresh.does.open(fresh.schedule(), loop);
    },
    [](void* state, member m) { return next_observed(state, m); },
    [](const void* state, member m) { return of(state).does.remaining(of(state).schedule(), m); },
    [](const void* state, member m) { return of(state).does.counts(of(state).schedule(), m); },
};

lent_chooser::lent_chooser(site& at) noexcept : lent_chooser(record_at(at.best)) {}

lent_chooser::lent_chooser(site_best* known) noexcept {
  if (known == nullptr) return;
  is_taken_ = known->in_use.exchange(1, sync::acquire, sync::site{"T13"}) != 0;
  if (!is_taken_) held_ = known;
}

lent_chooser::~lent_chooser() {
  if (held_ != nullptr) held_->in_use.store(0, sync::release, sync::site{"T13"});
}

void lent_chooser::choose(plan& next, std::uint64_t granules, std::uint64_t granule) noexcept {
  auto& known = held_->chooser;
  next.is_told = held_->running.load(sync::acquire, sync::site{"T14"}) == 0;
  learn::automatic::plan found{known.meanwhile(granules, next.members), false};
  if (next.is_told) {
    found = known.next(granules, next.members);
    held_->running.store(1, sync::relaxed, sync::site{"T14"});
  }
  if (found.how.schedule == nullptr) return;
  next.schedule = found.observed ? &observing_schedule : found.how.schedule;
  next.chunk = found.how.chunk * granule;
  next.members = found.how.members;
  if (!found.how.by_shares) return;
  known.cut(granules, next.members, held_->ends.data());
  next.ends = held_->ends.data();
}

void lent_chooser::withdraw() noexcept {
  held_->chooser.stopped();
  held_->running.store(0, sync::relaxed, sync::site{"T14"});
}

void note_end(instance& of) noexcept { of.finished_ticks.raise_to(support::ticks()); }

void learn_best(instance& ended) noexcept {
  site_best* const known = ended.at->best.load(sync::acquire, sync::site{"T12"});
  STEELYARD_ASSERT(known != nullptr, "[B1] of measuring.md: who is told has been planned");
  if (const lent_chooser chooser(known); chooser.get() != nullptr) take(*known, ended);
  known->running.store(0, sync::release, sync::site{"T14"});
}

bool tell_best(const site& at, best_told& out) noexcept {
  const lent_chooser lent(at.best.load(sync::acquire, sync::site{"T12"}));
  if (lent.get() == nullptr) return false;
  const auto& chooser = lent.get()->chooser;
  const auto& how = chooser.chosen();
  if (how.schedule == nullptr) return false;
  std::snprintf(out.schedule, sizeof out.schedule, how.chunk != 0 ? "%s,%llu" : "%s", how.schedule->about.name,
                static_cast<unsigned long long>(how.chunk * std::max<std::uint64_t>(at.granule.get(), 1)));
  chooser.explain(out.reason, sizeof out.reason);
  out.settled_after = chooser.settled_after();
  return true;
}

}  // namespace steelyard::openmp
