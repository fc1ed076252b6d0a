/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose costs are known before they run. What the comment above a directive says of its costs is what the rewriter does. Prints sums
   that do not depend on who ran what. C89, C and C++. */
#include <stdio.h>

enum { rows = 1200, rounds = 3 };
static int row[rows + 1];
static int seen[rows];
static double out[rows];
static long calls;

static void fill(void) {
  int i;
  for (i = 0; i < rows; ++i) row[i + 1] = row[i] + (i < 30 ? 300 : i % 4);
}

static void work(double* at, int trips) {
  int k;
  for (k = 0; k < trips; ++k) *at += k % 5;
}

static void sum_up(const char* what) {
  double all = 0;
  int i;
  for (i = 0; i < rows; ++i) all += out[i] * (i % 7 + 1), out[i] = 0;
  printf("%s %.17g %ld\n", what, all, calls);
}

static void combined(void) {
  int i, k, round;
  for (round = 0; round < rounds; ++round) {
    /* stated */
#pragma omp parallel for private(k)
    for (i = 0; i < rows; i++)
      for (k = row[i]; k < row[i + 1]; k++) out[i] += k % 3;
  }
  sum_up("combined");
}

static void either(int upward) {
  int i, k, first, last;
  /* stated */
#pragma omp parallel for private(k, first, last)
  for (i = 0; i < rows; i++) {
    if (upward) {
      first = row[i];
      last = row[i + 1];
    } else {
      first = row[rows - 1 - i];
      last = row[rows - i];
    }
    for (k = first; k < last; k++) out[i] += k % 3;
  }
  sum_up("either");
}

static void downward(int last) {
  int i;
  /* stated */
#pragma omp parallel for
  for (i = rows - 1; i >= last; i -= 2) {
    int k;
    for (k = i; k > last; --k) out[i] += k;
  }
  sum_up("downward");
}

static void separate(const int* first) {
  int i = 7;
#pragma omp parallel
  {
    int own = 2;
    /* stated */
#pragma omp for
    for (i = 0; i < rows; i++) {
      int k;
      for (k = first[i]; k < own * first[i + 1]; k++) out[i] += k % 3;
    }
    /* equal */
#pragma omp for
    for (i = 0; i < rows; i++) out[i] += 1;
  }
  sum_up("separate");
}

static void collapsed(int n) {
  int i, j, k;
  /* stated */
#pragma omp parallel for collapse(2) private(k)
  for (i = 0; i < n; i++)
    for (j = 0; j < 30; j++)
      for (k = 0; k < i * j; k++) out[i * 30 + j] += k;
  sum_up("collapsed");
}

static void called(void) {
  int i;
  /* stated */
#pragma omp parallel for
  for (i = 0; i < rows; i++) {
    static long* once = &calls;
#pragma omp atomic
    ++*once;
    work(out + i, row[i + 1] - row[i]);
  }
  sum_up("called");
}

static void guarded(int mark) {
  int i;
  /* guarded */
#pragma omp parallel for
  for (i = 0; i < rows; i++) {
    int k;
    if (seen[i] == mark) continue;
    for (k = row[i]; k < row[i + 1]; k++) out[i] += k % 3;
    seen[i] = mark;
  }
  sum_up("guarded");
}

static void author(void) {
  int i;
  /* stated */
#pragma steelyard cost((row[i + 1] - row[i]) * 2)
#pragma omp parallel for
  for (i = 0; i < rows; i++) {
    int k = row[i];
    while (k != row[i + 1]) out[i] += k++ % 3;
  }
  sum_up("author");
}

static void unknown(void) {
  int i;
  /* unknown */
#pragma omp parallel for
  for (i = 0; i < rows; i++) {
    int k = row[i];
    while (k > 0) out[i] += k /= 2;
  }
  sum_up("unknown");
}

static void overwritten(void) {
  int i;
  /* unknown */
#pragma omp parallel for
  for (i = 0; i < rows; i++) {
    int k;
    seen[i] = i % 3;
    for (k = 0; k < seen[i]; k++) out[i] += k;
  }
  sum_up("overwritten");
}

static void dealt_out(int n) {
  int i, j, k;
  double all = 0;
  long count = 0;
  /* stated */
#pragma omp parallel for schedule(dynamic, 4) private(k) firstprivate(n) reduction(+ : count) if (n > 1)
  for (i = 0; i < n; i++)
    for (k = row[i]; k < row[i + 1]; k++) out[i] += k % 3, count++;
      /* unknown */
#pragma omp parallel for schedule(guided) lastprivate(all)
  for (i = 0; i < n; i++) {
    for (k = row[i]; k < row[0]; k++) out[i] += k;
    all = i;
  }
  if (n > 3) /* stated */
#pragma omp parallel for schedule(runtime) collapse(2) default(none) shared(out) private(k)
    for (i = 0; i < 40; i++)
      for (j = 0; j < 30; j++)
        for (k = 0; k < i * j; k++) out[i * 30 + j] += k;
  else
    count = 0;
  calls += count + (long)all;
  sum_up("dealt out");
}

static void dealt_out_evenly(int mark) {
  int i;
  /* equal */
#pragma omp parallel for schedule(runtime) lastprivate(calls)
  for (i = 0; i < rows; i++) out[i] += 2 * i, calls = i;
#pragma omp parallel
  {
    /* guarded */
#pragma omp for schedule(dynamic, 5)
    for (i = 0; i < rows; i++) {
      int k;
      if (seen[i] == mark) continue;
      for (k = row[i]; k < row[i + 1]; k++) out[i] += k % 3;
      seen[i] = mark;
    }
  }
  sum_up("dealt out evenly");
}

static void dealt_out_in_a_region(const int* first) {
  long count = 0;
#pragma omp parallel
  {
    int round;
    for (round = 0; round < rounds; ++round) {
      int i;
      /* stated */
#pragma omp for schedule(dynamic) reduction(+ : count)
      for (i = rows - 1; i >= 0; --i) {
        int k;
        for (k = first[i]; k < first[i + 1]; k++) out[i] += k % 3;
        ++count;
      }
      if (round >= 0) /* stated */
#pragma omp for schedule(dynamic, 16) nowait
        for (i = 0; i < rows; ++i) {
          int k;
          for (k = first[i]; k < first[i + 1]; k++) seen[i] += k % 3;
        }
#pragma omp barrier
    }
  }
  calls += count;
  sum_up("dealt out in a region");
}

static void with_names(int n) {
  int i;
  const int* first = row;
  /* stated */
#pragma omp parallel for default(none) shared(first, out) firstprivate(n)
  for (i = 0; i < n; i++) {
    int k;
    for (k = first[i]; k < first[i + 1]; k++) out[i] += k;
  }
  sum_up("with names");
}

int main(void) {
  fill();
  combined();
  either(1);
  either(0);
  downward(3);
  separate(row);
  collapsed(40);
  called();
  guarded(1);
  author();
  unknown();
  overwritten();
  with_names(rows);
  dealt_out(rows);
  dealt_out_in_a_region(row);
  dealt_out_evenly(2);
  return 3;
}
