// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "schedules/contract.hpp"
#include "schedules/deal.hpp"
#include "schedules/list_groups.hpp"
#include "schedules/profile.hpp"
#include "schedules/range.hpp"

/// What a range of positions weighs when members are compared and ranges are cut.
///
/// - `of(r, unit_cost)`: the larger, the more worth asking; 0 for an empty range only, below `preferred`.
/// - `reaches(r, unit_cost, least)`: whether r holds at least that many units, or as much as so many units are on average.
/// - `unit_cost(share, mean)`: what a unit costs of a share that is dealt, where the mean share has so many. Where shares are
///   known to cost the same (`knows_shares()`) seats say so; else that is `mean_unit_cost` everywhere.
/// - `equal()`: everything is known to cost the same, so there is nothing to balance.
/// - `knows_costs`: whether it has `has_costs()` and `work_of(r)` too.
namespace steelyard::schedules::weigh {

/// Above every weight: added to one, it makes it preferred to all without.
inline constexpr std::uint64_t preferred = std::uint64_t{1} << 63;

struct no_unit_costs {
  static constexpr bool knows_shares() noexcept { return false; }
  static constexpr std::uint32_t unit_cost(range, std::uint32_t) noexcept { return mean_unit_cost; }
};

/// As many as it has units.
struct units : no_unit_costs {
  static constexpr bool knows_costs = false;

  template <class Deal>
  constexpr units(const shape&, const Deal&) noexcept {}

  [[nodiscard]] static constexpr std::uint64_t of(range r, std::uint32_t) noexcept { return r.size(); }
  [[nodiscard]] static constexpr bool reaches(range r, std::uint32_t, std::uint32_t least) noexcept {
    return r.size() >= least;
  }
  [[nodiscard]] static constexpr bool equal() noexcept { return false; }
};

/// As many as it has units where nothing is known. Where blocks are dealt that cost the same, each unit of one costs the more the fewer
/// it has.
class share {
 public:
  static constexpr bool knows_costs = false;

  template <class Deal>
  constexpr share(const shape& loop, const Deal&) noexcept : knows_shares_(loop.known.ends != nullptr) {}

  [[nodiscard]] constexpr bool knows_shares() const noexcept { return knows_shares_; }

  [[nodiscard]] constexpr std::uint32_t unit_cost(range dealt, std::uint32_t mean) const noexcept {
    if (!knows_shares_ || dealt.empty()) return mean_unit_cost;
    const auto cost = std::uint64_t{mean} * mean_unit_cost / dealt.size();
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(cost, 1, schedules::units::most));
  }
  [[nodiscard]] static constexpr std::uint64_t of(range r, std::uint32_t unit_cost) noexcept {
    return ceil_div<std::uint64_t>(std::uint64_t{r.size()} * unit_cost, mean_unit_cost);
  }
  [[nodiscard]] static constexpr bool reaches(range r, std::uint32_t unit_cost, std::uint32_t least) noexcept {
    return std::uint64_t{r.size()} * unit_cost >= std::uint64_t{least} * mean_unit_cost;
  }
  [[nodiscard]] static constexpr bool equal() noexcept { return false; }

 private:
  bool knows_shares_;
};

/// The work of its units (Mishra & Nandivada 2023, section 3.4): by the sums over its list where there are some,
/// else by a profile; without either, or where all costs are 0, as `units`. A weight is a whole number of 2^-62 of the
/// loop's work, so that comparing two costs no more than comparing counts.
///
/// Whatever numbers the sums or the profile hold, what this returns keeps the promises above: bad ones are no danger.
class work : public no_unit_costs {
 public:
  static constexpr bool knows_costs = true;

  work(const shape& loop, const deal::cyclic& deal) noexcept
      : deal_(deal), groups_(deal), equal_(loop.known.equal), halves_(loop.experiment.halves) {
    const double total = loop.known.sums != nullptr      ? loop.known.sums[groups_.of_all()]
                         : loop.known.roughly != nullptr ? loop.known.roughly->total()
                                                         : 0;
    const double scale = full / total;
    // Not so for NaN and infinity, nor where the total is so small that the quotient is infinite.
    known_ = total > 0 && scale > 0 && scale <= std::numeric_limits<double>::max();
    if (!known_) return;
    sums_ = loop.known.sums;
    profile_ = loop.known.roughly;
    members_ = loop.members;
    scale_ = scale;
    mean_ = total / deal.unit.count();
  }

  [[nodiscard]] std::uint64_t of(range r, std::uint32_t) const noexcept {
    if (!known_) return r.size();
    if (r.empty()) return 0;
    const double weight = work_of(r) * scale_;
    // What costs nothing has still to be run. Right for NaN too.
    return weight >= 1 ? static_cast<std::uint64_t>(std::min(weight, full)) : 1;
  }

  [[nodiscard]] bool reaches(range r, std::uint32_t, std::uint32_t least) const noexcept {
    if (!known_) return r.size() >= least;
    return !r.empty() && work_of(r) >= mean_ * least;
  }

  [[nodiscard]] bool equal() const noexcept { return equal_; }
  [[nodiscard]] bool has_costs() const noexcept { return known_; }

  /// In the unit of the costs; only if `has_costs()`.
  [[nodiscard]] double work_of(range r) const noexcept {
    if (sums_ == nullptr) return profiled(r);
    if (r.empty()) return 0;
    const auto at = place_of(r);
    if (at.wrapped == 0) return before(at, at.last) - before(at, at.first);
    return before(at, at.length) - before(at, at.first) + before(at, at.wrapped);
  }

  /// The first position behind r.begin() with at least half of the work of r before it; r.end() at the latest. Where
  /// costs say nothing, or are not to be asked, the same of its units, rounded up. O(log of r's units), but for `scan`.
  [[nodiscard]] std::uint32_t half_way(range r) const noexcept {
    if (!known_ || halves_ == halving::iterations || !(work_of(r) > 0)) return r.end() - r.size() / 2;
    if (sums_ == nullptr) return half_way_by_profile(r);
    const auto at = place_of(r);
    const double half = before(at, at.first) + work_of(r) / 2;
    const auto before_wrapping = at.last - at.first;
    const bool is_wrapped = at.wrapped != 0 && before(at, at.last) < half;
    const auto first = is_wrapped ? 0 : at.first;
    const auto last = is_wrapped ? at.wrapped : at.last;
    const auto found = groups_.reaching(
        at.sums, first, last, at.length, is_wrapped ? half - before(at, at.length) : half,
        [this](const double* from, const double* to, double least) {
          return halves_ == halving::scan ? std::find_if(from, to, [=](double s) { return s >= least; })
                                          : std::lower_bound(from, to, least);
        });
    return r.begin() + (is_wrapped ? before_wrapping : 0) + (found - first);
  }

 private:
  static constexpr double full = 0x1.0p62;

  /// A range that is not empty, as units of its list in the loop's order: those from `first` to `last`, and where the list begins
  /// in its middle and the range goes past its end (`last` is `length` then), the first `wrapped` of the list too.
  struct place {
    const double* sums;  ///< of the list
    std::uint32_t length;
    std::uint32_t first, last, wrapped;
  };
  [[nodiscard]] place place_of(range r) const noexcept {
    const auto owner = deal_.owner(r.begin());
    const auto length = deal_.share(owner).size();
    const auto first = deal_.in_loop_order(owner, r.begin());
    const auto last = std::min(first + r.size(), length);
    return {sums_ + groups_.of_list(owner), length, first, last, first + r.size() - last};
  }
  [[nodiscard]] double before(const place& at, std::uint32_t units) const noexcept {
    return groups_.before(at.sums, units, at.length);
  }

  /// What a profile says of a range. O(its blocks), or of so many that it does not matter: the units between its ends belong
  /// to all members in turn, each to one of them.
  static constexpr std::uint32_t few_blocks = 2 * deal::cyclic::blocks_of_share;
  [[nodiscard]] bool has_few_blocks(range r) const noexcept { return r.size() / deal_.block() <= few_blocks; }
  [[nodiscard]] double before(std::uint32_t unit) const noexcept { return profile_->before(unit, deal_.unit.count()); }

  [[nodiscard]] double profiled(range r) const noexcept {
    const auto owner = deal_.owner(r.begin());
    if (!has_few_blocks(r)) {
      return (before(deal_.units_before(owner, r.end())) - before(deal_.units_before(owner, r.begin()))) / members_;
    }
    double all = 0;
    while (!r.empty()) {
      const auto first = deal_.units_before(owner, r.begin());
      const auto n = deal_.neighbours(owner, r);
      all += before(first + n) - before(first);
      r = r.without_front(n);
    }
    return all;
  }

  [[nodiscard]] std::uint32_t half_way_by_profile(range r) const noexcept {
    const auto owner = deal_.owner(r.begin());
    const auto reaching = [this](std::uint32_t first, double more) {
      return profile_->reaching(before(first) + more, deal_.unit.count());
    };
    double half = profiled(r) / 2;
    if (!has_few_blocks(r)) {
      const auto unit = reaching(deal_.units_before(owner, r.begin()), half * members_);
      return std::clamp(deal_.first_behind(owner, unit), r.begin() + 1, r.end());
    }
    for (auto rest = r;; rest = rest.without_front(deal_.neighbours(owner, rest))) {
      const auto first = deal_.units_before(owner, rest.begin());
      const auto n = deal_.neighbours(owner, rest);
      const double of_block = before(first + n) - before(first);
      if (of_block < half && n < rest.size()) {  // sums may change while they are read; the last block ends it
        half -= of_block;
        continue;
      }
      const auto unit = std::clamp(reaching(first, half), first, first + n);
      return std::clamp(rest.begin() + (unit - first), r.begin() + 1, r.end());
    }
  }

  deal::cyclic deal_;
  list_groups groups_;
  const double* sums_ = nullptr;  ///< nullptr: by the profile
  const profile* profile_ = nullptr;
  std::uint32_t members_ = 1;
  bool known_ = false;  ///< else as without costs
  bool equal_;
  halving halves_;
  double scale_ = 0;  ///< of work to weights
  double mean_ = 0;   ///< work of a unit
};

}  // namespace steelyard::schedules::weigh
