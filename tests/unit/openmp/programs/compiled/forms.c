/* SPDX-License-Identifier: Apache-2.0 */
/* Static loops, and with -DREWRITTEN what the rewriter makes of them. C89 and C++98. Prints which thread has run what, unless
   BALANCED is set: then only what a schedule does not change, and who has broken a rule. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 5000

typedef size_t count;

static int balanced;
static int who[MOST];
static int times[MOST];
static double values[MOST];
static int last;

static void ran(int i) {
  who[i] = omp_get_thread_num();
#pragma omp atomic
  ++times[i];
}

static void say(const char* form, int iterations, double result) {
  int i;
  int wrong = 0;
  for (i = 0; i < MOST; ++i) wrong += times[i] != (i < iterations);
  printf("%s %d %.17g %d", form, iterations, result, wrong);
  for (i = 0; i < iterations && !balanced; ++i) printf(" %d", who[i]);
  printf("\n");
  for (i = 0; i < MOST; ++i) times[i] = 0;
}

static int next_number(void) {
  static int number;
  int mine;
#pragma omp atomic capture
  mine = ++number;
  return mine;
}

static void combined(int iterations) {
  int most = 0;
#ifdef REWRITTEN
  {
    const count n = iterations > 0 ? (count)iterations : 0;
#pragma omp parallel firstprivate(n)
    {
      static struct steelyard_site site = {"forms.c", 1001, 0, 0, 0, 0, 0, 0, {0, 0, 0}};
      struct steelyard_part part;
      for (steelyard_begin(&part, &site, n); part.more != 0; steelyard_next(&part)) {
        int i;
        for (i = (int)part.begin; i < (int)part.end; ++i)
#else
  int i;
#pragma omp parallel for
  for (i = 0; i < iterations; ++i)
#endif
        {
          static int numbers;
          ran(i);
          (void)&numbers;
          values[i] = i * 0.5;
#pragma omp atomic
          ++numbers;
          if (next_number() > 0 && i == iterations - 1) most = i;
        }
#ifdef REWRITTEN
      }
    }
  }
#endif
  say("combined", iterations, most);
}

/* Two loops of which the second relies on the first having had the same threads. */
static void chain(int iterations) {
  double sum = 0;
  int broken = 0;
  int i;
#pragma omp parallel
  {
#ifdef REWRITTEN
    {
      const count n = (count)iterations;
      static struct steelyard_site site = {"forms.c", 1002, 1, 0, 0, 0, 0, 0, {0, 0, 0}};
      int i;
      struct steelyard_part part;
      steelyard_begin(&part, &site, n);
      if (part.more != 0) {
        for (i = (int)part.begin; i < (int)part.end; ++i)
#else
#pragma omp for nowait
    for (i = 0; i < iterations; ++i)
#endif
        {
          ran(i);
          values[i] = 1.0 / (1 + i);
        }
#ifdef REWRITTEN
      }
      steelyard_next(&part);
    }
    {
      const count n = (count)iterations;
      int slot, slots = steelyard_team_size();
#pragma omp for schedule(static, 1)
      for (slot = 0; slot < slots; ++slot) {
        static struct steelyard_site site = {"forms.c", 1003, 1, 0, 0, 0, 0, 0, {0, 0, 0}};
        struct steelyard_part part;
        for (steelyard_begin_slot(&part, &site, n, slot, slots); part.more != 0; steelyard_next(&part)) {
          int i;
          for (i = (int)part.begin; i < (int)part.end; ++i)
#else
#pragma omp for
    for (i = 0; i < iterations; ++i)
#endif
          {
            values[i] *= 2;
            if (who[i] != omp_get_thread_num()) {
#pragma omp atomic
              ++broken;
            }
          }
#ifdef REWRITTEN
        }
      }
    }
#endif
  }
  for (i = 0; i < iterations; ++i) sum += values[i];
  say("chain", iterations, sum + broken);
}

static double reduction(int iterations) {
  double sum = 0;
#ifdef REWRITTEN
  {
    const count n = (count)iterations;
#pragma omp parallel reduction(+ : sum) firstprivate(n)
    {
      static struct steelyard_site site = {"forms.c", 1004, 1, 1, 0, 0, 0, 0, {0, 0, 0}};
      struct steelyard_part part;
      for (steelyard_begin(&part, &site, n); part.more != 0; steelyard_next(&part)) {
        int i;
        for (i = (int)part.begin; i < (int)part.end; ++i)
#else
  int i;
#pragma omp parallel for reduction(+ : sum)
  for (i = 0; i < iterations; ++i)
#endif
        {
          ran(i);
          sum += i * 0.5; /* exact, in whatever order */
        }
#ifdef REWRITTEN
      }
    }
  }
#endif
  return sum;
}

static void alone(int iterations) {
#ifdef REWRITTEN
  {
    const count n = (count)iterations;
#pragma omp parallel if (0) firstprivate(n)
    {
      static struct steelyard_site site = {"forms.c", 1005, 0, 0, 0, 0, 0, 0, {0, 0, 0}};
      struct steelyard_part part;
      for (steelyard_begin(&part, &site, n); part.more != 0; steelyard_next(&part)) {
        int i;
        for (i = (int)part.begin; i < (int)part.end; ++i)
#else
  int i;
#pragma omp parallel for if (0)
  for (i = 0; i < iterations; ++i)
#endif
          ran(i);
#ifdef REWRITTEN
      }
    }
  }
#endif
  say("alone", iterations, 0);
}

/* An orphaned loop, whose last member and last iteration matter. */
static void orphan(int iterations) {
#ifdef REWRITTEN
  {
    const count n = (count)iterations;
    int slot, slots = steelyard_team_size();
#pragma omp for schedule(static, 1)
    for (slot = 0; slot < slots; ++slot) {
      static struct steelyard_site site = {"forms.c", 1006, 0, 0, 0, 0, 0, 0, {0, 0, 0}};
      struct steelyard_part part;
      int own = 0;
      for (steelyard_begin_slot(&part, &site, n, slot, slots); part.more != 0; steelyard_next(&part)) {
        int i;
        for (i = (int)part.begin; i < (int)part.end; ++i)
#else
  int i;
#pragma omp for lastprivate(last)
  for (i = 0; i < iterations; ++i)
#endif
        {
          ran(i);
#ifdef REWRITTEN
          own = i;
#else
    last = i;
#endif
        }
#ifdef REWRITTEN
      }
      if (part.last) last = own;
    }
  }
#endif
}

static void nested(int iterations) {
  last = -1;
#pragma omp parallel num_threads(3)
  orphan(iterations);
  say("orphan", iterations, last);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    combined(iterations);
  }
  last = -1;
  orphan(iterations);
  say("outside", iterations, last);
}

/* What the program sees of run-time schedules does not change, and neither do loops that have them. */
static void by_runtime(int iterations) {
  omp_sched_t kind;
  int chunk, i;
  double sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (i = 0; i < iterations; ++i) {
    ran(i);
    sum += i;
  }
  omp_get_schedule(&kind, &chunk);
  who[0] = 0;
  balanced = 1;
  say("runtime", iterations, sum);
  balanced = getenv("BALANCED") != NULL;
  printf("schedule %d %d\n", (int)kind, chunk);
}

int main(void) {
  static const int lengths[] = {0, 1, 3, 4, 5, 1000, MOST};
  unsigned k;
  balanced = getenv("BALANCED") != NULL;
  for (k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
    int round;
    for (round = 0; round < 3; ++round) {
      combined(lengths[k]);
      chain(lengths[k]);
      alone(lengths[k]);
      by_runtime(lengths[k]);
    }
    say("reduction", lengths[k], reduction(lengths[k]));
    if (lengths[k] > 0) nested(lengths[k]);
  }
  combined(-5);
  return 5;
}
