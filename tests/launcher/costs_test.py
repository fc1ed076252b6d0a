#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops tell what their iterations cost: those that can, to the schedule that asks. Programs print the same, loaded or not."""
import json
import re
import sys

from launching import C_COMPILERS, CXX_COMPILERS, HERE, TOOL, Case, main

sys.path.insert(0, str(HERE.parent / "unit/rewriter"))
import generated  # noqa: E402

# Costs are told though loops are short.
ALWAYS = {"STEELYARD_WITHOUT": "sparing"}

MAIN = """
#include <stdio.h>
int main(void) {
  static double out[N];
  for (int i = 0; i < N + 8; ++i) {
    deg[i] = i * 7 % 9; row[i] = i == 0 ? 0 : row[i - 1] + deg[i - 1]; small[i] = (unsigned char)(deg[i] / 2); wide[i] = deg[i] + 2;
    items[i].from = i % 5; items[i].to = i % 5 + deg[i]; items[i].width = (short)(8 - deg[i]);
  }
  for (int i = 0; i < MORE; ++i) col[i] = (i * 7) % N;
  VECTORS
  CALLS
  for (int i = 0; i < N; ++i) printf("%g\\n", out[i]);
  return 0;
}
"""


def expected_of(source):
    """Line of the directive: what is said of it above."""
    text = source.read_text()
    found = re.finditer(r"(?://|/\*) (stated|equal|guarded|unknown)(?: \*/)?\n(?:#pragma steelyard.*\n)?#pragma omp", text)
    return {text.count("\n", 0, each.end()) + 1: each.group(1) for each in found}


class Costs(Case):
    def build_both(self, compiler, *arguments):
        self.succeeds(self.run_here(compiler, "-fopenmp", "-o", "plain", *arguments, "-Wno-unknown-pragmas"))
        self.build_launched(compiler, *arguments)

    def build_launched(self, compiler, *arguments):
        self.succeeds(self.launched(compiler, "-fopenmp", "-o", "launched", *arguments))
        self.assertEqual(self.remarks(), "")

    def said(self):
        listed = self.run_here(TOOL, "cc", "--json", "--report", "launched")
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def prints_the_same(self, *loaded, **environment):
        for threads in (1, 2, 3, 8):
            plain = self.run_here("./plain", OMP_NUM_THREADS=threads)
            launched = self.run_here(*loaded, "./launched", OMP_NUM_THREADS=threads, **environment)
            self.assertEqual((launched.returncode, launched.stdout, launched.stderr), (plain.returncode, plain.stdout, ""), (loaded, threads))

    def check(self, compiler, source, *options):
        self.build_both(compiler, *options, "-Wall", "-Wextra", source)
        expected = expected_of(source)
        self.assertGreater(len(expected), 7)
        words = {"equal": "equal", "guarded": "guarded"}
        got = {each["line"]: "stated" if each["cost"]["stated"] else words.get(each["cost"]["class"], "unknown") for each in self.said()}
        self.assertEqual(got, expected)
        self.prints_the_same()
        for schedule in ("wsrw", "wsri", "steal", "nustatic"):
            self.prints_the_same(TOOL, "run", "-s", schedule, "--free-reductions", "--")
        self.prints_the_same(TOOL, "run", "-s", "wsrw", "--free-reductions", "--", **ALWAYS)

    def test_c(self):
        for compiler in C_COMPILERS:
            self.check(compiler, HERE / "costs.c", "-O2")
            self.check(compiler, HERE / "costs.c", "-O0", "-std=gnu89")

    def test_cxx(self):
        for compiler in CXX_COMPILERS:
            self.check(compiler, HERE / "costs.cpp", "-O2", "-std=c++17")

    def test_who_asks_gets_them(self):
        for compiler in C_COMPILERS:
            self.build_both(compiler, "-O2", HERE / "costs.c")
            self.assertEqual(self.run_here(TOOL, "run", "-s", "wsrw", "-r", "report", "--", "./launched", OMP_NUM_THREADS=3, **ALWAYS).returncode, 3)
            (report,) = self.folder.glob("report*")
            sites = [site for site in json.loads(report.read_text())["sites"] if site["costs"] == "derived"]
            report.unlink()
            derived = {int(site["ident"].split(";")[3]) for site in sites if site["abi"] == "compiled"}
            loops = [each for each in self.said() if each["cost"]["stated"] or each["cost"]["class"] == "equal"]
            self.assertEqual(derived, {each["line"] for each in loops if each["reach"] == "any"}, compiler)
            written = sum(each["reach"] == "written" for each in loops)
            self.assertEqual((len(sites) - len(derived), written), (written, 5), compiler)

    def random_loops(self, language, count, seed):
        cpp = language == "c++"
        made = generated.loops(count, seed, cpp)
        vectors = "for (int i = 0; i < N; i++) list.push_back(deg[i]), lists.emplace_back(deg[i] + 1, i);" if cpp else ""
        calls = "\n".join(f"  {loop.name()}(out, 0);" for loop in made)
        text = generated.data(cpp) + "".join(loop.text() for loop in made)
        text += MAIN.replace("VECTORS", vectors).replace("CALLS", calls)
        source = self.write("loops.cpp" if cpp else "loops.c", text)
        compiler, standard = ("g++", "-std=c++17") if cpp else ("gcc", "-std=gnu11")
        self.build_both(compiler, standard, "-w", "-O1", source)
        self.prints_the_same()
        self.prints_the_same(TOOL, "run", "-s", "wsrw", "--", **ALWAYS)
        stated = sum(each["cost"]["stated"] for each in self.said())
        self.assertGreater(stated, count / 3)
        self.build_launched(compiler, standard, "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", source)
        self.prints_the_same()

    def test_random_loops_in_c(self):
        self.random_loops("c", 350, seed=18)

    def test_random_loops_in_cxx(self):
        self.random_loops("c++", 150, seed=3)


if __name__ == "__main__":
    main()
