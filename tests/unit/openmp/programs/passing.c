/* SPDX-License-Identifier: Apache-2.0 */
/* Short regions, again and again. `passing TASK...` prints for each task how many of its regions the drop-in has seen, and what they
 * have computed. A region was seen if the drop-in has called its body.
 * With -DPLUGIN: one region, which has a loop that can be taken if KIND is 2. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { REGIONS = 3000, LATE = 1000, N = 16, INNER = 300 };

#ifdef PLUGIN
static volatile int kind = KIND;

/* The same code for each kind. */
void plugin_region(long* sum, int (*is_of_drop_in)(const void*), long* seen) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) *seen += is_of_drop_in(__builtin_return_address(0));
    if (kind == 2) {
#pragma omp for schedule(dynamic, 1)
      for (long i = 0; i < N; i++) {
#pragma omp atomic
        *sum += i;
      }
    }
  }
}
#else

static uintptr_t drop_in_begin, drop_in_end;

static int find_drop_in(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  if (strstr(info->dlpi_name, "libsteelyard-openmp") == NULL) return 0;
  drop_in_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && end > drop_in_end) drop_in_end = end;
  }
  return 1;
}

static int is_of_drop_in(const void* caller) {
  return (uintptr_t)caller >= drop_in_begin && (uintptr_t)caller < drop_in_end;
}
/* In the body of a region: a walk over the stack would take longer than the region. */
#define is_seen() is_of_drop_in(__builtin_return_address(0))

static void add(long* sum, long value) {
#pragma omp atomic
  *sum += value;
}

static void loop(long* sum) {
#pragma omp for
  for (long i = 0; i < N; i++) add(sum, i);
}

static void plain(long* seen, long* sum) {
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0) *seen += is_seen();
      loop(sum);
    }
  }
}

static void without_questions(long* seen, long* sum) {
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel
    {
#pragma omp single nowait
      *seen += is_seen();
      loop(sum);
    }
  }
}

static void wait_a_little(void) {
  for (const double began = omp_get_wtime(); omp_get_wtime() - began < 1e-3;) continue;
}

static void long_ones(long* seen, long* sum) {
  for (int r = 0; r < REGIONS / 10; r++) {
#pragma omp parallel
    {
#pragma omp master
      *seen += is_seen();
      loop(sum);
      wait_a_little();
    }
  }
}

/* At first there is nothing to be taken. */
static void late(long* seen, long* sum) {
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel
    {
#pragma omp master
      *seen += is_seen();
      loop(sum);
      if (r >= LATE) {
#pragma omp for schedule(dynamic, 1)
        for (long i = 0; i < N; i++) add(sum, i);
      }
    }
  }
}

/* A whole region is one loop that has to run as written. */
static void as_written(long* seen, long* sum) {
  for (int r = 0; r < REGIONS; r++) {
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (long i = 0; i < N; i++) {
      if (i == 0) *seen += is_seen();
      add(sum, i);
    }
  }
}

/* Numbers of threads that the program asks for, and thread numbers. */
static void other_sizes(long* seen, long* sum) {
  for (int r = 0; r < REGIONS; r++) {
    const int size = 1 + r % 3;
    long numbers = 0;
#pragma omp parallel num_threads(size)
    {
#pragma omp master
      *seen += is_seen();
      add(&numbers, 100 * omp_get_num_threads() + omp_get_thread_num());
    }
    *sum += numbers == 100 * size * size + size * (size - 1) / 2;
  }
}

/* In each iteration of a loop that is taken. */
static void inside(long* seen, long* sum) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
  for (int r = 0; r < INNER; r++) {
    for (int again = 0; again < REGIONS / INNER; again++) {
#pragma omp parallel num_threads(1)
      {
        add(seen, is_seen());
        add(sum, omp_get_thread_num() + 1);
        loop(sum);
      }
    }
  }
}

/* Two libraries, one after the other, whose regions lie at the same address. */
static void libraries(long* seen, long* sum) {
  char path[4096];
  const char* const files[] = {"passing-1.so", "passing-2.so"};
  for (int kind = 0; kind < 2; kind++) {
    Dl_info here;
    dladdr((void*)(uintptr_t)libraries, &here);
    const char* const slash = strrchr(here.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - here.dli_fname), here.dli_fname, files[kind]);
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) continue;
    void (*region)(long*, int (*)(const void*), long*);
    void* const symbol = dlsym(library, "plugin_region");
    memcpy(&region, &symbol, sizeof region);
    *seen = 0; /* of the second one is told */
    for (int r = 0; r < REGIONS; r++) region(sum, is_of_drop_in, seen);
    dlclose(library);
  }
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*run)(long*, long*);
  } tasks[] = {{"plain", plain},           {"without_questions", without_questions},
               {"long_ones", long_ones},   {"late", late},
               {"as_written", as_written}, {"other_sizes", other_sizes},
               {"inside", inside},         {"libraries", libraries}};
  dl_iterate_phdr(find_drop_in, NULL);
  omp_set_max_active_levels(2);
  for (int i = 1; i < count; i++) {
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
      if (strcmp(words[i], tasks[k].name) != 0) continue;
      long seen = 0;
      long sum = 0;
      tasks[k].run(&seen, &sum);
      printf("%s %ld %ld\n", tasks[k].name, seen, sum);
    }
  }
  return 0;
}
#endif
