// SPDX-License-Identifier: Apache-2.0
// The entry points of libgomp; see passing.h.
#include "passing.h"

#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long ull;
typedef void outlined(void*);
typedef bool start_chunked(long, long, long, long, long*, long*);
typedef bool start_runtime(long, long, long, long*, long*);
typedef bool ull_start_chunked(bool, ull, ull, ull, ull, ull*, ull*);
typedef bool ull_start_runtime(bool, ull, ull, ull, ull*, ull*);
typedef bool start_general(long, long, long, long, long, long*, long*, uintptr_t*, void**);
typedef bool ull_start_general(bool, ull, ull, ull, long, ull, ull*, ull*, uintptr_t*, void**);
typedef bool next(long*, long*);
typedef bool ull_next(ull*, ull*);
typedef bool doacross_chunked(unsigned, long*, long, long*, long*);
typedef bool doacross_runtime(unsigned, long*, long*, long*);
typedef bool doacross_general(unsigned, long*, long, long, long*, long*, uintptr_t*, void**);
typedef bool ull_doacross_chunked(unsigned, ull*, ull, ull*, ull*);
typedef bool ull_doacross_runtime(unsigned, ull*, ull*, ull*);
typedef bool ull_doacross_general(unsigned, ull*, long, ull, ull*, ull*, uintptr_t*, void**);
typedef void parallel(outlined*, void*, unsigned, unsigned);
typedef void parallel_chunked(outlined*, void*, unsigned, long, long, long, long, unsigned);
typedef void parallel_runtime(outlined*, void*, unsigned, long, long, long, unsigned);

static function* end_nowait;  // the runtime's own
static long first, last;
static ull ull_first, ull_last;

static void nothing(void* data) { (void)data; }
static void end_loop(void* data) {
  (void)data;
  end_nowait();
}

static void parallels(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((parallel*)entry)(nothing, NULL, 1, 0);
}

// A task reduction's descriptor is the compiler's business: here, and only here, it makes the call.
static void reductions(function* entry, const char* name, long count) {
  (void)entry, (void)name;
  while (count-- > 0) {
    int sum = 0;
#pragma omp parallel reduction(task, + : sum) num_threads(1)
    sum += 1;
    if (sum == 0) abort();
  }
}

static void parallel_chunkeds(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((parallel_chunked*)entry)(end_loop, NULL, 1, 0, 8, 1, 1, 0);
}

static void parallel_runtimes(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((parallel_runtime*)entry)(end_loop, NULL, 1, 0, 8, 1, 0);
}

static void start_chunkeds(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait()) ((start_chunked*)entry)(0, 8, 1, 1, &first, &last);
}

static void start_runtimes(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait()) ((start_runtime*)entry)(0, 8, 1, &first, &last);
}

static void ull_start_chunkeds(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait()) ((ull_start_chunked*)entry)(true, 0, 8, 1, 1, &ull_first, &ull_last);
}

static void ull_start_runtimes(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait()) ((ull_start_runtime*)entry)(true, 0, 8, 1, &ull_first, &ull_last);
}

enum { dynamic = 2 };  // libgomp's number

static void start_generals(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait()) ((start_general*)entry)(0, 8, 1, dynamic, 1, &first, &last, NULL, NULL);
}

static void ull_start_generals(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count, end_nowait())
    ((ull_start_general*)entry)(true, 0, 8, 1, dynamic, 1, &ull_first, &ull_last, NULL, NULL);
}

// GOMP_loop_X_next → GOMP_loop_X_start
static function* start_of(const char* next_name) {
  char name[128];
  snprintf(name, sizeof name, "%.*s_start", (int)(strlen(next_name) - strlen("_next")), next_name);
  return native(name);
}

static void nexts(function* entry, const char* name, long count) {
  if (strstr(name, "runtime") != NULL)
    ((start_runtime*)start_of(name))(0, LONG_MAX, 1, &first, &last);
  else
    ((start_chunked*)start_of(name))(0, LONG_MAX, 1, 1, &first, &last);
  while (count-- > 0) ((next*)entry)(&first, &last);
  end_nowait();
}

static void ull_nexts(function* entry, const char* name, long count) {
  if (strstr(name, "runtime") != NULL)
    ((ull_start_runtime*)start_of(name))(true, 0, ULLONG_MAX / 2, 1, &ull_first, &ull_last);
  else
    ((ull_start_chunked*)start_of(name))(true, 0, ULLONG_MAX / 2, 1, 1, &ull_first, &ull_last);
  while (count-- > 0) ((ull_next*)entry)(&ull_first, &ull_last);
  end_nowait();
}

static void ends(function* entry, const char* name, long count) {
  start_chunked* const start = (start_chunked*)native("GOMP_loop_dynamic_start");
  (void)name;
  for (; count > 0; --count, entry()) start(0, 8, 1, 1, &first, &last);
}

static void doacross_chunkeds(function* entry, const char* name, long count) {
  long size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait()) ((doacross_chunked*)entry)(1, size, 1, &first, &last);
}

static void doacross_runtimes(function* entry, const char* name, long count) {
  long size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait()) ((doacross_runtime*)entry)(1, size, &first, &last);
}

static void doacross_generals(function* entry, const char* name, long count) {
  long size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait()) ((doacross_general*)entry)(1, size, dynamic, 1, &first, &last, NULL, NULL);
}

static void ull_doacross_chunkeds(function* entry, const char* name, long count) {
  ull size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait()) ((ull_doacross_chunked*)entry)(1, size, 1, &ull_first, &ull_last);
}

static void ull_doacross_runtimes(function* entry, const char* name, long count) {
  ull size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait()) ((ull_doacross_runtime*)entry)(1, size, &ull_first, &ull_last);
}

static void ull_doacross_generals(function* entry, const char* name, long count) {
  ull size[1] = {8};
  (void)name;
  for (; count > 0; --count, end_nowait())
    ((ull_doacross_general*)entry)(1, size, dynamic, 1, &ull_first, &ull_last, NULL, NULL);
}

static void waits(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) entry();
}

static void single_copies(function* entry, const char* name, long count) {
  void (*const end)(void*) = (void (*)(void*))native("GOMP_single_copy_end");
  (void)name;
  while (count-- > 0)
    if (((void* (*)(void))entry)() == NULL) end(NULL);
}

static void sections(function* entry, const char* name, long count) {
  unsigned (*const start)(unsigned) = (unsigned (*)(unsigned))native("GOMP_sections_start");
  (void)name;
  for (; count > 0; --count, entry()) start(1);
}

// Not OpenMP's, but the drop-in stands before it too.
static void dlcloses(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((int (*)(void*))entry)(dlopen("libgomp.so.1", RTLD_LAZY));
}

static const kind kinds[] = {
    {"parallel", parallels},
    {"reductions", reductions},
    {"parallel_chunked", parallel_chunkeds},
    {"parallel_runtime", parallel_runtimes},
    {"start_chunked", start_chunkeds},
    {"start_runtime", start_runtimes},
    {"ull_start_chunked", ull_start_chunkeds},
    {"ull_start_runtime", ull_start_runtimes},
    {"start_general", start_generals},
    {"ull_start_general", ull_start_generals},
    {"next", nexts},
    {"ull_next", ull_nexts},
    {"end", ends},
    {"doacross_chunked", doacross_chunkeds},
    {"doacross_runtime", doacross_runtimes},
    {"doacross_general", doacross_generals},
    {"ull_doacross_chunked", ull_doacross_chunkeds},
    {"ull_doacross_runtime", ull_doacross_runtimes},
    {"ull_doacross_general", ull_doacross_generals},
    {"wait", waits},
    {"single_copy", single_copies},
    {"sections", sections},
    {"dlclose", dlcloses},
};

typedef struct command_line {
  int argc;
  char** argv;
} command_line;

static void inside(void* data) {
  const command_line* const line = data;
  count_all(kinds, sizeof kinds / sizeof kinds[0], line->argc, line->argv);
}

// All is counted inside a team of one. It is forked by the runtime itself.
int main(int argc, char** argv) {
  command_line line = {argc, argv};
  omp_set_num_threads(1);
  runtime_library = dlopen("libgomp.so.1", RTLD_LAZY);
  if (runtime_library == NULL) return 3;
  end_nowait = native("GOMP_loop_end_nowait");
  ((parallel*)native("GOMP_parallel"))(inside, &line, 1, 0);
  return 0;
}
