// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_sums.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>

#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

using deal_rule = wsrw_rules::deal;

constexpr std::uint64_t most_at_once = 2048;  // 16 KiB of stack
constexpr double parts_of_share = 64;         // an iteration that costs less need not come first

deal_rule deal_of(const shape& loop) noexcept { return {loop, wsrw_rules::take::reservation(loop)}; }

/// The costs of iterations first …, as the source has them.
struct block {
  std::uint64_t first;
  std::span<const double> costs;
};

/// List after list, so that what is written is contiguous: with lists a power of two apart, one iteration after the
/// other would be a cache miss each.
void scatter_strided(const deal_rule& deal, std::uint32_t members, const block& read, double* sums) {
  for (std::uint64_t list = 0; list < std::min<std::uint64_t>(members, read.costs.size()); ++list) {
    auto* into = sums + deal.position(static_cast<std::uint32_t>(read.first + list)) + 1;
    for (auto i = list; i < read.costs.size(); i += members) *into++ = read.costs[i];
  }
}

/// One block of the deal after the other; a unit may be many iterations.
void scatter_blocks(const deal_rule& deal, const block& read, double* sums) {
  const auto shift = deal.unit.shift();
  for (std::uint64_t i = 0; i < read.costs.size();) {
    const auto iteration = read.first + i;
    const auto unit = static_cast<std::uint32_t>(iteration >> shift);
    const auto behind = (std::uint64_t{unit} - unit % deal.block() + deal.block()) << shift;  // the deal's block
    const auto end = std::min<std::uint64_t>(read.costs.size(), i + (behind - iteration));
    auto* into = sums + deal.position(unit) + 1;
    if (shift == 0) {
      for (; i < end; ++i) *into++ = read.costs[i];
    } else {
      for (; i < end; ++i) into[((read.first + i) >> shift) - unit] += read.costs[i];
    }
  }
}

/// What there is to know of all costs at once.
class costs_read {
 public:
  void add(std::span<const double> costs) noexcept {
    if (first_ < 0) first_ = costs.front();
    equal_ = equal_ && std::all_of(costs.begin(), costs.end(), [this](double cost) { return cost == first_; });
    std::size_t i = 0;
    for (; i + 4 <= costs.size(); i += 4) {  // four at a time, for a comparison waits for the one before
      for (std::size_t k = 0; k < 4; ++k) most_[k] = std::max(most_[k], costs[i + k]);
    }
    for (; i < costs.size(); ++i) most_[0] = std::max(most_[0], costs[i]);
  }
  [[nodiscard]] bool equal() const noexcept { return equal_; }
  [[nodiscard]] double most() const noexcept { return *std::max_element(most_, most_ + 4); }

 private:
  double first_ = -1;  ///< none yet
  bool equal_ = true;
  double most_[4] = {};
};

/// The cost of each iteration into sums[position + 1]; where a position is many iterations, added to what is there.
costs_read scatter(const shape& loop, const deal_rule& deal, const cost::source& each, double* sums) {
  double costs[most_at_once];
  costs_read all;
  for (std::uint64_t first = 0; first < loop.iterations;) {
    const auto count = std::min(most_at_once, loop.iterations - first);
    each.read(first, count, costs);
    std::transform(costs, costs + count, costs, cost::valid);
    const block read{first, {costs, count}};
    all.add(read.costs);
    if (deal.strided()) {
      scatter_strided(deal, loop.members, read, sums);
    } else {
      scatter_blocks(deal, read, sums);
    }
    first += count;
  }
  return all;
}

/// Makes numbers that are not negative sums of all up to each; four at a time, for an addition waits for the one before. Such
/// sums never descend, rounded or not.
void add_up(double* values, std::uint64_t count) noexcept {
  double all = 0;
  std::uint64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double two = values[i] + values[i + 1];
    const double three = two + values[i + 2];
    const double four = two + (values[i + 2] + values[i + 3]);
    values[i] += all;
    values[i + 1] = all + two;
    values[i + 2] = all + three;
    all = values[i + 3] = all + four;
  }
  for (; i < count; ++i) all = values[i] += all;
}

}  // namespace

std::uint64_t work_sums::size_for(const shape& loop) noexcept {
  static_assert(sizeof(double) == 2 * sizeof(std::uint32_t));
  return std::uint64_t{deal_of(loop).positions()} + 1 + (loop.dearest_first ? (loop.members + 1) / 2 : 0);
}

shape work_sums::apply(const shape& loop, const known_costs& costs) noexcept {
  auto with = loop;
  with.sums = nullptr;
  with.starts = nullptr;
  with.equal_costs = costs.equal && applied_.equal;
  if (!wants_sums(costs, applied_)) return with;
  if (loop.iterations == 0 || size_for(loop) > memory_.size()) return with;

  const key now{costs.each,   costs.version,   loop.iterations,   loop.chunk,
                loop.members, loop.contiguous, loop.dearest_first};
  if (!valid_ || now != last_ || !applied_.reuse) {
    last_found_ = make(with, costs.each);
    last_ = now;
    valid_ = true;
  }
  if (last_found_ == found::nothing) return with;
  with.sums = memory_.data();
  if (has_starts_) with.starts = starts(deal_of(loop).positions());
  with.equal_costs = last_found_ == found::equal && applied_.equal;
  return with;
}

std::uint32_t* work_sums::starts(std::uint64_t positions) const noexcept {
  return reinterpret_cast<std::uint32_t*>(memory_.data() + positions + 1);
}

/// The costs have not been added up yet. False: none is worth it.
bool work_sums::begin_with_dearest(const shape& loop, double most) noexcept {
  const auto deal = deal_of(loop);
  double* const costs = memory_.data() + 1;
  const double least = std::reduce(costs, costs + deal.positions()) / loop.members / parts_of_share;
  if (!(most >= least)) return false;
  auto* const starts = ::new (static_cast<void*>(this->starts(deal.positions()))) std::uint32_t[loop.members];
  for (member m = 0; m < loop.members; ++m) {
    const auto list = deal.share(m);
    const auto dearest = std::max_element(costs + list.begin(), costs + list.end());
    const bool is_much = !list.empty() && *dearest >= least;
    starts[m] = is_much ? static_cast<std::uint32_t>(dearest - costs) - list.begin() : 0;
    if (is_much) std::rotate(costs + list.begin(), dearest, costs + list.end());
  }
  return true;
}

work_sums::found work_sums::make(const shape& loop, const cost::source& each) noexcept {
  ++made_;
  const auto deal = deal_of(loop);
  auto* const sums = memory_.data();
  const std::uint64_t positions = deal.positions();
  sums[0] = 0;
  if (deal.unit.shift() != 0) {
    std::fill_n(sums, positions + 1, 0.0);
  } else {
    for (member m = 0; m < loop.members; ++m) {  // padding
      std::fill(sums + deal.share(m).end() + 1, sums + (m + std::uint64_t{1}) * (positions / loop.members) + 1, 0.0);
    }
  }
  const auto costs = scatter(loop, deal, each, sums);
  has_starts_ =
      loop.dearest_first && deal.unit.shift() == 0 && !costs.equal() && begin_with_dearest(loop, costs.most());
  add_up(sums + 1, positions);
  const auto total = sums[positions];
  const bool usable = total > 0 && total <= std::numeric_limits<double>::max();  // not so for NaN and infinity
  if (!usable) return found::nothing;
  return costs.equal() ? found::equal : found::different;
}

}  // namespace steelyard::schedules
