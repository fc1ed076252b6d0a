// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/answers.hpp"
#include "schedules/deal.hpp"
#include "schedules/hints.hpp"
#include "schedules/seats.hpp"
#include "schedules/stealing_seat.hpp"
#include "schedules/weigh.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// The mechanism that all stealing schedules share; the protocol, its invariants and why every access is relaxed are in
/// steal.md. A schedule is the answers it is given:
///
/// - `about`: what users see;
/// - `weigh` (weigh.hpp): what a range counts for: its units, or the work they are known to be;
/// - `deal` (deal.hpp), `take`, `ask`, `split` (answers.hpp).
///
/// Deliver: the thief, by compare-and-swap. One read-modify-write per chunk, no fence.
template <class Sync, class Rules>
class alignas(support::line_size) stealing {
  using weigh_rule = typename Rules::weigh;
  using deal_rule = typename Rules::deal;
  using take_rule = typename Rules::take;
  using ask_rule = typename Rules::ask;
  using split_rule = typename Rules::split;

 public:
  static constexpr const traits& about = Rules::about;

  static std::size_t bytes(const shape& loop) noexcept {
    if constexpr (has_table) return before_table(loop) + deal_rule::bytes(loop);
    return before_table(loop);
  }

  explicit stealing(const shape& loop) noexcept : stealing(in_its_form{loop}) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    if constexpr (deal_rule::in_pieces) {
      if (!own.reserved.empty()) return deal_.cut(own.reserved);
    }
    if constexpr (has_least) announce_arrival(own);
    const auto take = [this, &own](range mine, std::uint32_t before) { return part_of(mine, before, own); };
    auto taken = by_hints_ ? take_among_many(m) : take_from_own(own, take);
    if (taken.empty()) taken = take_from_others(m);
    if (taken.empty()) return {};
    if constexpr (deal_rule::in_pieces) {
      own.reserved = taken;
      return deal_.cut(own.reserved);
    } else {
      return deal_.cut(taken);
    }
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return deal_.iterations(waiting(m)); }

  [[nodiscard]] double remaining_work(member m) const noexcept requires(weigh_rule::knows_costs) {
    const auto left = waiting(m);
    return weigh_.has_costs() ? weigh_.work_of(left) : static_cast<double>(deal_.iterations(left));
  }

  [[nodiscard]] tally counts(member m) const noexcept { return seats_[m].counts; }

 private:
  struct in_its_form {
    explicit in_its_form(shape asked) noexcept : loop(asked) {
      loop.front_end.contiguous &= !Rules::about.as_published;
    }
    shape loop;
  };

  explicit stealing(const in_its_form& of) noexcept
      : deal_(dealt(of.loop)), take_(of.loop, deal_.unit), weigh_(of.loop, deal_), least_left_(least_left(of.loop)),
        little_(of.loop.known.grain != 0
                    ? 0
                    : std::max(least_left_, deal_.unit.holding(of.loop.iterations / of.loop.members / part_of_share))),
        members_(of.loop.members), by_hints_(is_large(of.loop)),
        seats_(this + 1, of.loop.members,
               [this, &of](void* place, member m) {
                 const auto share = deal::first_share(deal_, m, of.loop.known);
                 const auto cost = weigh_.unit_cost(share, deal_.unit.count() / members_);
                 ::new (place) seat(share, cost, of.loop.seed + m * seed_distance, hint_of(share, cost));
               }),
        victims_(reinterpret_cast<char*>(this) + lines::template bytes_with<stealing>(of.loop),
                 by_hints_ ? of.loop.members : 0, [this](member m) { return seats_[m].hint; }) {}

  deal_rule dealt(const shape& loop) noexcept {
    const auto reservation = take_rule::reservation(loop);
    if constexpr (has_table) {
      return deal_rule(loop, reservation, reinterpret_cast<char*>(this) + before_table(loop));
    } else {
      return deal_rule(loop, reservation);
    }
  }

  using victims = hints<Sync, ask_rule::hints_in_line, ask_rule::wants_most, ask_rule::readers_of_copy, ask_rule::few>;
  using hint_value = typename victims::value;

  using seat = stealing_seat<Sync>;
  using lines = seats<seat>;

  /// Whether the deal has memory of its own, behind all else.
  static constexpr bool has_table = requires(const shape& loop) { deal_rule::bytes(loop); };
  static std::size_t before_table(const shape& loop) noexcept {
    return lines::template bytes_with<stealing>(loop) + (is_large(loop) ? victims::bytes(loop.members) : 0);
  }

  /// Whether too many members to ask all.
  static bool is_large(const shape& loop) noexcept { return !about.as_published && !ask_rule::asks_all(loop); }

  /// What a unit of its range costs.
  [[nodiscard]] std::uint32_t cost_of(const seat& of) const noexcept {
    return weigh_.knows_shares() ? of.unit_cost.load(sync::relaxed, sync::site{"U1"}) : mean_unit_cost;
  }

  /// What a member takes at once from a range of its own, of which it has taken so many units before.
  [[nodiscard]] std::uint32_t part_of(range mine, std::uint32_t before, const seat& own) const noexcept {
    if constexpr (requires { take_.of_known(before, before); }) {
      if (weigh_.knows_shares()) return take_.of_known(mine.size(), cost_of(own));
    }
    return take_(mine.size(), before, weigh_);
  }

  [[nodiscard]] hint_value hint_of(range left, std::uint32_t cost) const noexcept {
    return victims::of(weigh_.of(left, cost));
  }

  /// By its owner, who has arrived: what it has left, where that is something else than it has said. Too little to be asked for is
  /// nothing.
  void show(member m, range left) noexcept {
    auto& own = seats_[m];
    own.half = left.size() / 2;
    const auto cost = cost_of(own);
    const bool is_nothing = !weigh_.reaches(left, cost, least_left_) || is_little(left, own, left.begin() - own.came);
    const auto now = is_nothing ? hint_value{0} : hint_of(left, cost);
    if (now == own.hint) return;
    own.hint = now;
    victims_.say(m, now, own.counts.steals != 0);
  }

  /// From its own: all that is little, else more than among few, for calls are a larger part of a small share. It says what it has
  /// left no more often than that halves, and when it is no longer worth a theft: else all who run out ask for it, one after the other.
  [[gnu::noinline]] range take_among_many(member m) noexcept {
    auto& own = seats_[m];
    const auto taken = take_from_own(own, [this, &own](range mine, std::uint32_t before) {
      return is_little(mine, own, before) ? mine.size() : part_of(mine, before + before / 2, own);
    });
    if constexpr (!has_least) announce_arrival(own);
    const auto left = range::from(own.left);
    const bool says = left.size() <= own.half || (own.hint != 0 && !weigh_.reaches(left, cost_of(own), least_left_));
    if (!taken.empty() && says) show(m, left);
    return taken;
  }

  static constexpr bool has_least = ask_rule::least_left > 1;  // else anything is enough, among few
  static constexpr std::uint32_t part_of_share = 256;          // that is little

  static constexpr std::uint64_t seed_distance = 0xd1342543de82ef95U;  // odd, so members' sequences start far apart

  [[nodiscard]] range waiting(member m) const noexcept {
    return range::from(seats_[m].waiting.load(sync::relaxed, sync::site{"S7"}));
  }

  /// Where all iterations cost the same there is nothing to balance: thieves come only for what has no owner yet. Among many members what is left is to be worth two
  /// chunks, as a theft takes longer than handing one out. Where only the mean is known it may be hubs: half a chunk is enough.
  [[nodiscard]] std::uint32_t least_left(const shape& loop) const noexcept {
    if (weigh_.equal()) return units::most;
    const auto least = loop.experiment.least_left != 0 ? loop.experiment.least_left : ask_rule::least_left;
    if (!is_large(loop)) return least;
    return std::max(least, deal_.unit.holding(weigh_.knows_shares() ? 2 * loop.known.grain : loop.known.grain / 2));
  }

  /// Only who passes over members with little left needs to know who has not come.
  static void announce_arrival(seat& own) noexcept {
    if (!own.arrived.load(sync::relaxed, sync::site{"A1"})) own.arrived.store(true, sync::relaxed, sync::site{"A2"});
  }

  /// Among many members, whether a member says that it has nothing and takes all that is left, for a theft takes longer than that: a small part
  /// of a share, and less than it has taken of this range before (else they may be the expensive ones). Equal costs: nothing is worth a theft.
  [[nodiscard]] bool is_little(range left, const seat& own, std::uint32_t taken) const noexcept {
    return weigh_.equal() || (little_ != 0 && left.size() < taken && !weigh_.reaches(left, cost_of(own), little_));
  }

  /// It tries what it remembers before it looks: its line comes once, to be written.
  template <class Take>
  range take_from_own(seat& own, const Take& take) noexcept {
    auto word = own.left;
    for (auto mine = range::from(word); !mine.empty(); mine = range::from(word)) {
      const auto n = take(mine, mine.begin() - own.came);
      STEELYARD_ASSERT(n != 0 && n <= mine.size(), "S2: 0 < n <= e-b");
      const auto rest = mine.without_front(n).word();
      if (own.waiting.compare_exchange(word, rest, sync::relaxed, sync::relaxed, sync::site{"S2"})) {
        own.left = rest;
        return mine.front(n);
      }
    }
    own.left = word;
    return {};
  }

  /// The own range is empty, so nobody but its owner writes it [I3]: a plain store puts the loot there. A function of its own,
  /// so that a profiler shows what choosing victims takes.
  [[gnu::noinline]] range take_from_others(member m) noexcept {
    auto& own = seats_[m];
    if (by_hints_) {
      show(m, {});
    }
    while (!own.finished) {
      const auto victim = choose(m);
      STEELYARD_ASSERT(victim < members_, "answers.hpp: a rule chooses a member");
      own.finished = victim == m;
      if (own.finished) break;
      ++own.counts.attempts;
      range left;
      const auto loot = ask(seats_[victim], left);
      if (by_hints_ && !is_enough(seats_[victim], left)) victims_.deny(victim);
      if (loot.empty()) continue;
      ++own.counts.steals;
      if (weigh_.knows_shares()) own.unit_cost.store(cost_of(seats_[victim]), sync::relaxed, sync::site{"U2"});
      const auto n = part_of(loot, 0, own);
      STEELYARD_ASSERT(n != 0 && n <= loot.size(), "S6: some of the loot is taken, the rest waits");
      own.left = loot.without_front(n).word();
      own.waiting.store(own.left, sync::relaxed, sync::site{"S6"});
      own.came = loot.begin();
      if (by_hints_) show(m, loot.without_front(n));
      return loot.front(n);
    }
    return {};
  }

  member choose(member thief) noexcept {
    auto& draws = seats_[thief].draws;
    if (by_hints_) return victims_.find(thief, [&draws] { return draw(draws); });
    return ask_rule::choose(thief, members_, draws, [this](member v) { return worth_asking(seats_[v]); });
  }

  /// 0: not worth asking. A victim that nobody else asks now counts for more than any that is busy.
  [[nodiscard]] std::uint64_t worth_asking(const seat& victim) const noexcept {
    const auto left = range::from(victim.waiting.load(sync::relaxed, sync::site{"S3"}));
    if (!is_enough(victim, left)) return 0;
    if constexpr (ask_rule::avoids_busy) {
      if (!victim.busy.load(sync::relaxed, sync::site{"B1"}))
        return weigh_.of(left, cost_of(victim)) + weigh::preferred;
    }
    return weigh_.of(left, cost_of(victim));
  }

  [[nodiscard]] bool is_enough(const seat& victim, range left) const noexcept {
    if (has_least || by_hints_) {
      // A member that never comes runs nothing: its share goes to others down to the last iteration.
      return weigh_.reaches(left, cost_of(victim), least_left_) ||
             (!left.empty() && !victim.arrived.load(sync::relaxed, sync::site{"A3"}));
    }
    return !left.empty();
  }

  /// `left`: what was seen of it last.
  range ask(seat& victim, range& left) noexcept {
    if (ask_rule::avoids_busy && !by_hints_) {
      const bool marked = !victim.busy.exchange(true, sync::relaxed, sync::site{"B2"});
      const auto loot = steal_from(victim, left);
      if (marked) victim.busy.store(false, sync::relaxed, sync::site{"B3"});
      return loot;
    } else {
      return steal_from(victim, left);
    }
  }

  range steal_from(seat& victim, range& left) noexcept {
    if (by_hints_) victim.waiting.will_write();
    auto word = victim.waiting.load(sync::relaxed, sync::site{"S4"});
    for (left = range::from(word); is_enough(victim, left); left = range::from(word)) {
      const auto n = split_rule::of(left, weigh_);
      STEELYARD_ASSERT(n != 0 && n <= left.size(), "S5: 0 < n <= e-b");
      if (victim.waiting.compare_exchange(word, left.without_back(n).word(), sync::relaxed, sync::relaxed,
                                          sync::site{"S5"})) {
        const auto loot = left.back(n);
        left = left.without_back(n);
        return loot;
      }
    }
    return {};
  }

  deal_rule deal_;
  take_rule take_;
  [[no_unique_address]] weigh_rule weigh_;
  std::uint32_t least_left_;  ///< of a rule that has one above 1, and of hints
  std::uint32_t little_;      ///< at least that; 0: it is known what a theft is worth
  std::uint32_t members_;
  bool by_hints_;
  lines seats_;
  victims victims_;  ///< if by hints
};

}  // namespace steelyard::schedules
