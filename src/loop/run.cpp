// SPDX-License-Identifier: Apache-2.0
#include "loop/run.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <optional>

#include "loop/costs.hpp"
#include "loop/pool_history.hpp"
#include "loop/progress.hpp"
#include "loop/settings.hpp"
#include "loop/team.hpp"
#include "runtime/callers_pool.hpp"
#include "runtime/pending.hpp"
#include "schedules/registry.hpp"
#include "support/cache_line.hpp"
#include "support/ticks.hpp"
#include "sync/forks.hpp"
#include "topology/allowed.hpp"

namespace steelyard::loop {
namespace {

using schedules::shape;
using support::ticks;

/// A loop is tried the other way once in so many times of what that may cost: both ways stay known, at one percent. More
/// often in the beginning, when little is known: after once, twice, four times, …
constexpr std::uint64_t between_trials = 128;
constexpr std::uint32_t early_trials = 7;
/// Below so many times the break-even it is worth to know what the loop takes on the caller alone.
constexpr std::uint64_t doubtful = 64;
/// Handing out a chunk, with the call of its body, costs some fifty ticks: a twentieth of a chunk that is as small as it gets.
constexpr std::uint64_t ticks_worth_handing_out = 1000;
/// But a member's share is never in fewer chunks than this.
constexpr std::uint64_t least_chunks = 64;
/// A loop may wait for a chunk at its end: no more than this long, or a small part of a member's share.
constexpr std::uint64_t ticks_worth_waiting_for = 50'000;
constexpr std::uint64_t most_chunks = 256;
/// A run that took far longer than expected is doubted for so many runs.
constexpr std::uint32_t runs_of_doubt = 16;
/// Of a loop on the caller alone that may be stopped, or has a progress.
constexpr std::uint64_t parts_alone = 1024;
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
  std::uint64_t all = 0;
  return __builtin_mul_overflow(per_1024, iterations, &all) ? ~std::uint64_t{0} : all / 1024;
}

std::uint64_t per_1024(std::uint64_t ticks, std::uint64_t iterations) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(ticks) * 1024 / static_cast<double>(iterations));
}

/// A loop on its way through the decisions.
class runner {
 public:
  runner(const steelyard_loop& asked, const schedules::choice& told, steelyard_pool& pool) noexcept
      : asked_(asked), told_(told), pool_(pool), costs_(history_of(pool)),
        known_(history_of(reinterpret_cast<const void*>(asked.run))), members_(most_members()), began_(ticks()) {}

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

  [[nodiscard]] schedules::choice chosen() const noexcept {
    if (told_.schedule != nullptr) return told_;
    if (asked_.costs != nullptr && !settings().told) return {schedules::find("wsrw"), 0};
    return settings().schedule;
  }

  /// Of workers that spin, or have to be woken: sharing gains nothing before the first comes, and costs what opening costs.
  [[nodiscard]] std::uint64_t break_even(bool asleep) const noexcept {
    return costs_.arrival[asleep].get() + 2 * costs_.opening[asleep].get();
  }

  /// Loops that follow each other before a worker goes to sleep are worth the one wake-up, so they count as if it were awake.
  [[nodiscard]] std::uint64_t break_even() const noexcept {
    const auto last_end = costs_.last_end.load(sync::relaxed, sync::site{"A9"});
    const bool asleep = pool_.threads.some_sleep() && last_end + pool_.threads.spinning() <= began_;
    const auto waking = break_even(true);
    return asleep || (waking != 0 && waking < break_even(false)) ? waking : break_even(false);
  }

  /// What it costs at most to share a loop that is better run alone.
  [[nodiscard]] std::uint64_t trial(std::uint64_t together) const noexcept {
    return std::max(together, break_even(pool_.threads.some_sleep()));
  }

  /// What sharing adds to the iterations themselves (lines that move between caches) counts against it, too.
  [[nodiscard]] bool alone_is_better(std::uint64_t alone, std::uint64_t together, std::uint64_t even) const noexcept {
    return together > alone && together - alone >= (members_ - 1) * (alone - even);
  }

  bool alone_pays() noexcept {
    if ((asked_.flags & STEELYARD_ALWAYS_PARALLEL) != 0 || known_ == nullptr) return false;
    expected_ = scaled(known_->alone.get(), asked_.iterations);
    even_ = break_even();
    const auto together = scaled(known_->together.get(), asked_.iterations);
    if (expected_ != 0 && expected_ <= even_) return !is_time(expected_, trial(together));
    if (together == 0) return false;
    if (expected_ == 0) return together <= doubtful * even_;
    if (alone_is_better(expected_, together, even_)) return !is_time(expected_, trial(together));
    const auto least = std::min(expected_, together);
    return least <= doubtful * even_ && is_time(together, least);
  }

  /// Whether to try the other way for once, which may cost so much; else this run takes `expected`.
  bool is_time(std::uint64_t expected, std::uint64_t cost) noexcept {
    const auto left = known_->until_trial.load(sync::relaxed, sync::site{"A6"});
    if (left > expected) {
      known_->until_trial.store(left - expected, sync::relaxed, sync::site{"A6"});
      return false;
    }
    const auto before = known_->trials.load(sync::relaxed, sync::site{"A6"});
    const auto times = before < early_trials ? std::uint64_t{1} << before : between_trials;
    known_->trials.store(before + 1, sync::relaxed, sync::site{"A6"});
    known_->until_trial.store(times * cost, sync::relaxed, sync::site{"A6"});
    return left != 0;
  }

  /// On the caller; but if a part takes longer than any earlier run lets expect, the rest is shared.
  steelyard_result alone() noexcept {
    steelyard_member self{nullptr, 0};
    const auto n = asked_.iterations;
    std::uint64_t part = 0;
    if (members_ > 1 && !is_to_stop(asked_)) part = is_sure() ? n / 2 : std::max<std::uint64_t>(n / 16, 1);
    if (part != 0) {
      asked_.run(asked_.body, &self, 0, part, 1);
      const auto all = (ticks() - began_) * (n / part);
      if (!self.stopped_alone && all / 2 > std::max(expected_, even_)) {
        learn_long(all);
        first_ = part;
        return share();
      }
      costs_.last_end.store(began_ + all, sync::relaxed, sync::site{"A9"});
    }
    if (!run_here(self, part)) return STEELYARD_STOPPED;
    if (part != 0) learn_usual();
    return STEELYARD_DONE;
  }

  /// All iterations from `first` on, in parts where somebody may stop them, or wants to know how many have run. False: stopped.
  bool run_here(steelyard_member& self, std::uint64_t first) {
    const auto n = asked_.iterations;
    const bool in_parts = asked_.stop != nullptr || asked_.progress != nullptr;
    const auto most = in_parts ? std::max<std::uint64_t>(n / parts_alone, 1) : n;
    progress so_far(asked_);
    while (first != n && !self.stopped_alone && !is_to_stop(asked_)) {
      const auto part = std::min(most, n - first);
      asked_.run(asked_.body, &self, first, part, 1);
      first += part;
      if (so_far.is_due()) so_far.say(first);
    }
    return first == n && !self.stopped_alone;
  }

  [[nodiscard]] bool is_sure() const noexcept {
    return expected_ != 0 && known_->doubt.load(sync::relaxed, sync::site{"A6"}) == 0;
  }

  /// A part took so long that the rest is better shared. Once may be a thread that lost its core; twice within few runs is
  /// believed.
  void learn_long(std::uint64_t all) noexcept {
    const auto sample = per_1024(all, asked_.iterations);
    if (known_->doubt.load(sync::relaxed, sync::site{"A6"}) != 0) {
      known_->alone.restart(sample);
    } else {
      known_->alone.add(sample);
    }
    known_->doubt.store(runs_of_doubt, sync::relaxed, sync::site{"A6"});
  }

  /// The whole has run alone. What that took is looked at in one of eight runs, for the clock costs as much as a small loop.
  void learn_usual() noexcept {
    const auto doubt = known_->doubt.load(sync::relaxed, sync::site{"A6"});
    if (doubt != 0) known_->doubt.store(doubt - 1, sync::relaxed, sync::site{"A6"});
    if (expected_ == 0 || began_ / 64 % 8 == 0) known_->alone.add(per_1024(ticks() - began_, asked_.iterations));
  }

  /// Ticks that 1,024 iterations took before, of one member; 0: not known.
  [[nodiscard]] std::uint64_t of_1024() const noexcept {
    const auto alone = known_ != nullptr ? known_->alone.get() : 0;
    const auto together = known_ != nullptr ? known_->together.get() : 0;
    return alone == 0 || together == 0 ? std::max(alone, together) : std::min(alone, together);
  }

  /// How many iterations are worth handing out at once and how many are too many, by what they took before.
  void bound_chunks(shape& loop) const noexcept {
    const auto share = loop.iterations / loop.members;
    const auto of_1024 = this->of_1024();
    const auto of_ticks = [of_1024](std::uint64_t ticks) { return of_1024 != 0 ? ticks * 1024 / of_1024 : 0; };
    loop.grain = std::max<std::uint64_t>(std::min(of_ticks(ticks_worth_handing_out), share / least_chunks), 1);
    loop.most_at_once = std::max({of_ticks(ticks_worth_waiting_for), share / most_chunks, std::uint64_t{1}});
  }

  [[gnu::noinline]] steelyard_result share() noexcept {
    if (!runtime::settle_pending()) return alone_after_all();
    const auto how = chosen();
    shape loop;
    loop.iterations = asked_.iterations - first_;
    loop.members = std::min(members_, static_cast<std::uint32_t>(std::min<std::uint64_t>(loop.iterations, members_)));
    loop.chunk = asked_.chunk != 0 ? asked_.chunk : how.chunk;
    loop.seed = began_;
    // Neighbours share lines, of what they read and of what they write.
    loop.contiguous = !how.schedule->about.as_published;
    loop.open = how.schedule->sharing != nullptr && asked_.run_open != nullptr && loop.iterations <= most_open;
    loop.least_left = settings().least_left;
    loop.halves = settings().halves;
    loop.dearest_first = settings().dearest_first && loop.contiguous;
    if (loop.members == 1) return alone_after_all();
    bound_chunks(loop);
    // Half a loop has other costs.
    std::optional<costs_in_use> costs;
    if (how.schedule->remaining_work != nullptr && first_ == 0 && asked_.costs != nullptr) {
      costs.emplace(pool_, asked_, loop, known_, scaled(of_1024(), loop.iterations) / loop.members);
    }
    runtime::settle_pending();  // what costs have forked
    loop.one_try = (asked_.flags & STEELYARD_ONE_TRY) != 0 || settings().one_try;
    const scratch memory(how.schedule->bytes(loop) + (loop.open ? requests::bytes(loop.members) : 0));
    if (memory.get() == nullptr) return alone_after_all();
    if (loop.open) sync::real::prepare_membarrier();  // which may wait for the kernel, once: no cost of a loop
    const bool asleep = pool_.threads.some_sleep();
    team members(pool_, costs_.steals, asked_, first_, *how.schedule, loop, memory.get());
    pool_.threads.run(members, loop.members);
    const auto ended = ticks();
    costs_.last_end.store(ended, sync::relaxed, sync::site{"A9"});
    costs_.opening[asleep].add(members.opening());
    learn_arrival(costs_.arrival[asleep], members, ended);
    if (!members.stopped() && known_ != nullptr) known_->together.add(per_1024(members.busy(), loop.iterations));
    return members.stopped() ? STEELYARD_STOPPED : STEELYARD_DONE;
  }

  /// Where nobody came, that would have taken longer still.
  static void learn_arrival(runtime::average& known, const team& members, std::uint64_t ended) noexcept {
    const auto arrival = members.first_arrival() != 0 ? members.first_arrival() : ended - members.opened();
    if (members.first_arrival() != 0 || arrival > known.get()) known.add(arrival);
  }

  steelyard_result alone_after_all() noexcept {
    members_ = 1;
    steelyard_member self{nullptr, 0};
    return run_here(self, first_) ? STEELYARD_DONE : STEELYARD_STOPPED;
  }

  const steelyard_loop& asked_;
  const schedules::choice& told_;  ///< with this loop; none: no schedule
  steelyard_pool& pool_;
  pool_history& costs_;  ///< of sharing on it
  history* known_;
  std::uint32_t members_;
  std::uint64_t began_;
  std::uint64_t first_ = 0;
  std::uint64_t expected_ = 0;  ///< ticks that it takes alone; 0: not known
  std::uint64_t even_ = 0;      ///< break-even when it began
};

}  // namespace

steelyard_result run(const steelyard_loop& asked) {
  if (asked.run == nullptr) return STEELYARD_INVALID;
  schedules::choice told{};
  if (asked.schedule != nullptr) {
    const auto parsed = schedules::parse_choice(asked.schedule);
    if (parsed.error != schedules::choice_error::none) return STEELYARD_INVALID;
    told = parsed.value;
  }
  if (asked.iterations == 0) return STEELYARD_DONE;
  return runner(asked, told, runtime::pool_for(asked.pool)).run();
}

}  // namespace steelyard::loop
