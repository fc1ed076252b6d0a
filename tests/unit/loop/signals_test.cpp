// SPDX-License-Identifier: Apache-2.0
// The interrupts of schedule `idws`, and the program's own signals.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <steelyard/loop.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "child.hpp"
#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using loop_tests::becomes;
using loop_tests::compute;
using loop_tests::counts;
using loop_tests::in_child;
using loop_tests::variables;
using steelyard::parallel_for;

constexpr const char* deliveries[] = {"signal", "hybrid", "membarrier", "poll"};

variables with(const char* delivery, const char* threads = "3") {
  return {{"STEELYARD_DELIVERY", delivery}, {"STEELYARD_NUM_THREADS", threads}};
}

const steelyard::loop_options idws{.schedule = "idws", .always_parallel = true};

/// A loop whose work lies at its end, so that it is moved many times.
void triangle(unsigned n = 400) {
  counts seen(n);
  std::atomic<unsigned> ballast{0};
  parallel_for(
      0U, n,
      [&](unsigned i) {
        for (unsigned k = 0; k < 8 * i; ++k) ballast.fetch_add(k, std::memory_order_relaxed);
        seen.ran(i);
      },
      idws);
  REQUIRE(seen.wrong() == 0);
}

void triangles(int rounds = 100) {
  for (int round = 0; round < rounds; ++round) triangle();
}

/// The signal that the library has taken: the highest real-time one with a handler.
int taken_signal() {
  for (int number = SIGRTMAX; number >= SIGRTMIN; --number) {
    struct sigaction found {};
    sigaction(number, nullptr, &found);
    if ((found.sa_flags & SA_SIGINFO) != 0) return number;
  }
  return 0;
}

std::atomic<int> arrived{0};
std::atomic<int> with_value{0};

void count_signal(int) { arrived.fetch_add(1, std::memory_order_relaxed); }
void count_info(int, siginfo_t* info, void*) {
  arrived.fetch_add(1, std::memory_order_relaxed);
  with_value = info->si_value.sival_int;
}

void install(int number, void (*handler)(int)) {
  struct sigaction how {};
  how.sa_handler = handler;
  how.sa_flags = SA_RESTART;
  sigemptyset(&how.sa_mask);
  REQUIRE(sigaction(number, &how, nullptr) == 0);
}

TEST(Delivery, RightUnderLoad) {
  for (const char* delivery : deliveries) {
    const auto how = in_child(with(delivery, "4"), [] {
      std::vector<std::thread> callers;
      for (int c = 0; c < 3; ++c) callers.emplace_back([] { triangles(50); });
      for (auto& caller : callers) caller.join();
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

TEST(Delivery, NestedLoops) {
  for (const char* delivery : deliveries) {
    const auto how = in_child(with(delivery), [] {
      for (int round = 0; round < 30; ++round) {
        counts seen(20 * 60);
        parallel_for(
            0U, 20U,
            [&](unsigned i) {
              parallel_for(
                  0U, 60U,
                  [&](unsigned j) {
                    if (j > 50) compute(std::chrono::microseconds(i));
                    seen.ran(i * 60 + j);
                  },
                  idws);
            },
            idws);
        REQUIRE(seen.wrong() == 0);
      }
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

/// The caller stays in one iteration until the other member has run most of the rest.
void run_beside_a_long_one(const char* schedule) {
  constexpr int n = 64;
  std::atomic<int> others{0};
  std::atomic<bool> over{false};
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> done{false};
  parallel_for(0, n,
               [&](int) {
                 if (std::this_thread::get_id() == caller && !over.exchange(true)) {
                   while (!done) {
                   }
                   return;
                 }
                 if (++others == n / 2 + n / 4) done = true;
               },
               {.schedule = schedule, .always_parallel = true});
}

/// An owner that does not call us for a long time keeps nobody waiting.
TEST(Delivery, ALongIterationKeepsNothingBack) {
  for (const char* delivery : {"signal", "hybrid", "membarrier"}) {
    for (const char* schedule : {"idws", "steal"}) {
      const auto how = in_child(with(delivery, "2"), [schedule] {
        run_beside_a_long_one(schedule);
        return 0;
      });
      EXPECT_TRUE(how.fine()) << delivery << ' ' << schedule << ' ' << how;
    }
  }
}

/// ThreadSanitizer delays signals. Where a second one arrives while it runs the handler of a first,
/// it may leave all signals blocked (seen in /proc/self/status): so not with interrupts there.
bool may_block_all_signals(std::string_view delivery) {
  return loop_tests::under_thread_sanitizer && delivery == "signal";
}

TEST(OwnSignals, HandlersKeepCompleteCounts) {
  for (const char* delivery : deliveries) {
    if (may_block_all_signals(delivery)) continue;
    const auto how = in_child(with(delivery), [] {
      install(SIGUSR1, count_signal);
      const pthread_t self = pthread_self();
      std::atomic<bool> over{false};
      int sent = 0;
      std::thread sender([&] {
        // One at a time: ordinary signals do not queue.
        while (!over && sent < 2000) {
          const int before = arrived;
          pthread_kill(self, SIGUSR1);
          ++sent;
          REQUIRE(becomes([&] { return arrived > before; }));
        }
      });
      triangles(100);
      over = true;
      sender.join();
      REQUIRE(arrived == sent);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

/// Queued signals of the program's own real-time number: none is lost beside ours.
TEST(OwnSignals, QueuedOnesAllArrive) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it keeps one signal of a number";
  for (const char* delivery : deliveries) {
    const auto how = in_child(with(delivery), [] {
      install(SIGRTMIN, count_signal);
      constexpr int all = 2000;
      const pthread_t self = pthread_self();
      std::thread sender([&] {
        for (int i = 0; i < all; ++i) {
          while (pthread_sigqueue(self, SIGRTMIN, {}) != 0) std::this_thread::yield();
        }
      });
      triangles(100);
      sender.join();
      REQUIRE(becomes([] { return arrived == all; }));
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

TEST(OwnSignals, ATenKilohertzTimerKeepsItsCount) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it keeps one signal of a number";
  for (const char* delivery : deliveries) {
    const auto how = in_child(with(delivery), [] {
      struct sigaction tick {};
      static std::atomic<long> ticks{0};
      tick.sa_flags = SA_SIGINFO | SA_RESTART;
      tick.sa_sigaction = [](int, siginfo_t* info, void*) { ticks += 1 + info->si_overrun; };
      REQUIRE(sigaction(SIGRTMIN + 1, &tick, nullptr) == 0);
      sigevent event{};
      event.sigev_notify = SIGEV_SIGNAL;
      event.sigev_signo = SIGRTMIN + 1;
      timer_t timer{};
      REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
      const itimerspec each{{0, 100'000}, {0, 100'000}};
      const auto began = std::chrono::steady_clock::now();
      REQUIRE(timer_settime(timer, 0, &each, nullptr) == 0);
      triangles(100);
      std::this_thread::sleep_for(1ms);
      const auto lasted = std::chrono::steady_clock::now() - began;
      const auto wanted = std::chrono::duration_cast<std::chrono::microseconds>(lasted).count() / 100;
      // What is due has come, but for what was due while this thread had no core.
      REQUIRE(becomes([&] { return ticks >= wanted - 1; }));
      timer_delete(timer);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

/// A signal on our number that the library has not sent is the business of who was there before.
TEST(AlienSignals, GoToTheHandlerBefore) {
  auto environment = with("signal");
  environment["STEELYARD_SIGNAL"] = "USR1";
  const auto plain = in_child(environment, [] {
    install(SIGUSR1, count_signal);
    triangles(50);
    REQUIRE(arrived == 0);
    for (int i = 1; i <= 100; ++i) {
      raise(SIGUSR1);
      REQUIRE(arrived == i);
    }
    triangles(50);
    REQUIRE(arrived == 100);
    return 0;
  });
  EXPECT_TRUE(plain.fine()) << plain;
  const auto with_info = in_child(environment, [] {
    struct sigaction how {};
    how.sa_sigaction = count_info;
    how.sa_flags = SA_SIGINFO;
    REQUIRE(sigaction(SIGUSR1, &how, nullptr) == 0);
    triangles(50);
    REQUIRE(arrived == 0);
    REQUIRE(pthread_sigqueue(pthread_self(), SIGUSR1, {.sival_int = 77}) == 0);
    REQUIRE(arrived == 1 && with_value == 77);
    return 0;
  });
  EXPECT_TRUE(with_info.fine()) << with_info;
  const auto ignored = in_child(environment, [] {
    install(SIGUSR1, SIG_IGN);
    triangles(50);
    raise(SIGUSR1);
    return 0;
  });
  EXPECT_TRUE(ignored.fine()) << ignored;
}

TEST(AlienSignals, WithNoHandlerBeforeDoWhatTheyAlwaysDid) {
  const auto how = in_child(with("signal"), [] {
    triangles(20);
    const int ours = taken_signal();
    REQUIRE(ours != 0);
    raise(ours);
    return 0;
  });
  EXPECT_EQ(how.signal, SIGRTMAX) << how;
  const auto queued = in_child(with("signal"), [] {
    triangles(20);
    pthread_sigqueue(pthread_self(), taken_signal(), {.sival_int = 5});
    return 0;
  });
  EXPECT_EQ(queued.signal, SIGRTMAX) << queued;
  auto environment = with("signal");
  environment["STEELYARD_SIGNAL"] = "USR1";
  const auto user = in_child(environment, [] {
    triangles(20);
    raise(SIGUSR1);
    return 0;
  });
  EXPECT_EQ(user.signal, SIGUSR1) << user;
}

TEST(OurSignal, LeavesTheProgramsAlone) {
  const auto how = in_child(with("signal"), [] {
    install(SIGRTMAX, count_signal);
    install(SIGRTMAX - 1, SIG_IGN);
    triangles(50);
    REQUIRE(arrived == 0);
    struct sigaction found {};
    REQUIRE(sigaction(SIGRTMAX - 2, nullptr, &found) == 0);
    REQUIRE((found.sa_flags & SA_SIGINFO) != 0);
    raise(SIGRTMAX);
    raise(SIGRTMAX - 1);
    REQUIRE(arrived == 1);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(OurSignal, IsNoneThatTheProgramWaitsFor) {
  const auto how = in_child(with("signal"), [] {
    sigset_t waited;
    sigemptyset(&waited);
    sigaddset(&waited, SIGRTMAX);
    pthread_sigmask(SIG_BLOCK, &waited, nullptr);
    triangles(50);
    REQUIRE(taken_signal() == SIGRTMAX - 1);
    kill(getpid(), SIGRTMAX);
    triangles(5);
    const timespec second{1, 0};
    REQUIRE(sigtimedwait(&waited, nullptr, &second) == SIGRTMAX);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// Deliveries that interrupt nobody take no signal, and leave masks as they are.
TEST(OurSignal, IsNotTakenWhenNotUsed) {
  for (const char* delivery : {"hybrid", "membarrier", "poll"}) {
    const auto how = in_child(with(delivery), [] {
      sigset_t all;
      sigset_t after;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      triangles(20);
      REQUIRE(taken_signal() == 0);
      pthread_sigmask(SIG_SETMASK, nullptr, &after);
      REQUIRE(sigismember(&after, SIGRTMAX) == 1);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

TEST(OurSignal, UnknownOnesAreOneLine) {
  auto environment = with("signal");
  environment["STEELYARD_SIGNAL"] = "SEGV";
  const auto how = in_child(environment, [] {
    triangles(20);
    return 0;
  });
  EXPECT_TRUE(how.status == 0 && how.errors == "steelyard: STEELYARD_SIGNAL='SEGV' is ignored; USR1 is known\n") << how;
}

TEST(OurSignal, NoneIsFree) {
  const auto how = in_child(with("signal"), [] {
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) install(number, count_signal);
    triangles(50);
    REQUIRE(arrived == 0);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(OurSignal, CannotBeQueued) {
  const auto how = in_child(with("signal"), [] {
    const rlimit none{0, 0};
    REQUIRE(setrlimit(RLIMIT_SIGPENDING, &none) == 0);
    triangles(50);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// A caller that blocks all signals, from before its first loop, or between and inside its loops.
TEST(OurSignal, IsBlocked) {
  for (const bool from_the_start : {true, false}) {
    const auto how = in_child(with("signal"), [from_the_start] {
      sigset_t all;
      sigfillset(&all);
      if (!from_the_start) triangles(5);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      triangles(30);
      counts seen(200);
      parallel_for(
          0U, 200U,
          [&](unsigned i) {
            pthread_sigmask(SIG_SETMASK, &all, nullptr);
            compute(10us);
            seen.ran(i);
          },
          idws);
      REQUIRE(seen.wrong() == 0);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << how;
  }
}

/// A program that takes our number after the first loop: requests are then answered between iterations.
TEST(OurSignal, IsTakenFromUs) {
  const auto how = in_child(with("signal"), [] {
    triangles(10);
    install(taken_signal(), count_signal);
    triangles(50);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// Handlers may run on an alternate stack, and interrupt other handlers.
TEST(OurSignal, OnAnAlternateStack) {
  const auto how = in_child(with("signal"), [] {
    std::vector<char> room(256 * 1024);
    const stack_t other{.ss_sp = room.data(), .ss_flags = 0, .ss_size = room.size()};
    REQUIRE(sigaltstack(&other, nullptr) == 0);
    install(SIGALRM, [](int) { compute(50us); });
    const itimerval each{{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &each, nullptr);
    triangles(50);
    const itimerval none{};
    setitimer(ITIMER_REAL, &none, nullptr);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(OurSignal, KeepsErrno) {
  const auto how = in_child(with("signal"), [] {
    std::atomic<int> changed{0};
    parallel_for(
        0, 2000,
        [&](int i) {
          errno = 1000 + i;
          compute(5us);
          if (errno != 1000 + i) ++changed;
        },
        idws);
    REQUIRE(changed == 0);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
