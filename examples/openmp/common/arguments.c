// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* program_name = "example";

void bad_input(const char* format, ...) {
  va_list values;
  fflush(stdout);
  fprintf(stderr, "%s: ", program_name);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(exit_bad_input);
}

argument argument_number(const char* name, const char* help, long least, long most, long* number) {
  return (argument){name, "N", help, number, least, most, NULL, NULL};
}

argument argument_text(const char* name, const char* value, const char* help, const char** text) {
  return (argument){name, value, help, NULL, 0, 0, text, NULL};
}

argument argument_flag(const char* name, const char* help, int* flag) {
  return (argument){name, NULL, help, NULL, 0, 0, NULL, flag};
}

long arguments_number(const char* name, const char* text, long least, long most) {
  char* end = NULL;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0')
    bad_input("%s %s: not a whole number: give one from %ld to %ld", name, text, least, most);
  if (errno == ERANGE || value < least || value > most)
    bad_input("%s %s: out of range: give a number from %ld to %ld", name, text, least, most);
  return value;
}

static void print_help(const char* summary, const argument* table, size_t count) {
  printf("%s: %s\n", program_name, summary);
  for (size_t i = 0; i < count; ++i) {
    char left[64];
    snprintf(left, sizeof left, "%s %s", table[i].name, table[i].value ? table[i].value : "");
    printf("  %-26s %s", left, table[i].help);
    if (table[i].number) printf(" (default %ld)", *table[i].number);
    putchar('\n');
  }
}

static const argument* find(const argument* table, size_t count, const char* name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  bad_input("%s: unknown option: --help lists what there is", name);
}

static void store(const argument* option, const char* value) {
  if (option->number)
    *option->number = arguments_number(option->name, value, option->least, option->most);
  else
    *option->text = value;
}

static void set_program_name(const char* path) {
  const char* slash = strrchr(path, '/');
  program_name = slash ? slash + 1 : path;
}

void arguments_parse(int argc, char** argv, const char* summary, const argument* table, size_t count) {
  if (argc > 0) set_program_name(argv[0]);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(summary, table, count);
      exit(EXIT_SUCCESS);
    }
    const argument* option = find(table, count, argv[i]);
    if (option->flag) {
      *option->flag = 1;
      continue;
    }
    // "--snap --repeat 3" has forgotten the file; it does not name a file "--repeat".
    if (i + 1 == argc || strncmp(argv[i + 1], "--", 2) == 0)
      bad_input("%s: its value is missing: write %s %s", option->name, option->name, option->value);
    store(option, argv[++i]);
  }
}
