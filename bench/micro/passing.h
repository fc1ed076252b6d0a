// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of calls to single entry points of an OpenMP runtime, under callgrind.
//   passing_… K KIND:ENTRY …
// An entry is called as a program would reach it, through whatever is preloaded; every call around it (the start
// of the loop whose `next` is counted, say) goes to the runtime itself. Per entry two dumps are made, "ENTRY 1" for K
// calls and "ENTRY 2" for 2 K: what surrounds the calls is the same in both.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

typedef void function(void);
typedef void calls(function* entry, const char* name, long count);

typedef struct kind {
  const char* name;
  calls* run;
} kind;

static void* runtime_library;

static function* found(void* symbol, const char* name) {
  function* result;
  if (symbol == NULL) {
    fprintf(stderr, "%s: not in this runtime\n", name);
    exit(3);
  }
  memcpy(&result, &symbol, sizeof result);
  return result;
}

// The runtime's own function, past everything preloaded.
static function* native(const char* name) { return found(dlsym(runtime_library, name), name); }

static const char* dump_name(const char* name, int part) {
  static char text[128];
  snprintf(text, sizeof text, "%s %d", name, part);
  return text;
}

static void count(const kind* of, const char* name, long k) {
  function* const entry = found(dlsym(RTLD_DEFAULT, name), name);
  for (int i = 0; i < 4; ++i)
    of->run(entry, name, 8);  // call sites become known, memory warm, and first regions are timed
  CALLGRIND_ZERO_STATS;
  of->run(entry, name, k);
  CALLGRIND_DUMP_STATS_AT(dump_name(name, 1));
  of->run(entry, name, 2 * k);
  CALLGRIND_DUMP_STATS_AT(dump_name(name, 2));
}

static const kind* kind_of(const kind* table, size_t size, const char* text) {
  const size_t length = strcspn(text, ":");
  for (size_t i = 0; i < size; ++i)
    if (strlen(table[i].name) == length && strncmp(table[i].name, text, length) == 0) return &table[i];
  fprintf(stderr, "%s: no such kind of call\n", text);
  exit(2);
}

static void count_all(const kind* table, size_t size, int argc, char** argv) {
  const long k = argc > 1 ? atol(argv[1]) : 0;
  for (int i = 2; i < argc; ++i) count(kind_of(table, size, argv[i]), argv[i] + strcspn(argv[i], ":") + 1, k);
}
