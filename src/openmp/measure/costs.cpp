// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/costs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "learn/cost_terms.hpp"
#include "learn/reading_debt.hpp"
#include "openmp/host/clock.hpp"
#include "openmp/host/export.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/loop_record.hpp"
#include "schedules/profile.hpp"
#include "schedules/registry.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"

#include <steelyard/loop_cost.h>

namespace steelyard::openmp {

/// The bulk of a record: made when something is known.
struct cost_tables {
  schedules::profile profile;
  schedules::profile::weights weights{};                   ///< of who holds in_use, as the next
  std::array<double, schedules::profile::bins> of_bins{};  ///< stated by members: what each has found of its own
};

/// Of one loop; never freed.
struct site_costs {
  sync::real::atomic<cost_tables*> tables{};
  remark<bool> known;  ///< the profile says something
  remark<bool> used;   ///< a loop had it
  // Of declared costs:
  bool is_declared = false;  ///< else learnt
  const void* key = nullptr;
  site_costs* next = nullptr;  ///< of all declared ones
  remark<const site*> at;      ///< the first loop that was opened behind the declaration
  remark<std::uint64_t> iterations;
  remark<bool> equal;                         ///< all the same: nothing is balanced
  remark<bool> guarded;                       ///< they say little: balanced by iterations
  sync::real::atomic<std::uint32_t> ended{};  ///< members that have stated theirs
  // Of learnt and of derived costs:
  statistic opened;  ///< loops
  sync::real::atomic<std::uint32_t> in_use{};
  learn::cost_terms* derived = nullptr;  ///< what the program's compiler has found out; nullptr: nothing
  remark<std::uint64_t> numbers_key;     ///< of the numbers in it
  remark<bool> is_derived;
  learn::reading_debt stating;
  learn::reading_debt learning;
};

namespace {

using schedules::member;
using schedules::profile;
using schedules::shape;
using schedules::step;

constexpr std::uint64_t between_lessons = 64;
/// What a lesson takes, in ticks, as long as none was taken: pages for the chunks' times, and sums over all bins.
constexpr std::uint64_t price_of_a_lesson = 25'000;
constexpr std::uint64_t full = std::uint64_t{1} << 40;

constinit sync::real::atomic<site_costs*> declared{};

/// Behind its row: what asks about costs needs registers that this front end leaves alone.
const schedules::operations& wsrw() noexcept { return *schedules::find("wsrw"); }

struct alignas(support::line_size) learner {
  std::uint64_t began = 0;
  step current{};
};

struct alignas(support::line_size) learning {
  explicit learning(const shape& loop) noexcept : iterations(loop.iterations), members(loop.members), does(wsrw()) {}

  std::uint64_t iterations;
  std::uint32_t members;
  const schedules::operations& does;
  statistic ns[profile::bins];

  learner& of(member m) noexcept { return reinterpret_cast<learner*>(this + 1)[m]; }
  void* schedule() noexcept { return &of(members); }
  [[nodiscard]] const void* schedule() const noexcept { return reinterpret_cast<const learner*>(this + 1) + members; }

  /// To each bin what it has of the chunk.
  void add(const step& chunk, std::uint64_t took) noexcept {
    const auto behind = std::min(iterations, chunk.first + chunk.count * chunk.stride);
    auto bin = profile::bin_of(chunk.first, iterations);
    for (auto at = chunk.first; at < behind; ++bin) {
      STEELYARD_ASSERT(bin < profile::bins, "measuring.md: the bins of a loop hold all its iterations");
      const auto end = std::min(behind, profile::first_of(bin + 1, iterations));
      const auto part = static_cast<unsigned __int128>(took) * (end - at) / (behind - chunk.first);
      ns[bin].add(static_cast<std::uint64_t>(part));
      at = end;
    }
  }
};

learning& of(void* state) noexcept { return *static_cast<learning*>(state); }
const learning& of(const void* state) noexcept { return *static_cast<const learning*>(state); }

site_costs* declared_as(const void* key) noexcept {
  const auto alike = [=](const site_costs& known) { return known.key == key; };
  for (auto* known = declared.load(sync::acquire, sync::site{"T9"}); known != nullptr; known = known->next) {
    if (alike(*known)) return known;
  }
  void* const memory = slab_take(sizeof(site_costs));
  if (memory == nullptr) return nullptr;
  auto* const fresh = ::new (memory) site_costs;
  fresh->is_declared = true;
  fresh->key = key;
  site_costs* const agreed = push<sync::real>(declared, fresh, alike);
  if (agreed != fresh) slab_give(fresh, sizeof(site_costs));
  return agreed;
}

/// As a loop counts: first, first + stride, … before last.
std::uint64_t iterations_of(std::int64_t first, std::int64_t last, std::int64_t stride) noexcept {
  const auto distance = [](std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  };
  if (stride > 0 && first < last) return (distance(first, last) - 1) / static_cast<std::uint64_t>(stride) + 1;
  if (stride < 0 && first > last) return (distance(last, first) - 1) / (0 - static_cast<std::uint64_t>(stride)) + 1;
  return 0;
}

/// The record of what is declared, for the loop that this thread opens next; nullptr where the drop-in is not active, there is no
/// memory, or the loop has no iterations.
site_costs* declare(const void* at, std::uint64_t iterations, std::uint32_t flags) noexcept {
  if (!config.active || iterations == 0) return nullptr;
  site_costs* const told = declared_as(at);
  if (told == nullptr) return nullptr;
  told->iterations.set(iterations);
  told->equal.set((flags & STEELYARD_LOOP_COST_EQUAL) != 0);
  told->guarded.set((flags & STEELYARD_LOOP_COST_GUARDED) != 0);
  self.costs = told;
  return told;
}

/// Chunks of a loop took as long as `weights` says.
void refine(const site_costs& known, cost_tables& tables, std::uint64_t iterations) noexcept {
  if (known.derived == nullptr || known.derived->iterations() != iterations) return;
  known.derived->refine(tables.weights.data());
  known.derived->weigh(tables.profile);
}

/// Chunks took `all` together.
void take_lesson(site_costs& known, cost_tables& tables, const learning& from, std::uint64_t all) noexcept {
  for (std::uint32_t b = 0; b < profile::bins; ++b) {
    const auto now = static_cast<std::uint64_t>(static_cast<unsigned __int128>(from.ns[b].read()) * full / all);
    auto& weight = tables.weights[b];
    weight = known.known.get() ? (weight + now) / 2 : now;
  }
  tables.profile.set(tables.weights);
  known.known.set(true);
}

}  // namespace

constinit const schedules::operations learning_schedule{
    {"wsrw", "times its chunks", nullptr, false, false},
    [](const shape& loop) { return sizeof(learning) + loop.members * sizeof(learner) + wsrw().bytes(loop); },
    [](void* memory, const shape& loop) {
      auto& fresh = *::new (memory) learning(loop);
      for (member m = 0; m < loop.members; ++m) ::new (&fresh.of(m)) learner;
      fresh.does.open(fresh.schedule(), loop);
    },
    [](void* state, member m) {
      auto& own = of(state).of(m);
      if (own.current.count != 0) of(state).add(own.current, now() - own.began);
      own.current = of(state).does.next(of(state).schedule(), m);
      own.began = now();
      return own.current;
    },
    [](const void* state, member m) { return of(state).does.remaining(of(state).schedule(), m); },
    [](const void* state, member m) { return of(state).does.counts(of(state).schedule(), m); },
};

void use_costs(site& at, implicit_task& in, std::uint64_t iterations, shape& loop) noexcept {
  site_costs* told = std::exchange(self.costs, nullptr);
  // What is left of a loop that another member opened is not this one's.
  const bool is_left = told != nullptr && told->at.get() != nullptr && told->at.get() != &at;
  if (told == nullptr || is_left) told = in.team->costs;
  if (told != nullptr && told->at.get() == nullptr) told->at.set(&at);
  if (told != nullptr && told->at.get() == &at) at.costs.store(told, sync::release, sync::site{"T5"});
  site_costs* const known = record_at(at.costs);
  if (known == nullptr || !known->known.get()) return;
  const bool fits = known->iterations.get() == 0 || known->iterations.get() == iterations;
  if (!fits || known->guarded.get()) return;
  loop.known.equal = known->equal.get();
  const auto* const tables = known->tables.load(sync::acquire, sync::site{"T5c"});
  if (!loop.known.equal && tables != nullptr) loop.known.roughly = &tables->profile;
  known->used.set(true);
}

void note_derived(site& at, bool equal, bool guarded) noexcept {
  site_costs* const known = record_at(at.costs);
  if (known == nullptr) return;
  known->equal.set(equal);
  known->guarded.set(guarded);
  known->is_derived.set(true);
  known->known.set(true);
}

bool is_derived(const site& at, std::uint64_t iterations, std::uint64_t key) noexcept {
  const site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  return known != nullptr && known->known.get() && known->iterations.get() == iterations &&
         known->numbers_key.get() == key;
}

void take_derived(site& at, const derived_costs& told) noexcept {
  site_costs* const known = record_at(at.costs);
  if (known == nullptr || known->in_use.exchange(1, sync::acquire, sync::site{"T6"}) != 0) return;
  if (known->derived == nullptr) {
    known->derived = slab_make<learn::cost_terms>();
    if (known->derived != nullptr)
      known->derived->begin(static_cast<std::uint32_t>(told.numbers.size()), told.seed, told.seeds);
  }
  if (known->derived != nullptr) {
    known->derived->set(told.numbers, told.iterations);
    cost_tables* const tables = record_at(known->tables);
    if (tables != nullptr && known->derived->weigh(tables->profile)) {
      known->iterations.set(told.iterations);
      known->numbers_key.set(told.key);
      known->is_derived.set(true);
      known->known.set(true);
    }
  }
  known->in_use.store(0, sync::release, sync::site{"T6"});
}

bool pays_stating(site& at) noexcept {
  const site_costs* const known = record_at(at.costs);
  return known != nullptr && (!config.spares || known->stating.is_paid_by(0));
}

bool is_first_stating(const site& at) noexcept {
  const site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  return known != nullptr && known->stating.is_new();
}

void count_stating(site& at, std::uint64_t took) noexcept {
  site_costs* const known = record_at(at.costs);
  if (known == nullptr) return;
  known->learning.begin(price_of_a_lesson);  // what the compiler guesses is of use, too
  known->stating.begin(0);
  known->stating.add(took);
}

void pay_for_stating(const instance& ended) noexcept {
  site_costs* const known = ended.at->costs.load(sync::acquire, sync::site{"T5"});
  if (known == nullptr) return;
  const auto at = support::ticks();
  const auto took = at - std::min(at, ended.began_ticks);
  known->stating.pay(took);
  known->learning.pay(took);
}

void hand_on_costs(const site& from) noexcept { self.costs = from.costs.load(sync::acquire, sync::site{"T5"}); }

bool is_time_to_learn(site& at) noexcept {
  const site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  if (known == nullptr || known->is_declared || known->equal.get() || known->guarded.get()) return false;
  const auto before = known->opened.read();
  if (config.spares && !known->learning.is_paid_by(0)) return false;
  return schedules::loop_record::is_due(before, between_lessons);
}

void count_for_costs(site& at) noexcept {
  site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  if (known != nullptr) known->opened.add(1);
}

const profile* profile_of(const site& at) noexcept {
  const site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  const auto* const tables = known != nullptr ? known->tables.load(sync::acquire, sync::site{"T5c"}) : nullptr;
  return tables != nullptr && known->known.get() ? &tables->profile : nullptr;
}

const char* origin_of_costs(const site& at) noexcept {
  const site_costs* const known = at.costs.load(sync::acquire, sync::site{"T5"});
  if (known == nullptr || !known->used.get()) return nullptr;
  if (known->is_declared) return "declared";
  return known->is_derived.get() ? "derived" : "learnt";
}

void learn_costs(instance& ended) noexcept {
  site_costs* const known = ended.at->costs.load(sync::acquire, sync::site{"T5"});
  if (known == nullptr || known->is_declared) return;
  STEELYARD_ASSERT(ended.schedule == &learning_schedule, "measuring.md: who learns has timed the chunks");
  const auto began = support::ticks();
  const auto& lesson = of(ended.state());
  std::uint64_t all = 0;
  for (const auto& bin : lesson.ns) all += bin.read();
  if (all == 0 || known->in_use.exchange(1, sync::acquire, sync::site{"T6"}) != 0) return;
  cost_tables* const tables = record_at(known->tables);
  if (tables != nullptr && known->is_derived.get()) {
    for (std::uint32_t b = 0; b < profile::bins; ++b) tables->weights[b] = lesson.ns[b].read();
    refine(*known, *tables, ended.iterations);
  } else if (tables != nullptr) {
    take_lesson(*known, *tables, lesson, all);
  }
  known->learning.add(2 * (support::ticks() - began));  // as much again to read the clock
  known->in_use.store(0, sync::release, sync::site{"T6"});
}

}  // namespace steelyard::openmp

/// See steelyard/loop_cost.h.
STEELYARD_EXPORT void steelyard_loop_cost(const void* at, std::int64_t first, std::int64_t last, std::int64_t stride,
                                          double (*cost)(void* context, std::int64_t index), void* context) {
  using namespace steelyard::openmp;
  if (site_costs* const told = cost != nullptr ? declare(at, iterations_of(first, last, stride), 0) : nullptr) {
    cost_tables* const tables = record_at(told->tables);
    if (tables != nullptr) told->known.set(tables->profile.set(cost, context, first, stride, told->iterations.get()));
  }
}

STEELYARD_EXPORT void steelyard_loop_cost_known(const void* at, std::int64_t first, std::int64_t last,
                                                std::int64_t stride, std::uint32_t flags) {
  using namespace steelyard::openmp;
  if ((flags & (STEELYARD_LOOP_COST_EQUAL | STEELYARD_LOOP_COST_GUARDED)) == 0) return;
  if (site_costs* const told = declare(at, iterations_of(first, last, stride), flags)) told->known.set(true);
}

STEELYARD_EXPORT int steelyard_loop_cost_begin(steelyard_loop_cost_part* part, const void* at, std::int64_t first,
                                               std::int64_t last, std::int64_t stride, std::uint32_t member,
                                               std::uint32_t members) {
  using namespace steelyard::openmp;
  *part = {};
  if (member >= members) return 0;
  site_costs* const told = declare(at, iterations_of(first, last, stride), 0);
  cost_tables* const tables = told != nullptr ? record_at(told->tables) : nullptr;
  if (tables == nullptr) return 0;
  const auto bin_of_member = [members](std::uint64_t m) {
    return static_cast<std::uint32_t>(profile::bins * m / members);
  };
  part->known = told;
  part->members = members;
  part->bin = bin_of_member(member);
  part->bin_behind = bin_of_member(std::uint64_t{member} + 1);
  part->at = profile::first_of(part->bin, told->iterations.get());
  part->behind = profile::first_of(part->bin_behind, told->iterations.get());
  for (auto bin = part->bin; bin < part->bin_behind; ++bin) tables->of_bins[bin] = 0;
  if (part->at != part->behind) steelyard_loop_cost_next_bin(part);
  return 1;
}

/// Those of `at` and behind it go to the bin that it is in.
STEELYARD_EXPORT void steelyard_loop_cost_next_bin(steelyard_loop_cost_part* part) {
  using namespace steelyard::openmp;
  auto& told = *static_cast<site_costs*>(part->known);
  profile::move(&part->work, &record_at(told.tables)->of_bins[part->bin]);
  if (part->at == part->behind) return;
  const auto n = told.iterations.get();
  part->bin = profile::bin_of(part->at, n);
  part->bin_end = profile::first_of(part->bin + 1, n);
}

STEELYARD_EXPORT void steelyard_loop_cost_end(steelyard_loop_cost_part* part) {
  using namespace steelyard::openmp;
  auto* const told = static_cast<site_costs*>(part->known);
  if (told == nullptr) return;
  cost_tables& tables = *record_at(told->tables);
  profile::move(&part->work, &tables.of_bins[part->bin]);
  part->known = nullptr;
  if (told->ended.fetch_add(1, steelyard::sync::acq_rel, steelyard::sync::site{"T7"}) + 1 != part->members) return;
  told->ended.store(0, steelyard::sync::relaxed, steelyard::sync::site{"T8"});
  told->known.set(tables.profile.set(tables.of_bins));
}
