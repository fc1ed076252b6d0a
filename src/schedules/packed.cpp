// SPDX-License-Identifier: Apache-2.0
#include "schedules/packed.hpp"

#include <limits>
#include <new>

#include "schedules/work_in_order.hpp"

namespace steelyard::schedules::deal {

struct packed::chunk {
  double work;
  std::uint32_t first;
  std::uint32_t behind;
  member owner;
};

namespace {

/// What a member has been dealt. The one with least comes to the top of a heap, of several the first.
struct load {
  double work;
  member who;
  static bool is_more(const load& a, const load& b) noexcept {
    return a.work != b.work ? a.work > b.work : a.who > b.who;
  }
};

double valid(double work) noexcept { return std::min(work, std::numeric_limits<double>::max()); }

}  // namespace

/// Where what opening needs stands, and behind it what stays.
struct packed::layout {
  explicit layout(const shape& loop) noexcept
      : limit(packed::limit(loop)), loads(limit * sizeof(chunk)),
        work(loads + std::min<std::size_t>(limit, loop.members) * sizeof(load)),
        units(work + (limit + 1) * sizeof(double)), first(units + (limit + 1) * sizeof(std::uint32_t)),
        shares(first + limit * sizeof(std::uint32_t)), all(shares + (loop.members + 1) * sizeof(std::uint32_t)) {
    static_assert(sizeof(chunk) % alignof(load) == 0 && sizeof(load) % alignof(double) == 0);
  }
  std::size_t limit;
  std::size_t loads, work, units, first, shares, all;  ///< bytes before them
};

namespace {

/// The chunks to the members, heaviest first, in that order.
template <class Chunk>
void deal_heaviest_first(Chunk* chunks, std::uint32_t count, load* loads, std::uint32_t members) noexcept {
  std::sort(chunks, chunks + count,
            [](const Chunk& a, const Chunk& b) { return a.work != b.work ? a.work > b.work : a.first < b.first; });
  // While somebody has nothing, he has least.
  const auto have_one = std::min(count, members);
  for (member m = 0; m < have_one; ++m) {
    chunks[m].owner = m;
    ::new (static_cast<void*>(loads + m)) load{chunks[m].work, m};
  }
  std::make_heap(loads, loads + have_one, load::is_more);
  for (auto i = have_one; i < count; ++i) {
    std::pop_heap(loads, loads + have_one, load::is_more);
    auto& least = loads[have_one - 1];
    chunks[i].owner = least.who;
    least.work += chunks[i].work;
    std::push_heap(loads, loads + have_one, load::is_more);
  }
}

}  // namespace

std::size_t packed::bytes(const shape& loop) noexcept { return layout(loop).all; }

packed::packed(const shape& loop, std::uint64_t, void* table) noexcept : packed(work_in_order(loop), loop, table) {}

packed::packed(work_in_order costs, const shape& loop, void* table) noexcept
    : unit(costs.unit()), has_costs_(costs.knows_costs()) {
  const layout at(loop);
  auto* const bytes = static_cast<char*>(table);
  work_ = reinterpret_cast<double*>(bytes + at.work);
  units_ = reinterpret_cast<std::uint32_t*>(bytes + at.units);
  first_ = reinterpret_cast<std::uint32_t*>(bytes + at.first);
  shares_ = reinterpret_cast<std::uint32_t*>(bytes + at.shares);
  auto* const chunks = static_cast<chunk*>(table);
  cut_loop(costs, chunks, limit(loop));
  deal_heaviest_first(chunks, chunks_, reinterpret_cast<load*>(bytes + at.loads), loop.members);
  write(chunks, loop.members);
}

/// A chunk ends where it has the k-th part of the work; the k-th one with the loop.
void packed::cut_loop(work_in_order& costs, chunk* into, std::uint32_t limit) noexcept {
  if (limit == 0) return;
  const double full = costs.total() / limit;
  std::uint32_t first = 0;
  double work = 0;  // of the chunk that began there, before this piece
  const auto end_chunk = [&](std::uint32_t behind, double its) {
    ::new (static_cast<void*>(into + chunks_++)) chunk{valid(its), first, behind, 0};
    first = behind;
    work = 0;
  };
  while (costs.next()) {
    double dealt = 0;  // of the piece, in chunks that have ended
    while (first < costs.end() && chunks_ + 1 < limit && costs.work() - dealt >= full - work) {
      const auto behind = std::max(costs.reaching(dealt + (full - work)), std::max(first, costs.begin()) + 1);
      const double before = costs.before(behind);
      end_chunk(behind, work + std::max(before - dealt, 0.0));
      dealt = before;
    }
    if (first < costs.end()) work += std::max(costs.work() - dealt, 0.0);
  }
  if (first < unit.count()) end_chunk(unit.count(), work);
}

/// The table, member by member.
void packed::write(const chunk* dealt, std::uint32_t members) noexcept {
  std::fill_n(shares_, members + 1, 0U);
  for (std::uint32_t i = 0; i < chunks_; ++i) ++shares_[dealt[i].owner + 1];
  for (member m = 0; m < members; ++m) shares_[m + 1] += shares_[m];
  for (std::uint32_t i = 0; i < chunks_; ++i) {
    const auto at = shares_[dealt[i].owner]++;  // until it stands where the next member's begin
    first_[at] = dealt[i].first;
    units_[at + 1] = dealt[i].behind - dealt[i].first;
    work_[at + 1] = dealt[i].work;
    if (dealt[i].behind == unit.count()) last_ = at;
  }
  for (member m = members - 1; m > 0; --m) shares_[m] = shares_[m - 1];
  shares_[0] = 0;
  work_[0] = 0;
  units_[0] = 0;
  for (std::uint32_t i = 0; i < chunks_; ++i) {
    units_[i + 1] += units_[i];
    work_[i + 1] += work_[i];
  }
}

}  // namespace steelyard::schedules::deal
