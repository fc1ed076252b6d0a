#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A header that a compiler does not take, or has something to say of, is the compiler's; a loop that cannot be rewritten costs no other one."""
import subprocess

from launching import C_COMPILERS, CXX_COMPILERS, TOOL, Case, main

NO_INIT = "its initialisation is not in canonical form"
NO_STEP = "its step is not in canonical form"
NO_CONDITION = "its condition is not in canonical form"
DECIDED = "the type of its variable decides the condition"
STEP = "!= with a step other than 1"
IN_CXX = {
    "int i(2); i < 10; ++i": NO_INIT,
    "int i{2}; i < 10; ++i": NO_INIT,
    "int i = {2}; i < 10; ++i": NO_INIT,
    "static int i = 2; i < 10; ++i": NO_INIT,
    "(j) = 2; j < 10; ++j": NO_INIT,
    "int i = 2; ((i) < 10); ++i": NO_CONDITION,
    "int i = 2; i < 10; ++(i)": NO_STEP,
    "int i = 2; i < 10; (i) += 1": NO_STEP,
    "int i = 2; i < 10; i = (i) + 1": NO_STEP,
    "int i = 2; i != 10; i += 2": STEP,
    "short i = 2; i < 10L; ++i": "its variable is narrower than int, and its bound no int",
    "unsigned char i = 2; i < (unsigned)n; ++i": "its variable is narrower than int, and its bound no int",
    "bool i = false; i < true; i += 1": "its variable is no number",
}
IN_C = {
    "int i = 2; (i < 10); ++i": NO_CONDITION,
    "(j) = 2; j < 10; ++j": NO_INIT,
    "unsigned char i = 2; i < 300; ++i": DECIDED,
    "unsigned char i = 2; i <= 255; ++i": DECIDED,
    "unsigned char i = 2; i < -1; ++i": DECIDED,
    "int i = 2; i < 5000000000; ++i": DECIDED,
    "int i = 2; i != n; i = i + 2": STEP,
    "int *i = p; i != p + 10; i += 2": STEP,
}
TAKEN = ("int i = 2; i < 10; ++i", "int i = 2; 10 > i; i++", "j = 2; j < n; j += 3", "int i = 20; i >= 2; i = i - 2", "int i = 2; i != n; i += 1",
         "int *i = p; i != p + 10; ++i", "int i = 20; i != n; i -= 1", "unsigned char i = 0; i < 255; i++", "short i = 2; i < n; i++", "register int i = 2; i < (n); i = 1 + i")


def unit(header):
    return ("int f(int n, int* p) {\n  int j = p[0], sum = j;\n#pragma omp parallel for reduction(+ : sum)\n"
            f"  for ({header}) sum += n;\n  return sum;\n}}\n")


class Headers(Case):
    def loops(self, compiler, name, text, *options):
        """How each is scheduled, by its line: of a unit that is compiled without a word, rewritten."""
        self.write(name, text)
        self.succeeds(self.launched(compiler, "-fopenmp", *options, "-c", name, "-o", "x.o"))
        self.assertEqual(self.remarks(), "")
        return {loop["line"]: (loop["reach"], loop.get("reason", "")) for loop in self.reported("x.o")}

    def test_headers_that_are_left(self):
        """Status and messages are the compiler's; where it takes the loop, the report says why it is left alone."""
        for compilers, name, headers in ((CXX_COMPILERS, "x.cpp", IN_CXX), (C_COMPILERS, "x.c", IN_C)):
            for header, reason in headers.items():
                self.write(name, unit(header))
                for compiler in compilers:
                    with self.subTest(compiler=compiler, header=header):
                        said = []
                        for launcher in ([], [TOOL, "cc"]):
                            run = self.run_here(*launcher, compiler, "-fopenmp", "-c", name, "-o", "x.o")
                            said.append((run.returncode, run.stdout, run.stderr))
                        self.assertEqual(*said)
                        self.remarks()
                        if said[0] == (0, "", ""):
                            self.assertEqual(self.loops(compiler, name, unit(header)), {3: ("left", reason)})

    def test_bodies_that_are_an_if_constexpr(self):
        """An instantiation does not show the branch that it leaves out. Where none does, it may be unknown where the loop ends."""
        before = "#include <cstdio>\ntemplate <class T> void scale(T* x, int n) {\n#pragma omp parallel for\n  for (int i = 0; i < n; ++i)\n    "
        run = "{ static %s x[9]; for (int i = 0; i < 9; ++i) x[i] = i; scale(x, 9); std::printf(\"%%d\\n\", (int)x[8]); }\n"
        left = ("left", "it ends in a branch that its instantiations leave out")
        bodies = {"if constexpr (sizeof(T) == 4) x[i] *= 3; else x[i] *= 2;": {"int": "24\n", "short": "16\n"},
                  "if constexpr (sizeof(T) == 4) { x[i] *= 3; } else { x[i] *= 2; }": {"int": "24\n", "short": "16\n"},
                  "if constexpr (sizeof(T) == 4) x[i] *= 3; else if (i > 100) ++x[i]; else while (x[i] > 5) --x[i];": {"int": "24\n", "short": "5\n"},
                  "if constexpr (sizeof(T) == 4) { x[i] *= 3; }": {"int": "24\n", "short": "8\n"},
                  "if constexpr (sizeof(T) == 4) x[i] *= 3;": {"int": "24\n", "short": "8\n"}}
        for compiler in CXX_COMPILERS:
            for body, results in bodies.items():
                for types in (("int",), ("short",), ("int", "short"), ("short", "int")):
                    with self.subTest(compiler=compiler, body=body, types=types):
                        self.write("x.cpp", before + body + "\n}\nint main() {\n" + "".join(run % each for each in types) + "}\n")
                        self.succeeds(self.launched(compiler, "-std=c++17", "-fopenmp", "x.cpp", "-o", "x"))
                        self.assertEqual(self.remarks(), "")
                        (loop,) = self.reported("x")
                        self.assertIn((loop["reach"], loop.get("reason", "")), (("any", ""), left) if len(types) == 1 else (("any", ""),))
                        self.assertEqual(self.run_here("./x").stdout, "".join(results[each] for each in types))

    def test_bodies_that_are_a_fold(self):
        """Clang takes its instantiation to be what is within its parentheses."""
        for body, expected in (("s += (a + ...);", "900\n"), ("((s += a), ...);", "900\n"), ("s += (0 + ... + (a * ')' / ')'));", "900\n")):
            self.write("x.cpp", "#include <cstdio>\ntemplate <class... A> long sum(A... a) {\n  long s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
                       f"  for (int i = 0; i < 150; ++i) {body}\n  return s;\n}}\nint main() {{ std::printf(\"%ld\\n\", sum(1, 2L, short(3))); }}\n")
            for compiler in CXX_COMPILERS:
                with self.subTest(compiler=compiler, body=body):
                    self.succeeds(self.launched(compiler, "-std=c++17", "-fopenmp", "x.cpp", "-o", "x"))
                    self.assertEqual(self.remarks(), "")
                    self.assertNotEqual(self.reported("x")[0]["reach"], "left")
                    self.assertEqual(self.run_here("./x").stdout, expected)

    def test_directives_that_clang_reads_in_part(self):
        """It passes over words that are no clause, and what follows them; the compiler has to see them."""
        for words, is_wrong in (("reductoin(+:s)", True), ("nonsense", True), ("schedule(static) garbage(3) private(x)", True), (")", True), (";", True),
                                ("private(x),", True), (", private(x)", True), ("private(x), reduction(+ : s)", False), ("", False)):
            self.write("part.c", f"int f(int n) {{\n  int s = 0, x = 0;\n#pragma omp parallel\n#pragma omp for nowait {words}\n  for (int i = 0; i < n; i++) s += 0;\n"
                       f"#pragma omp parallel for {words}\n  for (int i = 0; i < n; i++) s += 0;\n  return s + x;\n}}\n")
            for compiler in C_COMPILERS:
                run = self.same(compiler, "-fopenmp", "-c", "part.c")
                if compiler == "gcc":
                    self.assertEqual(run.returncode, is_wrong, words)
            self.remarks()

    def test_headers_that_are_taken(self):
        for header in TAKEN:
            for compiler in C_COMPILERS:
                with self.subTest(compiler=compiler, header=header):
                    self.assertEqual(self.loops(compiler, "x.c", unit(header)), {3: ("any", "")})

    def test_statements_of_a_switch_end_a_body(self):
        for statement in ("switch (i % 3) case 1: s++;", "switch (i % 3) default: s++;", "switch (i & 1) case 0: case 1: if (i > 7) s++; else s--;",
                          "switch (i) default: do s++; while (i < 0);"):
            text = f"int f(int n) {{\n  int s = 0;\n#pragma omp parallel for reduction(+ : s)\n  for (int i = 0; i < n; i++) {statement}\n  return s;\n}}\n"
            for compiler in C_COMPILERS:
                with self.subTest(compiler=compiler, statement=statement):
                    self.assertEqual(self.loops(compiler, "x.c", text), {3: ("any", "")})

    def test_instantiations_that_count_in_different_ways(self):
        text = ("#include <vector>\ntemplate <class T>\nint f(T from, T to) {\n  int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
                "  for (T i = from; i < to; ++i) s += 1;\n#pragma omp parallel for\n  for (int i = 0; i < 10; ++i) {}\n  return s;\n}\n"
                "template <int step>\nvoid g(int from, int to, int* at) {\n#pragma omp parallel for\n  for (int i = from; i != to; i += step) at[i] = i;\n}\n"
                "template <class T>\nvoid h(T to, int* at) {\n#pragma omp parallel for\n  for (T i = 0; i < to; ++i) at[i] = 1;\n}\n"
                "int all(std::vector<int>& v) {\n  g<1>(0, 9, v.data());\n  g<-1>(9, 0, v.data());\n  h(9u, v.data());\n  h(9L, v.data());\n"
                "  return f(1, 9) + f(v.begin(), v.end());\n}\n")
        different = ("left", "its instantiations count in different ways")
        for compiler in CXX_COMPILERS:
            self.assertEqual(self.loops(compiler, "x.cpp", text), {5: different, 7: ("any", ""), 13: different, 18: ("any", "")})

    def test_headers_of_libraries_are_looked_into(self):
        """Also where the build names them system headers. What they only declare does not count."""
        self.write("library/own.h", "#pragma once\n#include <omp.h>\nint outside(int);\nstatic inline int whose(void) { return omp_get_thread_num(); }\n"
                   "static inline int deep(int i) { return i + whose(); }\nstatic inline int harmless(int i) { return i + 1; }\n")
        text = "#include <own.h>\nvoid f(int n, int* a) {\n" + "".join(
            f"#pragma omp parallel for\n  for (int i = 0; i < n; ++i) a[i] = {call};\n" for call in ("whose()", "deep(i)", "harmless(i)", "outside(i)")) + "}\n"
        asks = ("shares", "its body uses omp_get_thread_num")
        for compiler, name in (*((c, "x.c") for c in C_COMPILERS), *((c, "x.cpp") for c in CXX_COMPILERS)):
            found = self.loops(compiler, name, text, "-isystem", "library", "-w")
            self.assertEqual(found, {3: asks, 5: asks, 7: ("any", ""), 9: ("any", "")}, compiler)

    def test_lastprivate_of_a_register(self):
        text = ("int f(int* a) {\n  register int r;\n#pragma omp parallel for lastprivate(r)\n  for (r = 0; r < 10; r++) a[r] = r;\n#pragma omp parallel for\n"
                "  for (int i = 0; i < 10; i++) a[i]++;\n  return r;\n}\n")
        for compiler in C_COMPILERS:
            self.assertEqual(self.loops(compiler, "x.c", text), {3: ("left", "lastprivate of a register variable"), 5: ("any", "")})

    def test_pragmas_between_header_and_body(self):
        """They stay with the body. Before the header compilers refuse them, or they are of a loop that becomes another."""
        loop = "void f(int* p) {\n#pragma omp parallel for\n%s  for (int i = 0; i < 64; ++i)\n%s    for (int j = 0; j < i; ++j) p[i] += p[j ^ i];\n}\n"
        for pragma in ("#pragma GCC unroll 4\n", "#pragma clang loop unroll(disable)\n", "#pragma omp simd\n"):
            written = self.write("x.i", loop % ("", pragma)).open()
            self.addCleanup(written.close)
            done = subprocess.run([TOOL.parent / "steelyard-rewrite", "-xcpp-output"], stdin=written, capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.count("\n" + pragma), 1, done.stdout)
        self.write("y.c", loop % ("#pragma GCC ivdep\n", ""))
        for compiler in C_COMPILERS:
            runs = [self.run_here(*launcher, compiler, "-fopenmp", "-c", "y.c") for launcher in ([], [TOOL, "cc"])]
            self.assertEqual(*((run.returncode, run.stderr) for run in runs))

    def test_pragmas_and_strings_of_several_lines_within_a_header(self):
        """Such a header cannot be written again in one line."""
        text = ("int f(void) {\n  int n = 0;\n#pragma omp parallel for reduction(+ : n)\n  for (int i = 0; i < (int)({\n#pragma pack(push, 1)\n"
                "         struct { char c; int i; } s;\n#pragma pack(pop)\n         sizeof s;\n       }); ++i) ++n;\n  return n;\n}\n")
        for compiler in C_COMPILERS:
            self.assertEqual(self.loops(compiler, "x.c", text), {3: ("left", "a pragma stands before one of its headers, or in it")})

    def test_what_runs_is_what_the_source_says(self):
        """Iterators go nowhere that the program's do not; a bound of another sign is compared as the compiler does; a string keeps its lines."""
        text = ('#include <cstdio>\n#include <deque>\n#include <vector>\nint main(int one, char**) {\n  std::vector<int> v(100);\n  std::deque<int> q(57);\n'
                "  int sum = 0;\n#pragma omp parallel for\n  for (auto at = v.rbegin(); at < v.rend(); at += 3) *at = one;\n#pragma omp parallel for\n"
                "  for (auto at = q.begin(); at < q.end(); at += 2) *at = one;\n#pragma omp parallel for reduction(+ : sum)\n"
                "  for (int i = -2; i < 3u * one; ++i) ++sum;\n  for (int each : v) sum += each;\n  for (int each : q) sum += each;\n"
                '  std::printf("%d %s\\n", sum, R"(\n#pragma steelyard leave\n)");\n}\n')
        self.write("x.cpp", text)
        for compiler in CXX_COMPILERS:
            checked = ["-D_GLIBCXX_DEBUG"] if compiler == "g++" else []  # Clang's own code goes beyond the end
            for launcher in ([], [TOOL, "cc"]):
                self.succeeds(self.run_here(*launcher, compiler, "-w", "-fopenmp", *checked, "x.cpp", "-o", f"x{len(launcher)}"))
            self.has_loops("x2")
            plain, rewritten = (self.run_here(self.folder / name).stdout for name in ("x0", "x2"))
            self.assertIn("#pragma steelyard leave", plain)
            self.assertEqual(plain, rewritten)


if __name__ == "__main__":
    main()
