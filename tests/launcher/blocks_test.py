#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which separate loops do without their worksharing construct, and that an exception that leaves a loop ends the program as ever."""
import signal
from itertools import product

from launching import C_COMPILERS, CXX_COMPILERS, Case, main

UNIT = """#include <omp.h>
#include <cmath>
#include <vector>
int may_throw(int n);
double values[100];
namespace own {{ int number; }}
using own::number;
struct ends {{ ~ends() noexcept(false) {{ may_throw(1); }} }};
struct big {{ int many[3]; big() {{ many[0] = 1; }} }};
void f(int n, double* from, const std::vector<double>& all) {{
  int i = 0, j = 0; double sum = 0; big object; int array[4] = {{}}; (void)sum; (void)object; (void)array; (void)i; (void)j;
{loop}
}}
"""
REGION = "#pragma omp parallel\n{{\n#pragma omp for {}\n{}\n}}"
BODY = "for (int k = 0; k < n; ++k) values[k] += 1;"
ORPHAN = "#pragma omp for\nfor (int k = 0; k < n; ++k) values[k] += {};"
TRIES = "#pragma omp parallel\ntry {{\n" + ORPHAN + "\n}} catch (...) {{}}"
BLOCKS = (
    REGION.format("", BODY),
    REGION.format("nowait schedule(static)", BODY),
    REGION.format("private(i)", "for (i = 0; i < n; ++i) values[i] += 1;"),
    REGION.format("firstprivate(from)", "for (i = 0; i < n; ++i) values[i] += *from;"),
    REGION.format("collapse(2)", "for (i = 0; i < n; ++i) for (j = 0; j < 4; ++j) values[i + j] += 1;"),
    ORPHAN.format("1"),
    ORPHAN.format("std::sqrt(values[k])"),
    TRIES.format("1"),
    REGION.format("", "for (int k = 0; k < n; ++k) values[k] += may_throw(k);"),
    "#pragma omp parallel default(none) shared(values, n)\n{\n#pragma omp for\nfor (i = 0; i < n; ++i) values[i] += 1;\n}",
    REGION.format("", "for (auto at = all.begin(); at < all.end(); ++at) values[at - all.begin()] = *at;"),
)
CONSTRUCTS = (
    REGION.format("reduction(+ : sum)", "for (i = 0; i < n; ++i) sum += values[i];"),
    REGION.format("lastprivate(j)", "for (i = 0; i < n; ++i) { j = i; values[j] += 1; }"),
    REGION.format("private(j)", "for (i = 0; i < n; ++i) { j = i; values[j] += 1; }"),
    REGION.format("private(object)", "for (i = 0; i < n; ++i) { object.many[0] = i; values[i] += object.many[0]; }"),
    REGION.format("firstprivate(array)", "for (i = 0; i < n; ++i) { array[0] = i; values[i] += array[0]; }"),
    REGION.format("firstprivate(number)", "for (i = 0; i < n; ++i) values[i] += ++own::number;"),
    REGION.format("", "for (number = 0; number < n; ++number) values[own::number] += 1;"),
    ORPHAN.format("may_throw(k)"),
    ORPHAN.format("big().many[0]"),
    ORPHAN.format("*new int"),
    ORPHAN.format("1, ends()"),
    "#pragma omp for\nfor (int k = 0; k < n; ++k) {\n#pragma omp taskgroup\n  values[k] += may_throw(k);\n}",
    "#pragma omp for\nfor (int k = 0; k < n; ++k) {\n#pragma omp task if (may_throw(k))\n  values[k] += 1;\n}",
    ORPHAN.format("std::vector<int>(3)[0]"),
    TRIES.format("may_throw(k)"),
)
THROWS = """#include <cstdio>
int values[100];
int main() {
#pragma omp parallel num_threads(2)
  {
OPEN
#pragma omp for
    for (int i = 0; i < 100; ++i) { values[i] = i; if (i == 99) throw i; }
CLOSE
  }
  std::puts("went on");
}
"""
SHADOWS = """#include <cstdio>
#include <vector>
int main() {
  std::vector<int> inner(12, 3), outer(3, 1);
  std::vector<int>::const_iterator at = outer.begin();
  int sums[12] = {};
#pragma omp parallel
  {
#pragma omp for
    for (std::vector<int>::const_iterator at = inner.begin(); at < inner.end(); at += 5) sums[at - inner.begin()] += *at;
  }
  std::printf("%d %d %d %d\\n", at == outer.begin(), sums[0], sums[5], sums[10]);
}
"""
GIVEN = """int f(int* to, int n) {
  int given;
#pragma omp parallel
#pragma omp for CLAUSE(given)
  for (int i = 0; i < n; ++i) to[i] = given;
  return 0;
}
"""


class Blocks(Case):
    def slots_of(self, compiler, loop):
        """How often the assembly of a unit deals out slots."""
        self.write("unit.cpp", UNIT.format(loop=loop))
        self.succeeds(self.launched(compiler, "-fopenmp", "-O1", "-S", "unit.cpp", "-o", "unit.s"))
        self.assertEqual(self.remarks(), "")
        text = (self.folder / "unit.s").read_text()
        self.assertIn("steelyard_begin", text)
        return sum("call" in line and "steelyard_begin_slot" in line for line in text.split("\n"))

    def test_which_need_no_construct(self):
        for compiler in CXX_COMPILERS:
            for loop in BLOCKS:
                self.assertEqual(self.slots_of(compiler, loop), 0, loop)
            for loop in CONSTRUCTS:
                self.assertEqual(self.slots_of(compiler, loop), 1, loop)

    def test_what_is_thrown_out_of_a_loop_ends_the_program(self):
        for compiler in CXX_COMPILERS:
            for opens, closes in (("", ""), ("try {", '} catch (int) { std::puts("caught"); }')):
                self.write("throws.cpp", THROWS.replace("OPEN", opens).replace("CLOSE", closes))
                self.succeeds(self.launched(compiler, "-fopenmp", "throws.cpp", "-o", "throws"))
                done = self.run_here("./throws")
                self.assertEqual((done.returncode, done.stdout), (-signal.SIGABRT, ""), compiler)

    def test_a_variable_of_a_loop_is_none_of_the_same_name(self):
        self.write("shadows.cpp", SHADOWS)
        for compiler in CXX_COMPILERS:
            self.succeeds(self.launched(compiler, "-fopenmp", "-std=c++14", "shadows.cpp", "-o", "shadows"))
            self.assertEqual((self.remarks(), self.run_here("./shadows").stdout), ("", "1 3 3 3\n"))

    def test_a_variable_without_a_value_is_told(self):
        for compiler, clause in product(C_COMPILERS, ("private", "firstprivate")):
            self.write("given.c", GIVEN.replace("CLAUSE", clause))
            command = (compiler, "-fopenmp", "-O2", "-Wall", "-Wextra", "-c", "given.c", "-o", "given.o")
            plain, launched = self.run_here(*command), self.launched(*command)
            self.assertIn("given", plain.stderr)
            self.assertEqual((launched.returncode, launched.stderr), (plain.returncode, plain.stderr))


if __name__ == "__main__":
    main()
