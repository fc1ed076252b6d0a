// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "schedules/arithmetic.hpp"
#include "schedules/range.hpp"

/// Deal: how the iterations are dealt out at the start, as ranges of positions, and what a range of positions means.
///
/// - `share(m)`: the range of member m; the shares of all members hold every unit of the loop exactly once. `share(m, ends)`, of a deal
///   that can: blocks that end as it says (`cost_knowledge::ends`).
/// - `cut(taken)`: takes the first piece off a taken range and returns it as a step. Never called with an empty range.
/// - `in_pieces`: whether a range may need several cuts.
/// - `iterations(r)`: how many iterations a range stands for.
/// - `positions()`: all positions are below it.
/// - `unit`: the units of the loop.
/// - `bytes(loop)`: of a deal that has a table, which its constructor gets the memory for.
namespace steelyard::schedules::deal {

/// Share m of n things in balanced blocks: the first n mod members get one more, as libgomp deals.
template <class Number>
struct block {
  Number first;
  Number count;
  constexpr block(Number n, std::uint32_t members, member m) noexcept
      : first(n / members * m + std::min<Number>(m, n % members)), count(n / members + (m < n % members ? 1 : 0)) {
    STEELYARD_ASSERT(m < members, "contract.hpp: a member's number is below their number");
    STEELYARD_ASSERT(first <= n && count <= n - first, "contract.hpp: a share lies in the loop");
  }
};

/// Writes where the block of each member ends.
constexpr void equal_ends(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) noexcept {
  for (member m = 0; m < members; ++m) {
    const block<std::uint64_t> mine(n, members, m);
    ends[m] = mine.first + mine.count;
  }
}

/// Equal contiguous blocks; a position is a unit of the loop.
class blocks {
 public:
  static constexpr bool in_pieces = false;

  constexpr blocks(const shape& loop, std::uint64_t) noexcept : unit(loop.iterations), members_(loop.members) {}

  [[nodiscard]] constexpr range share(member m) const noexcept {
    const block<std::uint32_t> mine(unit.count(), members_, m);
    return {mine.first, mine.first + mine.count};
  }

  constexpr step cut(range& taken) const noexcept {
    const auto all = std::exchange(taken, {});
    return unit.run(all.begin(), all.size());
  }

  [[nodiscard]] constexpr std::uint64_t iterations(range r) const noexcept {
    return unit.iterations(r.size(), !r.empty() && r.end() == unit.count());
  }

  [[nodiscard]] constexpr std::uint32_t positions() const noexcept { return unit.count(); }

  units unit;

 protected:
  std::uint32_t members_;
};

/// The same, or blocks that are known to cost the same.
class shares : public blocks {
 public:
  using blocks::blocks;
  using blocks::share;

  /// Whatever is said, all of the loop is dealt, and nothing behind it.
  [[nodiscard]] constexpr range share(member m, const std::uint64_t* ends) const noexcept {
    const auto end_of = [this, ends](member which) {
      if (which + 1 == members_) return unit.count();
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(ends[which] >> unit.shift(), unit.count()));
    };
    return {m == 0 ? 0 : end_of(m - 1), end_of(m)};
  }
};

/// What a member has as the loop begins.
template <class Deal>
[[nodiscard]] constexpr range first_share(const Deal& deal, member m, const cost_knowledge& known) noexcept {
  if constexpr (requires { deal.share(m, known.ends); }) {
    if (known.ends != nullptr) return deal.share(m, known.ends);
  }
  return deal.share(m);
}

/// Block-cyclic: block i to member i mod P. The list <owner, x, y> of COWS (Mishra & Nandivada 2023, section 3.1) as an
/// interval: the list of owner j occupies positions j·L … j·L + len_j - 1, L the longest list, so
/// owner = position / L and x = position mod L, and one word holds the tuple.
///
/// A list may begin in its middle, at `starts[owner]`, and ends before that then (not where a unit is more than one iteration).
///
/// Blocks are one iteration and a range is one step of stride P. For a front end that wants contiguous steps, and for
/// loops beyond 32 bits, a range is handed out in pieces: blocks are one reservation, and where neighbours are to stay together
/// and nobody has said a chunk, at least the fourth part of a member's share.
class cyclic {
 public:
  static constexpr bool in_pieces = true;
  static constexpr std::uint64_t blocks_of_share = 4;  ///< at most, see above

  constexpr cyclic(const shape& loop, std::uint64_t reservation) noexcept
      : cyclic(loop, reservation, units::smallest_shift(loop.iterations)) {}

  [[nodiscard]] constexpr range share(member m) const noexcept {
    const auto begin = m * longest_;
    const auto full = (blocks_ / members_ + (m < blocks_ % members_ ? 1 : 0)) * block_;
    const bool has_last = blocks_ != 0 && m == (blocks_ - 1) % members_;
    return {begin, begin + full - (has_last ? blocks_ * block_ - unit.count() : 0)};
  }

  constexpr step cut(range& taken) const noexcept {
    STEELYARD_ASSERT(!taken.empty() && taken.end() <= positions(), "deal.hpp: what is cut is some of the deal");
    const auto list = owner(taken.begin());
    const auto first = unit_at(list, taken.begin());
    const auto n = strided_ ? before_its_start(list, taken) : neighbours(list, taken);
    taken = taken.without_front(n);
    if (strided_) return {first, n, members_};
    return unit.run(static_cast<std::uint32_t>(first), n);
  }

  [[nodiscard]] constexpr std::uint64_t iterations(range r) const noexcept {
    return unit.iterations(r.size(), !r.empty() && r.end() == last_);
  }

  /// Those of padding included.
  [[nodiscard]] constexpr std::uint32_t positions() const noexcept { return longest_ * members_; }

  /// Where a unit of the loop is: what `cut` undoes.
  [[nodiscard]] constexpr std::uint32_t position(std::uint32_t of) const noexcept {
    const auto block = of / block_;
    const auto list = block % members_;
    const auto x = block / members_ * block_ + of % block_;
    const auto start = start_of(list);
    return list * longest_ + (x >= start ? x - start : x + share(list).size() - start);
  }

  /// How many positions each list has, padding included.
  [[nodiscard]] constexpr std::uint32_t longest() const noexcept { return longest_; }
  /// How many of the list's units come before that at a position in the loop.
  [[nodiscard]] constexpr std::uint32_t in_loop_order(std::uint32_t owner, std::uint32_t position) const noexcept {
    const auto x = position - owner * longest_;
    if (starts_ == nullptr) return x;
    const auto to_end = share(owner).size() - starts_[owner];
    return x < to_end ? x + starts_[owner] : x - to_end;
  }

  /// In whose list a position is.
  [[nodiscard]] constexpr std::uint32_t owner(std::uint32_t position) const noexcept {
    return longest_.quotient(position);
  }
  /// How many units of the loop come before this position of that list, which may be its end. This and the next where lists
  /// begin at their beginning.
  [[nodiscard]] constexpr std::uint32_t units_before(std::uint32_t owner, std::uint32_t position) const noexcept {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(unit_at(owner, position), unit.count()));
  }
  /// The first position of that list with so many units of the loop before it.
  [[nodiscard]] constexpr std::uint32_t first_behind(std::uint32_t owner, std::uint32_t before) const noexcept {
    const auto round = std::uint64_t{members_} * block_;
    const auto into = static_cast<std::int64_t>(before % round) - static_cast<std::int64_t>(owner) * block_;
    const auto x = before / round * block_ + static_cast<std::uint64_t>(std::clamp<std::int64_t>(into, 0, block_));
    return static_cast<std::uint32_t>(std::uint64_t{owner} * longest_ + std::min<std::uint64_t>(x, longest_));
  }

  /// How many of a range that is not empty follow each other in the loop, too.
  [[nodiscard]] constexpr std::uint32_t neighbours(std::uint32_t owner, range r) const noexcept {
    return std::min(before_its_start(owner, r), block_ - block_.remainder(in_loop_order(owner, r.begin())));
  }

  /// Units that follow each other both in the loop and in a list.
  [[nodiscard]] constexpr std::uint32_t block() const noexcept { return block_; }
  /// A unit is one iteration, and a list holds each P-th.
  [[nodiscard]] constexpr bool strided() const noexcept { return strided_; }

  units unit;

 private:
  [[nodiscard]] constexpr std::uint32_t start_of(std::uint32_t owner) const noexcept {
    return starts_ != nullptr ? starts_[owner] : 0;
  }
  /// How many of a range that is not empty come before the list goes on at its first unit in the loop.
  [[nodiscard]] constexpr std::uint32_t before_its_start(std::uint32_t owner, range r) const noexcept {
    if (starts_ == nullptr) return r.size();
    const auto wraps = owner * longest_ + share(owner).size() - starts_[owner];
    return r.begin() < wraps ? std::min(r.size(), wraps - r.begin()) : r.size();
  }

  /// The unit of the loop at a position of that list; at the list's end it may lie behind the loop.
  [[nodiscard]] constexpr std::uint64_t unit_at(std::uint32_t owner, std::uint32_t position) const noexcept {
    const auto x = in_loop_order(owner, position);
    return (std::uint64_t{block_.quotient(x)} * members_ + owner) * block_ + block_.remainder(x);
  }

  /// Tries k upwards from one with which the loop itself fits: the lists of all members, padded to L, must fit too.
  constexpr cyclic(const shape& loop, std::uint64_t reservation, unsigned shift) noexcept
      : unit(loop.iterations, shift), members_(loop.members) {
    for (;; unit = units(loop.iterations, ++shift)) {
      strided_ = !loop.front_end.contiguous && shift == 0;
      // A larger block would leave members without a share.
      const auto block = loop.front_end.contiguous && loop.chunk == 0
                             ? std::max(reservation, loop.iterations / members_ / blocks_of_share)
                             : reservation;
      block_ = divisor(strided_ ? 1 : std::clamp(ceil_div(unit.count(), members_), 1U, unit.holding(block)));
      blocks_ = ceil_div<std::uint32_t>(unit.count(), block_);
      const auto longest = std::uint64_t{ceil_div(blocks_, members_)} * block_;
      longest_ = divisor(static_cast<std::uint32_t>(std::max<std::uint64_t>(longest, 1)));
      if (longest <= units::most / members_) break;
    }
    last_ = blocks_ != 0 ? share((blocks_ - 1) % members_).end() : 0;
    if (shift == 0) starts_ = loop.known.starts;
  }

  std::uint32_t members_;
  bool strided_ = false;      ///< a range is one step of stride P
  divisor block_{1};          ///< units per block
  std::uint32_t blocks_ = 0;  ///< in the whole loop; the last may be short
  divisor longest_{1};        ///< L, in units
  std::uint32_t last_ = 0;    ///< the position behind the loop's last unit, where lists begin at their beginning
  const std::uint32_t* starts_ = nullptr;
};

}  // namespace steelyard::schedules::deal
