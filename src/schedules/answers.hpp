// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "schedules/draw.hpp"
#include "schedules/range.hpp"

namespace steelyard::schedules {

/// So many members can all be asked, and the fullest is found. Among more thieves look around for some of them (hints.hpp). Where it is known how long iterations take
/// members say, too, when what they have left is not worth a theft, so hints are worth it sooner.
inline constexpr std::uint32_t few_members = 32;
inline constexpr std::uint32_t few_when_known = 12;

constexpr bool are_few(const shape& loop) noexcept {
  return loop.members <= (loop.known.grain != 0 ? few_when_known : few_members);
}

}  // namespace steelyard::schedules

/// Answers of the stealing schedules to the questions Take, Ask and Split. All count in units of the loop; what costs
/// change is asked of the schedule's `weigh` (weigh.hpp).

/// Take: how much a member takes for itself at once.
///
/// - `reservation(loop)`: the least it takes, in iterations.
/// - `(loop, unit)`: of that loop, whose units are those.
/// - `operator()(left, taken, weigh)`: how many of `left` > 0 units; `taken` of the range it has taken before.
/// - `looks_back`: whether `taken` matters.
namespace steelyard::schedules::take {

/// The chunk parameter, 1 by default.
struct chunk {
  static constexpr bool looks_back = false;
  static constexpr std::uint64_t reservation(const shape& loop) noexcept { return loop.chunk != 0 ? loop.chunk : 1; }
  constexpr chunk(const shape& loop, const units& unit) noexcept : least(unit.holding(reservation(loop))) {}
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t, const Weigh&) const noexcept {
    return std::min(left, least);
  }
  std::uint32_t least;
};

/// One, whatever it is.
struct one {
  static constexpr bool looks_back = false;
  static constexpr std::uint64_t reservation(const shape&) noexcept { return 1; }
  constexpr one(const shape&, const units&) noexcept {}
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t, std::uint32_t, const Weigh&) const noexcept {
    return 1;
  }
};

/// A fifth of what is left, so that thieves find enough and the steps are small at the end; no more than half of what the
/// member has already taken of this range, so that it feels its way into iterations it knows nothing about.
/// docs/decisions/003 has the figures.
template <class Number>
constexpr Number next_step(Number left, Number taken) noexcept {
  return std::min(left / 5, taken / 2);
}

/// The next step, at least `reservation`. Among many members never more than a small part of a share: who takes much at once, before
/// anybody has asked, may be the one that all wait for, since thieves do not see everybody. What the front end knows lifts the steps faster,
/// from an eighth of `grain` to that as they double, and bounds them, unless a chunk was asked for.
class growing {
 public:
  constexpr growing(const shape& loop, const units& unit, std::uint64_t reservation) noexcept
      : least_(unit.holding(reservation)) {
    if (loop.chunk != 0) return;
    if (!are_few(loop)) most_ = std::max(unit.holding(loop.iterations / loop.members / 32), least_);
    if (loop.known.grain != 0) grain_ = unit.holding(loop.known.grain);
    most_at_once_ = most_ = std::max(most_, grain_);
    if (loop.known.most_at_once == 0) return;
    most_at_once_ = std::max({unit.holding(loop.known.most_at_once), grain_, least_});
    most_ = std::min(most_, most_at_once_);
  }
  [[nodiscard]] constexpr std::uint32_t of(std::uint32_t left, std::uint32_t taken) const noexcept {
    const auto doubled = std::min(std::max(taken, grain_ / 8), grain_);
    return std::min(left, std::clamp(next_step(left, taken), std::max(doubled, least_), most_));
  }
  /// Where it is known what a unit costs nobody has to feel its way: a third of what is left, or as many as are worth handing out. So who
  /// is a third as fast as all others does not keep them waiting.
  [[nodiscard]] constexpr std::uint32_t of_known(std::uint32_t left, std::uint32_t unit_cost) const noexcept {
    const auto worth_it = std::uint64_t{std::max(grain_, least_)} * mean_unit_cost;
    const auto third = std::uint64_t{left / 3};
    const auto n = third * unit_cost < worth_it ? ceil_div<std::uint64_t>(worth_it, unit_cost) : third;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(left, n));
  }
  /// The same where all units cost about the same.
  [[nodiscard]] constexpr std::uint32_t third_of(std::uint32_t left) const noexcept {
    return std::min(left, std::clamp(left / 3, std::max(grain_, least_), most_at_once_));
  }
  [[nodiscard]] constexpr std::uint32_t least() const noexcept { return least_; }

 private:
  std::uint32_t least_;
  std::uint32_t grain_ = 0;
  std::uint32_t most_ = units::most;
  std::uint32_t most_at_once_ = units::most;  ///< the same, of what costs alike
};

/// Growing, from the chunk parameter; less gradual where costs are known.
struct gradual {
  static constexpr bool looks_back = true;
  static constexpr std::uint64_t reservation(const shape& loop) noexcept { return chunk::reservation(loop); }
  constexpr gradual(const shape& loop, const units& unit) noexcept : size(loop, unit, reservation(loop)) {}
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t taken, const Weigh&) const noexcept {
    return size.of(left, taken);
  }
  [[nodiscard]] constexpr std::uint32_t of_known(std::uint32_t left, std::uint32_t unit_cost) const noexcept {
    return size.of_known(left, unit_cost);
  }
  growing size;
};

/// A third of what is left, within the same bounds: where it is known that no part of a share is much dearer than others.
struct third {
  static constexpr bool looks_back = false;
  static constexpr std::uint64_t reservation(const shape& loop) noexcept { return chunk::reservation(loop); }
  constexpr third(const shape& loop, const units& unit) noexcept : size(loop, unit, reservation(loop)) {}
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t, const Weigh&) const noexcept {
    return size.third_of(left);
  }
  growing size;
};

/// The chunk parameter; without one the fourth root of the total work in units of the mean iteration, which is N whatever
/// the iterations cost (Mishra & Nandivada 2023, section 5). Of front ends that want contiguous steps growing from that:
/// handing out a few cheap iterations takes as long as they do (docs/decisions/007).
struct fourth_root_of_work {
  static constexpr bool looks_back = true;
  static constexpr std::uint64_t reservation(const shape& loop) noexcept {
    return loop.chunk != 0 ? loop.chunk : std::max(std::uint64_t{1}, fourth_root(loop.iterations));
  }
  constexpr fourth_root_of_work(const shape& loop, const units& unit) noexcept
      : size(loop, unit, reservation(loop)), grows(loop.front_end.contiguous && loop.chunk == 0) {}
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t taken, const Weigh&) const noexcept {
    return grows ? size.of(left, taken) : std::min(left, size.least());
  }
  growing size;
  bool grows;
};

/// The same, but all at once where every iteration is known to cost the same.
struct fourth_root_or_all : fourth_root_of_work {
  using fourth_root_of_work::fourth_root_of_work;
  template <class Weigh>
  constexpr std::uint32_t operator()(std::uint32_t left, std::uint32_t taken, const Weigh& weigh) const noexcept {
    return weigh.equal() ? left : fourth_root_of_work::operator()(left, taken, weigh);
  }
};

}  // namespace steelyard::schedules::take

/// Ask: whom an empty member turns to.
///
/// - `least_left`: a member with less left than so many units, or the work of so many on average, is not worth asking,
///   unless it has not arrived; above 1 it is the default of `experiment_switches::least_left`.
/// - `avoids_busy`: thieves announce whom they ask, and prefer a victim whom nobody else asks just now.
/// - `asks_all(loop)`: of so few members. Else it is found by hints (hints.hpp), so many to a line (`hints_in_line`), with a copy of the lines at the top for so many
///   (`readers_of_copy`). Up to `few` members only thieves say that lines are empty. `wants_most` says whether a victim is to have much.
/// - `choose(thief, members, draws, worth)`: the victim, or the thief itself when nobody is worth asking;
///   `worth(v)` is 0 for a member not worth asking, else the larger the better. `draws` is the thief's random state.
namespace steelyard::schedules::ask {

struct many {
  static constexpr bool asks_all(const shape& loop) noexcept { return are_few(loop); }
  static constexpr std::uint32_t hints_in_line = 4;  // a line is written by all of whom it tells
  static constexpr std::uint32_t readers_of_copy = 32;
  static constexpr std::uint32_t few = 128;
};

constexpr member after(member m, std::uint32_t members) noexcept { return m + 1 == members ? 0 : m + 1; }

/// A random member, then the others in turn, each once.
template <std::uint32_t Least>
struct random : many {
  static constexpr bool wants_most = false;
  static constexpr std::uint32_t least_left = Least;
  static constexpr bool avoids_busy = false;

  template <class Worth>
  static member choose(member thief, std::uint32_t members, std::uint64_t& draws, const Worth& worth) noexcept {
    if (members == 1) return thief;
    const auto skip = static_cast<std::uint32_t>((draw(draws) >> 32) * (members - 1) >> 32);
    auto victim = (thief + 1 + skip) % members;
    for (std::uint32_t asked = 1; asked < members; ++asked) {
      if (worth(victim) != 0) return victim;
      victim = after(victim, members);
      if (victim == thief) victim = after(victim, members);
    }
    return thief;
  }
};

/// The next member, then the others in turn.
template <std::uint32_t Least>
struct next : many {
  static constexpr bool wants_most = false;
  static constexpr std::uint32_t least_left = Least;
  static constexpr bool avoids_busy = false;

  template <class Worth>
  static member choose(member thief, std::uint32_t members, std::uint64_t&, const Worth& worth) noexcept {
    auto victim = after(thief, members);
    while (victim != thief && worth(victim) == 0) victim = after(victim, members);
    return victim;
  }
};

/// The member with most left, iterations or work as the schedule weighs; among equals the first behind the thief, so
/// that thieves spread.
template <std::uint32_t Least, bool AvoidsBusy = false>
struct fullest : many {
  static constexpr bool wants_most = true;
  static constexpr std::uint32_t least_left = Least;
  static constexpr bool avoids_busy = AvoidsBusy;

  template <class Worth>
  static member choose(member thief, std::uint32_t members, std::uint64_t&, const Worth& worth) noexcept {
    auto best = thief;
    std::uint64_t most = 0;
    for (auto v = after(thief, members); v != thief; v = after(v, members)) {
      if (const auto found = worth(v); found > most) {
        most = found;
        best = v;
      }
    }
    return best;
  }
};

}  // namespace steelyard::schedules::ask

/// Split: how many units of a victim's range `theirs`, which is not empty, the thief gets; at least 1.
namespace steelyard::schedules::split {

/// Half, rounded up: a single waiting iteration can be taken.
struct upper_half {
  template <class Weigh>
  static constexpr std::uint32_t of(range theirs, const Weigh&) noexcept {
    return theirs.size() - theirs.size() / 2;
  }
};

/// Half, rounded down (Mishra & Nandivada 2023, section 3.5: the victim keeps y - y/2).
struct lower_half {
  template <class Weigh>
  static constexpr std::uint32_t of(range theirs, const Weigh&) noexcept {
    return std::max(theirs.size() / 2, 1U);
  }
};

/// A quarter; one where there are no more than 7.
struct quarter {
  template <class Weigh>
  static constexpr std::uint32_t of(range theirs, const Weigh&) noexcept {
    return theirs.size() > 7 ? theirs.size() / 4 : 1;
  }
};

/// The last one.
struct last {
  template <class Weigh>
  static constexpr std::uint32_t of(range, const Weigh&) noexcept {
    return 1;
  }
};

/// The tail behind half of the work, so at most half of it (Mishra & Nandivada 2023, section 3.5 and Opt4); lower_half
/// where costs say nothing. It is at least one unit, so it is more than half where the last one alone is.
struct lower_half_of_work {
  template <class Weigh>
  static constexpr std::uint32_t of(range theirs, const Weigh& weigh) noexcept {
    return std::max(theirs.end() - weigh.half_way(theirs), 1U);
  }
};

}  // namespace steelyard::schedules::split
