// SPDX-License-Identifier: Apache-2.0
#include "topology/calibrate.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "sync/real.hpp"
#include "topology/fetches.hpp"
#include "topology/sampling.hpp"

namespace steelyard::topology {
namespace {

using sync::acq_rel;
using sync::acquire;
using sync::real;
using sync::relaxed;
using sync::release;
using sync::site;

constexpr site here{"calibrate"};

/// Identifies the physical core of a processor; nothing when the system does not tell.
std::string physical_core(int processor) {
  const auto folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/";
  std::string core;
  std::string package;
  std::ifstream(folder + "core_id") >> core;
  std::ifstream(folder + "physical_package_id") >> package;
  return core.empty() ? core : package + ":" + core;
}

/// Two processors of the mask, of different cores if there are such.
std::optional<std::pair<int, int>> two_processors() {
  const auto usable = usable_processors();
  if (usable.size() < 2) return std::nullopt;
  const auto first = physical_core(usable[0]);
  for (const int other : usable) {
    if (other != usable[0] && physical_core(other) != first) return std::pair(usable[0], other);
  }
  return std::pair(usable[0], usable[1]);
}

/// Runs `measured` on one core while `partner(stop)` runs on the other. The partner returns soon after stop becomes 1.
template <class Partner, class Measured>
std::optional<cost> against(std::pair<int, int> cores, Partner&& partner, Measured&& measured) {
  lone_word stop;
  lone_word started;
  std::optional<cost> found;
  std::thread other([&] {
    pin(cores.second);
    started.value.store(1, release, here);
    partner(stop.value);
  });
  std::thread self([&] {
    pin(cores.first);
    spin_until([&] { return started.value.load(acquire, here) == 1; });
    found = measured(other.native_handle());
    stop.value.store(1, release, here);
  });
  self.join();
  other.join();
  return found;
}

bool stopped(const word& stop) { return stop.load(acquire, here) != 0; }

/// A partner that keeps its core busy and shows that it runs.
auto busy(lone_word& beat) {
  return [&beat](const word& stop) {
    for (std::uint32_t turn = 0; !stopped(stop); ++turn) {
      beat.value.store(turn, relaxed, here);
      real::pause();
    }
  };
}

std::optional<cost> read_the_clock(std::chrono::nanoseconds budget) {
  return measure(budget, [] {
    return batch(256, [] {
      timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
    });
  });
}

void compare_and_swap_once(word& target) {
  auto seen = target.load(relaxed, here);
  target.compare_exchange(seen, seen + 1, acq_rel, relaxed, here);
}

std::optional<cost> uncontended(std::chrono::nanoseconds budget) {
  lone_word mine;
  return measure(budget, [&] { return batch(1024, [&] { compare_and_swap_once(mine.value); }); });
}

template <class Operation>
std::optional<cost> contended(std::chrono::nanoseconds budget, std::pair<int, int> cores, Operation operation) {
  lone_word shared;
  lone_word beat;
  const auto partner = [&](const word& stop) {
    for (std::uint32_t turn = 0; !stopped(stop); ++turn) {
      beat.value.store(turn, relaxed, here);
      batch(16, [&] { operation(shared.value); });
    }
  };
  return against(cores, partner, [&](pthread_t) {
    return measure(budget,
                   [&] { return while_running(beat, [&] { return batch(256, [&] { operation(shared.value); }); }); });
  });
}

std::optional<cost> poll_round_trip(std::chrono::nanoseconds budget, std::pair<int, int> cores) {
  lone_word ping;
  lone_word pong;
  std::uint32_t turn = 0;
  return against(
      cores,
      [&](const word& stop) {
        for (std::uint32_t expected = 1; !stopped(stop); ++expected) {
          spin_until([&] { return ping.value.load(acquire, here) == expected || stopped(stop); });
          pong.value.store(expected, release, here);
        }
      },
      [&](pthread_t) {
        return measure(budget, [&] {
          return batch(16, [&] {
            ping.value.store(++turn, release, here);
            spin_until([&] { return pong.value.load(acquire, here) == turn; });
          });
        });
      });
}

std::uint32_t* address(word& futex) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(&futex);
}

void futex_wait(word& futex, std::uint32_t seen) {
  const timespec limit{0, 10'000'000};  // so that a partner told to stop in between comes back
  syscall(SYS_futex, address(futex), FUTEX_WAIT_PRIVATE, seen, &limit, nullptr, 0);
}

void futex_wake(word& futex) { syscall(SYS_futex, address(futex), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

std::optional<cost> wake_to_answer(std::chrono::nanoseconds budget, std::pair<int, int> cores) {
  lone_word bell;
  lone_word answer;
  std::uint32_t turn = 0;
  return against(
      cores,
      [&](const word& stop) {
        while (!stopped(stop)) {
          const auto rung = bell.value.load(acquire, here);
          answer.value.store(rung, release, here);
          futex_wait(bell.value, rung);
        }
      },
      [&](pthread_t) {
        return measure(budget, [&] {
          spin_until([&] { return answer.value.load(acquire, here) == turn; });
          const auto asleep = clock::now() + std::chrono::microseconds(50);
          spin_until([&] { return clock::now() >= asleep; });
          const auto start = clock::now();
          bell.value.store(++turn, release, here);
          futex_wake(bell.value);
          spin_until([&] { return answer.value.load(acquire, here) == turn; });
          return nanoseconds_since(start);
        });
      });
}

/// Makes a signal arrive at this thread and those it starts, whatever the caller blocked; then as before.
class unblocked {
 public:
  explicit unblocked(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, &before_);
  }
  ~unblocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  unblocked(const unblocked&) = delete;
  unblocked& operator=(const unblocked&) = delete;

 private:
  sigset_t before_{};
};

/// Where the signal handler answers; static, because a handler has no other way in.
lone_word signals_answered;

std::optional<cost> time_signals(int number, std::chrono::nanoseconds budget, std::pair<int, int> cores) {
  const unblocked open(number);
  lone_word beat;
  return against(cores, busy(beat), [&](pthread_t running) {
    return measure(budget, [&] {
      await_beat(beat);
      const auto before = signals_answered.value.load(acquire, here);
      const auto start = clock::now();
      if (pthread_sigqueue(running, number, {}) != 0) return disturbed;
      spin_until([&] { return signals_answered.value.load(acquire, here) != before; });
      return nanoseconds_since(start);
    });
  });
}

std::optional<cost> signal_round_trip(std::chrono::nanoseconds budget, std::pair<int, int> cores) {
  const int number = SIGRTMAX - 3;
  struct sigaction ours {};
  struct sigaction previous {};
  ours.sa_handler = [](int) { signals_answered.value.fetch_add(1, release, here); };
  ours.sa_flags = SA_RESTART;
  sigaction(number, &ours, &previous);
  const auto found = time_signals(number, budget, cores);
  sigaction(number, &previous, nullptr);
  return found;
}

long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

bool membarrier_available() { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0; }

std::optional<cost> membarrier_cost(std::chrono::nanoseconds budget, std::pair<int, int> cores) {
  lone_word beat;
  return against(cores, busy(beat), [&](pthread_t) {
    return measure(budget, [&] {
      return while_running(beat, [] { return batch(2, [] { membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }); });
    });
  });
}

void fetch_add_once(word& target) { target.fetch_add(1, acq_rel, here); }

}  // namespace

std::vector<measurement> calibrate(std::chrono::milliseconds total) {
  const auto share = std::chrono::nanoseconds(total) / static_cast<long>(8 + fetch_rows());
  const auto pair = two_processors();
  std::vector<measurement> rows;
  const auto add = [&](const char* name, const char* meaning, std::optional<cost> took) {
    rows.push_back({name, meaning, took, took ? "" : "the cores are too busy"});
  };
  const auto alone = [&](const char* name, const char* meaning, auto&& run) { add(name, meaning, run(share)); };
  const auto between_two = [&](const char* name, const char* meaning, auto&& run) {
    if (pair) {
      add(name, meaning, run(share, *pair));
    } else {
      rows.push_back({name, meaning, std::nullopt, "needs two cores"});
    }
  };
  alone("clock_gettime", "read the monotonic clock", read_the_clock);
  alone("cas", "compare-and-swap on a line of one's own", uncontended);
  between_two("cas_contended", "compare-and-swap, two cores on one line",
              [](auto budget, auto cores) { return contended(budget, cores, compare_and_swap_once); });
  between_two("fetch_add_contended", "fetch-and-add, two cores on one line",
              [](auto budget, auto cores) { return contended(budget, cores, fetch_add_once); });
  between_two("poll", "request and answer through two lines, victim polls", poll_round_trip);
  between_two("futex", "wake a sleeping thread until it answers", wake_to_answer);
  between_two("signal", "pthread_sigqueue to a running thread until its handler answered", signal_round_trip);
  if (membarrier_available()) {
    between_two("membarrier", "membarrier, private expedited, the other core running", membarrier_cost);
  } else {
    rows.push_back({"membarrier", "membarrier, private expedited", std::nullopt, "not offered by this kernel"});
  }
  for (auto& row : calibrate_fetches(share)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace steelyard::topology
