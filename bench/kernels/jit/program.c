// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_own = 4 };

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

course course_of(const char* name, const char* size_means, long size, long instances) {
  course c;
  memset(&c, 0, sizeof c);
  c.name = name;
  c.size_means = size_means;
  c.size = size;
  c.instances = instances;
  return c;
}

void course_begin(course* c, int argc, char** argv, const argument* own, size_t own_count) {
  argument table[3 + most_own] = {argument_number("--size", c->size_means, 1, 1L << 30, &c->size),
                                  argument_number("--instances", "runs of the loops", 1, 1000000, &c->instances),
                                  argument_flag("--verify", "check the result by its mathematics", &c->verify)};
  for (size_t i = 0; i < own_count; ++i) table[3 + i] = own[i];
  arguments_parse(argc, argv, c->name, table, 3 + own_count);
  c->seconds = course_doubles(c->instances);
}

void course_start(course* c) { c->started = now(); }
void course_stop(course* c) { c->seconds[c->done] += now() - c->started; }
void course_next(course* c) { ++c->done; }

void course_add(course* c, const double* values, long count) {
  for (long i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, values + i, sizeof bits);
    c->sum = (c->sum ^ bits) * 0x9e3779b97f4a7c15U;
    c->sum ^= c->sum >> 29;
  }
}

static int ascending(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

static void print_times(const course* c) {
  printf("%s: size %ld, %ld instances\n", c->name, c->size, c->instances);
  const size_t count = (size_t)c->done;
  const double first = c->seconds[0];
  double total = 0;
  for (size_t i = 0; i < count; ++i) total += c->seconds[i];
  qsort(c->seconds, count, sizeof *c->seconds, ascending);
  const double median = (c->seconds[(count - 1) / 2] + c->seconds[count / 2]) / 2;
  printf("kernel: total %.9f s, median %.9f s, first %.9f s\n", total, median, first);
}

int course_end(course* c, double error, double most) {
  print_times(c);
  free(c->seconds);
  printf("checksum: %016" PRIx64 "\n", c->sum);
  if (!c->verify) {
    puts("not verified");
    return EXIT_SUCCESS;
  }
  if (!(error <= most)) {
    fflush(stdout);
    fprintf(stderr, "WRONG: the result is off by %g, at most %g is allowed\n", error, most);
    return EXIT_FAILURE;
  }
  puts("verified");
  return EXIT_SUCCESS;
}

double* course_doubles(long count) {
  double* const values = (double*)calloc((size_t)count, sizeof(double));
  if (!values) bad_input("not enough memory: give a smaller --size");
  return values;
}

double course_random(uint64_t* state) {
  uint64_t bits = *state += 0x9e3779b97f4a7c15U;  // splitmix64
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31;
  return (double)(bits >> 11) / 9007199254740992.0;
}
