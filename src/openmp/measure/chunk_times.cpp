// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/chunk_times.hpp"

#include <new>

#include "openmp/host/clock.hpp"
#include "openmp/program/records.hpp"
#include "schedules/loop_record.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {

/// Of one site; never freed.
struct site_times {
  schedules::loop_record record;  ///< of who holds in_use
  sync::real::atomic<std::uint32_t> in_use{};
  statistic opened;  ///< loops
};

namespace {

using schedules::loop_record;
using schedules::member;
using schedules::operations;
using schedules::shape;
using schedules::step;

struct alignas(support::line_size) timer {
  std::uint64_t began = 0;
  std::uint64_t fetched = 0;
  step current{};
};

/// In front of the schedule's own state.
struct alignas(support::line_size) timing {
  const operations* does;
  std::uint32_t members;

  timer& of(member m) noexcept { return reinterpret_cast<timer*>(this + 1)[m]; }
  void* schedule() noexcept { return &of(members); }
  [[nodiscard]] const void* schedule() const noexcept { return reinterpret_cast<const timer*>(this + 1) + members; }
};

timing& of(void* state) noexcept { return *static_cast<timing*>(state); }
const timing& of(const void* state) noexcept { return *static_cast<const timing*>(state); }

/// The record of a site for as long as this lives; none: another thread has it, or there is no memory.
class lent_record {
 public:
  explicit lent_record(site& at) noexcept : from_(record_at(at.times)) {
    if (from_ != nullptr && from_->in_use.exchange(1, sync::acquire, sync::site{"T11"}) != 0) from_ = nullptr;
    if (from_ != nullptr) from_->record.instances = from_->opened.read();
  }
  ~lent_record() {
    if (from_ != nullptr) from_->in_use.store(0, sync::release, sync::site{"T11"});
  }
  lent_record(const lent_record&) = delete;
  lent_record& operator=(const lent_record&) = delete;

  [[nodiscard]] loop_record* get() const noexcept { return from_ != nullptr ? &from_->record : nullptr; }

 private:
  site_times* from_;
};

step next_timed(void* state, member m) noexcept {
  auto& all = of(state);
  auto& own = all.of(m);
  const auto asked = now();
  if (own.current.count != 0)
    all.does->feedback->completed(all.schedule(), m, own.current, {asked - own.began, own.fetched});
  own.current = all.does->next(all.schedule(), m);
  own.began = now();
  own.fetched = own.began - asked;
  return own.current;
}

}  // namespace

constinit const schedules::operations timing_schedule{
    {"timed", "times its chunks", nullptr, true, false},
    nullptr,
    nullptr,
    [](void* state, member m) { return next_timed(state, m); },
    [](const void* state, member m) { return of(state).does->remaining(of(state).schedule(), m); },
    [](const void* state, member m) { return of(state).does->counts(of(state).schedule(), m); },
};

bool is_to_be_timed(const operations& schedule, site& at) noexcept {
  if (schedule.feedback == nullptr || schedule.feedback->always) return schedule.feedback != nullptr;
  const site_times* const known = record_at(at.times);
  return known != nullptr && loop_record::is_due(known->opened.read());
}

std::size_t bytes_of(const operations& schedule, const shape& loop, bool timed) noexcept {
  return schedule.bytes(loop) + (timed ? sizeof(timing) + loop.members * sizeof(timer) : 0);
}

const operations* open_with_times(void* memory, const operations& schedule, shape& loop, site& at,
                                  bool timed) noexcept {
  if (schedule.feedback == nullptr) {
    schedule.open(memory, loop);
    return &schedule;
  }
  const lent_record known(at);
  loop.known.record = known.get();
  if (!timed) {
    schedule.open(memory, loop);
    return &schedule;
  }
  auto& fresh = *::new (memory) timing{&schedule, loop.members};
  for (member m = 0; m < loop.members; ++m) ::new (&fresh.of(m)) timer;
  schedule.open(fresh.schedule(), loop);
  return &timing_schedule;
}

void count_for_times(site& at) noexcept {
  site_times* const known = at.times.load(sync::acquire, sync::site{"T10"});
  if (known != nullptr) known->opened.add(1);
}

void learn_times(instance& ended) noexcept {
  STEELYARD_ASSERT(ended.schedule == &timing_schedule, "measuring.md: who learns has timed the chunks");
  const lent_record into(*ended.at);
  const timing& lesson = of(static_cast<const void*>(ended.state()));
  if (into.get() != nullptr) lesson.does->feedback->learnt(lesson.schedule(), *into.get());
}

}  // namespace steelyard::openmp
