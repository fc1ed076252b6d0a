// SPDX-License-Identifier: Apache-2.0
#include "loop/run.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>

#include "learn/chunk_bounds.hpp"
#include "learn/history.hpp"
#include "learn/ways.hpp"
#include "learn/work_clock.hpp"
#include "loop/costs.hpp"
#include "loop/place_in_use.hpp"
#include "loop/pool_history.hpp"
#include "loop/progress.hpp"
#include "loop/scratch.hpp"
#include "loop/settings.hpp"
#include "loop/shares_in_use.hpp"
#include "loop/team.hpp"
#include "runtime/callers_pool.hpp"
#include "runtime/pending.hpp"
#include "schedules/registry.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {
namespace {

using schedules::learning;
using schedules::shape;
using support::ticks;

/// Of a loop on the caller alone that may be stopped, or has a progress.
constexpr std::uint64_t parts_alone = 1024;
/// Open ranges leave room above the last iteration for a claim.
constexpr std::uint64_t most_open = std::uint64_t{1} << 62;

/// All iterations from `first` on, on the caller. False: stopped.
bool run_here(const steelyard_loop& asked, steelyard_member& self, std::uint64_t first) {
  const auto n = asked.iterations;
  const auto most = is_in_parts(asked) ? std::max<std::uint64_t>(n / parts_alone, 1) : n;
  progress so_far(asked);
  while (first != n && !self.stopped_alone && !is_to_stop(asked)) {
    const auto part = std::min(most, n - first);
    asked.run(asked.body, &self, first, part, 1);
    first += part;
    if (so_far.is_due()) so_far.say(first);
  }
  return first == n && !self.stopped_alone;
}

/// The same, with the clock read behind each iteration.
bool run_one_by_one(const steelyard_loop& asked, steelyard_member& self, learn::serial_costs& costs) {
  progress so_far(asked);
  std::uint64_t i = 0;
  for (auto before = learn::work.now(); i != asked.iterations && !self.stopped_alone && !is_to_stop(asked); ++i) {
    asked.run(asked.body, &self, i, 1, 1);
    const auto now = learn::work.now();
    costs.took_next(now - before);
    before = now;
    if (so_far.is_due()) so_far.say(i + 1);
  }
  return i == asked.iterations && !self.stopped_alone;
}

/// The schedule of that name; none: there is no such.
schedules::choice named(learn::history* known, const char* schedule) noexcept {
  learn::last_name none{};
  return learn::schedules_of_loops.of(known != nullptr ? known->named : none, schedule);
}

const schedules::operations* nustatic() noexcept {
  static const auto* const found = schedules::find("nustatic");
  return found;
}

/// As a schedule, with a chunk that was asked for in place of the chosen one.
schedules::choice schedule_of(const learn::way& way, std::uint64_t chunk) noexcept {
  static const auto* const fixed = schedules::find("dynamic");
  static const auto* const guided = schedules::find("guided");
  if (way.how == learn::way::kind::shares) return {nustatic(), chunk};
  return {way.how == learn::way::kind::fixed ? fixed : guided, chunk != 0 ? chunk : way.chunk};
}

/// Of loops that name no schedule, and whose costs are known.
const schedules::choice& by_costs() noexcept {
  static const schedules::choice found{schedules::find("wsrw"), 0};
  return found;
}

void say_learnt(const place& here) noexcept {
  std::fprintf(
      stderr,
      "steelyard: the costs of the loop whose body runs at %p are known from two instances on one thread, with an "
      "error of %.2f %%\n",
      here.key, here.serial.error());
}

/// A loop on its way through the decisions.
class runner {
 public:
  runner(const steelyard_loop& asked, schedules::choice told, learn::history* known, steelyard_pool& pool) noexcept
      : asked_(asked), told_(told), pool_(pool), pool_history_(history_of(pool)), known_(known),
        members_(most_members()), began_(ticks()) {}

  steelyard_result run() noexcept {
    if (members_ == 1) return on_caller(0);
    if (known_ == nullptr) return share();
    const auto learns = chosen().schedule->about.learns;
    if (learns == learning::ways && place_of_loop() != nullptr) return choose(*place_of_loop());
    if (is_always_parallel()) return learns == learning::schedule ? by_the_best() : share();
    if (learns == learning::serially && place_of_loop() != nullptr) return learn_serially(*place_of_loop());
    const auto ahead = outlook();
    if (known_->runs_alone(ahead)) return alone(ahead);
    return learns == learning::schedule ? by_the_best() : share();
  }

 private:
  [[nodiscard]] std::uint32_t most_members() const noexcept {
    std::uint64_t most = std::min<std::uint64_t>(pool_.threads.workers() + 1, asked_.iterations);
    if (asked_.members != 0) most = std::min<std::uint64_t>(most, asked_.members);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(most, 1));
  }

  [[nodiscard]] bool is_always_parallel() const noexcept { return (asked_.flags & STEELYARD_ALWAYS_PARALLEL) != 0; }

  /// Without a copy: the smallest loops ask, too.
  [[nodiscard]] const schedules::choice& chosen() const noexcept {
    if (told_.schedule != nullptr) return told_;
    return asked_.costs != nullptr && !settings().told ? by_costs() : settings().schedule;
  }

  [[nodiscard]] learn::outlook outlook() const noexcept {
    const auto& even = pool_history_.even;
    const auto n = asked_.iterations;
    const learn::workers they{pool_.threads.some_sleep(), pool_.threads.spinning()};
    return {known_->took.alone(n), known_->took.together(n), even.at(began_, they), even.of(they.some_sleep), members_};
  }

  /// What is known of its place, from now on until it has run; nullptr: see place_in_use.
  [[nodiscard]] place* place_of_loop() noexcept {
    if (!place_) place_.emplace(reinterpret_cast<const void*>(asked_.run));
    return place_->get();
  }

  [[nodiscard]] learn::ways ways(const place& here) const noexcept {
    using mechanism = learn::fetches::mechanism;
    const auto ahead = outlook();
    const auto& fetches = pool_history_.fetches;
    const auto first = here.ways.is_settled(asked_.iterations) ? 0 : here.shares.first_block(ahead.together, members_);
    auto all = learn::ways::of({asked_.iterations, members_, rate(), ahead.together, ahead.alone, ahead.even, first,
                                fetches.of(mechanism::fixed, members_), fetches.of(mechanism::guided, members_)});
    if (is_always_parallel()) all.least[learn::ways::alone] = learn::chooser::never;
    return all;
  }

  /// In the way that is to be tried, or the fastest.
  steelyard_result choose(place& here) noexcept {
    using kind = learn::way::kind;
    const auto n = asked_.iterations;
    const auto all = ways(here);
    const auto which = here.ways.next(n, all.least);
    const auto& way = all.all[which];
    fetching fetched;
    if (way.is_handed_out() && !here.ways.is_settled(n)) fetching_ = &fetched;
    members_ = way.members;
    const auto result = way.how == kind::alone ? on_caller(0) : share(schedule_of(way, chosen().chunk));
    if (result != STEELYARD_DONE) return result;
    const auto took = ticks() - began_;
    if (way.how == kind::alone) {
      known_->took.took_alone(took, n);
      pool_history_.even.ended(began_ + took);
    }
    here.ways.took({which, n, took, here.shares.phase_number(), cut_anew_});
    using mechanism = learn::fetches::mechanism;
    pool_history_.fetches.took(way.how == kind::fixed ? mechanism::fixed : mechanism::guided, members_, fetched.ticks,
                               fetched.count);
    return result;
  }

  /// By the schedule that is found to be the best, or by the next to be tried. `steal` where somebody gives a chunk.
  steelyard_result by_the_best() noexcept {
    const bool is_plain = asked_.chunk == 0 && chosen().chunk == 0;
    place* const here = is_plain ? place_of_loop() : nullptr;
    auto* const chooser = here != nullptr ? here->chooser(asked_.iterations, members_, chosen().among) : nullptr;
    if (chooser == nullptr) return share();
    const auto plan = chooser->next(asked_.iterations, members_, began_);
    fetching fetched;
    fetching_ = plan.observed ? &fetched : nullptr;
    costs_ = plan.observed ? here->best.profile(asked_.iterations) : nullptr;
    members_ = plan.how.members;
    std::array<std::uint64_t, learn::automatic::most_shares> ends;
    if (plan.how.begins_with_shares()) {
      chooser->cut(asked_.iterations, members_, ends.data());
      ends_ = {ends.data(), members_};
    }
    asks_ends_ = true;
    const auto result = share({plan.how.schedule, plan.how.chunk});
    const auto took = ticks() - began_;
    const learn::observation seen{costs_, fetched.average(), ended_.finished_in(took, before_opening_, members_)};
    here->best.ended(*chooser, result == STEELYARD_DONE ? took : 0, seen, here->shares);
    return result;
  }

  /// The first two instances on the caller, as published; then by shares.
  steelyard_result learn_serially(place& here) noexcept {
    using pass = learn::serial_costs::pass;
    const auto which = here.serial.begin(asked_.iterations);
    if (which == pass::none) return share();
    steelyard_member self{nullptr, 0};
    const auto began = learn::work.now();
    const bool all = which == pass::total ? run_here(asked_, self, 0) : run_one_by_one(asked_, self, here.serial);
    if (!all) {
      here.serial.stopped();
      return STEELYARD_STOPPED;
    }
    if (which == pass::total) {
      here.serial.took(learn::work.now() - began);
    } else {
      here.serial.took_all();
      here.shares.teach(here.serial.spread());
      if (settings().verbose) say_learnt(here);
    }
    return STEELYARD_DONE;
  }

  /// On the caller; but if a part takes longer than any earlier run lets expect, the rest is shared.
  steelyard_result alone(const learn::outlook& ahead) noexcept {
    if (is_to_stop(asked_)) return on_caller(0);
    steelyard_member self{nullptr, 0};
    const auto n = asked_.iterations;
    const bool is_sure = ahead.alone != 0 && !known_->took.is_in_doubt();
    const auto part = learn::before_look(n, is_sure && !is_in_parts(asked_));
    if (part != 0) {
      asked_.run(asked_.body, &self, 0, part, 1);
      const auto all = (ticks() - began_) * (n / part);
      if (!self.stopped_alone && learn::is_better_shared(all, ahead.alone, ahead.even)) {
        known_->took.took_long_alone(all, n);
        first_ = part;
        return share();
      }
      pool_history_.even.ended(began_ + all);
    }
    if (!run_here(asked_, self, part)) return STEELYARD_STOPPED;
    if (part != 0) learn_usual(ahead);
    return STEELYARD_DONE;
  }

  /// The whole has run alone.
  void learn_usual(const learn::outlook& ahead) noexcept {
    known_->took.ran_as_usual();
    if (learn::is_time_to_look(ahead.alone, began_)) known_->took.took_alone(ticks() - began_, asked_.iterations);
  }

  [[nodiscard]] std::uint64_t rate() const noexcept { return known_ != nullptr ? known_->took.rate() : 0; }

  /// What is left of the loop.
  [[nodiscard]] shape shape_under(const schedules::choice& how) const noexcept {
    shape loop;
    loop.iterations = asked_.iterations - first_;
    loop.members = std::min(members_, static_cast<std::uint32_t>(std::min<std::uint64_t>(loop.iterations, members_)));
    loop.chunk = asked_.chunk != 0 ? asked_.chunk : how.chunk;
    if (how.shares.members() != 0) loop.known.weights = &how.shares;
    loop.seed = began_;
    // Neighbours share lines, of what they read and of what they write.
    loop.front_end.contiguous = !how.schedule->about.as_published;
    loop.front_end.open =
        how.schedule->open_ranges != nullptr && asked_.run_open != nullptr && loop.iterations <= most_open;
    loop.experiment.least_left = settings().least_left;
    loop.experiment.halves = settings().halves;
    loop.front_end.expensive_first = settings().expensive_first && loop.front_end.contiguous;
    loop.experiment.one_try = (asked_.flags & STEELYARD_ONE_TRY) != 0 || settings().one_try;
    learn::know_rate(loop, rate());
    if (first_ == 0 && ends_.size() == loop.members) loop.known.ends = ends_.data();
    return loop;
  }

  steelyard_result share() noexcept {
    return asked_.chunk == 0 ? share(chosen()) : share(schedules::in_chunks(chosen()));
  }

  [[gnu::noinline]] steelyard_result share(const schedules::choice& how) noexcept {
    if (!runtime::settle_pending()) return on_caller(first_);
    shape loop = shape_under(how);
    if (loop.members == 1) return on_caller(first_);
    // Half a loop has other costs.
    std::optional<costs_in_use> costs;
    if (how.schedule->remaining_work != nullptr && first_ == 0 && asked_.costs != nullptr) {
      costs.emplace(pool_, asked_, loop, known_, learn::ticks_at(rate(), loop.iterations) / loop.members);
    }
    runtime::settle_pending();  // what costs have forked
    auto* const times = record_for(how);
    loop.known.record = times;
    const auto learns = how.schedule->about.learns;
    const bool in_shares = learns != learning::nothing && learns != learning::schedule;
    const auto state = how.schedule->bytes(loop) + (loop.front_end.open ? requests::bytes(loop.members) : 0);
    const scratch memory(state + (in_shares ? shares_in_use::bytes(loop.members) : 0));
    if (memory.get() == nullptr) return on_caller(first_);
    std::optional<shares_in_use> shares;
    if (in_shares) {
      const bool given = how.shares.members() == loop.members;
      shares.emplace(given ? nullptr : place_of_loop(), how, loop, static_cast<std::byte*>(memory.get()) + state);
    }
    if (loop.front_end.open)
      sync::real::prepare_membarrier();  // which may wait for the kernel, once: no cost of a loop
    const bool asleep = pool_.threads.some_sleep();
    const auto* const chunks = feedback_of(how, times);
    team members(pool_, asked_, first_, *how.schedule, loop, memory.get(),
                 {shares ? &*shares : nullptr, fetching_ != nullptr, chunks, costs_, asks_ends_});
    pool_.threads.run(members, loop.members);
    if (times != nullptr && chunks != nullptr && !members.stopped()) chunks->learnt(memory.get(), *times);
    if (times != nullptr) ++times->instances;
    if (shares && !members.stopped() && first_ == 0) learn_from(*shares, learns);
    note_end(members, asleep);
    if (!members.stopped() && known_ != nullptr) known_->took.took_together(ended_.busy, loop.iterations);
    return members.stopped() ? STEELYARD_STOPPED : STEELYARD_DONE;
  }

  /// `asleep`: some workers slept when they opened it.
  void note_end(const team& members, bool asleep) noexcept {
    const auto ended = ticks();
    pool_history_.even.ended(ended);
    pool_history_.even.shared(asleep, members.opening(), members.first_arrival(), ended - members.opened());
    ended_ = members.all();
    before_opening_ = members.opened() - began_;
    if (ended_.steals != 0) pool_history_.steals.fetch_add(ended_.steals, sync::relaxed, sync::site{"M4"});
    if (fetching_ != nullptr) *fetching_ = ended_.fetched;
  }

  /// Of its place, for schedules that go by what chunks take.
  [[nodiscard]] schedules::loop_record* record_for(const schedules::choice& how) noexcept {
    if (how.schedule->feedback == nullptr) return nullptr;
    place* const here = place_of_loop();
    return here != nullptr ? &here->times : nullptr;
  }

  /// Who is told what chunks take; nullptr: nobody.
  [[nodiscard]] static const schedules::feedback_operations* feedback_of(const schedules::choice& how,
                                                                         const schedules::loop_record* times) noexcept {
    const auto* const row = how.schedule->feedback;
    if (row == nullptr || row->always) return row;
    return times != nullptr && times->is_due() ? row : nullptr;
  }

  void learn_from(shares_in_use& shares, learning learns) noexcept {
    if (learns != learning::serially) {
      cut_anew_ = shares.learn();
    } else if (place* const here = place_of_loop(); here != nullptr) {
      here->serial.shared(shares.imbalance());
    }
  }

  /// All iterations from `first` on, whatever they take.
  steelyard_result on_caller(std::uint64_t first) noexcept {
    steelyard_member self{nullptr, 0};
    return run_here(asked_, self, first) ? STEELYARD_DONE : STEELYARD_STOPPED;
  }

  const steelyard_loop& asked_;
  schedules::choice told_;  ///< with this loop; none: no schedule
  steelyard_pool& pool_;
  pool_history& pool_history_;
  learn::history* known_;  ///< nullptr: none is kept
  std::uint32_t members_;
  std::uint64_t began_;
  std::uint64_t first_ = 0;
  std::optional<place_in_use> place_;
  std::span<const std::uint64_t> ends_;   ///< of blocks that are known to cost the same
  fetching* fetching_ = nullptr;          ///< asks what it takes to fetch chunks
  learn::cost_profile* costs_ = nullptr;  ///< asks what chunks take
  of_member ended_;                       ///< what its members said when they left it
  std::uint64_t before_opening_ = 0;      ///< ticks
  bool asks_ends_ = false;                ///< of members
  bool cut_anew_ = false;                 ///< the next loop of the place has other shares
};

}  // namespace

steelyard_result run(const steelyard_loop& asked) {
  if (asked.run == nullptr) return STEELYARD_INVALID;
  auto* const known = learn::history_of(reinterpret_cast<const void*>(asked.run));
  schedules::choice told{};
  if (asked.schedule != nullptr) {
    told = named(known, asked.schedule);
    if (told.schedule == nullptr) return STEELYARD_INVALID;
  }
  if (asked.shares != nullptr) {
    told = {nustatic(), 0};
    if (schedules::given_shares::read(asked.shares, asked.share_count, told.shares) != schedules::shares_error::none) {
      return STEELYARD_INVALID;
    }
  }
  if (asked.iterations == 0) return STEELYARD_DONE;
  return runner(asked, told, known, runtime::pool_for(asked.pool)).run();
}

}  // namespace steelyard::loop
