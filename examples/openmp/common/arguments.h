// SPDX-License-Identifier: Apache-2.0
// Command-line options of the example programs: a table of them, parsed in one call.
// C, because the C programs use it as well as the C++ ones.
#ifndef EXAMPLES_COMMON_ARGUMENTS_H
#define EXAMPLES_COMMON_ARGUMENTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exit status of a program that was given something it cannot use.
enum { exit_bad_input = 2 };

// One option. Exactly one of number, text and flag is set and receives the value.
typedef struct argument {
  const char* name;   // "--repeat"
  const char* value;  // what the help text calls its value; NULL for a flag
  const char* help;
  long* number;
  long least, most;  // limits of a number, both included
  const char** text;
  int* flag;
} argument;

argument argument_number(const char* name, const char* help, long least, long most, long* number);
argument argument_text(const char* name, const char* value, const char* help, const char** text);
argument argument_flag(const char* name, const char* help, int* flag);

// Fills the table's targets from argv. `--help` prints the table and exits 0; anything unusable
// ends in bad_input.
void arguments_parse(int argc, char** argv, const char* summary, const argument* table, size_t count);

// A whole number between least and most, or bad_input naming `name`.
long arguments_number(const char* name, const char* text, long least, long most);

// Prints one line, "PROGRAM: ...", on stderr and exits with exit_bad_input.
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void bad_input(const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
