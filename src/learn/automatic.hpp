// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "learn/cost_profile.hpp"
#include "learn/density.hpp"
#include "learn/early_choice.hpp"
#include "learn/lesson.hpp"
#include "learn/period_trial.hpp"
#include "learn/sampler.hpp"
#include "learn/sketch.hpp"
#include "schedules/candidates.hpp"

namespace steelyard::learn {

/// What was seen of an instance.
struct observation {
  const cost_profile* chunks = nullptr;  ///< what they took; nullptr: the instance was not observed
  std::uint64_t hand_over = 0;           ///< what a call of the schedule took, on average
  std::uint64_t finished = 0;  ///< how long it took until a member had done its part, the sum over all; 0: not known
};

/// Which schedule serves the loops of one place best that have about the same trip count: `automatic`.
///
/// - The first instance runs by its base, which serves any loop well: `steal`, or the program's own chunks one by one. It is observed: what its chunks take, what being handed one
///   takes, and what all of it takes. Where its equal blocks cost the same `steal:even` takes its place, until something is foretold.
/// - From this follows what each candidate would take (`predict`). The best of them is tried, and goes on unless it takes longer than the
///   next best is expected to, which is tried then: at most `most_trials` candidates, and the base without being observed. Then the best
///   that was measured stays.
/// - Where instances are short, as many of them as take `enough` together count as one: of three lots the middle one (sampler.hpp). Until short loops have paid for being observed and foretold,
///   equal blocks or the base serve them, whichever was measured to take less (early_choice.hpp).
/// - An instance of the chosen way that takes much longer or shorter than usual makes the next one be observed as the first was. If its costs
///   lie as before, the other one was disturbed, and nothing changes, unless the next one takes as long again. Otherwise all is foretold anew.
///   The more often nothing changes, the more an instance has to differ. An instance in which members finish farther apart than usual differs
///   as much as if it had taken so much longer. Each instance number `observed_again`, twice that, and so on, is observed in any case. But observing
///   takes time, and is paid by the loops that ran since the last time.
/// - Shares are those of the last phase when the next one begins. What such a change has cost a way is spread over the instances of a
///   phase, and added to what it takes. So where phases are short, stealing stays.
/// - Where each few instances are of another phase, as the levels of a search, no trial says anything of the next one. Then the way stays that is foretold
///   to take the least over the phases so far, and the loop is observed now and then, until it has become calm.
/// - Of one that has settled periods are compared, too: what follows it may take less behind another way (period_trial.hpp).
/// - Loops of another trip count, by a quarter, or for another number of members, are others (choosers.hpp). Told one, it begins anew. Only the
///   first one of a place is observed on credit: loops that never come again are not worth it.
///
/// Where the user has named the schedules to choose among, these are the candidates, and what cannot be foretold is tried, too. Then `steal`
/// serves the first instance, and those that are observed; it stays only where it was named.
///
/// Times are compared by iterations. No clock and no heap. Not for several threads at once.
class automatic {
 public:
  static constexpr std::uint32_t most_ways = 16;
  static constexpr std::uint32_t most_trials = 3;
  static constexpr std::uint64_t observed_again = 64;
  /// Of all members together, in ticks: what is shorter is known too badly by one instance.
  static constexpr std::uint64_t enough = 2'000'000;
  /// Largest team that shares are foretold for.
  static constexpr std::uint32_t most_shares = density::most_blocks;

  using way = learn::way_to_run;

  // Not inline: the drop-in has no registers for floating-point numbers.
  automatic() noexcept;

  /// Only these schedules may be chosen. When that changes it begins anew.
  void choose_among(const schedules::candidates& these) noexcept;
  /// Whether iterations are chunks that the program hands out by `schedule(dynamic, c)`. Where they are few, up to 64 a member, that takes the place of
  /// `steal`. So dear ones at the beginning are begun at once, and each finds at hand what those before it have found. When it changes it begins anew.
  void iterations_are_chunks(bool they_are) noexcept;

  struct plan {
    way how;
    bool observed = false;  ///< what its chunks take is to be noted
  };
  /// How the next instance is to run, of n > 0 iterations by at most so many members. It begins now, in ticks; 0: not known.
  [[nodiscard]] plan next(std::uint64_t n, std::uint32_t members, std::uint64_t now = 0) noexcept;
  /// Whether loops like that are brief, and run by `usual` for good as far as is known. So most of them may run so without being planned or told.
  [[nodiscard]] bool may_go_untold(std::uint64_t n, std::uint32_t members) const noexcept;
  /// The same of loops in equal blocks, of which each member knows its own.
  [[nodiscard]] bool is_plain(std::uint64_t n, std::uint32_t members) const noexcept;
  /// By so much, in ticks, a loop takes less that is plain than when it is told, beyond what going untold saves others. 0: as it is told.
  void plain_saves(std::uint64_t ticks) noexcept { plain_saves_ = ticks; }
  /// Another one serves loops of the same place already: the first observation is paid before.
  void pay_first() noexcept { pays_first_ = true; }
  [[nodiscard]] way usual() const noexcept;  ///< how the loop runs now, without a trial
  /// Whether such loops are about like the last one.
  [[nodiscard]] bool is_for(std::uint64_t n, std::uint32_t members) const noexcept;
  /// What iterations take, all members' time together (rate.hpp); 0: not known.
  [[nodiscard]] std::uint64_t rate() const noexcept;
  /// Ends of blocks of equal cost, as `shape::known.ends`; 1 … most_shares members.
  [[nodiscard]] const density& spread() const noexcept { return spread_; }
  void cut(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) const noexcept;

  /// What the instance that was planned last took, in ticks, and what was seen of it.
  /// True: `forecast` is to be called, now or after a later one; until then the loop runs as `meanwhile` says.
  bool took(std::uint64_t ticks, const observation& seen) noexcept;

  /// It did not run, or another way: it is as if it had not been planned.
  void withdrawn() noexcept {
    --instances_;
    began_ = 0;
  }
  /// It was stopped, and tells nothing. What observing it has cost is paid before the next one is.
  void stopped() noexcept;

  /// Bytes that `forecast` needs, aligned to support::line_size.
  [[nodiscard]] std::size_t room_to_forecast() const noexcept;
  /// Before a forecast that had to wait: true where costs were observed so long ago that the next instance is, once more, and the forecast waits for that.
  [[nodiscard]] bool looks_first() noexcept;
  /// What each way would take. O(bins + ways · calls · log members).
  void forecast(void* room) noexcept;

  /// What was found, where it is settled. False: it is not, or nothing was found that the last process did not know, or instances differ so
  /// much that it would be of no use. O(bins).
  bool teach(lesson& to) const noexcept;
  /// Begins with what another process has found, as if it had been found here: the first instance runs so, and where that is wrong the
  /// next one is observed. False: it makes no sense, and nothing has changed. O(bins).
  bool learn(const lesson& from) noexcept;

  /// Begins with that, and has not found it wrong.
  [[nodiscard]] bool is_learnt() const noexcept { return learnt_; }

  /// Stealing and equal blocks were compared, and what took less serves the loop until something is foretold.
  [[nodiscard]] bool is_compared() const noexcept { return is_waiting() && early_.has_chosen() && among_.empty(); }

  [[nodiscard]] bool is_settled() const noexcept { return settled_; }
  /// How many instances it took until it was, for the first time; 0: it never was.
  [[nodiscard]] std::uint64_t settled_after() const noexcept { return settled_after_; }
  /// The way that is chosen, or tried now.
  [[nodiscard]] const way& chosen() const noexcept { return ways_[now_].how; }
  /// The same, or what serves the loop until something is foretold.
  [[nodiscard]] way runs_by() const noexcept;

  /// Why, in words: "iterations 4.0 x dearer at the end; learnt shares 1.01 of the limit; stealing 1.03; chosen: nustatic". Returns
  /// how many characters were written, without the 0 at the end; at most size - 1.
  std::size_t explain(char* into, std::size_t size) const noexcept;

 private:
  struct known {
    way how;
    std::uint64_t expected = 0;  ///< 0: not foretold
    std::uint64_t measured = 0;  ///< 0: not tried
    std::uint32_t idle = not_known;
    std::uint16_t change_costs = 0;  ///< 64ths of an instance, where the next phase began with this way, or one like it
    std::uint16_t missed = 0;        ///< by so many 64ths its trials have lately taken longer than was foretold
    std::uint64_t in_all = 0;        ///< expected on average over the phases; 0: never foretold
  };
  /// What one or several instances have taken, as one of `iterations_`.
  struct sample {
    std::uint64_t ticks;
    std::uint32_t idle;  ///< 64ths of that, for which members had no part of it on average
    std::uint64_t instances;
  };
  /// That a change of phases is taken to have cost, in 64ths of an instance as usual.
  static constexpr std::uint64_t most_lost = std::uint64_t{64} * 128;
  /// What observing an instance takes, in ticks, and how much longer loops have to run before the next one is.
  static constexpr std::uint64_t price_of_observing = 25'000;
  static constexpr std::uint64_t times_the_price = 100;
  static constexpr std::uint64_t most_tolerance = 64;  ///< in 64ths of what an instance usually takes
  static constexpr std::uint32_t not_known = ~std::uint32_t{0};
  /// So many changes, one soon after the other, and the loop is restless. Four observations without a change more than with one, and it is calm.
  static constexpr std::uint32_t restless_from = 3;
  static constexpr std::uint64_t soon = 32;  ///< instances; or ticks for which observations are paid four times
  /// So many phases count alike for a restless loop, and are looked at as soon as that is paid.
  static constexpr std::uint32_t many_phases = 8;
  static constexpr std::uint32_t base = 0;  ///< what serves any loop
  void add(const char* name, std::uint64_t chunk, std::uint32_t members, bool by_shares) noexcept;
  void set_as(const automatic& other) noexcept;
  void forget() noexcept;
  void list_base() noexcept;
  void list_others() noexcept;
  [[nodiscard]] bool is_as_written() const noexcept;
  [[nodiscard]] way by_all(const schedules::operations* how) const noexcept { return {how, 0, members_, false}; }
  [[nodiscard]] bool is_equal_blocks(const way& how) const noexcept { return how == by_all(equal_blocks_); }
  void leave_out_equal_shares() noexcept;
  [[nodiscard]] bool is_equal_early() const noexcept { return early_.is_equal() && among_.empty(); }
  [[nodiscard]] way meanwhile() const noexcept;
  [[nodiscard]] way stolen() const noexcept;
  [[nodiscard]] std::uint64_t saved_by(const way& how, std::uint64_t takes) const noexcept;
  void list_named() noexcept;
  void add_chunks() noexcept;
  /// Whether that may stay, not only be observed.
  [[nodiscard]] bool may_steal() const noexcept;
  void begin_anew(std::uint64_t n, std::uint32_t members) noexcept;
  bool teach_early(lesson& to) const noexcept;
  bool learn_early(const lesson& from) noexcept;
  bool learn_costs(const lesson& from) noexcept;
  [[nodiscard]] schedules::shape shape_of(const way& how, std::uint64_t* ends) const noexcept;
  [[nodiscard]] std::uint64_t takes_a_chunk() const noexcept;
  [[nodiscard]] bool hands_out_crumbs(const way& how) const noexcept;
  [[nodiscard]] std::uint64_t as_usual(std::uint64_t ticks, std::uint64_t n) const noexcept;
  [[nodiscard]] bool may_observe() const noexcept;
  [[nodiscard]] bool is_to_be_observed() const noexcept { return observes_ && (!pays_first_ || may_observe()); }
  [[nodiscard]] bool is_brief_and_known(std::uint64_t n, std::uint32_t members) const noexcept;
  [[nodiscard]] bool is_even() const noexcept;
  [[nodiscard]] bool is_brief_early() const noexcept { return early_.takes(iterations_) < early_choice::brief; }
  bool looks_again(bool is_other, std::uint64_t ticks) noexcept;
  bool observed(std::uint64_t ticks, const observation& seen) noexcept;
  void measured(std::uint64_t ticks, std::uint64_t finished) noexcept;
  [[nodiscard]] sample sample_of(const lot& some) const noexcept;
  void costs_lie_as_before(std::uint64_t ticks) noexcept;
  [[nodiscard]] std::uint32_t foretold_idle(const known& its) const noexcept;
  void tried(const sample& it) noexcept;
  void ran(const sample& it) noexcept;
  void as_expected(const sample& it) noexcept;
  void surprised(const sample& it, std::uint64_t lost) noexcept;
  void begin_phase() noexcept;
  void note_change(bool is_same) noexcept;
  [[nodiscard]] std::uint64_t after_some() noexcept;
  [[nodiscard]] std::uint64_t next_observation() noexcept;
  [[nodiscard]] bool is_restless() const noexcept { return changes_ >= restless_from; }
  /// Whether it runs in equal blocks, and is too short for its costs to be seen: it stays so while it is.
  [[nodiscard]] bool is_tiny() const noexcept;
  [[nodiscard]] bool is_waiting() const noexcept { return (observes_ || due_) && !(settled_ && is_restless()); }
  void add_phase() noexcept;
  bool choose_for_all_phases() noexcept;
  void foresee_change() noexcept;
  [[nodiscard]] std::uint64_t risk_of(const known& its, std::uint64_t takes) const noexcept;
  [[nodiscard]] std::uint64_t hoped_of(const known& its, bool is_base, bool is_doubted) const noexcept;
  [[nodiscard]] std::uint16_t missed_by(const known& its) const noexcept;
  [[nodiscard]] std::uint64_t doubt_of(const way& how, bool is_doubted) const noexcept;
  [[nodiscard]] std::uint64_t borne_of(const known& its) const noexcept;
  void choose() noexcept;
  void note_period(std::uint64_t now) noexcept;
  [[nodiscard]] bool may_compare_periods(std::uint64_t period) const noexcept;
  [[nodiscard]] std::uint32_t as_one_front() const noexcept;
  [[nodiscard]] bool is_dear_first() const noexcept;
  void compare_periods() noexcept;
  [[nodiscard]] double distance(const density& other) const noexcept;
  density spread_;
  sketch before_;  ///< of the last phase, if phase_length_ != 0
  // Of a loop of `iterations_`:
  std::uint64_t work_ = 0;
  std::uint64_t deviation_ = 0;
  std::uint64_t hand_over_ = 0;
  std::array<known, most_ways> ways_{};
  std::uint32_t count_ = 0;
  schedules::candidates among_;
  bool are_chunks_ = false;
  std::uint64_t plain_saves_ = 0;
  const schedules::operations* equal_blocks_ = nullptr;
  const schedules::operations* by_thirds_ = nullptr;
  early_choice early_;
  std::uint32_t now_ = base;
  std::uint32_t trials_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint32_t members_ = 0;
  std::uint64_t usual_ = 0;  ///< what the chosen way takes, lately
  std::uint32_t usual_idle_ = not_known;
  std::uint64_t tolerance_ = 0;  ///< how much an instance may differ from that, in 64ths
  std::uint64_t surprise_ = 0;   ///< what an instance took that it does not explain; 0: there was none lately
  std::uint64_t seen_ = 0;       ///< what the observed instance took
  std::uint64_t planned_ = 0;    ///< iterations of the instance that was planned last
  std::uint64_t began_ = 0;      ///< when that was; 0: not known
  std::uint64_t last_took_ = 0;  ///< what it took
  std::uint32_t as_usual_ = 0;   ///< instances in a row that were planned so
  period_trial periods_;
  std::uint32_t other_ = base;  ///< the way whose periods are compared, or were
  std::uint64_t saves_ = 0;     ///< by so much less follows an instance of that
  sampler sampled_;
  std::uint64_t paid_ = 0;   ///< ticks of all since one was observed
  std::uint64_t since_ = 0;  ///< instances since then
  std::uint64_t until_ = observed_again;
  std::uint64_t instances_ = 0;
  std::uint64_t settled_after_ = 0;
  std::uint64_t phase_began_ = 0;   ///< instances before it
  std::uint64_t phase_length_ = 0;  ///< instances of the one before
  std::uint32_t changes_ = 0;       ///< of phases, one soon after the other …
  std::uint64_t last_change_ = 0;   ///< … that in this instance was the last
  std::uint32_t phases_ = 0;        ///< that were foretold, many_phases at most
  std::uint64_t dice_ = 0;          ///< for when a restless loop is observed
  std::uint64_t losing_ = 0;        ///< 64ths of an instance that surprises have cost in this phase
  std::uint32_t evens_ = 0;         ///< in so many observations in a row equal blocks were about equal
  bool observes_ = true;            ///< the next one is observed
  bool pays_first_ = false;         ///< but not before that is paid
  bool doubts_ = false;             ///< other costs were seen in a short instance: the next one is to show them, too
  bool due_ = false;                ///< a forecast is
  bool settled_ = false;
  bool compared_ = false;   ///< periods were, or it began
  bool learnt_ = false;     ///< from another process, and still so
  bool had_costs_ = false;  ///< it began with a lesson that has them
  bool stays_ = false;      ///< costs were found to lie as before, after the surprise
};

}  // namespace steelyard::learn
