/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of every form that OpenMP's canonical form has in C. Each prints what it computed, and which thread ran what: a build by the
 * launcher has to print the same. */
#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>

enum { n = 101 };

static int owner[4 * n];
static double value[4 * n];
static int kept;
#pragma omp threadprivate(kept)

static void clear(void) {
  for (int i = 0; i < 4 * n; ++i) owner[i] = -1, value[i] = 0;
}

static void show(const char* name) {
  double sum = 0;
  printf("%s:", name);
  for (int i = 0; i < 4 * n; ++i) {
    if (owner[i] >= 0) printf(" %d", owner[i]);
    sum += value[i] * (i + 1);
  }
  printf(" sum %.17g\n", sum);
  clear();
}

#define RUN(at) (owner[at] = omp_get_thread_num(), value[at] += (at))

static void directions(void) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) RUN(i);
  show("up");
#pragma omp parallel for schedule(static)
  for (int i = n; i > 0; --i) RUN(i);
  show("down");
#pragma omp parallel for
  for (int i = 3; i <= n; i += 7) RUN(i);
  show("up by 7, <=");
#pragma omp parallel for
  for (long i = 2 * n; i >= n; i = i - 3) RUN(i);
  show("down by 3, >=");
#pragma omp parallel for
  for (int i = 5; i != n; i++) RUN(i);
  show("!=");
#pragma omp parallel for
  for (int i = n; 4 < i; i -= 2) RUN(i);
  show("bound on the left");
#pragma omp parallel for
  for (int i = 10; i < 10; ++i) RUN(i);
  show("empty");
#pragma omp parallel for
  for (int i = n; i < 2; ++i) RUN(i);
  show("more than empty");
}

static void types(int step) {
#pragma omp parallel for
  for (unsigned i = 0; i < (unsigned)n; ++i) RUN(i);
  show("unsigned");
#pragma omp parallel for
  for (unsigned char c = 200; c > 100; c -= 5) RUN(c);
  show("unsigned char");
#pragma omp parallel for
  for (short s = -50; s < 50; s += 3) RUN(s + 50);
  show("short");
#pragma omp parallel for
  for (unsigned long long i = ULLONG_MAX - 20; i < ULLONG_MAX - 3; i += 2) RUN((int)(i - (ULLONG_MAX - 20)));
  show("unsigned long long near its end");
#pragma omp parallel for
  for (long long i = LLONG_MIN; i < LLONG_MIN + 40; ++i) RUN((int)(i - LLONG_MIN));
  show("long long near its begin");
#pragma omp parallel for
  for (int i = 0; i < n; i += step) RUN(i);
  show("a step that is not known");
#pragma omp parallel for
  for (int i = n; i > 0; i -= step) RUN(i);
  show("a step down that is not known");
#pragma omp parallel for
  for (double* p = value; p < value + n; ++p) *p = (double)(p - value) + omp_get_thread_num();
  show("pointer");
#pragma omp parallel for
  for (double* p = value + n; p > value; p -= 2) *p = (double)(p - value) + omp_get_thread_num();
  show("pointer down by 2");
}

static void clauses(void) {
  int i;
  int j;
  int last = -1;
  long whole = 0;
  double first = 0.5;
  int at = 7;
#pragma omp parallel for default(none) shared(owner, value)
  for (i = 0; i < n; ++i) RUN(i);
  show("default(none)");
#pragma omp parallel for private(i, j) firstprivate(first)
  for (i = 0; i < n; ++i) {
    for (j = 0; j < 3; ++j) value[i] += first * j;
    RUN(i);
  }
  show("private, firstprivate");
#pragma omp parallel for lastprivate(last)
  for (i = 0; i < n; ++i) {
    last = i;
    RUN(i);
  }
  printf("last %d\n", last);
  show("lastprivate");
#pragma omp parallel for lastprivate(i) firstprivate(at) lastprivate(at)
  for (i = 2; i < n; i += 3) {
    at = i % 5 ? at : i;
    RUN(i);
  }
  printf("behind the loop %d at %d\n", i, at > 0);
  show("lastprivate of the loop's variable");
#pragma omp parallel
#pragma omp for lastprivate(last)
  for (i = 0; i < 2; ++i) last = 10 * i;
  printf("last %d\n", last);
#pragma omp parallel for reduction(+ : whole) reduction(max : at)
  for (i = 0; i < n; ++i) {
    whole += i;
    at = i > at ? i : at;
    RUN(i);
  }
  printf("whole %ld at %d\n", whole, at);
  show("reduction");
#pragma omp parallel for num_threads(2) if (at > 3)
  for (i = 0; i < n; ++i) RUN(i);
  show("num_threads, if");
#pragma omp parallel for if (at < 3)
  for (i = 0; i < n; ++i) RUN(i);
  show("if, serial");
#pragma omp parallel for schedule(static, 4)
  for (i = 0; i < n; ++i) RUN(i);
  show("a chunk");
}

static void simd(void) {
  int i;
  long sum = 0;
  double square;
#pragma omp parallel for simd simdlen(8) private(square) reduction(+ : sum) aligned(value : 8)
  for (i = 0; i < n; ++i) {
    square = (double)i * i;
    value[i] = square;
    sum += i;
  }
  printf("sum %ld\n", sum);
  show("parallel for simd");
#pragma omp parallel
#pragma omp for simd lastprivate(square) safelen(4)
  for (int j = n; j > 0; j -= 2) {
    square = j;
    value[j] = square / 2;
  }
  printf("square %g\n", square);
  show("for simd");
}

static void collapsed(int nothing) {
  int i;
  int j;
#pragma omp parallel for collapse(2)
  for (i = 0; i < 7; ++i)
    for (j = 0; j < 11; ++j) RUN(i * 11 + j);
  show("collapse(2)");
#pragma omp parallel for collapse(3)
  for (int a = 0; a < 3; ++a) {
    for (long b = 4; b >= 0; b -= 2) {
      for (unsigned c = 1; c <= 5; ++c) {
        if (c == 3) continue;
        RUN(a * 40 + (int)b * 6 + (int)c);
      }
    }
  }
  show("collapse(3)");
#pragma omp parallel for collapse(2)
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < nothing; ++b) RUN(a + b);
  show("collapse of nothing");
#pragma omp parallel for collapse(2)
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < a; ++b) RUN(a * 9 + b);
  show("triangular");
}

static void in_a_region(void) {
#pragma omp parallel
  {
    int own = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      RUN(i);
      own += i;
    }
#pragma omp for nowait
    for (int i = 0; i < n; ++i) value[i] += 2;
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; ++i) value[i] *= 3;
#pragma omp critical
    value[2 * n + omp_get_thread_num()] += own;
  }
  show("a region");
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < n; ++i) RUN(i);
  show("a region of one loop");
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) kept = i;
#pragma omp for
    for (int i = 0; i < n; ++i) value[i] = kept;
  }
  show("threadprivate");
}

/* Separate loops whose own variables are numbers and pointers. */
static void own_variables(void) {
  int i = 0, j = 7, given = 40;
  double* where = value;
  const double half = 0.5;
  int kept_here = -1;
#pragma omp parallel default(none) shared(owner, value, where, half, given, j, kept_here) firstprivate(i)
  {
#pragma omp for private(j) firstprivate(given, where)
    for (i = 0; i < n; ++i) {
      j = 2 * i;
      RUN(i);
      where[i] += j + half + (given++ > 0);
    }
#pragma omp for collapse(2) nowait
    for (i = 0; i < 9; ++i)
      for (j = 0; j < 7; ++j) RUN(2 * n + i * 7 + j);
#pragma omp for lastprivate(kept_here)
    for (i = 3 * n; i < 4 * n; ++i) {
      kept_here = i;
      RUN(i);
    }
#pragma omp for firstprivate(half)
    for (int k = 0; k < n; ++k) value[k] *= half;
  }
  printf("%d %d %d\n", j, given, kept_here);
  show("own variables");
}

static void statements(int which) {
  static int calls;
  ++calls;
  if (which)
#pragma omp parallel for
    for (int i = 0; i < n; ++i) RUN(i);
  else
#pragma omp parallel for
    for (int i = n; i < 2 * n; ++i)
      if (i % 2)
        RUN(i);
      else
        value[i] = -1;
  show(which ? "then" : "else");
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    static const int weights[] = {3, 1, 4};
    int round = 0;
  again:
    value[i] += weights[i % 3];
    if (++round < 3) goto again;
    switch (i % 4) {
      case 0:
        continue;
      case 1:
        value[i] += 1;
        break;
      default:
        assert(i % 4 > 1);
    }
    __asm__ volatile("# in the body" ::: "memory");
    RUN(i);
  }
  show("static, label, asm");
#pragma omp parallel for
  for (int i = 0; i < 4; ++i)
#pragma omp parallel for num_threads(1)
    for (int j = 0; j < 5; ++j) value[i * 5 + j] = i + j;
  show("nested");
#pragma omp parallel for
  for (int i = 0; i < 40; ++i)
#pragma omp atomic
    value[i / 2] += i;
  show("a directive as the body");
  printf("calls %d\n", calls);
}

/* In the region, and behind its clauses. */
int bound = 0;
static int bounded(void) {
  bound = n;
  return 3;
}
static int team(void) { return omp_get_num_threads(); }
static void bounds_of_a_region(void) {
  int count = 0;
  int last = 0;
  int i;
#pragma omp parallel for num_threads(bounded())
  for (i = 0; i < bound; ++i) RUN(i);
  show("a bound that a clause sets");
#pragma omp parallel for reduction(+ : count) collapse(2)
  for (int t = 0; t < team(); ++t)
    for (int k = 0; k < 5; ++k) ++count;
#pragma omp parallel for reduction(+ : count) lastprivate(last)
  for (i = omp_get_level(); i < 100; i += omp_get_num_threads()) {
    ++count;
    last = i;
  }
  printf("the team %d %d\n", count, last);
}

#define LOOP(bound) \
  _Pragma("omp parallel for") for (int i = 0; i < (bound); ++i) { RUN(i); }

int main(void) {
  omp_set_dynamic(0);
  clear();
  directions();
  types(4);
  clauses();
  simd();
  collapsed(0);
  in_a_region();
  own_variables();
  statements(1);
  statements(0);
  bounds_of_a_region();
  LOOP(n);
  show("macro");
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("schedule %x %d\n", (unsigned)kind, chunk);
  return 3;
}
