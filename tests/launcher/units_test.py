#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops of functions that several units have in common, or that Clang does not understand."""
from launching import C_COMPILERS, CXX_COMPILERS, TOOL, Case, main

# Its first loop gets one part a thread, its second any schedule: what is right for one would lose iterations of the other.
TWO_LOOPS = """#include <omp.h>
__attribute__((always_inline)) inline void both(int* who, int* count, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    who[i] = omp_get_thread_num();
    ++count[i];
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ++count[n + i];
}
void elsewhere(int* who, int* count, int n);
"""
# In the unit that sees `work` it gets any schedule, in others one part a thread.
ONE_LOOP = """int work(int i);
__attribute__((always_inline)) inline void both(int*, int* count, int n) {
#pragma omp parallel for
  for (int i = 0; i < 2 * n; ++i) count[i] += work(i);
}
void elsewhere(int* who, int* count, int n);
"""
ELSEWHERE = '#include "both.hpp"\nvoid elsewhere(int* who, int* count, int n) { both(who, count, n); }\n'
PROGRAM = """#include <cstdio>
static int own[100];
static void before() {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) own[i] = i;
}
#include "both.hpp"
int main() {
  static int who[1000], count[2000];
  before();
  elsewhere(who, count, 1000);
  both(who, count, 1000);
  int wrong = 0;
  for (int each : count) wrong += each != 2;
  std::printf("%d wrong\\n", wrong);
}
"""
UNKNOWN = """#include <omp.h>
int values[100];
static int asks(int i) {
  _Float64 x = i;
  return (int)x + omp_get_thread_num();
}
static int plain(int i) { return i; }
void loops(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) values[i] = asks(i);
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) values[i] = plain(i);
}
"""
AUTO = """int values[100];
void loops(void) {
#pragma omp parallel for schedule(auto)
  for (int i = 0; i < 100; ++i) values[i] = i;
}
"""
DOWN = """#include <stdio.h>
int values[100];
int main(void) {
  unsigned step = -1u;
#pragma omp parallel for
  for (unsigned i = 99; i > 0; i += step) values[i] = 1;
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += values[i];
  printf("%d\\n", sum);
  return 0;
}
"""
IN_TWO_FILES = """int values[100];
void loops(void) {
#pragma omp parallel for
#include "loop.inc"
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) values[i] += 1;
}
"""


class Units(Case):
    def reaches(self, compiler, name, text):
        self.write(name, text)
        self.succeeds(self.launched(compiler, "-O2", "-fopenmp", "-c", name, "-o", "x.o"))
        self.assertEqual(self.remarks(), "")
        return [(loop["reach"], loop.get("reason", "")) for loop in self.reported("x.o")]

    def test_functions_of_several_units(self):
        """Each unit's code goes by that unit's records."""
        for header, elsewhere in ((TWO_LOOPS, ELSEWHERE), (ONE_LOOP, ELSEWHERE + "int work(int) { return 1; }\n")):
            for compiler in CXX_COMPILERS:
                self.write("both.hpp", header)
                self.write("elsewhere.cpp", elsewhere)
                self.write("program.cpp", PROGRAM)
                for unit in ("elsewhere", "program"):
                    self.succeeds(self.launched(compiler, "-O2", "-fopenmp", "-c", unit + ".cpp"))
                self.succeeds(self.run_here(compiler, "-fopenmp", "elsewhere.o", "program.o", "-o", "program"))
                self.assertEqual(self.remarks(), "")
                for command in (["./program"], [TOOL, "run", "--schedule", "dynamic,4", "--", "./program"]):
                    self.assertEqual(self.run_here(*command, OMP_NUM_THREADS=4).stdout, "0 wrong\n", (compiler, command))

    def test_functions_that_clang_does_not_understand(self):
        """GCC knows `_Float64` in C, and Clang does not."""
        self.assertEqual(self.reaches("gcc", "x.c", UNKNOWN), [("shares", "its body calls asks, in which Clang finds an error"), ("any", "")])

    def test_auto_is_the_runtimes_by_clang(self):
        for compiler in C_COMPILERS:
            by = "any" if compiler == "gcc" else "written"
            self.assertEqual([reach for reach, _ in self.reaches(compiler, "x.c", AUTO)], [by])

    def test_the_way_down_by_an_unsigned_step(self):
        """Clang takes no such loop."""
        self.write("x.c", DOWN)
        self.succeeds(self.launched("gcc", "-fopenmp", "x.c", "-o", "x"))
        self.assertEqual(self.remarks(), "")
        self.assertEqual(self.run_here("./x").stdout, "99\n")

    def test_a_loop_whose_directive_is_in_another_file(self):
        self.write("loop.inc", "  for (int i = 0; i < 100; ++i) values[i] = i;\n")
        for compiler in C_COMPILERS:
            self.assertEqual(self.reaches(compiler, "x.c", IN_TWO_FILES), [("left", "its directive and its headers are in several files"), ("any", "")])


if __name__ == "__main__":
    main()
