// SPDX-License-Identifier: Apache-2.0
// The entry points of LLVM's and Intel's OpenMP runtime; see passing.h.
#include "passing.h"

#include <omp.h>
#include <stdarg.h>
#include <stdint.h>

typedef int32_t i32;
typedef int64_t i64;
typedef struct ident {
  i32 reserved_1, flags, reserved_2, reserved_3;
  const char* source;
} ident;
typedef void microtask(i32*, i32*, ...);
typedef void fork_call(ident*, i32, microtask*, ...);
typedef void fork_call_if(ident*, i32, microtask*, i32, void*);
typedef void of_thread(ident*, i32);
typedef void dispatch_init_4(ident*, i32, i32, i32, i32, i32, i32);
typedef void dispatch_init_8(ident*, i32, i32, i64, i64, i64, i64);
typedef int dispatch_next_4(ident*, i32, i32*, i32*, i32*, i32*);
typedef int dispatch_next_8(ident*, i32, i32*, i64*, i64*, i64*);
typedef void static_init_4(ident*, i32, i32, i32*, i32*, i32*, i32*, i32, i32);
typedef void static_init_8(ident*, i32, i32, i32*, i64*, i64*, i64*, i64, i64);
typedef void doacross_init(ident*, i32, i32, const void*);

enum { chunked_static = 33, unchunked_static = 34, dynamic = 35 };
enum { of_a_loop = 0x200, of_sections = 0x400 };

static ident here = {0, 2, 0, 0, ";passing_kmp.c;main;1;1;;"};
static i32 me;
static of_thread *deinit, *static_fini;

static void nothing(i32* thread, i32* bound, ...) { (void)thread, (void)bound; }

static void forks_0(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((fork_call*)entry)(&here, 0, nothing);
}

static void forks_4(function* entry, const char* name, long count) {
  int a, b, c, d;
  (void)name;
  while (count-- > 0) ((fork_call*)entry)(&here, 4, nothing, &a, &b, &c, &d);
}

static void forks_12(function* entry, const char* name, long count) {
  int a, b, c, d;
  (void)name;
  while (count-- > 0) ((fork_call*)entry)(&here, 12, nothing, &a, &b, &c, &d, &a, &b, &c, &d, &a, &b, &c, &d);
}

static void forks_if(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((fork_call_if*)entry)(&here, 1, nothing, 1, NULL);
}

static void serializes(function* entry, const char* name, long count) {
  of_thread* const end = (of_thread*)native("__kmpc_end_serialized_parallel");
  (void)name;
  for (; count > 0; --count, end(&here, me)) ((of_thread*)entry)(&here, me);
}

static void end_serializes(function* entry, const char* name, long count) {
  of_thread* const begin = (of_thread*)native("__kmpc_serialized_parallel");
  (void)name;
  for (; count > 0; --count, ((of_thread*)entry)(&here, me)) begin(&here, me);
}

static void end_dispatch(void) {
  if (deinit != NULL) deinit(&here, me);
}

// "…_init_4u" → the same width's `other`.
static function* beside(const char* name, const char* other) {
  char text[128];
  snprintf(text, sizeof text, "%s%s", other, strrchr(name, '_'));
  return native(text);
}

static void drain_4(const char* name) {
  dispatch_next_4* const next = (dispatch_next_4*)beside(name, "__kmpc_dispatch_next");
  i32 at_end, lower, upper, stride;
  while (next(&here, me, &at_end, &lower, &upper, &stride)) continue;
  end_dispatch();
}

static void drain_8(const char* name) {
  dispatch_next_8* const next = (dispatch_next_8*)beside(name, "__kmpc_dispatch_next");
  i32 at_end;
  i64 lower, upper, stride;
  while (next(&here, me, &at_end, &lower, &upper, &stride)) continue;
  end_dispatch();
}

static void inits_4(function* entry, const char* name, long count) {
  for (; count > 0; --count, drain_4(name)) ((dispatch_init_4*)entry)(&here, me, dynamic, 0, 7, 1, 1);
}

static void inits_8(function* entry, const char* name, long count) {
  for (; count > 0; --count, drain_8(name)) ((dispatch_init_8*)entry)(&here, me, dynamic, 0, 7, 1, 1);
}

// A team of one gets its loop in one piece: two calls a loop, so `count` is even.
static void nexts_4(function* entry, const char* name, long count) {
  dispatch_init_4* const init = (dispatch_init_4*)beside(name, "__kmpc_dispatch_init");
  i32 at_end, lower, upper, stride;
  for (; count > 0; count -= 2) {
    init(&here, me, dynamic, 0, 7, 1, 1);
    ((dispatch_next_4*)entry)(&here, me, &at_end, &lower, &upper, &stride);
    ((dispatch_next_4*)entry)(&here, me, &at_end, &lower, &upper, &stride);
    end_dispatch();
  }
}

static void nexts_8(function* entry, const char* name, long count) {
  dispatch_init_8* const init = (dispatch_init_8*)beside(name, "__kmpc_dispatch_init");
  i32 at_end;
  i64 lower, upper, stride;
  for (; count > 0; count -= 2) {
    init(&here, me, dynamic, 0, 7, 1, 1);
    ((dispatch_next_8*)entry)(&here, me, &at_end, &lower, &upper, &stride);
    ((dispatch_next_8*)entry)(&here, me, &at_end, &lower, &upper, &stride);
    end_dispatch();
  }
}

static void deinits(function* entry, const char* name, long count) {
  dispatch_init_4* const init = (dispatch_init_4*)native("__kmpc_dispatch_init_4");
  dispatch_next_4* const next = (dispatch_next_4*)native("__kmpc_dispatch_next_4");
  i32 at_end, lower, upper, stride;
  (void)name;
  for (; count > 0; --count) {
    init(&here, me, dynamic, 0, 7, 1, 1);
    while (next(&here, me, &at_end, &lower, &upper, &stride)) continue;
    ((of_thread*)entry)(&here, me);
  }
}

static void statics_4(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count) {
    i32 at_end = 0, lower = 0, upper = 7, stride = 1;
    ((static_init_4*)entry)(&here, me, unchunked_static, &at_end, &lower, &upper, &stride, 1, 1);
    static_fini(&here, me);
  }
}

static void statics_8(function* entry, const char* name, long count) {
  (void)name;
  for (; count > 0; --count) {
    i32 at_end = 0;
    i64 lower = 0, upper = 7, stride = 1;
    ((static_init_8*)entry)(&here, me, unchunked_static, &at_end, &lower, &upper, &stride, 1, 1);
    static_fini(&here, me);
  }
}

// Calls by both members of a team of two, and whether they ask which of them they are.
typedef struct in_team {
  static_init_4* init;
  of_thread* fini;
  long count;
  i32 schedule;
  ident where;
  int asks;
} in_team;

static void call_in_team(i32* thread, i32* bound, ...) {
  va_list list;
  va_start(list, bound);
  in_team* const of = va_arg(list, in_team*);
  va_end(list);
  if (of->asks) omp_get_thread_num();
  for (long left = of->count; left > 0; --left) {
    i32 at_end = 0, lower = 0, upper = 999, stride = 1;
    of->init(&of->where, *thread, of->schedule, &at_end, &lower, &upper, &stride, 1, 1);
    of->fini(&of->where, *thread);
  }
}

static void fork_in_team(in_team of) {
  fork_call* const fork = (fork_call*)found(dlsym(RTLD_DEFAULT, "__kmpc_fork_call"), "__kmpc_fork_call");
  ((void (*)(ident*, i32, i32))native("__kmpc_push_num_threads"))(&here, me, 2);
  of.where.source = here.source;
  fork(&here, 1, call_in_team, &of);
}

static void loops_in_team(function* entry, const char* name, long count) {
  (void)name;
  fork_in_team((in_team){(static_init_4*)entry, static_fini, count, unchunked_static, {.flags = of_a_loop}, 0});
}

static void loops_of_asking_team(function* entry, const char* name, long count) {
  (void)name;
  fork_in_team((in_team){(static_init_4*)entry, static_fini, count, unchunked_static, {.flags = of_a_loop}, 1});
}

static void chunked_in_team(function* entry, const char* name, long count) {
  (void)name;
  fork_in_team((in_team){(static_init_4*)entry, static_fini, count, chunked_static, {.flags = of_a_loop}, 0});
}

static void sections_in_team(function* entry, const char* name, long count) {
  (void)name;
  fork_in_team((in_team){(static_init_4*)entry, static_fini, count, unchunked_static, {.flags = of_sections}, 0});
}

static void finis_in_team(function* entry, const char* name, long count) {
  (void)name;
  static_init_4* const init = (static_init_4*)native("__kmpc_for_static_init_4");
  fork_in_team((in_team){init, (of_thread*)entry, count, unchunked_static, {.flags = of_a_loop}, 0});
}

static const i64 dimensions[1][3] = {{0, 7, 1}};

static void doacross_inits(function* entry, const char* name, long count) {
  of_thread* const fini = (of_thread*)native("__kmpc_doacross_fini");
  (void)name;
  for (; count > 0; --count, fini(&here, me)) ((doacross_init*)entry)(&here, me, 1, dimensions);
}

static void doacross_finis(function* entry, const char* name, long count) {
  doacross_init* const init = (doacross_init*)native("__kmpc_doacross_init");
  (void)name;
  for (; count > 0; --count, ((of_thread*)entry)(&here, me)) init(&here, me, 1, dimensions);
}

typedef void combine(void*, void*);
typedef i32 reduce(ident*, i32, i32, size_t, void*, combine*, i32*);
typedef void end_reduce(ident*, i32, i32*);
typedef void copyprivate(ident*, i32, size_t, void*, combine*, i32);

static i32 lock[8];

static void no_combine(void* into, void* from) { (void)into, (void)from; }

static void waits(function* entry, const char* name, long count) {
  (void)name;
  while (count-- > 0) ((of_thread*)entry)(&here, me);
}

static void copyprivates(function* entry, const char* name, long count) {
  int value = 0;
  (void)name;
  while (count-- > 0) ((copyprivate*)entry)(&here, me, sizeof value, &value, no_combine, 1);
}

static void reduces(function* entry, const char* name, long count) {
  end_reduce* const end = (end_reduce*)native("__kmpc_end_reduce");
  int value = 0;
  void* data[1] = {&value};
  (void)name;
  for (; count > 0; --count, end(&here, me, lock)) {
    ((reduce*)entry)(&here, me, 1, sizeof data, data, no_combine, lock);
  }
}

static void reduces_nowait(function* entry, const char* name, long count) {
  end_reduce* const end = (end_reduce*)native("__kmpc_end_reduce_nowait");
  int value = 0;
  void* data[1] = {&value};
  (void)name;
  for (; count > 0; --count, end(&here, me, lock)) {
    ((reduce*)entry)(&here, me, 1, sizeof data, data, no_combine, lock);
  }
}

static void end_reduces(function* entry, const char* name, long count) {
  reduce* const begin = (reduce*)native("__kmpc_reduce");
  int value = 0;
  void* data[1] = {&value};
  (void)name;
  for (; count > 0; --count, ((end_reduce*)entry)(&here, me, lock)) {
    begin(&here, me, 1, sizeof data, data, no_combine, lock);
  }
}

static const kind kinds[] = {
    {"fork_0", forks_0},
    {"fork_4", forks_4},
    {"fork_12", forks_12},
    {"fork_if", forks_if},
    {"serialized", serializes},
    {"end_serialized", end_serializes},
    {"init_4", inits_4},
    {"init_8", inits_8},
    {"next_4", nexts_4},
    {"next_8", nexts_8},
    {"deinit", deinits},
    {"static_4", statics_4},
    {"static_8", statics_8},
    {"loops", loops_in_team},
    {"asking", loops_of_asking_team},
    {"chunked", chunked_in_team},
    {"sections", sections_in_team},
    {"fini", finis_in_team},
    {"doacross_init", doacross_inits},
    {"doacross_fini", doacross_finis},
    {"wait", waits},
    {"copyprivate", copyprivates},
    {"reduce", reduces},
    {"reduce_nowait", reduces_nowait},
    {"end_reduce", end_reduces},
};

int main(int argc, char** argv) {
  omp_set_num_threads(1);
  runtime_library = dlopen("libomp.so.5", RTLD_LAZY);
  if (runtime_library == NULL) return 3;
  me = ((i32(*)(ident*))native("__kmpc_global_thread_num"))(&here);
  static_fini = (of_thread*)native("__kmpc_for_static_fini");
  void* const symbol = dlsym(runtime_library, "__kmpc_dispatch_deinit");  // runtimes older than 19 have none
  if (symbol != NULL) deinit = (of_thread*)found(symbol, "__kmpc_dispatch_deinit");
  count_all(kinds, sizeof kinds / sizeof kinds[0], argc, argv);
  return 0;
}
