// SPDX-License-Identifier: Apache-2.0
#include "loop/run.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

#include "loop/costs.hpp"
#include "loop/settings.hpp"
#include "loop/team.hpp"
#include "schedules/registry.hpp"
#include "support/cache_line.hpp"
#include "support/ticks.hpp"
#include "topology/allowed.hpp"

namespace steelyard::loop {
namespace {

using schedules::shape;
using support::ticks;

constinit thread_local steelyard_pool* in_use = nullptr;

/// How many runs on the caller alone before the loop is shared once more, to see what that costs now.
constexpr std::uint32_t serial_runs_before_trial = 1024;
/// Open ranges leave room above the last iteration for a claim.
constexpr std::uint64_t most_open = std::uint64_t{1} << 62;

/// Aligned memory that is on the stack when it is little.
class scratch {
 public:
  explicit scratch(std::size_t bytes) noexcept
      : heap_(bytes > sizeof local_ ? ::operator new(bytes, line, std::nothrow) : nullptr),
        at_(bytes > sizeof local_ ? heap_ : local_) {}
  ~scratch() { ::operator delete(heap_, line); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  /// nullptr: there is none.
  [[nodiscard]] void* get() const noexcept { return at_; }

 private:
  static constexpr std::align_val_t line{support::line_size};
  alignas(support::line_size) std::byte local_[6144];
  void* heap_;
  void* at_;
};

std::uint64_t scaled(std::uint64_t per_1024, std::uint64_t iterations) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(per_1024) / 1024 * static_cast<double>(iterations));
}

/// A loop on its way through the decisions.
class runner {
 public:
  runner(const steelyard_loop& asked, const schedules::choice& how, steelyard_pool& pool) noexcept
      : asked_(asked), how_(how), pool_(pool), known_(history_of(reinterpret_cast<const void*>(asked.run))),
        members_(most_members()) {}

  steelyard_result run() noexcept {
    if (members_ > 1 && !alone_pays()) return share();
    return alone();
  }

 private:
  [[nodiscard]] std::uint32_t most_members() const noexcept {
    std::uint64_t most = std::min<std::uint64_t>(pool_.threads.workers() + 1, asked_.iterations);
    if (asked_.members != 0) most = std::min<std::uint64_t>(most, asked_.members);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(most, 1));
  }

  [[nodiscard]] bool has_stopped() const noexcept {
    return asked_.stop != nullptr && __atomic_load_n(asked_.stop, __ATOMIC_RELAXED) != 0;
  }

  /// Sharing gains nothing before the first worker comes, and costs what opening costs.
  [[nodiscard]] std::uint64_t break_even() const noexcept {
    const bool asleep = pool_.threads.some_sleep();
    return pool_.arrival[asleep].get() + 2 * pool_.opening[asleep].get();
  }

  bool alone_pays() noexcept {
    if ((asked_.flags & STEELYARD_ALWAYS_PARALLEL) != 0 || known_ == nullptr) return false;
    const auto per_1024 = known_->per_1024.get();
    if (per_1024 == 0 || scaled(per_1024, asked_.iterations) > break_even()) return false;
    const auto runs = known_->serial_runs.load(sync::relaxed, sync::site{"A6"}) + 1;
    known_->serial_runs.store(runs % serial_runs_before_trial, sync::relaxed, sync::site{"A6"});
    return runs != serial_runs_before_trial;
  }

  /// On the caller; but if the first half takes longer than any earlier run lets expect, the rest is shared.
  steelyard_result alone() noexcept {
    steelyard_member self{nullptr, 0};
    const auto half = members_ > 1 ? asked_.iterations / 2 : 0;
    if (half != 0 && !has_stopped()) {
      const auto began = ticks();
      asked_.run(asked_.body, &self, 0, half, 1);
      const auto took = ticks() - began;
      learn(took, half);
      if (took > break_even() && !self.stopped_alone) {
        first_ = half;
        return share();
      }
    }
    if (!self.stopped_alone && !has_stopped() && half < asked_.iterations) {
      asked_.run(asked_.body, &self, half, asked_.iterations - half, 1);
    }
    return self.stopped_alone || has_stopped() ? STEELYARD_STOPPED : STEELYARD_DONE;
  }

  void learn(std::uint64_t took, std::uint64_t iterations) noexcept {
    if (known_ == nullptr || iterations == 0) return;
    known_->per_1024.add(
        static_cast<std::uint64_t>(static_cast<double>(took) * 1024 / static_cast<double>(iterations)));
  }

  steelyard_result share() noexcept {
    shape loop;
    loop.iterations = asked_.iterations - first_;
    loop.members = std::min(members_, static_cast<std::uint32_t>(std::min<std::uint64_t>(loop.iterations, members_)));
    loop.chunk = asked_.chunk != 0 ? asked_.chunk : how_.chunk;
    loop.seed = ticks();
    loop.open = how_.schedule->sharing != nullptr && asked_.run_open != nullptr && loop.iterations <= most_open;
    loop.least_left = settings().least_left;
    loop.halves = settings().halves;
    // Half a loop has other costs.
    const costs_in_use costs(how_.schedule->remaining_work != nullptr && first_ == 0 ? asked_.costs : nullptr, loop);
    loop.one_try = (asked_.flags & STEELYARD_ONE_TRY) != 0;
    const scratch memory(how_.schedule->bytes(loop) + (loop.open ? sharing::bytes(loop.members) : 0));
    if (memory.get() == nullptr) return alone_for_want_of_memory();
    const bool asleep = pool_.threads.some_sleep();
    team members(pool_, asked_, first_, *how_.schedule, loop, memory.get());
    pool_.threads.run(members, loop.members);
    pool_.opening[asleep].add(members.opening());
    if (members.first_arrival() != 0) pool_.arrival[asleep].add(members.first_arrival());
    if (!members.stopped()) learn(members.busy(), loop.iterations);
    return members.stopped() ? STEELYARD_STOPPED : STEELYARD_DONE;
  }

  steelyard_result alone_for_want_of_memory() noexcept {
    members_ = 1;
    steelyard_member self{nullptr, 0};
    asked_.run(asked_.body, &self, first_, asked_.iterations - first_, 1);
    return self.stopped_alone ? STEELYARD_STOPPED : STEELYARD_DONE;
  }

  const steelyard_loop& asked_;
  const schedules::choice& how_;
  steelyard_pool& pool_;
  history* known_;
  std::uint32_t members_;
  std::uint64_t first_ = 0;
};

}  // namespace

steelyard_pool& current_pool() {
  if (in_use != nullptr) return *in_use;
  // Never destroyed: its workers sleep until the process has ended, and loops may run in destructors.
  static steelyard_pool& own = *new steelyard_pool(settings().threads - 1);
  return own;
}

pool_in_use::pool_in_use(steelyard_pool& pool) noexcept : before_(in_use) { in_use = &pool; }
pool_in_use::~pool_in_use() { in_use = before_; }

steelyard_result run(const steelyard_loop& asked) {
  if (asked.run == nullptr) return STEELYARD_INVALID;
  static const schedules::choice by_work{schedules::find("wsrw"), 0};
  auto how = asked.costs != nullptr && !settings().told ? by_work : settings().schedule;
  if (asked.schedule != nullptr) {
    const auto parsed = schedules::parse_choice(asked.schedule);
    if (parsed.error != schedules::choice_error::none) return STEELYARD_INVALID;
    how = parsed.value;
  }
  if (asked.iterations == 0) return STEELYARD_DONE;
  return runner(asked, how, asked.pool != nullptr ? *asked.pool : current_pool()).run();
}

}  // namespace steelyard::loop
