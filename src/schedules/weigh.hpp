// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "schedules/contract.hpp"
#include "schedules/range.hpp"

/// What a range of positions weighs when members are compared and ranges are cut.
///
/// - `of(r)`: the larger, the more worth asking; 0 for an empty range only, below `preferred`.
/// - `reaches(r, least)`: whether r holds at least that many units, or as much as so many units are on average.
/// - `equal()`: everything is known to cost the same, so there is nothing to balance.
/// - `knows_costs`: whether it has `has_costs()` and `work_of(r)` too.
namespace steelyard::schedules::weigh {

/// Above every weight: added to one, it makes it preferred to all without.
inline constexpr std::uint64_t preferred = std::uint64_t{1} << 63;

/// As many as it has units.
struct units {
  static constexpr bool knows_costs = false;

  template <class Deal>
  constexpr units(const shape&, const Deal&) noexcept {}

  [[nodiscard]] static constexpr std::uint64_t of(range r) noexcept { return r.size(); }
  [[nodiscard]] static constexpr bool reaches(range r, std::uint32_t least) noexcept { return r.size() >= least; }
  [[nodiscard]] static constexpr bool equal() noexcept { return false; }
};

/// The work of its units (Mishra & Nandivada 2023, section 3.4); without costs, or where all of them are 0, as `units`.
/// A weight is a whole number of 2^-62 of the loop's work, so that comparing two costs no more than comparing counts.
///
/// Whatever numbers the sums hold, what this returns keeps the promises above: bad sums are no danger.
class work {
 public:
  static constexpr bool knows_costs = true;

  template <class Deal>
  work(const shape& loop, const Deal& deal) noexcept : equal_(loop.equal_costs), halves_(loop.halves) {
    const double total = loop.sums != nullptr ? loop.sums[deal.positions()] : 0;
    const double scale = full / total;
    // Not so for NaN and infinity, nor where the total is so small that the quotient is infinite.
    const bool usable = total > 0 && scale > 0 && scale <= std::numeric_limits<double>::max();
    if (!usable) return;
    sums_ = loop.sums;
    scale_ = scale;
    mean_ = total / deal.unit.count();
  }

  [[nodiscard]] std::uint64_t of(range r) const noexcept {
    if (sums_ == nullptr) return r.size();
    if (r.empty()) return 0;
    const double weight = work_of(r) * scale_;
    // What costs nothing has still to be run. Right for NaN too.
    return weight >= 1 ? static_cast<std::uint64_t>(std::min(weight, full)) : 1;
  }

  [[nodiscard]] bool reaches(range r, std::uint32_t least) const noexcept {
    if (sums_ == nullptr) return r.size() >= least;
    return !r.empty() && work_of(r) >= mean_ * least;
  }

  [[nodiscard]] bool equal() const noexcept { return equal_; }
  [[nodiscard]] bool has_costs() const noexcept { return sums_ != nullptr; }

  /// In the unit of the costs; only if `has_costs()`.
  [[nodiscard]] double work_of(range r) const noexcept { return sums_[r.end()] - sums_[r.begin()]; }

  /// The first position behind r.begin() with at least half of the work of r before it; r.end() at the latest. Where
  /// costs say nothing, or are not to be asked, the same of its units, rounded up. O(log of r's units), but for `scan`.
  [[nodiscard]] std::uint32_t half_way(range r) const noexcept {
    if (sums_ == nullptr || halves_ == halving::iterations || !(work_of(r) > 0)) return r.end() - r.size() / 2;
    const double half = sums_[r.begin()] + work_of(r) / 2;
    const auto* const first = sums_ + r.begin() + 1;
    const auto* const last = sums_ + r.end();
    const auto* const found = halves_ == halving::scan ? std::find_if(first, last, [=](double s) { return s >= half; })
                                                       : std::lower_bound(first, last, half);
    return static_cast<std::uint32_t>(found - sums_);
  }

 private:
  static constexpr double full = 0x1.0p62;

  const double* sums_ = nullptr;  ///< nullptr: as without costs
  double scale_ = 0;              ///< of work to weights
  double mean_ = 0;               ///< work of a unit
  bool equal_;
  halving halves_;
};

}  // namespace steelyard::schedules::weigh
