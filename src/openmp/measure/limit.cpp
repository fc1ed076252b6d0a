// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/limit.hpp"

#include <algorithm>
#include <new>

#include "openmp/host/clock.hpp"
#include "openmp/host/slab.hpp"
#include "schedules/steal.hpp"
#include "support/assert.hpp"

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
  statistic uses;         ///< instances that followed it
  statistic spent[most];  ///< in these, on each range: ns

  /// The first range that ends behind `first`; `count` when there is none.
  [[nodiscard]] std::size_t behind(std::uint64_t first) const noexcept {
    const auto* const found =
        std::lower_bound(pieces, pieces + count, first, [](const piece& p, std::uint64_t at) { return p.end <= at; });
    return static_cast<std::size_t>(found - pieces);
  }
  /// Whether that range holds `first`.
  [[nodiscard]] bool holds(std::size_t range, std::uint64_t first) const noexcept {
    return range < count && pieces[range].first <= first;
  }
};

namespace {

using schedules::member;
using schedules::shape;
using schedules::step;

constexpr std::uint64_t short_chunk_ns = 10000;
constexpr std::uint64_t long_chunk_ns = 20000;
constexpr std::uint64_t shortest_piece_ns = 5000;  // 1 % is 50 ns: a reading of the clock
constexpr std::uint64_t finest = 16;
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
  step reserved{};  ///< taken, and not yet handed out
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

  void finish_current(std::uint64_t at, refinement* plan) noexcept {
    if (current.count == 0) return;
    const std::uint64_t took = at - began;
    work += took;
    if (plan != nullptr) {
      const std::size_t range = plan->behind(current.first);
      if (plan->holds(range, current.first)) plan->spent[range].add(took);
    }
    keep({current.first, current.count, took});
    if (current.count >= size && took < short_chunk_ns) size *= 2;
    if (took > long_chunk_ns && size > 1) size /= 2;
    current.count = 0;
  }
};

struct alignas(support::line_size) measuring {
  std::uint64_t iterations;
  std::uint32_t members;
  refinement* plan = nullptr;

  measured_member* of(member m) noexcept { return reinterpret_cast<measured_member*>(this + 1) + m; }
  /// Where the iterations come from: `counter` or `blocks`.
  void* supply() noexcept { return of(members); }
};

/// For loops whose members must see increasing iterations: a shared counter.
class counter {
 public:
  static std::size_t bytes(const shape&) noexcept { return sizeof(counter); }
  explicit counter(const shape& loop) noexcept : loop_(loop) {}

  step take(member, std::uint64_t size) noexcept {
    std::uint64_t first = next_.load(sync::relaxed, sync::site{"M1"});
    std::uint64_t count = 0;
    do {
      if (first >= loop_.iterations) return {};
      const std::uint64_t left = loop_.iterations - first;
      count = std::min(size, std::max<std::uint64_t>(1, left / (2 * std::uint64_t{loop_.members})));
    } while (!next_.compare_exchange(first, first + count, sync::relaxed, sync::relaxed, sync::site{"M1"}));
    return {first, count, 1};
  }

 private:
  shape loop_;
  sync::real::atomic<std::uint64_t> next_{};
};

/// For all others, as under `steal`: members keep to their blocks from one instance to the next, so the work is measured
/// with the data where a good schedule finds it. Deals the final iteration itself, last and to a member that then
/// retires (see hand_out).
class alignas(support::line_size) blocks {
  using schedule = schedules::steal<sync::real>;

 public:
  static std::size_t bytes(const shape& loop) noexcept { return sizeof(blocks) + schedule::bytes(inner(loop)); }
  explicit blocks(const shape& loop) noexcept : last_(loop.iterations - 1) { ::new (this + 1) schedule(inner(loop)); }

  step take(member m, std::uint64_t) noexcept {
    const step got = reinterpret_cast<schedule*>(this + 1)->next(m);
    if (!got.done() || last_claimed_.exchange(1, sync::relaxed, sync::site{"M3"}) != 0) return got;
    return {last_, 1, 1};
  }

 private:
  // At least a hundredth of a block, or a quarter of what is worth a reading of the clock.
  static constexpr std::uint64_t least_share = 128;
  static constexpr std::uint64_t least_part = 4;

  static shape inner(shape loop) noexcept {
    loop.iterations -= 1;
    const std::uint64_t share = loop.iterations / (least_share * loop.members);
    loop.chunk = std::max({std::uint64_t{1}, share, loop.chunk / least_part});
    return loop;
  }

  std::uint64_t last_;
  sync::real::atomic<std::uint32_t> last_claimed_{};
};

/// How many iterations a chunk at `first` may have at most by the plan.
std::uint64_t planned(const refinement* plan, std::uint64_t first, std::uint64_t count) noexcept {
  if (plan == nullptr) return count;
  const std::size_t range = plan->behind(first);
  if (range == plan->count) return count;
  const refinement::piece& next = plan->pieces[range];
  return plan->holds(range, first) ? std::min({count, next.size, next.end - first})
                                   : std::min(count, next.first - first);
}

template <class Supply>
step next_measured(void* state, member m) noexcept {
  auto& loop = *static_cast<measuring*>(state);
  auto& own = *loop.of(m);
  const std::uint64_t at = now();
  own.finish_current(at, loop.plan);
  own.began = at;
  if (own.reserved.count == 0) {
    own.reserved = static_cast<Supply*>(loop.supply())->take(m, own.size);
    if (own.reserved.count == 0) return {};
    own.began = now();
  }
  step& rest = own.reserved;
  own.current = {rest.first, planned(loop.plan, rest.first, std::min(own.size, rest.count)), 1};
  rest.first += own.current.count;
  rest.count -= own.current.count;
  return own.current;
}

template <class Supply>
void open_measured(void* memory, const shape& wanted) noexcept {
  auto* const loop = ::new (memory) measuring{wanted.iterations, wanted.members};
  for (member m = 0; m < wanted.members; ++m) {
    auto* const own = ::new (loop->of(m)) measured_member;
    own->size = std::max<std::uint64_t>(1, wanted.chunk);
  }
  ::new (loop->supply()) Supply(wanted);
}

template <class Supply>
std::size_t measured_bytes(const shape& wanted) noexcept {
  return sizeof(measuring) + wanted.members * sizeof(measured_member) + Supply::bytes(wanted);
}

template <class Supply>
constexpr schedules::operations measured_by(const char* how) noexcept {
  // `ascending`: of `blocks` too, as far as a front end cares (see there).
  return {{"measure", how, nullptr, true, false},
          measured_bytes<Supply>,
          open_measured<Supply>,
          next_measured<Supply>,
          [](const void*, member) { return std::uint64_t{0}; },
          [](const void*, member) { return schedules::tally{}; }};
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
  const std::uint64_t pieces = std::min(finest, chunk.ns / shortest_piece_ns);
  const std::uint64_t size = std::max<std::uint64_t>(1, chunk.count / std::max<std::uint64_t>(1, pieces));
  const std::size_t range = plan.behind(chunk.first);
  auto* const place = plan.pieces + range;
  if (plan.holds(range, chunk.first)) {
    place->size = std::min(place->size, size);
  } else if (plan.count < refinement::most) {
    std::copy_backward(place, plan.pieces + plan.count, plan.pieces + plan.count + 1);
    *place = {chunk.first, chunk.first + chunk.count, size};
    ++plan.count;
    STEELYARD_ASSERT(range + 1 == plan.count || place->end <= place[1].first,
                     "limit.cpp: ranges of a plan lie in order, without overlap");
  }
}

/// Whether a range of a plan took long again: what was long once by chance is not cut for ever.
bool is_long(const refinement& plan, std::size_t range, std::uint64_t long_ns) noexcept {
  return plan.spent[range].read() / std::max<std::uint64_t>(1, plan.uses.read()) > long_ns;
}

bool is_long(const timed_chunk& chunk, std::uint64_t long_ns) noexcept { return chunk.ns > long_ns && chunk.count > 1; }

/// Whether the plan a loop followed, or having none, is still right for what was measured.
bool still_right(const refinement* plan, const chunk_list& list, std::uint64_t long_ns) noexcept {
  for (std::size_t i = 0; plan != nullptr && i < plan->count; ++i) {
    if (!is_long(*plan, i, long_ns)) return false;
  }
  return std::none_of(list.chunks, list.chunks + list.count, [&](const auto& c) { return is_long(c, long_ns); });
}

void plan_next(site& at, const measuring& loop, const chunk_list& list, std::uint64_t long_ns) noexcept {
  if (still_right(loop.plan, list, long_ns)) return;
  const refinement* const before = at.refine.load(sync::acquire, sync::site{"M2"});
  if (before != nullptr && before->generation >= most_generations) return;
  void* const memory = slab_take(sizeof(refinement));
  if (memory == nullptr) return;
  auto* const plan = ::new (memory) refinement;
  plan->iterations = loop.iterations;
  if (before != nullptr) plan->generation = before->generation + 1;
  for (std::size_t i = 0; loop.plan != nullptr && i < loop.plan->count; ++i) {
    if (is_long(*loop.plan, i, long_ns)) plan->pieces[plan->count++] = loop.plan->pieces[i];
  }
  for (std::size_t i = 0; i < list.count; ++i) {
    if (is_long(list.chunks[i], long_ns)) refine(*plan, list.chunks[i]);
  }
  at.refine.store(plan, sync::release, sync::site{"M2"});
}

}  // namespace

constinit const schedules::operations measuring_schedule = measured_by<blocks>("times chunks of equal blocks");
constinit const schedules::operations ascending_measuring_schedule = measured_by<counter>("times chunks of a counter");

void plan_limit(instance& opened) noexcept {
  auto& loop = *static_cast<measuring*>(opened.state());
  refinement* const plan = opened.at->refine.load(sync::acquire, sync::site{"M2"});
  if (plan != nullptr && plan->iterations == loop.iterations) loop.plan = plan;
}

void account_limit(instance& ended) noexcept {
  auto& loop = *static_cast<measuring*>(ended.state());
  std::uint64_t work = 0;
  std::uint64_t size = 1;
  chunk_list list{nullptr, 0};
  const std::size_t bytes = loop.members * measured_member::most * sizeof(timed_chunk);
  list.chunks = static_cast<timed_chunk*>(slab_take(bytes));
  if (list.chunks == nullptr) return;
  for (member m = 0; m < loop.members; ++m) {
    const measured_member& of = *loop.of(m);
    work += of.work;
    size = std::max(size, of.size);
    std::copy_n(of.longest, of.kept, list.chunks + list.count);
    list.count += of.kept;
  }
  site& at = *ended.at;
  at.measured_chunk.set(std::min(size, ~std::uint64_t{0} / ended.granule) * ended.granule);
  if (loop.plan != nullptr) loop.plan->uses.add(1);
  at.work_ns.add(work);
  add_bounds(at, list, work / loop.members, loop.members);
  plan_next(at, loop, list, std::max(long_chunk_ns, work / (20 * std::uint64_t{loop.members})));
  slab_give(list.chunks, bytes);
}

void account_alone(site& at, std::uint64_t took) noexcept {
  for (statistic* value : {&at.work_ns, &at.limit_low_ns, &at.limit_high_ns}) value->add(took);
}

}  // namespace steelyard::openmp
