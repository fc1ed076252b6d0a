/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of static loops, by name. Each runs four times, if it says nothing else, and prints how long the blocks are of the threads that had iterations 0
 * and N-1 in the last run, and what the pattern computes. Threads are told apart by the address of a local variable, for a region that
 * asks for its number is another pattern. */
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000, RUNS = 4 };

static uintptr_t who[N];
static double values[N];

static void note(int i, const void* local) { who[i] = (uintptr_t)local; }

static void say_of(int iterations, const char* pattern, double result) {
  int first = 0;
  int last = 0;
  while (first < iterations && who[first] == who[0]) ++first;
  while (last < iterations && who[iterations - 1 - last] == who[iterations - 1]) ++last;
  printf("%s %d %d %.17g\n", pattern, first, last, result);
}

static void say(const char* pattern, double result) { say_of(N, pattern, result); }

static void plain(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (int i = 0; i < N; ++i) note(i, &local);
    }
  }
  say("plain", 0);
}

static void down(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (unsigned i = N; i > 0; --i) note(N - (int)i, &local);
    }
  }
  say("down", 0);
}

static void stride(void) {
  long sum = 0;
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (long long i = -3; i < -3 + 7LL * N; i += 7) note((int)((i + 3) / 7), &local);
    }
    sum += (long)(who[0] != 0);
  }
  say("stride", (double)sum);
}

static void collapsed(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for collapse(2)
      for (int i = 0; i < N / 10; ++i) {
        for (int j = 0; j < 10; ++j) note(i * 10 + j, &local);
      }
    }
  }
  say("collapsed", 0);
}

static void last_private(void) {
  int last = -1;
  for (int run = 0; run < RUNS; ++run) {
    last = -1;
#pragma omp parallel
    {
      int local = 0;
#pragma omp for lastprivate(last)
      for (int i = 0; i < N; ++i) {
        note(i, &local);
        last = i;
      }
    }
  }
  say("last_private", last);
}

/* The second loop reads, without waiting, what the same thread has written. */
static void chain(void) {
  int wrong = 0;
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for nowait
      for (int i = 0; i < N; ++i) note(i, &local);
#pragma omp for nowait
      for (int i = 0; i < N; ++i) {
        if (who[i] != (uintptr_t)&local) {
#pragma omp atomic
          ++wrong;
        }
      }
    }
  }
  say("chain", wrong);
}

static double sum_of(int step) {
  double sum = 0;
  for (int run = 0; run < RUNS; ++run) {
    sum = 0;
#pragma omp parallel
    {
      int local = 0;
#pragma omp for reduction(+ : sum)
      for (int i = 0; i < N; ++i) {
        note(i, &local);
        sum += values[i] * step;
      }
    }
  }
  return sum;
}

static void reduction(void) { say("reduction", sum_of(1)); }

/* Over the region: the loop before the last one adds to it too. */
static void region_reduction(void) {
  double sum = 0;
  for (int run = 0; run < RUNS; ++run) {
    sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      int local = 0;
#pragma omp for
      for (int i = 0; i < N; ++i) {
        note(i, &local);
        sum += values[i];
      }
#pragma omp for
      for (int i = 0; i < N / 2; ++i) sum += values[i];
    }
  }
  say("region_reduction", sum);
}

static void asks(void) {
  int number = 0;
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
      if (omp_get_thread_num() == 0) ++number;
#pragma omp for
      for (int i = 0; i < N; ++i) note(i, &local);
    }
  }
  say("asks", number);
}

/* Both loops give each thread the same iterations, as they are static and of one length. */
static void ordered(void) {
  double all = 0;
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
      double mine[N] = {0};
#pragma omp for schedule(static) ordered
      for (int i = 0; i < N; ++i) mine[i] = 1;
#pragma omp for schedule(static)
      for (int i = 0; i < N; ++i) {
        values[i] = mine[i];
        note(i, &local);
      }
    }
    for (int i = 0; i < N; ++i) all += values[i];
  }
  say("ordered", all);
}

static void orphan_loop(const void* local) {
#pragma omp for
  for (int i = 0; i < N; ++i) note(i, local);
}

static void orphan(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
      orphan_loop(&local);
    }
  }
  say("orphan", 0);
}

/* What a thread alone, or a loop of one iteration, does in the end says nothing of the others. */
static void orphan_alone(void) {
  orphan();
  int local = 0;
  orphan_loop(&local);
}

static void short_in_the_end(void) {
  for (int n = N; n > 0; n -= N - 1) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (int i = 0; i < n; ++i) note(i, &local);
    }
  }
}

static void asks_alone(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = omp_get_thread_num();
      orphan_loop(&local);
    }
  }
  int local = 0;
  orphan_loop(&local);
}

/* Only behind the loop does it show. */
static void asks_once(void) {
#pragma omp parallel
  {
    int local = 0;
#pragma omp for
    for (int i = 0; i < N; ++i) note(i, &local);
    if (omp_get_thread_num() == 0) values[0] = 1;
  }
}

static void reduces_once(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; ++i) sum += values[i];
  values[1] = sum;
}

/* No number lies behind the last one, so an empty block could not be told. */
static void at_the_top(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (unsigned i = UINT_MAX - N; i < UINT_MAX; ++i) note((int)(i - (UINT_MAX - N)), &local);
    }
  }
  say("at_the_top", 0);
}

static void sections(void) {
  int sum = 0;
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp sections
      {
#pragma omp section
        {
#pragma omp atomic
          sum += 1;
        }
#pragma omp section
        {
#pragma omp atomic
          sum += 10;
        }
      }
#pragma omp for
      for (int i = 0; i < N; ++i) note(i, &local);
    }
  }
  say("sections", sum);
}

enum { OFTEN = 5000, FEW = 8 };

/* Over long before another thread comes. Computes how many iterations did not run once each time. */
static void tiny(void) {
  static int times[FEW];
  int wrong = 0;
  for (int run = 0; run < OFTEN; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (int i = 0; i < FEW; ++i) {
        note(i, &local);
        ++times[i];
      }
    }
  }
  for (int i = 0; i < FEW; ++i) wrong += times[i] != OFTEN;
  say_of(FEW, "tiny", wrong);
}

static double work(int steps) {
  double sum = 0;
  for (int k = 1; k <= steps; ++k) sum += 1.0 / k;
  return sum;
}

enum { SOME = 10 };

/* Iterations that cost more and more. */
static void triangle(void) {
  for (int run = 0; run < SOME; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for
      for (int i = 0; i < N; ++i) {
        note(i, &local);
        values[i] = work(i * 20);
      }
    }
  }
  double all = 0;
  for (int i = 0; i < N; ++i) all += values[i];
  say("triangle", all);
}

/* The same, handed out. */
static void triangle_in_chunks(void) {
  for (int run = 0; run < SOME; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < N; ++i) {
        note(i, &local);
        values[i] = work(i * 20);
      }
    }
  }
  double all = 0;
  for (int i = 0; i < N; ++i) all += values[i];
  say("triangle_in_chunks", all);
}

/* In one region, which is all of the program. */
static void region_once(void) {
#pragma omp parallel
  for (int run = 0; run < SOME; ++run) {
    int local = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; ++i) {
      note(i, &local);
      values[i] = work(i);
    }
  }
  double all = 0;
  for (int i = 0; i < N; ++i) all += values[i];
  say("region_once", all);
}

static void chunked(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for schedule(static, 50)
      for (int i = 0; i < N; ++i) note(i, &local);
    }
  }
  say("chunked", 0);
}

static void dynamic(void) {
  for (int run = 0; run < RUNS; ++run) {
#pragma omp parallel
    {
      int local = 0;
#pragma omp for schedule(dynamic, 8)
      for (int i = 0; i < N; ++i) note(i, &local);
    }
  }
  say("dynamic", 0);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } patterns[] = {{"plain", plain},
                  {"down", down},
                  {"stride", stride},
                  {"collapsed", collapsed},
                  {"last_private", last_private},
                  {"chain", chain},
                  {"reduction", reduction},
                  {"region_reduction", region_reduction},
                  {"asks", asks},
                  {"ordered", ordered},
                  {"orphan", orphan},
                  {"orphan_alone", orphan_alone},
                  {"short_in_the_end", short_in_the_end},
                  {"asks_alone", asks_alone},
                  {"asks_once", asks_once},
                  {"reduces_once", reduces_once},
                  {"at_the_top", at_the_top},
                  {"sections", sections},
                  {"tiny", tiny},
                  {"triangle", triangle},
                  {"triangle_in_chunks", triangle_in_chunks},
                  {"region_once", region_once},
                  {"chunked", chunked},
                  {"dynamic", dynamic}};
  for (int i = 0; i < N; ++i) values[i] = 1.0 / (i + 1);
  for (int a = 1; a < argc; ++a) {
    for (unsigned p = 0; p < sizeof patterns / sizeof patterns[0]; ++p) {
      if (strcmp(argv[a], patterns[p].name) == 0) patterns[p].run();
    }
  }
  return 0;
}
