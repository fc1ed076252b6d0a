// SPDX-License-Identifier: Apache-2.0
#include "openmp/common/limit.hpp"

#include <algorithm>
#include <new>

#include "openmp/common/clock.hpp"
#include "openmp/common/slab.hpp"

namespace steelyard::openmp {

/// Ranges of a loop to be cut into pieces of at most `size` iterations, in order, without overlap.
struct refinement {
  struct piece {
    std::uint64_t first, end, size;
  };
  static constexpr std::size_t most = 256;
  std::uint64_t iterations = 0;
  std::size_t count = 0;
  std::uint32_t generation = 0;
  piece pieces[most];
};

namespace {

using schedules::member;
using schedules::shape;
using schedules::step;

constexpr std::uint64_t short_chunk_ns = 10000;
constexpr std::uint64_t long_chunk_ns = 20000;
constexpr std::uint64_t finer = 16;
constexpr std::uint32_t most_generations = 64;  // of plans per site: they are not given back

struct timed_chunk {
  std::uint64_t first, count, ns;
};

struct alignas(support::line_size) measured_member {
  // A loop's largest chunks; by the definition of "long", a member has about 20 of them.
  static constexpr std::size_t most = 64;
  std::uint64_t size = 1;
  std::uint64_t began = 0;
  std::uint64_t work = 0;
  step current{};
  std::size_t kept = 0;
  timed_chunk longest[most];

  void keep(const timed_chunk& chunk) noexcept {
    if (kept < most) {
      longest[kept++] = chunk;
      return;
    }
    auto* const least =
        std::min_element(longest, longest + most, [](const auto& a, const auto& b) { return a.ns < b.ns; });
    if (least->ns < chunk.ns) *least = chunk;
  }

  void finish_current(std::uint64_t at) noexcept {
    if (current.count == 0) return;
    const std::uint64_t took = at - began;
    work += took;
    keep({current.first, current.count, took});
    if (current.count >= size && took < short_chunk_ns) size *= 2;
    if (took > long_chunk_ns && size > 1) size /= 2;
    current.count = 0;
  }
};

struct measuring {
  std::uint64_t iterations;
  std::uint32_t members;
  const refinement* plan = nullptr;
  alignas(support::line_size) sync::real::atomic<std::uint64_t> next{};

  measured_member* of(member m) noexcept { return reinterpret_cast<measured_member*>(this + 1) + m; }
};

/// How many iterations a chunk at `first` may have at most by the plan.
std::uint64_t planned(const refinement* plan, std::uint64_t first, std::uint64_t count) noexcept {
  if (plan == nullptr) return count;
  const auto* const end = plan->pieces + plan->count;
  const auto* const piece =
      std::lower_bound(plan->pieces, end, first, [](const auto& p, std::uint64_t at) { return p.end <= at; });
  if (piece == end) return count;
  if (piece->first > first) return std::min(count, piece->first - first);
  return std::min({count, piece->size, piece->end - first});
}

step next_measured(void* state, member m) noexcept {
  auto& loop = *static_cast<measuring*>(state);
  auto& own = *loop.of(m);
  own.finish_current(now());
  std::uint64_t first = loop.next.load(sync::relaxed, sync::site{"M1"});
  std::uint64_t count = 0;
  do {
    if (first >= loop.iterations) return {};
    const std::uint64_t left = loop.iterations - first;
    const std::uint64_t fair = std::max<std::uint64_t>(1, left / (2 * std::uint64_t{loop.members}));
    count = planned(loop.plan, first, std::min({own.size, fair, left}));
  } while (!loop.next.compare_exchange(first, first + count, sync::relaxed, sync::relaxed, sync::site{"M1"}));
  own.current = {first, count, 1};
  own.began = now();
  return own.current;
}

void open_measured(void* memory, const shape& wanted) noexcept {
  auto* const loop = ::new (memory) measuring{wanted.iterations, wanted.members};
  for (member m = 0; m < wanted.members; ++m) ::new (loop->of(m)) measured_member;
}

/// The P-th and (P+1)-th largest of some values, and the largest.
struct largest {
  std::uint64_t first = 0;
  std::uint64_t pair = 0;
};

largest pick(std::uint64_t* values, std::size_t count, std::uint32_t members) noexcept {
  const std::size_t wanted = std::min<std::size_t>(count, std::size_t{members} + 1);
  std::partial_sort(values, values + wanted, values + count, [](auto a, auto b) { return a > b; });
  largest found;
  if (count > 0) found.first = values[0];
  if (members >= 1 && count > members) found.pair = values[members - 1] + values[members];
  return found;
}

struct chunk_list {
  timed_chunk* chunks;
  std::size_t count;
};

/// Lower bound: each chunk holds an iteration of at least its mean. Upper bound: a chunk of count iterations and time t
/// holds at most j iterations of t/j, for each j.
void add_bounds(site& at, const chunk_list& list, std::uint64_t share, std::uint32_t members) noexcept {
  const std::size_t each = std::min<std::size_t>(std::size_t{members} + 1, 8);
  const std::size_t bytes = (list.count * each + 1) * sizeof(std::uint64_t);
  auto* const values = static_cast<std::uint64_t*>(slab_take(bytes));
  if (values == nullptr) return;
  std::size_t used = 0;
  for (std::size_t i = 0; i < list.count; ++i) values[used++] = list.chunks[i].ns / list.chunks[i].count;
  const largest low = pick(values, used, members);
  used = 0;
  for (std::size_t i = 0; i < list.count; ++i) {
    for (std::uint64_t j = 1; j <= std::min<std::uint64_t>(each, list.chunks[i].count); ++j) {
      values[used++] = list.chunks[i].ns / j;
    }
  }
  const largest high = pick(values, used, members);
  slab_give(values, bytes);
  at.limit_low_ns.add(std::max({share, low.first, low.pair}));
  at.limit_high_ns.add(std::max({share, high.first, high.pair}));
}

/// Adds a range to a plan, or makes the one it lies in finer.
void refine(refinement& plan, const timed_chunk& chunk) noexcept {
  const std::uint64_t size = std::max<std::uint64_t>(1, chunk.count / finer);
  auto* const end = plan.pieces + plan.count;
  auto* const place = std::lower_bound(plan.pieces, end, chunk.first,
                                       [](const auto& p, std::uint64_t first) { return p.end <= first; });
  if (place != end && place->first <= chunk.first) {
    place->size = std::min(place->size, size);
  } else if (plan.count < refinement::most) {
    std::copy_backward(place, end, end + 1);
    *place = {chunk.first, chunk.first + chunk.count, size};
    ++plan.count;
  }
}

void plan_next(site& at, const measuring& loop, const chunk_list& list, std::uint64_t long_ns) noexcept {
  const auto is_long = [long_ns](const timed_chunk& c) { return c.ns > long_ns && c.count > 1; };
  if (std::none_of(list.chunks, list.chunks + list.count, is_long)) return;
  refinement* const before = at.refine.load(sync::acquire, sync::site{"M2"});
  if (before != nullptr && before->generation >= most_generations) return;
  void* const memory = slab_take(sizeof(refinement));
  if (memory == nullptr) return;
  auto* const plan = ::new (memory) refinement;
  if (before != nullptr) plan->generation = before->generation + 1;
  if (loop.plan != nullptr) {
    plan->count = loop.plan->count;
    std::copy_n(loop.plan->pieces, plan->count, plan->pieces);
  }
  plan->iterations = loop.iterations;
  for (std::size_t i = 0; i < list.count; ++i) {
    if (is_long(list.chunks[i])) refine(*plan, list.chunks[i]);
  }
  at.refine.store(plan, sync::release, sync::site{"M2"});
}

}  // namespace

constinit const schedules::operations measuring_schedule{
    {"measure", "times chunks of a shared counter", nullptr, true, false},
    [](const shape& wanted) { return sizeof(measuring) + wanted.members * sizeof(measured_member); },
    open_measured,
    next_measured,
    [](const void*, member) { return std::uint64_t{0}; },
    [](const void*, member) { return schedules::tally{}; },
};

void plan_limit(instance& opened) noexcept {
  const refinement* const plan = opened.at->refine.load(sync::acquire, sync::site{"M2"});
  if (plan != nullptr && plan->iterations == opened.iterations) {
    static_cast<measuring*>(opened.state())->plan = plan;
  }
}

void account_limit(instance& ended) noexcept {
  auto& loop = *static_cast<measuring*>(ended.state());
  std::uint64_t work = 0;
  chunk_list list{nullptr, 0};
  const std::size_t bytes = loop.members * measured_member::most * sizeof(timed_chunk);
  list.chunks = static_cast<timed_chunk*>(slab_take(bytes));
  if (list.chunks == nullptr) return;
  for (member m = 0; m < loop.members; ++m) {
    const measured_member& of = *loop.of(m);
    work += of.work;
    std::copy_n(of.longest, of.kept, list.chunks + list.count);
    list.count += of.kept;
  }
  site& at = *ended.at;
  at.work_ns.add(work);
  add_bounds(at, list, work / loop.members, loop.members);
  plan_next(at, loop, list, work / (20 * std::uint64_t{loop.members}));
  slab_give(list.chunks, bytes);
}

void account_alone(site& at, std::uint64_t took) noexcept {
  for (statistic* value : {&at.work_ns, &at.limit_low_ns, &at.limit_high_ns}) value->add(took);
}

}  // namespace steelyard::openmp
