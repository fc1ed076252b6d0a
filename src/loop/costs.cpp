// SPDX-License-Identifier: Apache-2.0
#include "loop/costs.hpp"

#include <algorithm>
#include <new>

#include "loop/settings.hpp"
#include "loop/team.hpp"
#include "support/ticks.hpp"

steelyard_costs::steelyard_costs(steelyard_cost_function reads, void* its_context, std::uint32_t flags) noexcept
    : evaluate(reads), context(its_context), sums({}, steelyard::loop::settings().applied) {
  if (evaluate != nullptr) known.each = {evaluate, context};
  known.equal = (flags & STEELYARD_EQUAL_COSTS) != 0;
  known.guarded = (flags & STEELYARD_GUARDED_COSTS) != 0;
}

void steelyard_costs::changed() noexcept {
  version.fetch_add(1, steelyard::sync::relaxed, steelyard::sync::site{"A10"});
}

double steelyard_costs::overhead() const noexcept {
  using namespace steelyard::sync;
  const auto read = static_cast<double>(reading.load(relaxed, site{"A11"}));
  const auto ran = static_cast<double>(running.load(relaxed, site{"A11"}));
  return read == 0 ? 0 : read / (read + ran);
}

double steelyard_costs::known_part() const noexcept {
  using namespace steelyard::sync;
  const auto all = static_cast<double>(loops.load(relaxed, site{"A11"}));
  return all == 0 ? 0 : static_cast<double>(loops_that_know.load(relaxed, site{"A11"})) / all;
}

namespace steelyard::loop {
namespace {

/// Below so many iterations, some ten microseconds, others would come too late to help.
constexpr std::uint64_t worth_sharing = 8192;

using support::ticks;

void add(sync::real::atomic<std::uint64_t>& sum, std::uint64_t more) noexcept {
  sum.store(sum.load(sync::relaxed, sync::site{"A11"}) + more, sync::relaxed, sync::site{"A11"});
}

bool pays(const learn::history* known, std::uint64_t expected) noexcept {
  return !settings().spares || known == nullptr || known->debt.is_paid_by(expected);
}

/// The lists of a loop, read by the members of the one that follows: the caller the first, who comes next the second, and so on
/// with whatever lists are left.
class reading final : public runtime::shared_work {
 public:
  reading(steelyard_pool& pool, const steelyard_loop& asked, const steelyard_costs& costs, schedules::work_sums& sums,
          std::uint32_t lists) noexcept
      : pool_(pool), asked_(asked), costs_(costs), sums_(sums), lists_(lists) {}

  void run(std::uint32_t number) noexcept override {
    const member_here here(pool_, number);
    for (;;) {
      const auto list = next_.fetch_add(1, sync::relaxed, sync::site{"A13"});
      if (list >= lists_) return;
      sums_.read_list(list, {guarded, this});
    }
  }

 private:
  static void guarded(void* at, std::uint64_t first, std::uint64_t count, double* out) {
    const auto& its = *static_cast<reading*>(at);
    its.asked_.read_costs(its.asked_.body, its.costs_.evaluate, its.costs_.context, first, count, out);
  }

  steelyard_pool& pool_;
  const steelyard_loop& asked_;
  const steelyard_costs& costs_;
  schedules::work_sums& sums_;
  std::uint32_t lists_;
  sync::real::atomic<std::uint32_t> next_{};
};

}  // namespace

costs_in_use::costs_in_use(steelyard_pool& pool, const steelyard_loop& asked, schedules::shape& loop,
                           learn::history* known, std::uint64_t expected) noexcept
    : known_(known) {
  auto* const costs = asked.costs;
  if (costs->in_use.exchange(true, sync::acquire, sync::site{"A7"})) return;
  held_ = costs;
  costs->known.version = costs->version.load(sync::relaxed, sync::site{"A10"});
  if (!costs->sums.would_read(loop, costs->known)) {
    loop = costs->sums.with(loop, costs->known);
  } else if (pays(known, expected)) {
    read(pool, asked, loop);
  }
  if (schedules::work_sums::wants_sums(costs->known, settings().applied)) {
    add(costs->loops, 1);
    knows_ = loop.sums != nullptr || loop.equal_costs;
    if (knows_) add(costs->loops_that_know, 1);
  }
  began_ = ticks();
}

bool costs_in_use::has_room(const schedules::shape& loop) noexcept {
  const auto wanted = schedules::work_sums::size_for(loop);
  if (wanted <= held_->room) return true;
  held_->memory.reset(new (std::nothrow) double[wanted]);
  held_->room = held_->memory != nullptr ? wanted : 0;
  held_->sums = schedules::work_sums({held_->memory.get(), held_->room}, settings().applied);
  return held_->room != 0;
}

void costs_in_use::read(steelyard_pool& pool, const steelyard_loop& asked, schedules::shape& loop) noexcept {
  const auto began = ticks();
  if (!has_room(loop) || !held_->sums.begin(loop, held_->known)) return;
  if (asked.read_costs == nullptr) {
    for (schedules::member m = 0; m < loop.members; ++m) held_->sums.read_list(m, held_->known.each);
  } else {
    reading lists(pool, asked, *held_, held_->sums, loop.members);
    if (loop.iterations >= worth_sharing) {
      pool.threads.run(lists, loop.members);
    } else {
      lists.run(0);
    }
  }
  loop = held_->sums.with(loop, held_->known);
  const auto took = ticks() - began;
  held_->reader = known_;
  if (known_ != nullptr) known_->debt.add(took);
  add(held_->reading, took);
}

/// A loop pays for the reading that it profits from, else for that of its own place.
costs_in_use::~costs_in_use() {
  if (held_ == nullptr) return;
  const auto took = ticks() - began_;
  auto* const owes = held_->reader != nullptr && knows_ ? held_->reader : known_;
  if (owes != nullptr) owes->debt.pay(took);
  add(held_->running, took);
  held_->in_use.store(false, sync::release, sync::site{"A8"});
}

}  // namespace steelyard::loop
