// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/detail/first_exception.hpp>
#include <steelyard/detail/hand_over.hpp>
#include <steelyard/loop_options.hpp>
#include <steelyard/sync_tasks.hpp>

/// The one way in which all loops of this interface reach the library.
namespace steelyard {
inline namespace v1 {
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
    __atomic_store_n(mine.head, behind, __ATOMIC_RELAXED);                             // R3
    if (mine.fence != 0) full_fence();                                                 // R4
    if (__builtin_expect(behind <= __atomic_load_n(mine.end, __ATOMIC_RELAXED), 1)) {  // R5
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
  if (!options.shares.empty()) {
    loop.shares = options.shares.data();
    loop.share_count = static_cast<std::uint32_t>(options.shares.size());
  }
  loop.chunk = options.chunk;
  loop.pool = options.on != nullptr ? options.on->handle() : nullptr;
  loop.members = members != 0 ? members : options.threads;
  loop.flags = options.always_parallel ? STEELYARD_ALWAYS_PARALLEL : 0;
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
  if (result == STEELYARD_INVALID) {
    if (options.schedule != nullptr) check_schedule(options.schedule);
    throw std::invalid_argument("shares are numbers from 0 to 100, one for each member, which add up to 100");
  }
  if (result == STEELYARD_DONE && options.progress && n != 0) options.progress(n, n);
  return result == STEELYARD_DONE;
}

/// For a loop over parts of `all` iterations, of which part k begins with begin(k): progress in iterations; and no costs, which are of
/// iterations.
template <class Begin>
loop_options options_of_parts(const loop_options& of_iterations, Begin begin, std::uint64_t all) {
  loop_options of_parts = of_iterations;
  of_parts.cost = {};
  if (of_iterations.progress) {
    of_parts.progress = [begin, all, report = of_iterations.progress](std::uint64_t taken, std::uint64_t) {
      report(begin(taken), all);
    };
  }
  return of_parts;
}

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
