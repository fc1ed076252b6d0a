// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/cost.hpp>
#include <steelyard/pool.hpp>

/// Parallel loops that need no chunk size, for C++20. Everything here is inline over the C interface of
/// <steelyard/steelyard.h>.
namespace steelyard {
inline namespace v1 {

/// How a loop runs; leave out what you do not care about: `parallel_for(0, n, body, {.schedule = "idws"})`.
struct loop_options {
  /// "name[,chunk]"; none: STEELYARD_SCHEDULE, else `wsrw` where there are costs, else `steal`.
  const char* schedule = nullptr;
  std::uint64_t chunk = 0;    ///< not 0: goes before that in `schedule`
  cost_ref cost{};            ///< of each iteration, where it is known; `[&](std::uint64_t i) { return degree(i); }`
  const pool* on = nullptr;   ///< none: the pool of the calling thread
  std::uint32_t threads = 0;  ///< at most so many; 0: all of the pool
  /// Shared also where it would be faster on the caller alone, which is otherwise known from earlier runs of the loop.
  bool always_parallel = false;
  const char* name = nullptr;  ///< of the loop, for reports
  std::stop_token stop{};      ///< when it stops, iterations that have not begun do not
  /// Called now and then on the calling thread, with how many of the iterations have been taken: never fewer than before.
  /// What it throws stops the loop, too.
  std::function<void(std::uint64_t taken, std::uint64_t all)> progress{};
};

namespace detail {

/// The first exception of any member; the others are dropped.
class first_exception {
 public:
  void keep() noexcept {
    if (!taken_.exchange(true, std::memory_order_relaxed)) thrown_ = std::current_exception();
  }
  [[nodiscard]] bool is_kept() const noexcept { return taken_.load(std::memory_order_relaxed); }
  /// After the loop.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::atomic<bool> taken_{false};
  std::exception_ptr thrown_;
};

/// What the calls from the library find behind `body`. `Each` runs one iteration: each(i, member).
template <class Each>
struct loop_body {
  Each& each;
  const std::stop_token* stop;  ///< nullptr: none
  first_exception failed{};
  const loop_options* options = nullptr;
  std::uint64_t all = 0;

  void run(steelyard_member* self, std::uint64_t first, std::uint64_t count, std::uint64_t stride) noexcept {
    if (failed.is_kept()) return steelyard_member_stop(self);  // by `progress`, which has no member to stop
    try {
      if (stop != nullptr) {
        run_until_stopped(self, first, count, stride);
      } else if (stride == 1) {
        for (std::uint64_t i = first; i != first + count; ++i) each(i, self);
      } else {
        for (std::uint64_t i = first, k = 0; k != count; ++k, i += stride) each(i, self);
      }
    } catch (...) {
      failed.keep();
      steelyard_member_stop(self);
    }
  }

 private:
  void run_until_stopped(steelyard_member* self, std::uint64_t first, std::uint64_t count, std::uint64_t stride) {
    for (std::uint64_t i = first, k = 0; k != count; ++k, i += stride) {
      if (stop->stop_requested()) return steelyard_member_stop(self);
      each(i, self);
    }
  }
};

template <class Each>
void run_chunk(void* body, steelyard_member* self, std::uint64_t first, std::uint64_t count, std::uint64_t stride) {
  static_cast<loop_body<Each>*>(body)->run(self, first, count, stride);
}

/// Claims pieces of the member's own range by a store and a load each; see steelyard_range.
template <class Each>
void run_range(void* body, steelyard_member* self) {
  auto& loop = *static_cast<loop_body<Each>*>(body);
  const steelyard_range mine = steelyard_member_range(self);
  std::uint64_t at = mine.at;
  for (;;) {
    const std::uint64_t behind = at + mine.step;
    __atomic_store_n(mine.head, behind, __ATOMIC_RELAXED);
    if (mine.fence != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(behind <= __atomic_load_n(mine.end, __ATOMIC_RELAXED), 1)) {
      loop.run(self, mine.base + at, mine.step, 1);
      at = behind;
      continue;
    }
    const steelyard_piece last = steelyard_member_claim(self, at, mine.step);
    if (last.count == 0) return;
    loop.run(self, mine.base + last.first, last.count, 1);
    at = last.first + last.count;
  }
}

template <class Each>
void report_progress(void* body, std::uint64_t taken) {
  auto& loop = *static_cast<loop_body<Each>*>(body);
  try {
    loop.options->progress(taken, loop.all);
  } catch (...) {
    loop.failed.keep();
  }
}

/// The costs for one call.
class own_costs {
 public:
  explicit own_costs(const cost_ref& given) noexcept
      : own_(given.function() != nullptr ? steelyard_costs_create(given.function(), given.context(), 0) : nullptr),
        handle_(own_ != nullptr ? own_ : given.kept()) {}
  ~own_costs() {
    if (own_ != nullptr) steelyard_costs_destroy(own_);
  }
  own_costs(const own_costs&) = delete;
  own_costs& operator=(const own_costs&) = delete;
  [[nodiscard]] steelyard_costs* handle() const noexcept { return handle_; }

 private:
  steelyard_costs* own_;
  steelyard_costs* handle_;
};

/// Runs each(i, member) for i = 0 … n-1. False: stopped.
template <class Each>
bool run_loop(std::uint64_t n, Each& each, const loop_options& options) {
  const bool stoppable = options.stop.stop_possible();
  loop_body<Each> body{each, stoppable ? &options.stop : nullptr};
  body.options = &options;
  body.all = n;
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = n;
  loop.body = &body;
  loop.run = run_chunk<Each>;
  loop.run_open = run_range<Each>;
  loop.schedule = options.schedule;
  loop.chunk = options.chunk;
  loop.pool = options.on != nullptr ? options.on->handle() : nullptr;
  loop.members = options.threads;
  loop.flags = options.always_parallel ? STEELYARD_ALWAYS_PARALLEL : 0;
  loop.name = options.name;
  if (options.progress) {
    loop.progress = report_progress<Each>;
    loop.progress_context = &body;
  }
  const own_costs once(options.cost);
  loop.costs = once.handle();
  const steelyard_result result = steelyard_loop_run(&loop);
  body.failed.rethrow();
  if (result == STEELYARD_INVALID) {
    const char* const wrong = steelyard_schedule_parse(options.schedule, nullptr);
    throw std::invalid_argument("schedule '" + std::string(options.schedule) + "' " + (wrong != nullptr ? wrong : ""));
  }
  return result == STEELYARD_DONE;
}

template <class T>
concept index = std::integral<T> && !std::same_as<T, bool>;

/// How many steps lie between; 0 when last is not behind first.
template <index I>
constexpr std::uint64_t distance(I first, I last) noexcept {
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

template <index I>
constexpr I at(I first, std::uint64_t i) noexcept {
  return static_cast<I>(static_cast<std::uint64_t>(first) + i);
}

}  // namespace detail

/// Calls body(i) for each i of first … last-1, once, in any order, on the caller and on idle threads of the pool; returns
/// when all calls have. Loops may be nested to any depth. The first exception that a call throws stops the loop and is
/// thrown here. False: `stop` was requested, and some calls may not have been made.
///
/// Throws std::invalid_argument when there is no such schedule; nothing has been called then.
template <class I, class J, class Body>
requires detail::index<std::common_type_t<I, J>> && std::invocable<Body&, std::common_type_t<I, J>>
bool parallel_for(I first, J last, Body&& body, const loop_options& options = {}) {
  using T = std::common_type_t<I, J>;
  auto each = [&body, start = static_cast<T>(first)](std::uint64_t i, steelyard_member*) {
    body(detail::at(start, i));
  };
  return detail::run_loop(detail::distance(static_cast<T>(first), static_cast<T>(last)), each, options);
}

/// The same with body(*it) for each it of [first, last).
template <std::random_access_iterator It, class Body>
requires std::invocable<Body&, std::iter_reference_t<It>>
bool parallel_for(It first, It last, Body&& body, const loop_options& options = {}) {
  auto each = [&body, first](std::uint64_t i, steelyard_member*) {
    body(first[static_cast<std::iter_difference_t<It>>(i)]);
  };
  return detail::run_loop(first < last ? static_cast<std::uint64_t>(last - first) : 0, each, options);
}

/// One dimension of a blocked range: first … last-1 in blocks of `block` (the last may be shorter).
struct extent {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t block = 1;  ///< at least 1

  [[nodiscard]] std::uint64_t blocks() const noexcept {
    const auto size = detail::distance(first, last);
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(block, 1));
    return size / length + (size % length != 0 ? 1 : 0);
  }
  /// Block k as an extent of its own.
  [[nodiscard]] extent at(std::uint64_t k) const noexcept {
    const auto length = std::max<std::int64_t>(block, 1);
    const auto begin = detail::at(first, k * static_cast<std::uint64_t>(length));
    const bool whole = detail::distance(begin, last) > static_cast<std::uint64_t>(length);
    return {begin, whole ? begin + length : last, length};
  }
};

/// Calls body(i, j) for each i of `rows` and j of `columns`, block by block: a block of rows.block × columns.block is one
/// iteration of the loop, and within it j runs fastest.
template <class Body>
requires std::invocable<Body&, std::int64_t, std::int64_t>
bool parallel_for(extent rows, extent columns, Body&& body, const loop_options& options = {}) {
  const auto across = columns.blocks();
  auto each = [&](std::uint64_t k, steelyard_member*) {
    const extent y = rows.at(k / across);
    const extent x = columns.at(k % across);
    for (auto i = y.first; i < y.last; ++i) {
      for (auto j = x.first; j < x.last; ++j) body(i, j);
    }
  };
  return detail::run_loop(rows.blocks() * across, each, options);
}

/// The same in three dimensions: body(i, j, k).
template <class Body>
requires std::invocable<Body&, std::int64_t, std::int64_t, std::int64_t>
bool parallel_for(extent planes, extent rows, extent columns, Body&& body, const loop_options& options = {}) {
  const auto across = columns.blocks();
  const auto down = rows.blocks();
  auto each = [&](std::uint64_t k, steelyard_member*) {
    const extent z = planes.at(k / across / down);
    const extent y = rows.at(k / across % down);
    const extent x = columns.at(k % across);
    for (auto h = z.first; h < z.last; ++h) {
      for (auto i = y.first; i < y.last; ++i) {
        for (auto j = x.first; j < x.last; ++j) body(h, i, j);
      }
    }
  };
  return detail::run_loop(planes.blocks() * down * across, each, options);
}

namespace detail {

/// A value of each member, on lines of their own.
template <class T>
class per_member {
 public:
  per_member(std::size_t members, const T& initial) : all_(std::make_unique<slot[]>(members)), members_(members) {
    for (std::size_t m = 0; m < members; ++m) all_[m].value = initial;
  }
  T& operator[](std::size_t m) noexcept { return all_[m].value; }
  [[nodiscard]] std::size_t size() const noexcept { return members_; }

 private:
  struct alignas(128) slot {
    T value{};
  };
  std::unique_ptr<slot[]> all_;
  std::size_t members_;
};

inline std::size_t most_members(const loop_options& options) noexcept {
  return options.on != nullptr ? options.on->threads() : threads();
}

/// At most 4,096 parts of n, which depend on n alone.
class leaves {
 public:
  explicit leaves(std::uint64_t n) noexcept : n_(n), count_(std::min<std::uint64_t>(n, 4096)) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t begin(std::uint64_t leaf) const noexcept {
    return n_ / count_ * leaf + std::min(leaf, n_ % count_);
  }

 private:
  std::uint64_t n_;
  std::uint64_t count_;
};

/// Combines neighbours, then neighbours of those, until one is left.
template <class T, class Combine>
T tree(T* values, std::uint64_t count, Combine& combine) {
  for (; count > 1; count = (count + 1) / 2) {
    for (std::uint64_t i = 0; i < count / 2; ++i) {
      values[i] = combine(std::move(values[2 * i]), std::move(values[2 * i + 1]));
    }
    if (count % 2 != 0) values[count / 2] = std::move(values[count - 1]);
  }
  return std::move(values[0]);
}

}  // namespace detail

/// How a reduction may regroup its terms.
enum class order {
  any,   ///< each thread sums what it runs: `combine` must be associative and commutative
  fixed  ///< the same grouping, hence the same bits, for every number of threads and schedule; in the order of the terms
};

/// combine(… combine(combine(identity, term(first)), term(first+1)) …) up to last-1, regrouped as `how` says. T must be
/// copyable and default-constructible, `combine(T, T)` return a T, and `identity` be neutral for it. What was not run
/// because of `stop` is left out. O(threads) values of memory, with order::fixed at most 4,096.
template <class I, class J, class T, class Term, class Combine = std::plus<>>
requires detail::index<std::common_type_t<I, J>> && std::invocable<Term&, std::common_type_t<I, J>>
[[nodiscard]] T parallel_reduce(I first, J last, T identity, Term&& term, Combine&& combine = {},
                                const loop_options& options = {}, order how = order::any) {
  using Index = std::common_type_t<I, J>;
  const auto start = static_cast<Index>(first);
  const auto n = detail::distance(start, static_cast<Index>(last));
  if (n == 0) return identity;
  if (how == order::fixed) {
    const detail::leaves parts(n);
    const auto values = std::make_unique<T[]>(parts.count());
    auto each = [&](std::uint64_t leaf, steelyard_member*) {
      T value = identity;
      for (auto i = parts.begin(leaf); i != parts.begin(leaf + 1); ++i) {
        value = combine(std::move(value), T(term(detail::at(start, i))));
      }
      values[leaf] = std::move(value);
    };
    for (std::uint64_t leaf = 0; leaf < parts.count(); ++leaf) values[leaf] = identity;
    detail::run_loop(parts.count(), each, options);
    return detail::tree(values.get(), parts.count(), combine);
  }
  detail::per_member<T> values(detail::most_members(options), identity);
  auto each = [&](std::uint64_t i, steelyard_member* self) {
    T& mine = values[steelyard_member_number(self)];
    mine = combine(std::move(mine), T(term(detail::at(start, i))));
  };
  detail::run_loop(n, each, options);
  T value = std::move(values[0]);
  for (std::size_t m = 1; m < values.size(); ++m) value = combine(std::move(value), std::move(values[m]));
  return value;
}

/// Writes to out[i] what combine makes of identity and in[0] … in[i]: an inclusive scan, grouped in the same way for every
/// number of threads. `combine` must be associative; `in` and `out` may be the same. Two passes over the input, so it takes
/// two threads to win. False: stopped, and some of `out` was not written.
template <std::random_access_iterator In, std::random_access_iterator Out, class T, class Combine = std::plus<>>
bool parallel_scan(In in, In end, Out out, T identity, Combine&& combine = {}, const loop_options& options = {}) {
  if (!(in < end)) return true;
  const detail::leaves parts(static_cast<std::uint64_t>(end - in));
  const auto value = [&](std::uint64_t i) { return T(in[static_cast<std::iter_difference_t<In>>(i)]); };
  const auto before = std::make_unique<T[]>(parts.count());
  auto sum = [&](std::uint64_t leaf, steelyard_member*) {
    T all = identity;
    for (auto i = parts.begin(leaf); i != parts.begin(leaf + 1); ++i) all = combine(std::move(all), value(i));
    before[leaf] = std::move(all);
  };
  if (!detail::run_loop(parts.count(), sum, options)) return false;
  T running = identity;
  for (std::uint64_t leaf = 0; leaf < parts.count(); ++leaf) {
    T here = std::exchange(before[leaf], running);
    running = combine(std::move(running), std::move(here));
  }
  auto write = [&](std::uint64_t leaf, steelyard_member*) {
    T all = before[leaf];
    for (auto i = parts.begin(leaf); i != parts.begin(leaf + 1); ++i) {
      all = combine(std::move(all), value(i));
      out[static_cast<std::iter_difference_t<Out>>(i)] = all;
    }
  };
  return detail::run_loop(parts.count(), write, options);
}

}  // namespace v1
}  // namespace steelyard
