// SPDX-License-Identifier: Apache-2.0
// The course of every program here: a kernel runs its parallel loops for so many instances, and its result is checked. Output:
//   adjoint: size 10240, 50 instances
//   kernel: total 0.261012345 s, median 0.005200000 s, first 0.007500000 s
//   checksum: 0123456789abcdef
//   verified | not verified
// C, because the C programs use it as well as the C++ ones.
#ifndef BENCH_JIT_PROGRAM_H
#define BENCH_JIT_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "common/arguments.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct course {
  const char* name;
  const char* size_means;
  long size;
  long instances;  // runs of its loops
  int verify;      // whether the result is also checked by its mathematics
  double* seconds;
  long done;
  double started;
  uint64_t sum;
} course;

// Of a kernel, with the defaults of its options.
course course_of(const char* name, const char* size_means, long size, long instances);

// Reads the options, the kernel's own among them.
void course_begin(course* c, int argc, char** argv, const argument* own, size_t own_count);

// Around the parallel loops of an instance, once or several times; what lies outside is not measured.
void course_start(course* c);
void course_stop(course* c);
// An instance has ended.
void course_next(course* c);

// Adds values to the checksum, in their order and bit by bit.
void course_add(course* c, const double* values, long count);

// Prints the figures; the exit status is 1 if the result was to be verified and `error` is not at most `most`.
int course_end(course* c, double error, double most);

// So many zeros; ends the program when there is no memory.
double* course_doubles(long count);

// A number from 0 to 1, the same sequence for the same start.
double course_random(uint64_t* state);

#ifdef __cplusplus
}
#endif

#endif
