// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_sums.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "schedules/expensive_first.hpp"
#include "schedules/list_groups.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

constexpr std::uint64_t most_at_once = 2048;  // 16 KiB of stack

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
    auto [least, most] = known_;
    auto [least_too, most_too] = known_;
    for (; last - first >= at_once; first += at_once) {
      const pair one = most_of(load(first), pair{});  // cost::valid
      const pair two = most_of(load(first + 2), pair{});
      store(first, one);
      store(first + 2, two);
      least = least_of(one, least);
      least_too = least_of(two, least_too);
      most = most_of(one, most);
      most_too = most_of(two, most_too);
    }
    for (; first != last; ++first) {
      *first = cost::valid(*first);
      least = least_of(pair{*first, *first}, least);
      most = most_of(pair{*first, *first}, most);
    }
    known_ = {least_of(least, least_too), most_of(most, most_too)};
  }
  [[nodiscard]] double least() const noexcept { return std::min(known_.least[0], known_.least[1]); }
  [[nodiscard]] double most() const noexcept { return std::max(known_.most[0], known_.most[1]); }

 private:
  static constexpr double above_all = std::numeric_limits<double>::infinity();
  struct {
    pair least{above_all, above_all};
    pair most{};
  } known_;
};

double sum_of(const double* values, std::uint64_t count) noexcept {
  pair one{};
  pair two{};
  std::uint64_t i = 0;
  for (; i + at_once <= count; i += at_once) {
    one += load(values + i);
    two += load(values + i + 2);
  }
  one += two;
  double sum = one[0] + one[1];
  for (; i < count; ++i) sum += values[i];
  return sum;
}

/// Sums of a list at the ends of its groups, from its costs one after the other.
class summing {
 public:
  summing(double* sums, std::uint64_t of_group) noexcept : next_(sums), of_group_(of_group), left_(of_group) {
    *next_++ = 0;
  }
  void add(const double* costs, std::uint64_t count) noexcept {
    while (count != 0) {
      const auto now = std::min(left_, count);
      group_ += now == 1 ? *costs : sum_of(costs, now);
      costs += now;
      count -= now;
      left_ -= now;
      if (left_ == 0) end_group();
    }
  }
  /// The rest up to `end` as well.
  void finish(const double* end) noexcept {
    if (left_ != of_group_) end_group();
    while (next_ != end) *next_++ = all_;
  }
  [[nodiscard]] double all() const noexcept { return all_; }

 private:
  void end_group() noexcept {
    all_ += std::exchange(group_, 0);
    *next_++ = all_;
    left_ = of_group_;
  }

  double* next_;
  std::uint64_t of_group_;
  std::uint64_t left_;  ///< of the group
  double group_ = 0;
  double all_ = 0;  ///< of the groups before
};

/// The costs of one step after the other, some of them at once.
void read_step(const cost::source& each, const step& of, std::uint64_t from, std::uint64_t count, double* out) {
  if (of.stride == 1) return each.read(of.first + from, count, out);
  for (std::uint64_t i = 0; i < count; ++i) each.read(of.first + (from + i) * of.stride, 1, out + i);
}

}  // namespace

/// Memory: the sums, the least and the greatest cost of each list, and where each list begins.
struct work_sums::layout {
  explicit layout(const shape& loop) noexcept
      : deal(deal_in_loop_order(loop)), groups(deal), limits(groups.of_all() + 1),
        starts(limits + 2 * std::uint64_t{loop.members}), all(starts + (loop.members + 1) / 2) {}
  deal::cyclic deal;
  list_groups groups;
  std::uint64_t limits;
  std::uint64_t starts;
  std::uint64_t all;
};

std::uint64_t work_sums::size_for(const shape& loop) noexcept {
  static_assert(sizeof(double) == 2 * sizeof(std::uint32_t));
  return layout(loop).all;
}

work_sums::key work_sums::key_of(const shape& loop, const known_costs& costs) noexcept {
  return {costs.each,
          costs.version,
          loop.iterations,
          loop.chunk,
          loop.members,
          loop.front_end.contiguous,
          loop.front_end.expensive_first};
}

bool work_sums::would_read(const shape& loop, const known_costs& costs) const noexcept {
  return wants_sums(costs, applied_) && !(valid_ && key_of(loop, costs) == last_ && applied_.reuse);
}

bool work_sums::begin(const shape& loop, const known_costs& costs) noexcept {
  is_reading_ = would_read(loop, costs) && loop.iterations != 0 && size_for(loop) <= memory_.size();
  if (!is_reading_) return false;
  ++made_;
  valid_ = false;
  reading_ = loop;
  last_ = key_of(loop, costs);
  ::new (static_cast<void*>(starts(layout(loop).starts))) std::uint32_t[loop.members];
  return true;
}

void work_sums::read_list(member m, const cost::source& each) noexcept {
  const layout at(reading_);
  const bool one_by_one = at.deal.unit.shift() == 0;
  double* const sums = memory_.data() + at.groups.of_list(m);
  summing sum(sums, std::uint64_t{1} << (at.groups.shift() + at.deal.unit.shift()));
  double costs[most_at_once];
  costs_read all;
  std::uint64_t done = 0;
  std::uint64_t most_expensive = 0;
  double most = 0;
  for (auto rest = at.deal.share(m); !rest.empty();) {
    const auto next = at.deal.cut(rest);
    for (std::uint64_t from = 0; from < next.count;) {
      const auto count = std::min(most_at_once, next.count - from);
      read_step(each, next, from, count, costs);
      all.add(costs, costs + count);
      if (all.most() > most) {
        most = all.most();
        most_expensive = done + static_cast<std::uint64_t>(std::find(costs, costs + count, most) - costs);
      }
      sum.add(costs, count);
      from += count;
      done += count;
    }
  }
  sum.finish(sums + at.groups.groups() + 1);
  auto* const limits = memory_.data() + at.limits + 2 * std::uint64_t{m};
  limits[0] = all.least();
  limits[1] = most;
  const bool is_much = reading_.front_end.expensive_first && one_by_one && most >= sum.all() / parts_of_list;
  starts(at.starts)[m] = is_much ? static_cast<std::uint32_t>(most_expensive) : 0;
}

void work_sums::end() noexcept {
  if (!std::exchange(is_reading_, false)) return;
  const layout at(reading_);
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  double total = 0;
  has_starts_ = false;
  for (member m = 0; m < reading_.members; ++m) {
    const auto* const limits = memory_.data() + at.limits + 2 * std::uint64_t{m};
    least = std::min(least, limits[0]);
    most = std::max(most, limits[1]);
    total += memory_[at.groups.of_list(m) + at.groups.groups()];
    has_starts_ = has_starts_ || starts(at.starts)[m] != 0;
  }
  memory_[at.groups.of_all()] = total;
  const bool usable = total > 0 && total <= std::numeric_limits<double>::max();  // not so for NaN and infinity
  last_found_ = !usable ? found::nothing : least == most ? found::equal : found::different;
  valid_ = true;
}

shape work_sums::with(const shape& loop, const known_costs& costs) noexcept {
  end();
  auto told = loop;
  told.known.sums = nullptr;
  told.known.starts = nullptr;
  told.known.equal = costs.equal && applied_.equal;
  const bool fits = wants_sums(costs, applied_) && valid_ && key_of(loop, costs) == last_;
  if (!fits || last_found_ == found::nothing) return told;
  told.known.sums = memory_.data();
  if (has_starts_) told.known.starts = starts(layout(loop).starts);
  told.known.equal = last_found_ == found::equal && applied_.equal;
  return told;
}

shape work_sums::apply(const shape& loop, const known_costs& costs) noexcept {
  if (begin(loop, costs)) {
    for (member m = 0; m < loop.members; ++m) read_list(m, costs.each);
  }
  return with(loop, costs);
}

std::uint32_t* work_sums::starts(std::uint64_t at) const noexcept {
  return reinterpret_cast<std::uint32_t*>(memory_.data() + at);
}

}  // namespace steelyard::schedules
