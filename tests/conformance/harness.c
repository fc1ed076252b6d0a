/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { case_seconds = 20, detail_size = 400 };

int chunk_variable = 5;

static char detail[detail_size];
static int failures_in_case;
static int passed;
static int failed;
static const char* current_case = "(none)";

static void keep_detail(const char* format, va_list arguments) {
  if (__atomic_fetch_add(&failures_in_case, 1, __ATOMIC_ACQ_REL) == 0) {
    vsnprintf(detail, sizeof detail, format, arguments);
  }
}

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep_detail(format, arguments);
  va_end(arguments);
}

void cover_open(struct cover* c, uint64_t n) {
  c->n = n;
  c->stray = 0;
  c->hits = calloc(n + 1, 1);
  if (c->hits == NULL) {
    abort();
  }
}

void covers_open(struct cover* all, int count, uint64_t n) {
  for (int k = 0; k < count; k++) {
    cover_open(&all[k], n);
  }
}

static void cover_judge(struct cover* c, int least, const char* what) {
  EXPECT(c->stray == 0, "%s: %llu iterations outside the range", what, (unsigned long long)c->stray);
  for (uint64_t k = 0; k < c->n; k++) {
    if (c->hits[k] > 1 || c->hits[k] < least) {
      fail("%s: iteration %llu of %llu ran %d times", what, (unsigned long long)k, (unsigned long long)c->n,
           c->hits[k]);
      break;
    }
  }
  free(c->hits);
  c->hits = NULL;
}

void cover_close(struct cover* c, const char* format, ...) {
  char what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  cover_judge(c, 1, what);
}

void cover_close_at_most_once(struct cover* c, const char* format, ...) {
  char what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  cover_judge(c, 0, what);
}

void linger(unsigned microseconds) {
  struct timespec start;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    sched_yield();
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000000000LL + (now.tv_nsec - start.tv_nsec) < microseconds * 1000LL);
}

/* Async-signal-safe: the case may have stopped anywhere. */
static void say(const char* text) {
  ssize_t written = write(STDOUT_FILENO, text, strlen(text));
  (void)written;
}

static void say_count(int number, const char* after) {
  char text[32];
  char* p = text + sizeof text;
  *--p = 0;
  do {
    *--p = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  say(p);
  say(after);
}

static void on_fatal_signal(int number) {
  say("FAIL ");
  say(current_case);
  say(number == SIGALRM ? ": hang (watchdog)\n" : ": fatal signal ");
  if (number != SIGALRM) {
    say_count(number, "\n");
  }
  say_count(passed, " passed, ");
  say_count(failed + 1, " failed\n");
  _exit(1);
}

static void watch_signals(void) {
  static const int fatal[] = {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  for (size_t s = 0; s < sizeof fatal / sizeof fatal[0]; s++) {
    signal(fatal[s], on_fatal_signal);
  }
}

/* The watchdog's seconds per case; CONFORMANCE_SECONDS changes them. */
static unsigned seconds_allowed(void) {
  const char* text = getenv("CONFORMANCE_SECONDS");
  int seconds = text != NULL ? atoi(text) : 0;
  return seconds > 0 ? (unsigned)seconds : case_seconds;
}

static void run_one(const struct test_case* t) {
  failures_in_case = 0;
  current_case = t->name;
  alarm(seconds_allowed());
  t->run();
  alarm(0);
  if (failures_in_case == 0) {
    passed++;
    printf("ok %s\n", t->name);
  } else {
    failed++;
    printf("FAIL %s: %s (%d findings)\n", t->name, detail, failures_in_case);
  }
  fflush(stdout);
}

static int in_list(const char* list, const char* name) {
  size_t length = strlen(name);
  for (const char* p = list; p != NULL; p = strchr(p, ',')) {
    p += *p == ',';
    if (strncmp(p, name, length) == 0 && (p[length] == ',' || p[length] == 0)) {
      return 1;
    }
  }
  return 0;
}

static int chosen(const char* name, int argc, char** argv) {
  if (argc < 2) {
    return 1;
  }
  if (strcmp(argv[1], "--skip") == 0) {
    return argc < 3 || !in_list(argv[2], name);
  }
  for (int a = 1; a < argc; a++) {
    if (strcmp(argv[a], name) == 0) {
      return 1;
    }
  }
  return 0;
}

int run_cases(int argc, char** argv, const struct test_case* cases, int count) {
  int listing = argc == 2 && strcmp(argv[1], "--list") == 0;
  watch_signals();
  for (int t = 0; t < count; t++) {
    if (listing) {
      puts(cases[t].name);
    } else if (chosen(cases[t].name, argc, argv)) {
      run_one(&cases[t]);
    }
  }
  if (listing) {
    return 0;
  }
  printf("%d passed, %d failed\n", passed, failed);
  if (passed + failed == 0 && (argc < 2 || strcmp(argv[1], "--skip") != 0)) {
    fprintf(stderr, "no such case; --list names them\n");
    return 1;
  }
  return failed != 0;
}
