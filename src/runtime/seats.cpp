// SPDX-License-Identifier: Apache-2.0
#include "runtime/seats.hpp"

#include <cstddef>
#include <utility>

#include "runtime/own_tasks.hpp"
#include "runtime/pending.hpp"
#include "runtime/tasks.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::runtime {
namespace {

/// Stacks are smaller than so many joins need.
constexpr std::size_t most_forks = std::size_t{1} << 17;
constexpr std::size_t most_spawned = std::size_t{1} << 22;

[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t depth = 0;  ///< a guest's calls of enter
/// And of leave, while it was in a join: that may have begun with the seat of a frame that has ended since.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t left = 0;

}  // namespace

seats::seats(tasks& of, std::uint32_t workers) : workers_(workers), threads_(new task_thread[workers + guests]) {
  for (std::uint32_t i = 0; i < threads(); ++i) {
    threads_[i].of = &of;
    threads_[i].number = i;
    threads_[i].dice = 0x9e3779b9U * (i + 1);
  }
}

bool seats::sit_down(task_thread& thread) noexcept {
  if (thread.memory[1].all().empty()) {
    sync::real::prepare_membarrier();
    if (sync::real::fences()) return false;  // pushes and pops have no fence that a thief's could meet
    if (!thread.memory[0].reserve(most_forks) || !thread.memory[1].reserve(most_spawned)) return false;
    const auto begin = [](task_deque& deque, std::span<task_slot> in) { deque.use(in.data(), in.data() + in.size()); };
    begin(thread.forks, thread.memory[0].all());
    begin(thread.spawned, thread.memory[1].all());
  }
  sync::receive(&thread);
  task_thread::use(&thread);
  thread.be_here();
  thread.of->waiting.begin();
  if (thread.of->measuring.is_on()) thread.of->measuring.begin(thread);
  return true;
}

void seats::enter_worker(std::uint32_t number) noexcept {
  if (own == nullptr) sit_down(threads_[number]);
}

bool seats::enter() noexcept {
  if (own != nullptr) {
    if (&own->of->seats != this || own->number < workers_) return false;
    ++depth;
    return true;
  }
  std::uint64_t taken = guests_taken_.load(sync::relaxed, sync::site{"K2"});
  std::uint32_t seat = 0;
  do {
    seat = static_cast<std::uint32_t>(std::countr_one(taken));
    if (seat >= guests) return false;
  } while (!guests_taken_.compare_exchange(taken, taken | std::uint64_t{1} << seat, sync::acquire, sync::relaxed,
                                           sync::site{"K3"}));
  task_thread& thread = threads_[workers_ + seat];
  if (!sit_down(thread)) {
    stand_up(thread);
    return false;
  }
  thread.forks.ring_push();  // whoever sleeps by now has rung for somebody else
  thread.spawned.ring_push();
  depth = 1;
  return true;
}

void seats::leave() noexcept {
  ++left;
  leave_at_last();
}

void seats::leave_at_last() noexcept {
  if (left == 0 || own->forks.young() != own->memory[0].all().data()) return;
  depth -= std::exchange(left, 0);
  if (depth != 0) return;
  task_thread& thread = *own;
  own_tasks::run_down_to(thread, thread.memory[1].all().data());
  task_thread::use(nullptr);
  thread.of->seats.stand_up(thread);
}

void seats::stand_up(task_thread& thread) noexcept {
  if (thread.measured != nullptr) thread.measured->stop();
  sync::hand_over(&thread);
  guests_taken_.fetch_add(0 - (std::uint64_t{1} << (thread.number - workers_)), sync::release, sync::site{"K4"});
}

steelyard_task_counts seats::counts(std::uint32_t first, std::uint32_t last) const noexcept {
  steelyard_task_counts all{};
  for (std::uint32_t i = first; i < last; ++i) {
    all.stolen += threads_[i].stolen.load(sync::relaxed, sync::site{"K11"});
    all.refused += threads_[i].refused.load(sync::relaxed, sync::site{"K11"});
    all.analysed += threads_[i].analysed.load(sync::relaxed, sync::site{"K11"});
  }
  return all;
}

tasks_aside::tasks_aside(const tasks& used, bool other) noexcept
    : aside_(own != nullptr ? own->of != &used : other), before_(own), depth_(depth), left_(left),
      hidden_(steelyard_forks == nullptr), frame_(steelyard_frame_here) {
  if (!aside_) return;
  left = 0;
  task_thread::use(nullptr);
  if (steelyard_frame_here != &calls_only) steelyard_frame_here = nullptr;
}

tasks_aside::~tasks_aside() {
  if (!aside_) return;
  task_thread::use(before_);
  depth = depth_;
  left = left_;
  if (hidden_) steelyard_forks = nullptr;
  steelyard_frame_here = frame_;
}

}  // namespace steelyard::runtime
