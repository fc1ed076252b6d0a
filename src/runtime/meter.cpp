// SPDX-License-Identifier: Apache-2.0
#include "runtime/meter.hpp"

#include <time.h>

#include <algorithm>
#include <new>
#include <utility>

#include "support/assert.hpp"

namespace steelyard::runtime {
namespace {

/// By the clock; how long what a thread has used at most may be unknown. To ask for it takes a hundredth of that.
constexpr meter::time look_after = 20'000;
constexpr int empty_strands = 200;

meter::time read(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<meter::time>(now.tv_sec) * 1'000'000'000 + static_cast<meter::time>(now.tv_nsec);
}

/// f(), which may need memory.
template <class F>
void with_memory(meter& its, F f) noexcept {
  try {
    f();
  } catch (const std::bad_alloc&) {
    its.fail();
  }
}

}  // namespace

meter::meter() noexcept {
  start();
  time least = look_after;
  for (int i = 0; i < empty_strands; ++i) {
    const auto before = work_;
    begin_strand();
    end_strand();
    least = std::min(least, work_ - before);
  }
  least_ = least;
  work_ = here_ = 0;
}

void meter::start() noexcept {
  used_ = read(CLOCK_THREAD_CPUTIME_ID);
  looked_ = read(CLOCK_MONOTONIC);
  begin_strand();
}

void meter::begin_strand() noexcept { began_ = read(CLOCK_MONOTONIC); }

void meter::end_strand() noexcept {
  const time now = read(CLOCK_MONOTONIC);
  STEELYARD_ASSERT(now >= began_, "meter.md: a strand's clock does not go back");
  time took = now - began_;
  if (now - looked_ > look_after) {
    const time used = read(CLOCK_THREAD_CPUTIME_ID);
    took = std::min(took, used - used_);
    used_ = used;
    looked_ = now;
  }
  took -= std::min(took, least_);
  work_ += took;
  here_ += took;
}

void meter::pushed(deque_kind in, std::size_t count) noexcept {
  auto& starts = starts_[static_cast<std::size_t>(in)];
  with_memory(*this, [&] { starts.resize(count, std::max(here_, next_)); });
  next_ = 0;
}

meter::time meter::popped(deque_kind in, std::size_t which) noexcept {
  auto& starts = starts_[static_cast<std::size_t>(in)];
  if (which >= starts.size()) return here_;
  STEELYARD_ASSERT(failed_ || which + 1 == starts.size(), "meter.md: the youngest task of a deque is popped");
  const time start = starts[which];
  starts.resize(which);
  return start;
}

void meter::ended_in(const steelyard_group* group) noexcept {
  with_memory(*this, [&] {
    auto& last = groups_[group];
    last = std::max(last, here_);
  });
}

void meter::wait_for_all(const steelyard_group* group) noexcept {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  wait_for(found->second);
  groups_.erase(found);
}

void meter::begin(const steelyard_node* node) noexcept {
  with_memory(*this, [&] { jobs_[node] = job(); });
}

void meter::precede(const steelyard_node* before, const steelyard_node* node, bool has_ended) noexcept {
  with_memory(*this, [&] {
    if (has_ended) {
      const time end = jobs_[before].end;
      auto& start = jobs_[node].start;
      start = std::max(start, end);
    } else {
      jobs_[before].after.push_back(node);
    }
  });
}

void meter::forked(const steelyard_node* node) noexcept {
  with_memory(*this, [&] {
    auto& start = jobs_[node].start;
    start = std::max(start, here_);
  });
}

void meter::is_next(const steelyard_node* node) noexcept {
  const auto found = jobs_.find(node);
  if (found != jobs_.end()) next_ = found->second.start;
}

void meter::ended(const steelyard_node* node) noexcept {
  with_memory(*this, [&] {
    const auto after = std::move(jobs_[node].after);
    jobs_[node].end = here_;
    for (const auto* each : after) {
      auto& start = jobs_[each].start;
      start = std::max(start, here_);
    }
  });
}

}  // namespace steelyard::runtime
