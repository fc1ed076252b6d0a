/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of teams whose start passes by the drop-in: teams forked by the functions that GCC called before version 4.9,
 * here called by hand, inside the iterations of a loop that it does see. `unseen TASK...` prints for each task the sums
 * over the outer loop's indices and over the inner ones'. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

void GOMP_parallel_start(void (*body)(void*), void* data, unsigned threads);
void GOMP_parallel_end(void);

enum { outer = 101, inner = 31, innermost = 7 };

static void unseen_team(void (*body)(void*), void* data) {
  GOMP_parallel_start(body, data, 2);
  body(data);
  GOMP_parallel_end();
}

static void add(long* sum, long value) {
#pragma omp atomic
  *sum += value;
}

static void dynamic_loop(void* sum) {
#pragma omp for schedule(dynamic, 1)
  for (long i = 0; i < inner; i++) {
    add(sum, i);
  }
}

static void nowait_loop(void* sum) {
#pragma omp for schedule(guided, 2) nowait
  for (unsigned long long i = 0; i < inner; i++) {
    add(sum, (long)i);
  }
}

static void ordered_loop(void* sum) {
#pragma omp for ordered schedule(dynamic, 1)
  for (long i = 0; i < inner; i++) {
#pragma omp ordered
    *(long*)sum += i;
  }
}

static void doacross_loop(void* sum) {
#pragma omp for ordered(1) schedule(dynamic, 1)
  for (long i = 0; i < inner; i++) {
#pragma omp ordered depend(sink : i - 1)
    *(long*)sum += i;
#pragma omp ordered depend(source)
  }
}

static void innermost_loop(void* sum) {
#pragma omp for schedule(dynamic, 2)
  for (long i = 0; i < innermost; i++) {
    add(sum, i);
  }
}

/* An unseen team in each iteration of a loop of an unseen team. */
static void nest(void* sum) {
#pragma omp for schedule(dynamic, 1)
  for (long i = 0; i < inner; i++) {
    add(sum, i);
    unseen_team(innermost_loop, sum);
  }
}

/* Not a loop, but libomp serves it as one when GCC compiled it. */
static void sections(void* sum) {
#pragma omp parallel sections num_threads(2)
  {
    add(sum, 1);
#pragma omp section
    add(sum, 2);
#pragma omp section
    add(sum, 4);
  }
}

static void in_unseen_team(void (*body)(void*), long* sum) {
  if (body == sections) {
    sections(sum);
  } else {
    unseen_team(body, sum);
  }
}

static void run(const char* name, void (*body)(void*)) {
  long outer_sum = 0;
  long inner_sum = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(2) reduction(+ : outer_sum, inner_sum)
  for (long i = 0; i < outer; i++) {
    in_unseen_team(body, &inner_sum);
    outer_sum += i;
  }
  printf("%s %ld %ld\n", name, outer_sum, inner_sum);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*body)(void*);
  } tasks[] = {{"dynamic", dynamic_loop},   {"nowait", nowait_loop}, {"ordered", ordered_loop},
               {"doacross", doacross_loop}, {"nest", nest},          {"sections", sections}};
  omp_set_max_active_levels(8);
  for (int i = 1; i < count; i++) {
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
      if (strcmp(words[i], tasks[k].name) == 0) {
        run(tasks[k].name, tasks[k].body);
      }
    }
  }
  return 7;
}
