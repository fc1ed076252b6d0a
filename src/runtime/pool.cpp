// SPDX-License-Identifier: Apache-2.0
#include "runtime/pool.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "support/ticks.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::runtime {
namespace {

/// In a child of fork: its threads start the workers of one pool after the other.
constinit sync::fork_safe_lock<sync::real> renewing;

/// Signals blocked while a thread is started, which inherits that: those that are meant for any thread of the program. What a thread does
/// to itself (a fault, a trap) is its own, and a blocked one would end the process past its handler; and profilers look at all threads.
class signals_blocked {
 public:
  signals_blocked() noexcept {
    sigset_t others;
    sigfillset(&others);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF}) sigdelset(&others, own);
    pthread_sigmask(SIG_BLOCK, &others, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local pool::worker* pool::worker_here = nullptr;

void other_processors::keep_off(int processor, std::uint32_t workers) noexcept {
  if (processor == avoided_) return;
  avoided_ = processor;
  const auto now = topology::processors::of_thread(0);
  if (now != bound_) usual_ = now;  // by somebody else, or still what the worker began with
  auto others = usual_;
  others.remove(static_cast<unsigned>(processor));
  if (others.count() < workers) others = usual_;
  bound_ = others != now && others.bind_this_thread() ? others : now;
}

pool::pool(std::uint32_t workers)
    : born_(sync::forks()), asked_(std::min(workers, most_workers)), board_(asked_),
      workers_(std::make_unique<worker[]>(asked_)) {
  start(asked_);
}

void pool::start(std::uint32_t workers) {
  const auto all = topology::of_process();
  waking_.crowded = workers >= all.count();
  if (all != topology::processors::of_thread(0)) bind_ = all;
  tasks_ = new tasks(workers, board_, parking_, waking_, tasks_);
  const signals_blocked quiet;
  std::uint32_t started = 0;
  for (; started < workers; ++started) {
    worker& next = workers_[started];
    next = {this, started, {}, {}};
    if (pthread_create(&next.thread, nullptr, work_until_stopped, &next) != 0) break;
  }
  count_.store(started, sync::relaxed, sync::site{"W11"});
}

/// In the child of a fork: nobody has it any more but the calling thread and those that it has started since.
void pool::start_anew() {
  const sync::one_at_a_time here(renewing);
  if (born_.load(sync::acquire, sync::site{"W5"}) == sync::forks()) return;
  begun_.store(0, sync::relaxed, sync::site{"W9"});
  std::destroy_at(&board_);
  std::construct_at(&board_, asked_);
  std::destroy_at(&parking_);
  std::construct_at(&parking_);
  start(workers());
  born_.store(sync::forks(), sync::release, sync::site{"W4"});
}

pool::~pool() {
  if (born_.load(sync::acquire, sync::site{"W5"}) == sync::forks()) {
    retire();
    for (std::uint32_t i = 0; i < workers(); ++i) pthread_join(workers_[i].thread, nullptr);
  }
  delete tasks_;
}

void pool::retire() noexcept {
  stopping_.store(true, sync::seq_cst, sync::site{"W1"});
  parking_.wake(workers());
}

void pool::run(shared_work& work, std::uint32_t members) noexcept {
  renew();
  const std::uint32_t seats = std::min(std::max(members, 1U) - 1, workers());
  sync::hand_over(&work);
  const std::uint32_t place = seats != 0 ? board_.offer(work, seats) : board_.no_place;
  if (place == board_.no_place) return work.run(0);
  tasks_->waiting.wake_idle(seats);
  work.run(0);
  board_.withdraw(place, [waiting = idle_wait(waking_)]() mutable { return waiting.lasts(); });
  sync::receive(&work);
}

pool* pool::of_this_worker() noexcept { return worker_here != nullptr ? worker_here->of : nullptr; }

bool pool::enter_tasks() noexcept {
  renew();
  if (worker_here == nullptr || worker_here->of != this) return tasks_->seats.enter();
  tasks_->seats.enter_worker(worker_here->number);
  return false;
}

void* pool::work_until_stopped(void* started) noexcept {
  auto& self = *static_cast<worker*>(started);
  char name[16];
  std::snprintf(name, sizeof name, "steelyard/%u", self.number);
  pthread_setname_np(pthread_self(), name);
  if (self.of->bind_) self.of->bind_->bind_this_thread();
  worker_here = &self;
  self.of->live(self);
  return nullptr;
}

void pool::take_part(const membership& joined, std::uint32_t number) noexcept {
  tasks_->waiting.pass_on();
  sync::receive(joined.work);
  joined.work->run(joined.seat.number);
  sync::hand_over(joined.work);
  board_.leave(joined);
  tasks_->clear_up(number);
}

/// Takes part in work that is open, or takes a task; whether there was some.
bool pool::help(std::uint32_t first, bool tasks_too) noexcept {
  const auto joined = board_.join(first);
  if (joined.work == nullptr) return tasks_too && tasks_->help(first);
  take_part(joined, first);
  return true;
}

/// The same, for as long as it pays to wait: sleeping makes the next caller wait for a wake-up.
bool pool::help_soon(std::uint32_t first) noexcept {
  idle_wait waiting(waking_);
  do {
    if (help(first, waiting.is_time_to_steal())) return true;
    sync::real::pause();
  } while (waiting.lasts() && !stopping_.load(sync::relaxed, sync::site{"W2"}));
  spun_.store(waiting.waited(), sync::relaxed, sync::site{"W8"});
  return false;
}

void pool::live(worker& self) noexcept {
  begun_.fetch_add(1, sync::relaxed, sync::site{"W9"});
  while (!stopping_.load(sync::relaxed, sync::site{"W2"})) {
    if (help_soon(self.number)) continue;
    bool stopping = false;
    membership joined;
    const bool slept = tasks_->waiting.park([&] {
      stopping = stopping_.load(sync::seq_cst, sync::site{"W3"});
      if (!stopping) joined = board_.join(self.number, its_board::look::last);
      return stopping || joined.work != nullptr;
    });
    if (stopping) return;
    if (slept) {
      const auto woken_at = waking_.at.exchange(0, sync::relaxed, sync::site{"W10"});
      if (woken_at != 0) waking_.took.add(support::ticks() - woken_at);
      self.place.keep_off(waking_.from.load(sync::relaxed, sync::site{"W7"}), asked_);
    } else {
      waking_.at.store(0, sync::relaxed, sync::site{"W10"});
      if (joined.work != nullptr) take_part(joined, self.number);
    }
  }
}

}  // namespace steelyard::runtime
