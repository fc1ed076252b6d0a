// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/cost.hpp>
#include <steelyard/first_exception.hpp>
#include <steelyard/hand_over.hpp>
#include <steelyard/pool.hpp>

/// How loops run, and the one way in which all loops of this interface reach the library.
namespace steelyard {
inline namespace v1 {

/// How a loop runs; leave out what you do not care about: `parallel_for(0, n, body, {.schedule = "idws"})`.
struct loop_options {
  /// "name[:form][,chunk]"; none: STEELYARD_SCHEDULE, else `wsrw` where there are costs, else `steal`.
  const char* schedule = nullptr;
  std::uint64_t chunk = 0;  ///< not 0: goes before that in `schedule`
  /// Of each iteration, where it is known; `[&](std::uint64_t i) { return degree(i); }`. The function must live as long as
  /// these options are used, see cost_ref. Read when the loop is shared under a schedule that asks about costs, and it pays: by
  /// a body's first two loops, and when its loops have run 250 times as long as reading took the last time. What it throws then
  /// is thrown by the loop, of which no more has run than what the caller had tried alone. Costs that are all the same are
  /// believed: nothing is balanced then, so that the machine's own irregularities are not either (COWS, Opt2).
  cost_ref cost{};
  const pool* on = nullptr;   ///< none: the pool of the calling thread
  std::uint32_t threads = 0;  ///< at most so many; 0: all of the pool
  /// Shared also where it would be faster on the caller alone, which is otherwise known from earlier runs of the loop.
  bool always_parallel = false;
  const char* name = nullptr;  ///< of the loop, for reports
  std::stop_token stop{};      ///< when it stops, iterations that have not begun do not
  /// Called now and then on the calling thread, with how many of the iterations have been taken: never fewer than before;
  /// at last with all of them. What it throws stops the loop, too.
  std::function<void(std::uint64_t taken, std::uint64_t all)> progress{};
};

namespace detail {

/// Runs one iteration after the other: what `run_loop` takes, from a function each(i, member).
template <class F>
class one_by_one {
 public:
  explicit one_by_one(F f) : f_(std::move(f)) {}
  void range(std::uint64_t first, std::uint64_t count, steelyard_member* self) {
    for (std::uint64_t i = first; i != first + count; ++i) f_(i, self);
  }

 private:
  F f_;
};

/// What the calls from the library find behind `body`. `Each` runs neighbours: each.range(first, count, member).
template <class Each>
struct loop_body {
  Each& each;
  const std::stop_token* stop;  ///< nullptr: none
  first_exception failed{};
  const loop_options* options = nullptr;
  std::uint64_t all = 0;

  /// Iterations between two looks at whether another has thrown.
  static constexpr std::uint64_t most_at_once = std::uint64_t{1} << 16;

  /// The only call of `range`, in a function of its own: compilers inline what is called from one place, so the user's body
  /// stands in one loop, whatever its size.
  [[gnu::noinline]] void run(steelyard_member* self, std::uint64_t first, std::uint64_t count,
                             std::uint64_t stride) noexcept {
    if (failed.is_kept()) return steelyard_member_stop(self);  // by `progress`, which has no member to stop
    const std::uint64_t at_once = stride == 1 && stop == nullptr ? most_at_once : 1;
    try {
      for (std::uint64_t left = count; left != 0;) {
        if (stop != nullptr && stop->stop_requested()) {
          steelyard_member_stop(self);
          break;
        }
        const auto now = std::min(left, at_once);
        each.range(first, now, self);
        left -= now;
        first += now * stride;
        if (left != 0 && failed.is_kept()) break;
      }
      if (__builtin_expect(has_forked(), 0) && steelyard_member_count(self) > 1) sync_tasks();
    } catch (...) {
      failed.keep();
      steelyard_member_stop(self);
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
  for (std::uint64_t at = mine.at; at < mine.until;) {
    const std::uint64_t behind = at + mine.step;
    __atomic_store_n(mine.head, behind, __ATOMIC_RELAXED);
    if (mine.fence != 0) full_fence();
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

/// On whichever thread: what the cost function throws is the loop's.
template <class Each>
void read_costs(void* body, steelyard_cost_function evaluate, void* context, std::uint64_t first, std::uint64_t count,
                double* out) {
  const catching_here costs(static_cast<loop_body<Each>*>(body)->failed);
  evaluate(context, first, count, out);
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

/// Throws std::invalid_argument unless there is such a schedule.
inline void check_schedule(const char* schedule) {
  const char* const wrong = steelyard_schedule_parse(schedule, nullptr);
  if (wrong != nullptr) throw std::invalid_argument("schedule '" + std::string(schedule) + "' " + wrong);
}

/// Runs each(i, member) for i = 0 … n-1 on `members` at most; 0: as the options say. False: stopped.
template <class Each>
bool run_loop(std::uint64_t n, Each& each, const loop_options& options, std::uint32_t members = 0) {
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
  loop.members = members != 0 ? members : options.threads;
  loop.flags = options.always_parallel ? STEELYARD_ALWAYS_PARALLEL : 0;
  loop.name = options.name;
  if (options.progress) {
    loop.progress = report_progress<Each>;
    loop.progress_context = &body;
  }
  const own_costs once(options.cost);
  loop.costs = once.handle();
  loop.read_costs = read_costs<Each>;
  const steelyard_result result = steelyard_loop_run(&loop);
  if (body.failed.is_kept() && options.cost.kept() != nullptr) steelyard_costs_changed(options.cost.kept());
  body.failed.rethrow();
  if (result == STEELYARD_INVALID) check_schedule(options.schedule);
  if (result == STEELYARD_DONE && options.progress && n != 0) options.progress(n, n);
  return result == STEELYARD_DONE;
}

template <class T>
concept index = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= sizeof(std::uint64_t);

/// How many steps lie between; 0 when last is not behind first.
template <index I>
constexpr std::uint64_t distance(I first, I last) noexcept {
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

/// first < last as numbers, whatever their types.
template <index I, index J>
constexpr bool is_before(I first, J last) noexcept {
  if constexpr (std::is_signed_v<I> == std::is_signed_v<J>) {
    return first < last;
  } else if constexpr (std::is_signed_v<I>) {
    return first < 0 || static_cast<std::uint64_t>(first) < last;
  } else {
    return last > 0 && first < static_cast<std::uint64_t>(last);
  }
}

/// The first of a range of integers of two types, in their common type. Throws std::invalid_argument where that cannot hold
/// it: a negative first with an unsigned last.
template <index I, index J>
constexpr std::common_type_t<I, J> first_of(I first, J last) {
  using T = std::common_type_t<I, J>;
  if constexpr (std::is_signed_v<I> && !std::is_signed_v<T>) {
    if (first < 0 && is_before(first, last)) {
      throw std::invalid_argument("a loop from a negative number to an unsigned one: give both the same type");
    }
  }
  return static_cast<T>(first);
}
/// Its length.
template <index I, index J>
constexpr std::uint64_t length_of(I first, J last) noexcept {
  using T = std::common_type_t<I, J>;
  return is_before(first, last) ? distance(static_cast<T>(first), static_cast<T>(last)) : 0;
}

template <index I>
constexpr I at(I first, std::uint64_t i) noexcept {
  return static_cast<I>(static_cast<std::uint64_t>(first) + i);
}

}  // namespace detail

}  // namespace v1
}  // namespace steelyard
