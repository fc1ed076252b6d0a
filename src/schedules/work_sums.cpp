// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_sums.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

constexpr std::uint64_t most_at_once = 2048;  // 16 KiB of stack
constexpr double parts_of_share = 64;         // an iteration that costs less need not come first

wsrw_rules::deal deal_of(const shape& loop) noexcept { return {loop, wsrw_rules::take::reservation(loop)}; }

/// The costs of iterations first …, as the source has them.
struct block {
  std::uint64_t first;
  std::span<const double> costs;
};

/// List after list, so that what is written is contiguous: with lists a power of two apart, one iteration after the
/// other would be a cache miss each.
void scatter_strided(const deal::cyclic& deal, std::uint32_t members, const block& read, double* sums) {
  for (std::uint64_t list = 0; list < std::min<std::uint64_t>(members, read.costs.size()); ++list) {
    auto* into = sums + deal.position(static_cast<std::uint32_t>(read.first + list)) + 1;
    for (auto i = list; i < read.costs.size(); i += members) *into++ = read.costs[i];
  }
}

/// One block of the deal after the other; a unit may be many iterations.
void scatter_blocks(const deal::cyclic& deal, const block& read, double* sums) {
  const auto shift = deal.unit.shift();
  for (std::uint64_t i = 0; i < read.costs.size();) {
    const auto iteration = read.first + i;
    const auto unit = static_cast<std::uint32_t>(iteration >> shift);
    const auto behind = (std::uint64_t{unit} - unit % deal.block() + deal.block()) << shift;  // the deal's block
    const auto end = std::min<std::uint64_t>(read.costs.size(), i + (behind - iteration));
    auto* into = sums + deal.position(unit) + 1;
    if (shift == 0) {
      std::copy_n(&read.costs[i], end - i, into);
      i = end;
    } else {
      for (; i < end; ++i) into[((read.first + i) >> shift) - unit] += read.costs[i];
    }
  }
}

/// What a register of any processor holds. A comparison or an addition waits for the one before, so two pairs go side by side.
using pair = double __attribute__((vector_size(2 * sizeof(double))));
constexpr std::ptrdiff_t at_once = 4;

pair load(const double* from) noexcept {
  pair both;
  std::memcpy(&both, from, sizeof both);
  return both;
}
void store(double* to, pair both) noexcept { std::memcpy(to, &both, sizeof both); }
pair least_of(pair a, pair b) noexcept { return a < b ? a : b; }
pair most_of(pair a, pair b) noexcept { return a > b ? a : b; }

/// What there is to know of all costs at once.
class costs_read {
 public:
  /// Makes them valid first.
  void add(double* first, double* last) noexcept {
    auto [least, most, sum] = known_;
    auto [least_too, most_too, sum_too] = known_;
    sum_too = pair{};
    for (; last - first >= at_once; first += at_once) {
      const pair one = most_of(load(first), pair{});  // cost::valid
      const pair two = most_of(load(first + 2), pair{});
      store(first, one);
      store(first + 2, two);
      least = least_of(one, least);
      least_too = least_of(two, least_too);
      most = most_of(one, most);
      most_too = most_of(two, most_too);
      sum += one;
      sum_too += two;
    }
    for (; first != last; ++first) {
      *first = cost::valid(*first);
      least = least_of(pair{*first, *first}, least);
      most = most_of(pair{*first, *first}, most);
      sum += pair{*first, 0};
    }
    known_ = {least_of(least, least_too), most_of(most, most_too), sum + sum_too};
  }
  [[nodiscard]] bool equal() const noexcept { return std::min(known_.least[0], known_.least[1]) == most(); }
  [[nodiscard]] double most() const noexcept { return std::max(known_.most[0], known_.most[1]); }
  [[nodiscard]] double sum() const noexcept { return known_.sum[0] + known_.sum[1]; }

 private:
  static constexpr double above_all = std::numeric_limits<double>::infinity();
  struct {
    pair least{above_all, above_all};
    pair most{};
    pair sum{};
  } known_;
};

/// The first of the greatest; nullptr: none is above 0.
double* dearest(double* first, double* last) noexcept {
  pair one{};
  pair two{};
  double* at = first;
  for (; last - at >= at_once; at += at_once) {
    one = most_of(load(at), one);
    two = most_of(load(at + 2), two);
  }
  one = most_of(one, two);
  double most = std::max(one[0], one[1]);
  for (; at != last; ++at) most = std::max(most, *at);
  return most > 0 ? std::find(first, last, most) : nullptr;
}

void swap(double* one, double* other, std::ptrdiff_t count) noexcept {
  for (; count >= 2; count -= 2, one += 2, other += 2) {
    const pair kept = load(one);
    store(one, load(other));
    store(other, kept);
  }
  if (count != 0) std::swap(*one, *other);
}

/// std::rotate, in a third of its instructions: by swapping blocks (Gries & Mills 1981).
void rotate(double* first, double* middle, double* last) noexcept {
  while (first != middle && middle != last) {
    const auto before = middle - first;
    const auto count = std::min(before, last - middle);
    swap(first, middle, count);
    first += count;
    if (count == before) middle += count;
  }
}

/// The cost of each iteration into sums[position + 1]; where a position is many iterations, added to what is there.
costs_read scatter(const shape& loop, const deal::cyclic& deal, const cost::source& each, double* sums) {
  double costs[most_at_once];
  costs_read all;
  for (std::uint64_t first = 0; first < loop.iterations;) {
    const auto count = std::min(most_at_once, loop.iterations - first);
    each.read(first, count, costs);
    all.add(costs, costs + count);
    const block read{first, {costs, count}};
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

std::uint64_t work_sums::size_for(const shape& loop) noexcept { return size_for(loop, deal_of(loop)); }

std::uint64_t work_sums::size_for(const shape& loop, const deal::cyclic& deal) noexcept {
  static_assert(sizeof(double) == 2 * sizeof(std::uint32_t));
  return std::uint64_t{deal.positions()} + 1 + (loop.dearest_first ? (loop.members + 1) / 2 : 0);
}

work_sums::key work_sums::key_of(const shape& loop, const known_costs& costs) noexcept {
  return {costs.each, costs.version, loop.iterations, loop.chunk, loop.members, loop.contiguous, loop.dearest_first};
}

bool work_sums::would_read(const shape& loop, const known_costs& costs) const noexcept {
  return wants_sums(costs, applied_) && !(valid_ && key_of(loop, costs) == last_ && applied_.reuse);
}

shape work_sums::apply(const shape& loop, const known_costs& costs) noexcept {
  auto with = loop;
  with.sums = nullptr;
  with.starts = nullptr;
  with.equal_costs = costs.equal && applied_.equal;
  if (!wants_sums(costs, applied_)) return with;
  const auto deal = deal_of(with);
  if (loop.iterations == 0 || size_for(with, deal) > memory_.size()) return with;

  if (would_read(loop, costs)) {
    last_found_ = make(with, deal, costs.each);
    last_ = key_of(loop, costs);
    valid_ = true;
  }
  if (last_found_ == found::nothing) return with;
  with.sums = memory_.data();
  if (has_starts_) with.starts = starts(deal.positions());
  with.equal_costs = last_found_ == found::equal && applied_.equal;
  return with;
}

std::uint32_t* work_sums::starts(std::uint64_t positions) const noexcept {
  return reinterpret_cast<std::uint32_t*>(memory_.data() + positions + 1);
}

/// The costs have not been added up yet. Those below `least` may stay where they are.
void work_sums::begin_with_dearest(const shape& loop, const deal::cyclic& deal, double least) noexcept {
  double* const costs = memory_.data() + 1;
  auto* const starts = ::new (static_cast<void*>(this->starts(deal.positions()))) std::uint32_t[loop.members];
  for (member m = 0; m < loop.members; ++m) {
    const auto list = deal.share(m);
    const auto first = dearest(costs + list.begin(), costs + list.end());
    const bool is_much = first != nullptr && *first >= least;
    starts[m] = is_much ? static_cast<std::uint32_t>(first - costs) - list.begin() : 0;
    if (is_much) rotate(costs + list.begin(), first, costs + list.end());
  }
}

work_sums::found work_sums::make(const shape& loop, const deal::cyclic& deal, const cost::source& each) noexcept {
  ++made_;
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
  const double least_first = costs.sum() / loop.members / parts_of_share;
  has_starts_ = loop.dearest_first && deal.unit.shift() == 0 && !costs.equal() && costs.most() >= least_first;
  if (has_starts_) begin_with_dearest(loop, deal, least_first);
  add_up(sums + 1, positions);
  const auto total = sums[positions];
  const bool usable = total > 0 && total <= std::numeric_limits<double>::max();  // not so for NaN and infinity
  if (!usable) return found::nothing;
  return costs.equal() ? found::equal : found::different;
}

}  // namespace steelyard::schedules
