// SPDX-License-Identifier: Apache-2.0
#include "loop/run.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "learn/ways.hpp"
#include "learn/work_clock.hpp"
#include "loop/on_caller.hpp"
#include "loop/place_in_use.hpp"
#include "loop/pool_history.hpp"
#include "loop/settings.hpp"
#include "loop/sharing.hpp"
#include "runtime/callers_pool.hpp"
#include "schedules/registry.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {
namespace {

using schedules::learning;
using support::ticks;

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
  runner(const steelyard_loop& asked, const schedules::choice* told, learn::history* known,
         steelyard_pool& pool) noexcept
      : loop_{asked, pool, history_of(pool), known, ticks()}, told_(told), members_(most_members()) {}

  steelyard_result run() noexcept {
    if (members_ == 1) return run_on_caller(loop_.asked, 0);
    const auto learns = chosen().schedule->about.learns;
    if (loop_.known == nullptr) return share();
    if (learns == learning::ways || learns == learning::serially) return run_by_place(learns);
    return is_always_parallel() ? share_by_the_best(learns) : run_alone_or_shared(learns);
  }

 private:
  [[nodiscard]] std::uint32_t most_members() const noexcept {
    const auto& asked = loop_.asked;
    std::uint64_t most = std::min<std::uint64_t>(loop_.pool.threads.workers() + 1, asked.iterations);
    if (asked.members != 0) most = std::min<std::uint64_t>(most, asked.members);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(most, 1));
  }

  [[nodiscard]] bool is_always_parallel() const noexcept {
    return (loop_.asked.flags & STEELYARD_ALWAYS_PARALLEL) != 0;
  }

  /// Without a copy: the smallest loops ask, too.
  [[nodiscard]] const schedules::choice& chosen() const noexcept {
    if (told_ != nullptr) return *told_;
    return loop_.asked.costs != nullptr && !settings().told ? by_costs() : settings().schedule;
  }

  [[nodiscard, gnu::always_inline]] learn::outlook outlook() const noexcept {
    const auto& even = loop_.of_pool.even;
    const auto& took = loop_.known->took;
    const auto n = loop_.asked.iterations;
    const auto they = loop_.workers();
    return {took.alone(n),           took.together(n),         took.apart(n),
            even.at(loop_.at, they), even.of(they.some_sleep), members_};
  }

  [[gnu::always_inline]] steelyard_result run_alone_or_shared(learning learns) noexcept {
    const auto ahead = outlook();
    const auto way = loop_.known->next(ahead);
    if (way == learn::course::shared) return share_by_the_best(learns);
    return alone(ahead, way == learn::course::tried_alone);
  }

  /// Of schedules that say themselves whether a loop is shared.
  [[gnu::noinline]] steelyard_result run_by_place(learning learns) noexcept {
    sharing work(loop_);
    place* const here = work.place_of_loop();
    if (here != nullptr && learns == learning::ways) return choose(work, *here);
    if (is_always_parallel()) return as_chosen(work).result;
    return here != nullptr ? learn_serially(work, *here) : run_alone_or_shared(learns);
  }

  [[nodiscard]] learn::ways ways(const place& here) const noexcept {
    using mechanism = learn::fetches::mechanism;
    const auto ahead = outlook();
    const auto& fetches = loop_.of_pool.fetches;
    const auto n = loop_.asked.iterations;
    const auto first = here.ways.is_settled(n) ? 0 : here.shares.first_block(ahead.together, members_);
    auto all = learn::ways::of({n, members_, loop_.rate(), ahead.together, ahead.alone, ahead.even, first,
                                fetches.of(mechanism::fixed, members_), fetches.of(mechanism::guided, members_)});
    if (is_always_parallel()) all.least[learn::ways::alone] = learn::chooser::never;
    return all;
  }

  /// In the way that is to be tried, or the fastest.
  steelyard_result choose(sharing& work, place& here) noexcept {
    using kind = learn::way::kind;
    const auto n = loop_.asked.iterations;
    const auto all = ways(here);
    const auto which = here.ways.next(n, all.least);
    const auto& way = all.all[which];
    sharing::part whole{.members = way.members};
    whole.asks_fetches = way.is_handed_out() && !here.ways.is_settled(n);
    const bool is_alone = way.how == kind::alone;
    const auto found =
        is_alone ? sharing::outcome{run_on_caller(loop_.asked, 0)} : work.run(schedule_of(way, chosen().chunk), whole);
    if (found.result != STEELYARD_DONE) return found.result;
    const auto took = ticks() - loop_.at;
    if (is_alone) {
      loop_.known->took.took_alone(took, n);
      loop_.of_pool.even.ended(loop_.at + took);
    }
    here.ways.took({which, n, took, here.shares.phase_number(), found.cut_anew});
    using mechanism = learn::fetches::mechanism;
    const auto& fetched = found.members.fetched;
    loop_.of_pool.fetches.took(way.how == kind::fixed ? mechanism::fixed : mechanism::guided, way.members,
                               fetched.ticks, fetched.count);
    return found.result;
  }

  /// Under `automatic` by the schedule that is found to be the best, or by the next to be tried; as chosen otherwise.
  [[gnu::noinline]] steelyard_result share_by_the_best(learning learns) noexcept {
    sharing work(loop_);
    const auto& asked = loop_.asked;
    const auto n = asked.iterations;
    // `steal` where somebody gives a chunk.
    const bool is_plain = learns == learning::schedule && asked.chunk == 0 && chosen().chunk == 0;
    place* const here = is_plain ? work.place_of_loop() : nullptr;
    auto* const chooser = here != nullptr ? here->chooser(n, members_, chosen().among) : nullptr;
    if (chooser == nullptr) return as_chosen(work).result;
    const auto plan = chooser->next(n, members_, loop_.at);
    const auto members = plan.how.members;
    sharing::part whole{.members = members, .asks_fetches = plan.observed, .asks_ends = true};
    whole.costs = plan.observed ? here->best.profile(n) : nullptr;
    std::array<std::uint64_t, learn::automatic::most_shares> ends;
    if (plan.how.begins_with_shares()) {
      chooser->cut(n, members, ends.data());
      whole.ends = {ends.data(), members};
    }
    const auto found = work.run({plan.how.schedule, plan.how.chunk}, whole);
    const auto took = ticks() - loop_.at;
    const auto idle_from = found.members.finished_in(took, found.before_opening, members);
    const learn::observation seen{whole.costs, found.members.fetched.average(), idle_from};
    here->best.ended(*chooser, found.result == STEELYARD_DONE ? took : 0, seen, here->shares);
    return found.result;
  }

  /// The first two instances on the caller, as published; then by shares.
  steelyard_result learn_serially(sharing& work, place& here) noexcept {
    using pass = learn::serial_costs::pass;
    const auto& asked = loop_.asked;
    const auto which = here.serial.begin(asked.iterations);
    if (which == pass::none) return as_chosen(work).result;
    steelyard_member self{nullptr, 0};
    const auto began = learn::work.now();
    const bool all = which == pass::total ? run_here(asked, self, 0) : run_one_by_one(asked, self, here.serial);
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

  /// On the caller; but if a part takes longer than any earlier run lets expect, the rest is shared. Of loops that are known
  /// to be small the whole is that part, for a look costs twenty of the fifty nanoseconds that a call may.
  steelyard_result alone(const learn::outlook& ahead, bool is_trial) noexcept {
    const auto& asked = loop_.asked;
    const bool in_doubt = loop_.known->took.is_in_doubt();
    if (!learn::is_known_small(ahead, in_doubt) || is_in_parts(asked)) {
      return alone_with_looks(ahead, ahead.alone != 0 && !in_doubt, is_trial);
    }
    steelyard_member self{nullptr, 0};
    asked.run(asked.body, &self, 0, asked.iterations, 1);
    if (self.stopped_alone) return STEELYARD_STOPPED;
    learn_alone(ahead, is_trial);
    return STEELYARD_DONE;
  }

  [[gnu::noinline]] steelyard_result alone_with_looks(const learn::outlook& ahead, bool is_sure,
                                                      bool is_trial) noexcept {
    const auto& asked = loop_.asked;
    if (is_to_stop(asked)) return run_on_caller(asked, 0);
    steelyard_member self{nullptr, 0};
    const auto n = asked.iterations;
    std::uint64_t done = 0;
    const learn::look early = is_sure && !is_in_parts(asked) ? learn::look{} : learn::early_look(n);
    const learn::look half = is_in_parts(asked) ? learn::look{} : learn::look{n / 2, 2};
    for (const auto& behind : {early, half}) {
      if (behind.done <= done) continue;
      asked.run(asked.body, &self, done, behind.done - done, 1);
      done = behind.done;
      const auto ran = ticks() - loop_.at;
      if (self.stopped_alone) return STEELYARD_STOPPED;
      if (learn::is_better_shared(ran, ran * behind.times, ahead)) return share_rest(ahead, ran, done);
    }
    if (!run_here(asked, self, done)) return STEELYARD_STOPPED;
    learn_alone(ahead, is_trial);
    return STEELYARD_DONE;
  }

  /// Of a loop that has run alone so long, and so far.
  [[gnu::noinline]] steelyard_result share_rest(const learn::outlook& ahead, std::uint64_t ran,
                                                std::uint64_t done) noexcept {
    sharing work(loop_);
    const auto found = as_chosen(work, done);
    if (found.result != STEELYARD_DONE) return found.result;
    const auto busy = found.members.busy;
    const auto all = busy != 0 ? ran + busy : ticks() - loop_.at;
    auto& took = loop_.known->took;
    const auto n = loop_.asked.iterations;
    if (learn::is_better_shared(all, all, ahead)) {
      took.took_long_alone(all, n);
    } else if (ahead.alone == 0) {
      took.took_alone(all, n);  // about; a trial is made of what is known only
    }
    return found.result;
  }

  /// The whole has run alone.
  [[gnu::always_inline]] void learn_alone(const learn::outlook& ahead, bool is_trial) noexcept {
    auto& took = loop_.known->took;
    const auto n = loop_.asked.iterations;
    const auto all = ticks() - loop_.at;
    loop_.of_pool.even.ended(loop_.at + all);
    if (learn::is_better_shared(all, all, ahead)) return took.took_long_alone(all, n);
    took.ran_as_usual();
    if (is_trial || learn::is_time_to_note(ahead.alone, loop_.at)) took.took_alone(all, n);
  }

  /// Iterations from `first` on.
  sharing::outcome as_chosen(sharing& work, std::uint64_t first = 0) noexcept {
    const sharing::part rest{.members = members_, .first = first};
    return loop_.asked.chunk == 0 ? work.run(chosen(), rest) : work.run(schedules::in_chunks(chosen()), rest);
  }

  [[gnu::noinline]] steelyard_result share() noexcept {
    sharing work(loop_);
    return as_chosen(work).result;
  }

  beginning loop_;
  const schedules::choice* told_;  ///< with this loop; nullptr: none
  std::uint32_t members_;
};

/// `told`: of this loop; nullptr: none.
[[gnu::noinline]] steelyard_result run_as_told(const steelyard_loop& asked, const schedules::choice* told,
                                               learn::history* known) {
  if (asked.iterations == 0) return STEELYARD_DONE;
  return runner(asked, told, known, runtime::pool_for(asked.pool)).run();
}

/// A loop that brings a schedule, or shares. Apart, because a choice is large and the smallest loops bring none.
[[gnu::noinline]] steelyard_result run_as_it_says(const steelyard_loop& asked, learn::history* known) {
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
  return run_as_told(asked, &told, known);
}

}  // namespace

steelyard_result run(const steelyard_loop& asked) {
  if (asked.run == nullptr) return STEELYARD_INVALID;
  auto* const known = learn::history_of(reinterpret_cast<const void*>(asked.run));
  const bool says_how = asked.schedule != nullptr || asked.shares != nullptr;
  return says_how ? run_as_it_says(asked, known) : run_as_told(asked, nullptr, known);
}

}  // namespace steelyard::loop
