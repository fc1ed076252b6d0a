#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that `steelyard cc` compiled: without the drop-in they print what a plain build prints, which says who ran what, and stop
on the same lines; they link as plain ones do."""
import re
import shutil

from launching import C_COMPILERS, CXX_COMPILERS, HERE, LOOP, TOOL, Case, main

C_STANDARDS = ("gnu11", "gnu17", "c2x")
CXX_STANDARDS = ("c++17", "c++20", "c++23")


class Programs(Case):
    def build_both(self, compiler, *arguments):
        """A plain build and one by the launcher, which has to have rewritten it without a warning."""
        self.succeeds(self.run_here(compiler, "-o", "plain", *arguments))
        self.succeeds(self.launched(compiler, "-o", "launched", *arguments))
        self.assertEqual(self.remarks(), "")

    def compare(self, compiler, *arguments):
        self.build_both(compiler, "-fopenmp", *arguments)
        for threads in (1, 2, 3, 8):
            runs = [self.run_here(f"./{name}", OMP_NUM_THREADS=threads) for name in ("plain", "launched")]
            self.assertEqual((runs[0].returncode, runs[0].stdout), (runs[1].returncode, runs[1].stdout), (compiler, arguments, threads))
            self.assertIn(runs[0].returncode, (3, 4))

    def test_c(self):
        for compiler in C_COMPILERS:
            for standard in C_STANDARDS:
                self.compare(compiler, f"-std={standard}", "-O2", "-Wall", "-Wextra", HERE / "loops.c")

    def test_cxx(self):
        for compiler in CXX_COMPILERS:
            for standard in CXX_STANDARDS:
                self.compare(compiler, f"-std={standard}", "-O2", "-Wall", "-Wextra", HERE / "loops.cpp")

    def test_old_languages(self):
        for compiler in C_COMPILERS:
            self.compare(compiler, "-std=gnu89", "-Wall", "-Wextra", HERE / "old.c")
        for compiler in CXX_COMPILERS:
            for standard in ("c++98", "c++11", "c++14"):
                self.compare(compiler, f"-std={standard}", "-Wall", "-Wextra", "-x", "c++", HERE / "old.c")

    def test_a_question_that_a_function_ends_with(self):
        """It jumps there, so the question looks as if the region had asked it: blocks stay equal all the same."""
        self.write("number.c", "#include <omp.h>\nint number(void) { return omp_get_thread_num(); }\n")
        self.write("main.c", "#include <stdio.h>\nint number(void);\nint sums[64];\nint main(void) {\n  for (int k = 0; k < 4; ++k) {\n"
                   "#pragma omp parallel\n    {\n      int* own = &sums[number()];\n#pragma omp for\n      for (int i = 0; i < 1000; ++i) *own += 1;\n"
                   "    }\n  }\n  printf(\"%d %d\\n\", sums[0], sums[1]);\n  return 0;\n}\n")
        for compiler, more in (*((c, m) for c in C_COMPILERS for m in ("-O2", "-O1")), ("gcc", "-flto")):
            self.build_both(compiler, "-fopenmp", "-O2", more, "main.c", "number.c")
            given = self.run_here(TOOL, "run", "-s", "nustatic:10,90", "--", "./launched", OMP_NUM_THREADS=2)
            self.assertEqual((given.stdout, given.stderr), ("2000 2000\n", ""), (compiler, more))

    def test_without_optimisation_and_with_sanitizers(self):
        for compiler in C_COMPILERS:
            self.compare(compiler, "-O0", HERE / "loops.c")
            self.compare(compiler, "-O1", "-g", "-fsanitize=undefined,address", "-Wno-pass-failed", HERE / "loops.c")

    def test_every_linker(self):
        for options in (["-fuse-ld=bfd"], ["-fuse-ld=gold"], ["-fuse-ld=lld"], ["-no-pie"], ["-static"], ["-flto"], ["-m32"]):
            plain = self.run_here("gcc", "-fopenmp", HERE / "loops.c", "-o", "plain", *options)
            if plain.returncode == 0 and not plain.stderr:
                with self.subTest(options=options):
                    self.compare("gcc", HERE / "loops.c", *options)

    def lines(self, name):
        """The lines of the source that a debugger can stop on."""
        said = self.run_here("objdump", "--dwarf=decodedline", name).stdout
        return {int(line) for line in re.findall(r"^\S*loops\.c\w*\s+(\d+)\s", said, re.M)}

    def test_debuggers_stop_on_the_same_lines(self):
        if shutil.which("objdump") is None:
            self.skipTest("there is no objdump here")
        text = (HERE / "loops.c").read_text().split("\n")
        for compiler in C_COMPILERS:
            self.build_both(compiler, "-fopenmp", "-g", "-O0", HERE / "loops.c")
            plain, launched = self.lines("plain"), self.lines("launched")
            self.assertGreater(len(plain), 100)
            lost = [line for line in sorted(plain - launched) if text[line - 1].strip() != "}"]
            gained = [line for line in sorted(launched - plain) if not re.search(r"for \(|#pragma omp|^\s*}$", text[line - 1])]
            self.assertEqual((lost, gained), ([], []), compiler)

    def test_debuggers_reach_a_loop_by_its_directive(self):
        """Not by its header, as if its bounds were a statement before it."""
        if shutil.which("objdump") is None:
            self.skipTest("there is no objdump here")
        self.write("first.c", "int x[9];\nint main(int n, char** words) {\n  n *= 5;\n#pragma omp parallel for\n"
                   "  for (int i = 0; i < n; ++i)\n    x[i] = i;\n  return x[4] - 4;\n}\n")
        for compiler in C_COMPILERS:
            self.succeeds(self.launched(compiler, "-fopenmp", "-g", "-O0", "first.c", "-o", "prog"))
            said = self.run_here("objdump", "--dwarf=decodedline", "prog").stdout
            lines = [line for line in re.findall(r"^\S*first\.c\w*\s+(\d+)\s", said, re.M) if line in "45"]
            self.assertEqual(lines[0], "4", compiler)
            self.assertIn("5", lines, compiler)

    def test_the_report(self):
        self.build_both("gcc", "-fopenmp", HERE / "loops.c")
        table = self.run_here(TOOL, "cc", "--report", "launched")
        self.assertEqual((table.returncode, table.stderr), (0, ""))
        self.assertRegex(table.stdout, r"loops\.c:\d+ +left alone +schedule\(static, chunk\)")
        refused = self.run_here(TOOL, "cc", "--report", "plain")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("plain: has no loop that steelyard cc has seen", refused.stderr)

    def test_the_report_tells_a_loop_of_many_units_once(self):
        self.write("all.hpp", "#pragma once\n" "template <class T> void one(T* x) {\n#pragma omp parallel for\n  for (int i = 0; i < 10; ++i) x[i] = 1;\n}\n"
                   "template <class T> void none(T* x) {\n#pragma omp parallel for\n  for (int i = 0; i < 10; ++i) x[i] = 1;\n}\n"
                   "inline void each(int* x) {\n#pragma omp parallel for\n  for (int i = 0; i < 10; ++i) x[i] = 1;\n}\n")
        self.write("a.cpp", '#include "all.hpp"\nvoid a(int* x) { one(x); each(x); }\n')
        self.write("b.cpp", '#include "all.hpp"\nint main() { int x[10]; each(x); return x[9] - 1; }\n')
        self.succeeds(self.launched("g++", "-fopenmp", "a.cpp", "b.cpp", "-o", "both"))
        self.assertEqual(self.run_here(TOOL, "cc", "--report", "--json", "both").stdout.count("\n"), 6)
        rows = self.run_here(TOOL, "cc", "--report", "both").stdout.splitlines()[1:]
        self.assertEqual([row.split("  ")[0] for row in rows], ["all.hpp:3", "all.hpp:7", "all.hpp:11"])
        self.assertEqual(["any schedule" in row for row in rows], [True, False, True])
        self.assertEqual(["in 2 units" in row for row in rows], [False, True, True])
        both = self.run_here(TOOL, "cc", "--report", "both", "both").stdout.splitlines()
        self.assertEqual((both[0], both.count("both:")), ("both:", 2))

    def test_the_report_of_an_archive(self):
        for name in ("one", "two"):
            self.write(f"{name}.c", LOOP.replace("NAME", name))
            self.succeeds(self.launched("gcc", "-fopenmp", "-c", f"{name}.c"))
        self.write("none.txt", "no object")
        self.succeeds(self.run_here("ar", "rc", "libboth.a", "one.o", "none.txt", "two.o"))
        told = self.run_here(TOOL, "cc", "--report", "libboth.a").stdout
        self.assertRegex(told, r"one\.c:\d+ +any schedule")
        self.assertRegex(told, r"two\.c:\d+ +any schedule")
        self.succeeds(self.run_here("ar", "rc", "libnone.a", "none.txt"))
        self.assertIn("libnone.a: has no loop", self.run_here(TOOL, "cc", "--report", "libnone.a").stderr)
        with open(self.folder / "libboth.a", "r+b") as archive: archive.truncate(300)
        self.assertEqual(self.run_here(TOOL, "cc", "--report", "libboth.a").returncode, 2)


if __name__ == "__main__":
    main()
