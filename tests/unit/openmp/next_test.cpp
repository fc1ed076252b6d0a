// SPDX-License-Identifier: Apache-2.0
// `next` of a loop that is ours: no heap, no mapping, no system call (a thief that takes from an open range makes two that
// never sleep), and nobody waits for a late member. The host is the runtime of pthreads in tests/stress.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <string>

#include "gomp.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "schedules/registry.hpp"

extern "C" {
int omp_get_thread_num();

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);
}

namespace {

thread_local constinit long requests = 0;  // of this thread, for memory

}  // namespace

// These stand before libc's own, for the drop-in as well.
extern "C" {
void* malloc(std::size_t bytes) noexcept { return ++requests, __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t each) noexcept { return ++requests, __libc_calloc(count, each); }
void* realloc(void* old, std::size_t bytes) noexcept { return ++requests, __libc_realloc(old, bytes); }
void free(void* old) noexcept {
  ++requests;
  __libc_free(old);
}
void* mmap(void* at, std::size_t length, int protection, int flags, int file, off_t offset) noexcept {
  ++requests;
  const long got = syscall(SYS_mmap, at, length, protection, flags, file, offset);
  return reinterpret_cast<void*>(got);
}
}

namespace {

namespace openmp = steelyard::openmp;
namespace schedules = steelyard::schedules;

constexpr unsigned threads = 3;
constexpr long iterations = 2000;

/// Loops run by this schedule, also those of sites that are known already.
void choose(const schedules::operations& schedule) {
  openmp::config.active = true;
  openmp::config.all = {&schedule, schedule.about.chunk_meaning != nullptr ? 1U : 0U};
  for (openmp::site* each = openmp::first_site(); each != nullptr; each = each->next) each->forced = openmp::config.all;
}

/// What the members of a team find.
struct findings {
  void (*before)() = nullptr;  ///< between `start` and `next`
  void (*within)() = nullptr;  ///< at each chunk
  std::atomic<long> requests{0};
  std::atomic<long> ran{0};
  std::atomic<unsigned> through{0};
};

void run_loop(findings& found) {
  long from = 0;
  long to = 0;
  long mine = 0;
  bool more = GOMP_loop_nonmonotonic_dynamic_start(0, iterations, 1, 1, &from, &to);
  if (found.before != nullptr) found.before();
  const long before = requests;
  for (; more; more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
    mine += to - from;
    if (found.within != nullptr) found.within();
  }
  found.requests += requests - before;
  found.ran += mine;
}

TEST(Next, AsksForNoMemory) {
  for (const auto& schedule : schedules::all()) {
    choose(schedule);
    findings found;
    GOMP_parallel(
        [](void* data) {
          run_loop(*static_cast<findings*>(data));
          GOMP_loop_end_nowait();
        },
        &found, threads, 0);
    EXPECT_EQ(found.ran.load(), iterations) << schedule.about.name;
    EXPECT_EQ(found.requests.load(), 0) << schedule.about.name;
  }
}

TEST(Next, ARequestWouldBeNoticed) {
  choose(*schedules::find("dynamic"));
  findings found;
  found.within = [] { free(malloc(1)); };
  GOMP_parallel([](void* data) { run_loop(*static_cast<findings*>(data)); }, &found, 1, 0);
  EXPECT_GT(found.requests.load(), 0);
}

/// From here on this thread may make these two calls, and end the process.
template <unsigned First, unsigned Second>
void allow_only() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, First, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Second, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  sock_fprog program{sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    syscall(SYS_exit_group, 77);
  }
}

constexpr auto allow_none = allow_only<SYS_exit_group, SYS_exit_group>;
constexpr auto allow_thieves = allow_only<SYS_membarrier, SYS_sched_yield>;

/// The status of a child whose team runs a loop behind such a filter.
int status_behind(void (*filter)(), void (*within)()) {
  const pid_t child = fork();
  if (child == 0) {
    findings found;
    found.before = filter;
    found.within = within;
    GOMP_parallel(
        [](void* data) {
          auto& of = *static_cast<findings*>(data);
          run_loop(of);
          if (++of.through == threads) syscall(SYS_exit_group, of.ran == iterations ? 0 : 1);
          while (true) steelyard::sync::real::pause();
        },
        &found, threads, 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Next, MakesNoSystemCall) {
  for (const auto& schedule : schedules::all()) {
    choose(schedule);
    const int status = status_behind(schedule.open_ranges != nullptr ? allow_thieves : allow_none, nullptr);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no seccomp filters here";
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << schedule.about.name << ": " << status;
  }
  const int noticed = status_behind(allow_thieves, [] { syscall(SYS_getppid); });
  EXPECT_TRUE(WIFSIGNALED(noticed) && WTERMSIG(noticed) == SIGSYS) << noticed;
}

constexpr unsigned in_flight = 100;

/// One member stays in its first loop until the others are through all of them.
void hold_back(void* data) {
  auto& of = *static_cast<findings*>(data);
  for (unsigned loop = 0; loop < in_flight; ++loop) {
    if (omp_get_thread_num() == 0 && loop == 1) {
      while (of.through < threads - 1) steelyard::sync::real::pause();
    }
    run_loop(of);
    GOMP_loop_end_nowait();
  }
  ++of.through;
}

TEST(Next, NobodyWaitsForALateMember) {
  for (const auto& schedule : schedules::all()) {
    choose(schedule);
    findings found;
    GOMP_parallel(hold_back, &found, threads, 0);
    EXPECT_EQ(found.ran.load(), iterations * in_flight) << schedule.about.name;
    EXPECT_EQ(found.requests.load(), 0) << schedule.about.name;
  }
}

}  // namespace
