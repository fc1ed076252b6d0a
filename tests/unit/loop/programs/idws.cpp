// SPDX-License-Identifier: Apache-2.0
// The macros of idws.h in OpenMP regions; idws_test.py builds it for every standard and compiler. Prints what went wrong.
#include <omp.h>
#include <stdint.h>

#include <steelyard/idws.h>
#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>

#if __cplusplus >= 202002L
#include <steelyard/loop.hpp>
#endif

namespace {

int failures = 0;

void check(bool so, const char* what) {
  if (so) return;
  ++failures;
  std::printf("not so: %s\n", what);
}

/// Counts of 0 … n-1.
class counts {
 public:
  explicit counts(int n) : n_(n), runs_(new std::atomic<int>[static_cast<size_t>(n) + 1]) { clear(); }
  void clear() {
    for (int i = 0; i < n_; ++i) runs_[static_cast<size_t>(i)] = 0;
  }
  void ran(int i) { ++runs_[static_cast<size_t>(i)]; }
  bool all(int times) const {
    for (int i = 0; i < n_; ++i) {
      if (runs_[static_cast<size_t>(i)] != times) return false;
    }
    return true;
  }
  bool at_most(int times) const {
    for (int i = 0; i < n_; ++i) {
      if (runs_[static_cast<size_t>(i)] > times) return false;
    }
    return true;
  }

 private:
  int n_;
  std::unique_ptr<std::atomic<int>[]> runs_;
};

counts* current = nullptr;

void do_something(int i) {
  volatile int ballast = 0;
  for (int k = 0; k < i; ++k) ballast = ballast + k;
  current->ran(i);
}

/// Snippet 6 of the paper.
void snippet() {
  const int SIZE = 1000;
  counts seen(SIZE);
  current = &seen;
  IDWS::IDWS_Initialize();
  int nthreads = omp_get_max_threads();
#pragma omp parallel
  {
    int tid = omp_get_thread_num();
    IDWS_prologue(int, i, SIZE)
      do_something(i);
    IDWS_epilogue
  }
  IDWS::IDWS_Finalize();
  check(seen.all(1), "the paper's snippet runs each iteration once");
}

void types_and_sizes() {
  const int nthreads = omp_get_max_threads();
  counts seen(100);
#pragma omp parallel
  {
    const int tid = omp_get_thread_num();
    IDWS_prologue(unsigned char, i, 100)
      seen.ran(i);
    IDWS_epilogue
    IDWS_prologue(size_t, i, 100UL)
      seen.ran(static_cast<int>(i));
    IDWS_epilogue
    IDWS_prologue(int64_t, i, int64_t{100})
      seen.ran(static_cast<int>(i));
    IDWS_epilogue
    IDWS_prologue(int, i, -1)
      seen.ran(i);
    IDWS_epilogue
    IDWS_prologue(int, i, 0)
      seen.ran(i);
    IDWS_epilogue
    IDWS_prologue(int, i, 1)
      seen.ran(i + 99);
    IDWS_epilogue
    IDWS_prologue(int, i, 99)
      seen.ran(i);
    IDWS_epilogue
  }
  check(seen.all(4), "types, and sizes 0 and 1");
}

void continue_ends_an_iteration() {
  const int nthreads = omp_get_max_threads();
  counts seen(1000);
  std::atomic<int> even(0);
#pragma omp parallel
  {
    const int tid = omp_get_thread_num();
    IDWS_prologue(int, i, 1000)
      seen.ran(i);
      if (i % 2 != 0) continue;
      ++even;
    IDWS_epilogue
  }
  check(seen.all(1) && even == 500, "continue");
}

void break_leaves() {
  const int nthreads = omp_get_max_threads();
  counts broken(1000);
  counts after(1000);
#pragma omp parallel
  {
    const int tid = omp_get_thread_num();
    IDWS_prologue(int, i, 1000)
      broken.ran(i);
      if (i % 100 == 50) break;
    IDWS_epilogue
    IDWS_prologue(int, i, 1000)
      after.ran(i);
    IDWS_epilogue
  }
  check(broken.at_most(1), "break runs nothing twice");
  check(after.all(1), "after a break the next loop is whole");
}

/// Loops of different lengths behind each other, nobody waiting; with a barrier behind each third.
void sequences() {
  const int nthreads = omp_get_max_threads();
  const int loops = 30;
  for (int barriers = 0; barriers < 2; ++barriers) {
    counts seen(loops * 200);
    std::atomic<int> early(0);
    std::atomic<int> done(0);
#pragma omp parallel
    {
      const int tid = omp_get_thread_num();
      for (int l = 0; l < loops; ++l) {
        const int size = l * 7 % 200;
        IDWS_prologue(int, i, size)
          volatile int ballast = 0;
          for (int k = 0; k < (tid + 1) * 100; ++k) ballast = ballast + k;
          seen.ran(l * 200 + i);
          ++done;
        IDWS_epilogue
        if (barriers != 0 && l % 3 == 2) {
#pragma omp barrier
          int wanted = 0;
          for (int before = 0; before <= l; ++before) wanted += before * 7 % 200;
          if (done < wanted) ++early;
#pragma omp barrier
        }
      }
    }
    bool right = true;
    int total = 0;
    for (int l = 0; l < loops; ++l) total += l * 7 % 200;
    right = seen.at_most(1) && done == total;
    check(right, "sequences without barriers");
    check(early == 0, "behind a barrier the loops before are done");
  }
}

void teams(int asked) {
  const int nthreads = omp_get_max_threads();
  counts seen(500);
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel num_threads(asked)
    {
      const int tid = omp_get_thread_num();
      IDWS_prologue(int, i, 500)
        seen.ran(i);
      IDWS_epilogue
      IDWS_prologue(int, i, 500)
        seen.ran(i);
      IDWS_epilogue
    }
  }
  check(seen.all(40), "teams of other sizes than omp_get_max_threads()");
}

void outside_of_a_region() {
  const int nthreads = 1;
  const int tid = 0;
  counts seen(50);
  IDWS_prologue(int, i, 50)
    seen.ran(i);
  IDWS_epilogue
  check(seen.all(1), "a team of one outside of regions");
}

void nested_regions() {
  omp_set_max_active_levels(3);
  counts seen(3 * 2 * 2 * 60);
  for (int round = 0; round < 5; ++round) {
#pragma omp parallel num_threads(3)
    {
      const int a = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      {
        const int b = omp_get_thread_num();
        const int nthreads = 2;
#pragma omp parallel num_threads(2)
        {
          const int tid = omp_get_thread_num();
          IDWS_prologue(int, i, 120)
            seen.ran((a * 2 + b) * 120 + i);
          IDWS_epilogue
        }
        const int tid = b;
        IDWS_prologue(int, i, 240)
          seen.ran(a * 240 + i);
        IDWS_epilogue
      }
    }
  }
  check(seen.all(10), "nested regions");
  omp_set_max_active_levels(1);
}

void loops_in_loops() {
  const int nthreads = omp_get_max_threads();
  counts seen(40 * 50);
#pragma omp parallel
  {
    const int tid = omp_get_thread_num();
    IDWS_prologue(int, i, 40)
      const int outer = i;
      volatile int ballast = 0;
      for (int k = 0; k < outer * 100; ++k) ballast = ballast + k;
#pragma omp parallel num_threads(2)
      {
        const int nthreads = 2;
        const int tid = omp_get_thread_num();
        IDWS_prologue(int, j, 50)
          seen.ran(outer * 50 + j);
        IDWS_epilogue
      }
    IDWS_epilogue
  }
  check(seen.all(1), "regions with loops inside loops");
}

void exceptions() {
  const int nthreads = omp_get_max_threads();
  counts seen(400);
  counts after(400);
  std::atomic<int> caught(0);
  for (int round = 0; round < 100; ++round) {
    seen.clear();
    after.clear();
    caught = 0;
#pragma omp parallel
    {
      const int tid = omp_get_thread_num();
      try {
        IDWS_prologue(int, i, 400)
          seen.ran(i);
          if (i == round) throw std::runtime_error("one");
        IDWS_epilogue
      } catch (const std::runtime_error&) {
        ++caught;
      }
      IDWS_prologue(int, i, 400)
        after.ran(i);
      IDWS_epilogue
    }
    if (!seen.at_most(1) || caught > 1 || !after.all(1)) return check(false, "exceptions leave a loop");
  }
}

#if __cplusplus >= 202002L
/// Loops of the pool, called by threads of a region.
void parallel_for_in_a_region() {
  counts seen(8 * 200);
  std::atomic<int> threads(0);
  std::atomic<bool> right(true);
#pragma omp parallel num_threads(8)
  {
    const int tid = omp_get_thread_num();
    const int nthreads = 8;
    steelyard::parallel_for(0, 200, [&](int i) { seen.ran(tid * 200 + i); },
                            {.schedule = "idws", .always_parallel = true});
    std::atomic<int> inner(0);
    IDWS_prologue(int, i, 64)
      steelyard::parallel_for(0, 20, [&](int) { ++inner; },
                              {.schedule = i % 2 != 0 ? "idws" : "steal", .always_parallel = true});
    IDWS_epilogue
    threads += inner;
  }
  check(seen.all(1) && threads == 64 * 20 && right, "steelyard::parallel_for in a region");
}
#endif

}  // namespace

int main() {
  for (int round = 0; round < 20; ++round) snippet();
  types_and_sizes();
  continue_ends_an_iteration();
  break_leaves();
  sequences();
  for (const int asked : {1, 2, 3, 8}) teams(asked);
  outside_of_a_region();
  nested_regions();
  loops_in_loops();
  exceptions();
#if __cplusplus >= 202002L
  parallel_for_in_a_region();
#endif
  std::printf("%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
