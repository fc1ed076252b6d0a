// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/open_range.hpp"

/// The contract of a schedule: a pure state machine that hands out the iterations 0 … N-1 of one loop to the members of
/// one team, each iteration exactly once, in whatever order the members arrive. It reads no clock, starts no thread,
/// allocates nothing, waits for nobody, and knows neither OpenMP nor MPI.
namespace steelyard::schedules {

class given_shares;
class profile;
struct loop_record;

/// Number of a member in its team, 0 … members-1.
using member = std::uint32_t;

/// The largest team a schedule accepts.
inline constexpr std::uint32_t max_members = 1U << 16;

/// How a schedule that asks about costs divides a victim's rest; other than `search` for experiments only.
enum class halving : std::uint8_t {
  search,      ///< half of the work, found by binary search
  scan,        ///< at the same place, found one position after the other
  iterations,  ///< half of the iterations, whatever they cost
};

/// What the front end that runs a loop can do for a schedule, and what it wants.
struct front_end_abilities {
  /// It cannot run strided chunks cheaply: cyclic deals of the wsr family use large blocks. Forms as published do not look at
  /// it; who makes sums for one sets it to false.
  bool contiguous = false;
  /// Every member is certain to come (OpenMP promises it). Preassigned schedules then never hand out the share of a
  /// member that has not come yet; without the promise an unclaimed share belongs to whoever claims it first.
  bool all_arrive = false;
  /// It wants iterations that cost much of a member's share to be begun first, where it is known which those are: who comes
  /// to one last keeps all others waiting. `work_sums` finds them, or expensive_first.hpp.
  bool expensive_first = false;
  /// It runs open ranges and delivers requests: see sharing_operations.
  bool open = false;
};

/// Other ways of a schedule than its own, to see what they are worth.
struct experiment_switches {
  /// A thief that is refused leaves the loop instead of turning to the next victim (idws only; the paper's rule).
  bool one_try = false;
  halving halves = halving::search;
  /// Of a schedule that passes over members with little left: what is too little, in iterations, or, where it asks about
  /// costs, in the work of so many on average; 0: its own default. (In loops of 2^32 iterations and more: in units.)
  std::uint32_t least_left = 0;
};

/// What is known of a loop's costs before it begins; read while it runs. Wrong costs, even no sums at all, cost nothing but time.
struct cost_knowledge {
  /// For each list of the schedule's deal its exclusive prefix sums, at the ends of groups of neighbours (list_groups.hpp), from
  /// 0, never descending, in any unit; the sum of all behind them. `work_sums` makes them. nullptr: nobody knows.
  const double* sums = nullptr;
  /// Where there are sums, or a profile: how far into each member's list the deal begins (deal.hpp), or nullptr.
  const std::uint32_t* starts = nullptr;
  /// Where there are no sums: what is known of them roughly (profile.hpp), or nullptr.
  const profile* roughly = nullptr;
  /// Where shares are known: the iteration before which each member's block ends, ascending, the last is `iterations`; or nullptr.
  const std::uint64_t* ends = nullptr;
  bool equal = false;  ///< every iteration is known to cost the same
  /// Where the front end knows how long iterations take: how many are worth handing out at once, and how many are so many that the
  /// loop might wait for them. Schedules that choose take no less and no more. 0: not known. At most a small part of a share.
  std::uint64_t grain = 0;
  std::uint64_t most_at_once = 0;
  /// What earlier instances of the loop have shown (loop_record.hpp), read while the loop opens; nullptr: nobody knows.
  const loop_record* record = nullptr;
  /// Weights of the members as somebody has given them (given_shares.hpp), read while the loop opens; nullptr: nobody has.
  const given_shares* weights = nullptr;
};

/// One loop as a schedule sees it, of stride 1. Front ends map to the user's index, type, sign and stride.
struct shape {
  std::uint64_t iterations = 0;  ///< any 64-bit value
  std::uint32_t members = 1;     ///< 1 … max_members
  std::uint64_t chunk = 0;       ///< the schedule's chunk parameter in iterations; 0: its own default
  std::uint64_t seed = 0;        ///< of the schedules that draw at random
  front_end_abilities front_end{};
  experiment_switches experiment{};
  cost_knowledge known{};
};

/// What every schedule may rely on when it opens.
[[nodiscard]] constexpr bool is_valid(const shape& loop) noexcept {
  return loop.members >= 1 && loop.members <= max_members;
}

/// What a member does next: runs iterations first, first+stride, … (count of them). count 0: nothing is left for this member,
/// now and for the rest of the loop. A front end with open ranges meets the others.
struct step {
  enum class kind : std::uint8_t {
    closed,  ///< run these
    open,    ///< claim from the own range until it is used up, and call again
    ask,     ///< deliver a request to member `first`, wait or do other work, and call again
    wait     ///< nothing now, but others may have some soon: call again in a moment
  };
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t stride = 1;
  kind what = kind::closed;

  static constexpr step in_open_range() noexcept { return {0, 0, 1, kind::open}; }
  static constexpr step to_ask(member victim) noexcept { return {victim, 0, 1, kind::ask}; }
  static constexpr step to_wait() noexcept { return {0, 0, 1, kind::wait}; }
  [[nodiscard]] constexpr bool done() const noexcept { return count == 0 && what == kind::closed; }
  friend constexpr bool operator==(const step&, const step&) = default;
};

/// What one member did so far; plain counters its own `next` keeps, read after its last call.
struct tally {
  std::uint64_t steals = 0;    ///< ranges taken from another member
  std::uint64_t attempts = 0;  ///< victims asked, successfully or not
};

/// What a member took for a chunk, in ticks of any length.
struct chunk_time {
  std::uint64_t work;   ///< to run its iterations
  std::uint64_t fetch;  ///< to be handed it
};

/// What a schedule has the front end learn, so that its shares are of equal cost.
enum class learning : std::uint8_t {
  nothing,
  shares,    ///< contiguous shares, from what the members' blocks have taken
  serially,  ///< the same, from two instances on one member
  ways,      ///< shares, and whether another way to run the loop is faster
  schedule   ///< which one is the best
};

/// What is known of a schedule before it runs.
struct traits {
  const char* name;           ///< lower case, as typed by users
  const char* summary;        ///< one line
  const char* chunk_meaning;  ///< what the chunk parameter is; nullptr: the schedule takes none
  bool ascending = false;     ///< each member receives increasing iterations (a preassigned one: when all_arrive)
  bool preassigned = false;   ///< who runs what is fixed before the loop starts
  bool as_published = false;  ///< the paper's form of a schedule that contiguous front ends run otherwise by default
  learning learns = learning::nothing;
  bool by_grain = false;  ///< takes account of cost_knowledge::grain
};

/// A schedule over a `Sync` door: `about`, `bytes`, construction (open), `next`, `remaining`, `counts`.
///
/// - `bytes(shape)`: size of the state; the caller supplies that much memory, aligned to support::line_size.
/// - construction at that memory opens the loop: once, by one thread, before any other member can reach it.
/// - `next(m)`: called by member m only, never concurrently with itself; never waits. After it returned done it keeps
///   returning done.
/// - `remaining(m)`: iterations m has not yet taken for itself; a hint that anyone may read at any time.
/// - `remaining_work(m)`, where the schedule asks about costs: their work in the unit of the costs, or, without costs,
///   their number; a hint likewise.
/// - `counts(m)`: by member m, or after the loop. Destruction is trivial: the caller just reuses the memory.
template <class S>
concept schedule = std::is_trivially_destructible_v<S> && requires(S& s, const S& c, const shape& loop, member m) {
  { S::about } -> std::convertible_to<const traits&>;
  { S::bytes(loop) } -> std::same_as<std::size_t>;
  { s.next(m) } -> std::same_as<step>;
  { c.remaining(m) } -> std::same_as<std::uint64_t>;
  { c.counts(m) } -> std::same_as<tally>;
};

/// Where code outside claims from a range as sync::open_range::claim does; nullptr where there are no such places.
struct claim_words {
  volatile std::uint64_t* head;
  const volatile std::uint64_t* end;
};

/// What a schedule whose members share open ranges offers to a front end that runs them (`front_end_abilities::open`).
///
/// By the member itself:
/// - `words(m)`, `at(m)`: its range, and where it stands;
/// - `claim(m, count)`: the next iterations, count 0: used up, call `next`;
/// - `claim_slowly(m, wanted)`: what a claim by the words comes to when it met the end;
/// - `answer(m)`: answers who asks m; also in a signal handler on its thread;
/// - `leave(m)`: m runs nothing more, whatever it has; a destructor. Later calls of `next(m)` return done.
///
/// After `next(thief)` returned `ask`: `ring` or `take` (sync/open_range.md), then `sleep` or other work until `is_answered`.
struct sharing_operations {
  claim_words (*words)(void* state, member);
  std::uint64_t (*at)(void* state, member);
  sync::piece (*claim)(void* state, member, std::uint64_t count);
  sync::piece (*claim_slowly)(void* state, member, sync::piece wanted);
  void (*answer)(void* state, member);
  void (*leave)(void* state, member);
  void (*ring)(void* state, member victim);
  void (*take)(void* state, member thief, member victim);
  bool (*is_answered)(void* state, member thief);
  void (*sleep)(void* state, member thief);
};

/// What a schedule offers that goes by what chunks take; a front end without clocks leaves all of it out. `completed`: by member m,
/// between two calls of `next(m)`, of a chunk that was run whole. `learnt`: after the loop, for the next instance. `always`: it goes by
/// them within the loop; else it is told of some instances (loop_record::is_due).
struct feedback_operations {
  void (*completed)(void* state, member, const step& chunk, chunk_time took);
  void (*learnt)(const void* state, loop_record& into);
  bool always;
};

/// A schedule behind one indirect call per chunk: a row of the registry.
struct operations {
  traits about;
  std::size_t (*bytes)(const shape&);
  void (*open)(void* memory, const shape&);
  step (*next)(void* state, member);
  std::uint64_t (*remaining)(const void* state, member);
  tally (*counts)(const void* state, member);
  const sharing_operations* open_ranges = nullptr;  ///< nullptr: no open ranges
  /// nullptr where the schedule does not ask about costs: then what remains is so many iterations.
  double (*remaining_work)(const void* state, member) = nullptr;
  const feedback_operations* feedback = nullptr;  ///< nullptr: what chunks take is all the same to it
};

template <class S>
concept sharing_schedule = requires(S& s, member m) {
  s.range_of(m);
};

template <class S>
inline constexpr const sharing_operations* sharing_of = nullptr;

template <sharing_schedule S>
inline constexpr sharing_operations sharing_row{
    [](void* state, member m) -> claim_words {
      auto& range = static_cast<S*>(state)->range_of(m);
      if constexpr (requires { range.head().location(); }) return {range.head().location(), range.end().location()};
      return {};
    },
    [](void* state, member m) { return static_cast<S*>(state)->range_of(m).at(); },
    [](void* state, member m, std::uint64_t count) { return static_cast<S*>(state)->claim(m, count); },
    [](void* state, member m, sync::piece wanted) { return static_cast<S*>(state)->claim_slowly(m, wanted); },
    [](void* state, member m) { static_cast<S*>(state)->answer(m); },
    [](void* state, member m) { static_cast<S*>(state)->leave(m); },
    [](void* state, member victim) {
      auto& range = static_cast<S*>(state)->range_of(victim);
      range.ring(range);
    },
    [](void* state, member thief, member victim) {
      auto& ranges = *static_cast<S*>(state);
      ranges.range_of(thief).take(ranges.range_of(victim), ranges);
    },
    [](void* state, member thief) { return static_cast<S*>(state)->range_of(thief).is_answered(); },
    [](void* state, member thief) { static_cast<S*>(state)->range_of(thief).sleep(); },
};

template <sharing_schedule S>
inline constexpr const sharing_operations* sharing_of<S> = &sharing_row<S>;

template <class S>
inline constexpr const feedback_operations* feedback_of = nullptr;
template <class S>
inline constexpr feedback_operations feedback_row{
    [](void* state, member m, const step& done, chunk_time took) { static_cast<S*>(state)->completed(m, done, took); },
    [](const void* state, loop_record& into) { static_cast<const S*>(state)->learnt(into); },
    S::adapts,
};
template <class S>
requires requires { S::adapts; }
inline constexpr const feedback_operations* feedback_of<S> = &feedback_row<S>;

/// `operations::remaining_work` of schedule S.
template <schedule S>
constexpr auto remaining_work_of() noexcept -> decltype(operations::remaining_work) {
  if constexpr (requires(const S& c, member m) { c.remaining_work(m); }) {
    return [](const void* state, member m) { return static_cast<const S*>(state)->remaining_work(m); };
  } else {
    return nullptr;
  }
}

/// The row of schedule S, e.g. `operations_of<guided<sync::real>>`.
template <schedule S>
inline constexpr operations operations_of{
    S::about,
    [](const shape& loop) { return S::bytes(loop); },
    [](void* memory, const shape& loop) {
      STEELYARD_ASSERT(is_valid(loop), "contract.hpp: a loop has 1 to max_members members");
      STEELYARD_ASSERT(reinterpret_cast<std::uintptr_t>(memory) % support::line_size == 0,
                       "contract.hpp: the state's memory is aligned to a line");
      ::new (memory) S(loop);
    },
    [](void* state, member m) { return static_cast<S*>(state)->next(m); },
    [](const void* state, member m) { return static_cast<const S*>(state)->remaining(m); },
    [](const void* state, member m) { return static_cast<const S*>(state)->counts(m); },
    sharing_of<S>,
    remaining_work_of<S>(),
    feedback_of<S>,
};

}  // namespace steelyard::schedules
