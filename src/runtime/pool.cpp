// SPDX-License-Identifier: Apache-2.0
#include "runtime/pool.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>

namespace steelyard::runtime {
namespace {

// A pause is some 10 to 40 ns.
constexpr std::uint32_t spins_before_sleep = 1000;
constexpr std::uint32_t spins_for_members = 1000;

/// Signals blocked while a thread is started, which inherits that.
class signals_blocked {
 public:
  signals_blocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

pool::pool(std::uint32_t workers) {
  workers_.reserve(workers);  // they keep their places
  const signals_blocked quiet;
  for (std::uint32_t i = 0; i < workers; ++i) {
    worker& next = workers_.emplace_back(worker{this, i, {}});
    if (pthread_create(&next.thread, nullptr, work_until_stopped, &next) == 0) continue;
    workers_.pop_back();
    break;
  }
}

pool::~pool() {
  stopping_.store(true, sync::seq_cst, sync::site{"W1"});
  parking_.wake(workers());
  for (const worker& each : workers_) pthread_join(each.thread, nullptr);
}

void pool::run(shared_work& work, std::uint32_t members) noexcept {
  const std::uint32_t seats = std::min(std::max(members, 1U) - 1, workers());
  const std::uint32_t place = seats != 0 ? board_.offer(work, std::min(seats, board_.most_seats)) : board_.no_place;
  if (place == board_.no_place) return work.run(0);
  parking_.wake(seats);
  work.run(0);
  board_.withdraw(place, spins_for_members);
}

void* pool::work_until_stopped(void* started) noexcept {
  const auto& self = *static_cast<const worker*>(started);
  char name[16];
  std::snprintf(name, sizeof name, "steelyard/%u", self.number);
  pthread_setname_np(pthread_self(), name);
  self.of->live(self.number);
  return nullptr;
}

void pool::take_part(const membership& joined) noexcept {
  joined.work->run(joined.number);
  board_.leave(joined);
}

/// Takes part in work that is open; whether there was some.
bool pool::help(std::uint32_t first) noexcept {
  const auto joined = board_.join(first);
  if (joined.work != nullptr) take_part(joined);
  return joined.work != nullptr;
}

void pool::live(std::uint32_t number) noexcept {
  while (!stopping_.load(sync::relaxed, sync::site{"W2"})) {
    std::uint32_t spins = 0;
    while (!help(number) && ++spins < spins_before_sleep) sync::real::pause();
    if (spins < spins_before_sleep) continue;
    const auto ticket = parking_.announce();
    if (stopping_.load(sync::seq_cst, sync::site{"W3"})) return parking_.cancel();
    const auto joined = board_.join(number);
    if (joined.work == nullptr) {
      parking_.sleep(ticket);
    } else {
      parking_.cancel();
      take_part(joined);
    }
  }
}

}  // namespace steelyard::runtime
