#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`steelyard cc` does with a compiler's command line what the compiler does with it: files, messages and statuses are the same."""
import os
import re
import shutil
import signal
import subprocess
import time

from launching import C_COMPILERS, CXX_COMPILERS, HERE, LOOP, TOOL, Case, main

MAIN = LOOP.replace("values", "others").replace("NAME", "own") + 'int first(void);\nint main(void) { printf("%d\\n", own() + first()); return 0; }\n'


class Driver(Case):
    def setUp(self):
        super().setUp()
        self.write("first.c", LOOP.replace("NAME", "first"))
        self.write("main.c", MAIN)

    def test_one_object(self):
        for compiler in C_COMPILERS:
            self.succeeds(self.launched(compiler, "-fopenmp", "-c", "first.c", "-o", "x.o"))
            self.succeeds(self.launched(compiler, "-fopenmp", "-c", "-O2", "main.c"))
            self.has_loops("x.o", "main.o")
            self.succeeds(self.launched(compiler, "-fopenmp", "x.o", "main.o"))
            self.assertEqual(self.run_here("./a.out").stdout, "198\n")
            self.assertEqual(self.names(), ["a.out", "first.c", "main.c", "main.o", "x.o"])

    def test_several_sources(self):
        for compiler in C_COMPILERS:
            self.succeeds(self.launched(compiler, "-fopenmp", "-c", "first.c", "main.c"))
            self.has_loops("first.o", "main.o")
            self.succeeds(self.launched(compiler, "first.c", "-I.", "-lm", "main.c", "-fopenmp", "-o", "prog"))
            self.has_loops("prog")
            self.assertEqual(self.run_here("./prog").stdout, "198\n")

    def test_a_unit_without_loops(self):
        self.write("none.cpp", '#include <vector>\n#include <cassert>\nint f(const std::vector<int>& v) { assert(!v.empty()); return v.back(); }\n')
        for compiler in CXX_COMPILERS:
            for options in (["-O2"], ["-g", "-O0"]):
                self.succeeds(self.run_here(compiler, "-fopenmp", *options, "-c", "none.cpp", "-o", "plain.o"))
                self.succeeds(self.launched(compiler, "-fopenmp", *options, "-c", "none.cpp", "-o", "launched.o"))
                code = [self.run_here("objdump", "-dr", name).stdout.replace(name, "") for name in ("plain.o", "launched.o")]
                self.assertEqual(code[0], code[1])
                lines = [self.run_here("objdump", "--dwarf=decodedline", name).stdout for name in ("plain.o", "launched.o")]
                self.assertEqual(*(set(re.findall(r"^(\S+) +(\d+) ", each, re.M)) for each in lines))
        self.write("says.cpp", "int f(int n) { int unused; return n; }\n")
        for compiler in CXX_COMPILERS:
            self.same(compiler, "-fopenmp", "-Wall", "-c", "says.cpp")
        self.assertEqual(self.remarks(), "")

    def test_costs_that_the_compiler_refuses_are_left_out(self):
        """The loops are reached all the same, and a source that is broken itself is told by the compiler."""
        refused = LOOP.replace("NAME", "first").replace("#pragma omp", "#pragma steelyard cost(values[i] + no_such_name)\n#pragma omp")
        self.write("first.c", refused)
        for compiler in C_COMPILERS:
            for words, product in ((["-c", "first.c", "-o", "x.o"], "x.o"), (["first.c", "main.c", "-o", "prog"], "prog")):
                self.succeeds(self.launched(compiler, "-fopenmp", *words))
                self.assertEqual(self.remarks(), "first.c: compiled without the costs of its loops: with them the compiler fails\n")
                self.has_loops(product)
                self.assertIn("the compiler does not accept the text that tells it", self.run_here(TOOL, "cc", "--report", product).stdout)
            self.assertEqual(self.run_here("./prog").stdout, "198\n")
        self.write("broken.c", refused.replace("return values[99]", "return no_value_either"))
        for compiler in C_COMPILERS:
            run = self.same(compiler, "-fopenmp", "-c", "broken.c")
            self.assertNotEqual(run.returncode, 0)
            self.assertNotIn("no_such_name", run.stderr)
        self.assertIn("broken.c: compiled as it was", self.remarks())

    def test_assembly_and_response_files(self):
        self.write("words", '-fopenmp -S "first.c"\n-o \'out put.s\'\n')
        self.succeeds(self.launched("gcc", "@words"))
        self.assertIn(".steelyard", (self.folder / "out put.s").read_text())
        self.write("more", "@words")
        self.succeeds(self.launched("gcc", "-pipe", "@more"))
        self.assertEqual(self.remarks(), "")

    def test_dependencies(self):
        self.write("head.h", "extern int values[100];\n")
        self.write("deps.c", '#include "head.h"\n' + LOOP.replace("NAME", "deps"))
        for options in (["-MD"], ["-MMD", "-MP"], ["-MD", "-MF", "own.d"], ["-MMD", "-MT", "target"], ["-Wp,-MD,wp.d"]):
            for output in ([], ["-o", "deps.x.o"]):
                found = []
                for launcher in ([], [TOOL, "cc"]):
                    before = set(self.names())
                    self.succeeds(self.run_here(*launcher, "gcc", "-fopenmp", "-c", "deps.c", *options, *output))
                    new = sorted(set(self.names()) - before)
                    found.append({name: (self.folder / name).read_text() for name in new if name.endswith(".d")})
                    for name in new:
                        (self.folder / name).unlink()
                with self.subTest(options=options, output=output):
                    self.assertEqual(found[0], found[1])
                    self.assertEqual(len(found[0]), 1)

    def files(self, *command):
        """What it leaves in an empty folder beside the source, plainly and launched; dependency files with their text."""
        found = []
        for launcher in ([], [TOOL, "cc"]):
            folder = self.folder / "apart"
            folder.mkdir()
            shutil.copy(self.folder / "main.c", folder)
            self.assertEqual(self.run_here(*launcher, *command, cwd=folder).returncode, 0, command)
            found.append({each.name: each.read_text() if each.suffix == ".d" else "" for each in folder.iterdir()})
            shutil.rmtree(folder)
        return found

    def test_files_and_their_targets(self):
        for options in (["-S", "-MMD"], ["-S", "-MD", "-o", "x.s"], ["-S", "-c"], ["-c", "-Wp,-MMD,x.d", "-o", "x.o"], ["-c", "-emit-llvm"], ["-c", "-MD", "-MF", "/dev/null"]):
            for compiler in C_COMPILERS:
                if not (compiler == "gcc" and "-emit-llvm" in options):
                    with self.subTest(compiler=compiler, options=options):
                        self.assertEqual(*self.files(compiler, "-fopenmp", "main.c", *options))
        for options in (["-c", "-fsave-optimization-record"], ["-c", "-o", "x.o", "-fstack-usage"]):
            self.assertEqual(*self.files("gcc", "-fopenmp", "main.c", *options))
        self.remarks()

    def test_long_forms(self):
        """Of options that the launcher knows by their short forms, or not at all."""
        for options in (["-c", "--dependencies"], ["-c", "--user-dependencies"], ["--preprocess"], ["--compile"], ["--assemble", "-c"], ["-c", "--output=x.o"],
                        ["-c", "--output", "x.o"], ["-c", "--language=c"], ["-c", "--include=stdio.h"], ["-c", "--include", "stdio.h"],
                        ["-c", "--write-dependencies"], ["-c", "--write-user-dependencies"], ["-c", "--define-macro", "A=1"], ["-c", "--std=c11"]):
            for compiler in C_COMPILERS:
                with self.subTest(compiler=compiler, options=options):
                    self.same(compiler, "-fopenmp", "main.c", *options)
                    if self.run_here(compiler, "-fopenmp", "main.c", *options).returncode == 0:
                        self.assertEqual(*self.files(compiler, "-fopenmp", "main.c", *options))
                    self.assertIn(" is for the compiler alone", self.remarks())
        self.succeeds(self.launched("gcc", "-fopenmp", "--param=max-unroll-times=8", "--param", "l1-cache-size=32", "-c", "first.c"))
        self.has_loops("first.o")

    def test_what_the_preprocessor_alone_does_not_know(self):
        """The compiler defines macros where a pragma asks for an instruction set, or replaces them in one; assembly needs what was defined."""
        show = LOOP.replace("NAME", "main").replace("return values[99];", 'printf("%d\\n", VALUE);\n  return 0;')
        by_target = "#pragma GCC target(\"sse4.1\")\n#ifdef __SSE4_1__\n#define VALUE 1\n#else\n#define VALUE 2\n#endif\n"
        packed = "#define ONE 1\n#pragma pack(push, ONE)\nstruct { char c; int i; } of;\n#pragma pack(pop)\n#define VALUE (int)sizeof of\n"
        self.write("help.S", ".globl help\nhelp: .byte VALUE\n.section .note.GNU-stack,\"\",%progbits\n")
        helped = "extern const char help;\n#undef VALUE\n#define VALUE help\n"
        for name, before, more in (("target", by_target, []), ("packed", packed, []), ("helped", helped, ["-DVALUE=7", "help.S"])):
            self.write(f"{name}.c", before + show)
            for compiler in C_COMPILERS:
                for launcher in ([], [TOOL, "cc"]):
                    self.succeeds(self.run_here(*launcher, compiler, "-O1", "-fopenmp", f"{name}.c", *more, "-o", f"{name}{len(launcher)}"))
                with self.subTest(name=name, compiler=compiler):
                    self.assertEqual(*(self.run_here(self.folder / f"{name}{of}").stdout for of in (0, 2)))
                    self.assertIn("compiled as it was", self.remarks()) if name == "helped" else self.remarks()

    def test_specs_of_distributions(self):
        """Files that add options are passed with each package there. Others may make the compiler another one."""
        self.write("hardened-cc1", "*cc1_options:\n+ %{!r:%{!fpie:%{!fPIE:%{!fpic:%{!fPIC:%{!fno-pic:-fPIE}}}}}}\n")
        self.write("hardened-ld", "*self_spec:\n+ %{!static:%{!shared:%{!r:-pie}}}\n\n*link:\n+ -z now\n")
        self.write("renamed", "%rename cc1_options old_options\n\n*cc1_options:\n%(old_options) -DRENAMED\n")
        self.write("suffixed", ".c:\n@c\n")
        words = ["gcc", "-O1", "-fopenmp", f"-specs={self.folder}/hardened-cc1", f"-specs={self.folder}/hardened-ld", "first.c", "-c"]
        self.succeeds(self.launched(*words, "-o", "first.o"))
        self.has_loops("first.o")
        for other in ("renamed", "suffixed"):
            self.same("gcc", "-fopenmp", f"-specs={self.folder}/{other}", "first.c", "-c", "-o", "other.o")
            self.assertIn("is for the compiler alone", self.remarks())

    def test_places_that_options_map(self):
        self.succeeds(self.launched("gcc", "-fopenmp", "-c", f"-ffile-prefix-map={self.folder}=/mapped", self.folder / "first.c", "-o", "first.o"))
        self.has_loops("first.o")
        self.assertNotIn(str(self.folder).encode(), (self.folder / "first.o").read_bytes())
        self.assertIn(b"/mapped/first.c", (self.folder / "first.o").read_bytes())

    def test_functions_that_are_told_are_the_programs(self):
        for option in ("-finstrument-functions", "-pg"):
            for compiler in C_COMPILERS:
                calls = []
                for launcher in ([], [TOOL, "cc"]):
                    self.succeeds(self.run_here(*launcher, compiler, "-O1", "-fopenmp", option, "-S", "first.c", "-o", "first.s"))
                    calls.append(re.findall(r"(__cyg_profile_func_enter|mcount|__fentry__)", (self.folder / "first.s").read_text()))
                self.assertEqual(*map(len, calls))

    def test_what_is_the_compilers_alone(self):
        for words in (["-E", "first.c"], ["-M", "first.c"], ["--version"], ["-fopenmp", "-c", "-g3", "first.c"], ["-fopenmp", "-fsyntax-only", "first.c"],
                      ["-print-search-dirs"], ["-fopenmp", "-c", "none.c"], ["-fopenmp"], [], ["-c", "first.c"], ["-fopenmp", "@none", "first.c"]):
            for compiler in C_COMPILERS:
                self.same(compiler, *words)
        self.assertEqual(subprocess.run([TOOL, "cc", "gcc", "-fopenmp", "-x", "c", "-c", "-", "-o", self.folder / "in.o"], input=b"int a;",
                                        env=self.environment(), check=False).returncode, 0)

    def test_broken_sources(self):
        wrong = ("for (int i = 0; i < 10; ++i) { if (i) break; }", "for (int i = 0; i * i < 10; ++i) ;", "for (int i = 0; i < 10; ++i) undeclared(i) = 1;",
                 "int i;", "for (int i = 0; i < 10; ++i) { return 1; }", "for (int i = 0; i < 10; ++i) { unused: ; int x; }")
        for number, loop in enumerate(wrong):
            text = f"int f(int n) {{\n#pragma omp parallel for default(none)\n  {loop}\n  return 0;\n}}\n"
            self.write(f"wrong{number}.c", text)
            for compiler in C_COMPILERS:
                run = self.same(compiler, "-fopenmp", "-Wall", "-c", f"wrong{number}.c", "-o", "wrong.o")
                self.assertNotEqual(run.stderr, "")
        self.write("clause.c", "int f(int n) {\n#pragma omp parallel for default(none)\n  for (int i = 0; i < n; ++i) ;\n  return 0;\n}\n")
        for compiler in C_COMPILERS:
            self.assertEqual(self.same(compiler, "-fopenmp", "-c", "clause.c").returncode, 1)

    def write_a_source_with_warnings(self):
        """Of the front end, of GCC's optimiser, and, if it is GCC's, one that preprocessed text does not show."""
        self.write("warns.c", """#warning listen
#define unused_result ({ int never; 1; })
int values[100];
static void nobody(void) {}
int first(int n) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) values[i] = i * 1.5 == 1 ? unused_result : 0;
  int maybe;
  if (n > 1) maybe = n;
  if (n > 2)
    n = 3;
    values[0] = n;
  return maybe;
}
""")

    def test_warnings_are_those_of_the_compiler(self):
        """They do not keep loops from being reached."""
        self.write_a_source_with_warnings()
        self.write("main.c", self.folder.joinpath("main.c").read_text().replace("int main", "static int unused;\nint main"))
        for compiler in C_COMPILERS:
            for options in (["-Wall"], ["-Wall", "-O2", "-g"], ["-Wextra", "-Wall", "-O2", "-Wno-unknown", "-fdiagnostics-color=always"]):
                said = self.same(compiler, "-fopenmp", *options, "-c", "warns.c").stderr
                for word in ("listen", "never", "nobody", "misleading" if compiler == "gcc" else "maybe"):
                    self.assertIn(word, said)
                self.has_loops("warns.o")
            self.assertIn("unused", self.same(compiler, "-fopenmp", "-Wall", "-c", "warns.c", "main.c").stderr)
            self.has_loops("warns.o", "main.o")
            self.assertIn("unused", self.same(compiler, "main.c", "-Wall", "-lm", "-fopenmp", "warns.c", "-o", "prog").stderr)
            self.has_loops("prog")

    def test_options_that_clang_does_not_use(self):
        for compiler in C_COMPILERS[1:]:
            for options in (["-lm"], ["-lm", "-O5", "-Lnone", "-Wl,-z,now"], ["-Wunknown-name", "-lm"]):
                said = self.same(compiler, "-fopenmp", "-c", "first.c", *options).stderr
                self.assertIn("unused", said)
                self.has_loops("first.o")
            self.assertEqual(self.same(compiler, "-fopenmp", "-Werror", "-c", "first.c", "-lm").returncode, 1)
            self.remarks()

    def test_warnings_of_clangs_optimiser(self):
        self.write("cannot.c", LOOP.replace("NAME", "first") + """void never_vectorised(int *to, int n) {
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) to[i] = to[i] / to[i + 1] + (i > 0 ? to[i - 1] : 0);
}
""")
        for compiler in set(C_COMPILERS) - {"gcc"}:
            self.assertIn("pass-failed", self.same(compiler, "-fopenmp", "-O2", "-c", "cannot.c").stderr)
            self.has_loops("cannot.o")

    def test_warnings_of_a_directive(self):
        """Of values that it uses and nobody has set, and of memory that is gone. The rewritten text says them, too."""
        self.write("unset.c", """double values[100];
double first(void) {
  double sum;
#pragma omp parallel for reduction(+:sum)
  for (int i = 0; i < 100; ++i) sum += values[i];
  return sum;
}
""")
        for compiler in C_COMPILERS:
            for options in (["-O0"], ["-O2"]):
                self.assertIn("uninitialized", self.same(compiler, "-fopenmp", "-Wall", *options, "-c", "unset.c").stderr)
                self.assertEqual(self.remarks(), "")
                self.assertEqual(self.same(compiler, "-fopenmp", "-Wall", "-Werror", *options, "-c", "unset.c").returncode, 1)
                self.remarks()

    def test_warnings_of_what_is_inlined_or_in_a_macro(self):
        """GCC says where it was inlined to, and names the line of the macro; where the text is preprocessed, that of its use."""
        self.write("macro.c", """double values[100], sums[100];
#define MORE (extra + shift)
static int third(int *some) { return some[3]; }
double first(int n, int m, int shift) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double extra;
    int pair[2] = {i, i};
    if (i > m) extra = values[i];
    sums[i] +=
        MORE;
    sums[i] += third(pair);
  }
  return sums[0];
}
""")
        said = self.same("gcc", "-fopenmp", "-Wall", "-O2", "-c", "macro.c").stderr
        self.assertIn("inlined from", said)
        self.assertIn("macro.c:2:", said)
        self.has_loops("macro.o")

    def test_warnings_on_a_terminal(self):
        """The compiler shows them there itself, in colours if it likes."""
        self.write_a_source_with_warnings()
        if shutil.which("script") is None:
            self.skipTest("needs script")
        for compiler in C_COMPILERS:
            for term in ("xterm", "dumb"):
                both = []
                for launcher in ([], [TOOL, "cc"]):
                    command = " ".join(map(str, [*launcher, compiler, "-fopenmp", "-Wall", "-c", "warns.c"]))
                    both.append(self.run_here("script", "-qec", command, "/dev/null", TERM=term).stdout)
                self.assertIn("never", both[0])
                self.assertEqual(*both)
                self.has_loops("warns.o")

    def test_without_standard_error(self):
        self.write_a_source_with_warnings()
        for launcher in ("", f"{TOOL} cc "):
            done = self.run_here("sh", "-c", f"{launcher}gcc -fopenmp -Wall -c warns.c -o {'launched' if launcher else 'plain'}.o 2>&-")
            self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.names(), ["first.c", "main.c", "warns.c"])

    def test_whatever_else_is_said_the_source_is_compiled_as_it_was(self):
        self.write_a_source_with_warnings()
        for compiler in C_COMPILERS:
            for options in (["-Werror"], ["-fno-diagnostics-show-option"], ["-Rpass=.*"] if compiler != "gcc" else ["-fopt-info"]):
                self.same(compiler, "-fopenmp", "-Wall", "-O2", *options, "-c", "warns.c", "-o", "warns.o")
                self.assertIn("warns.c: compiled as it was", self.remarks(), options)

    def test_warnings_of_a_loops_own_header(self):
        self.write("header.cpp", "#include <vector>\nvoid f(std::vector<int>& v) {\n#pragma omp parallel for\n  for (int i = 0; i < v.size(); ++i) v[i] = i;\n"
                   "}\n")
        for compiler in CXX_COMPILERS:
            self.assertIn("sign-compare", self.same(compiler, "-fopenmp", "-Wall", "-Wextra", "-c", "header.cpp").stderr)
            self.succeeds(self.launched(compiler, "-fopenmp", "-c", "header.cpp"))
            self.remarks()

    def test_without_the_rewriter_it_says_so_and_compiles(self):
        alone = shutil.copy(TOOL, self.folder / "steelyard")
        run = self.run_here(alone, "cc", "gcc", "-fopenmp", "-c", "first.c")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stderr, r"\Asteelyard cc: first.c: compiled as it was, as steelyard-rewrite is not installed; [^\n]*\n\Z")
        self.assertTrue((self.folder / "first.o").exists())
        self.succeeds(self.run_here(alone, "cc", "gcc", "-c", "main.c"))  # without -fopenmp there is nothing to rewrite

    def test_pedantic_builds_are_rewritten(self):
        self.write("strict.c", LOOP.replace("NAME(void)", "strict(void)").replace("int values", "int strict(void);\nint values").replace("#include <stdio.h>\n", ""))
        for compiler in C_COMPILERS:
            for output in (["-c", "-o", "strict.o"], ["-shared", "-fPIC", "-o", "strict.so"]):
                self.succeeds(self.launched(compiler, "-std=c11", "-fopenmp", "-Wall", "-Wextra", "-pedantic", "-Werror", "strict.c", *output))
                self.has_loops(output[-1])

    def test_a_log_that_cannot_be_written_is_told(self):
        run = self.launched("gcc", "-fopenmp", "-g3", "-c", "first.c", STEELYARD_CC_LOG="no/such/log")
        self.assertEqual((run.returncode, run.stderr),
                         (0, "steelyard: STEELYARD_CC_LOG=no/such/log: cannot be written (No such file or directory)\n"))

    def test_a_folder_that_cannot_be_written(self):
        self.same("gcc", "-fopenmp", "-c", "first.c", "-o", "no/such/folder.o")

    def test_a_unit_of_ten_megabytes(self):
        table = ",\n".join("0x%08x" % (i * 2654435761 % 2**32) for i in range(800000))
        self.write("large.c", f"static const unsigned table[] = {{{table}}};\nunsigned sums[100];\nvoid f(void) {{\n#pragma omp parallel for\n"
                   "  for (int i = 0; i < 100; ++i) sums[i] = table[i];\n}\n")
        self.succeeds(self.launched("gcc", "-fopenmp", "-c", "large.c"))
        self.has_loops("large.o")

    def test_a_unit_on_which_clang_goes_on_for_ever(self):
        """It makes itself by its own default initialiser. The compiler takes it, and is not kept waiting."""
        self.write("self.cpp", "struct self { int v = 1; self* next = v ? new self() : nullptr; self() {} };\nvoid f(int n, double* x) {\n"
                   "#pragma omp parallel for\n  for (int i = 0; i < n; i++) { self s; x[i] = s.v; }\n}\n")
        self.succeeds(self.launched("g++", "-fopenmp", "-c", "self.cpp"))
        self.assertRegex(self.remarks(), r"^.*self.cpp: compiled as it was: the rewriter ended with status .*\n$")

    def test_launchers_before_and_behind(self):
        if shutil.which("ccache"):
            cache = {"CCACHE_DIR": str(self.folder / "cache")}
            for _ in range(2):
                self.succeeds(self.launched("ccache", "gcc", "-fopenmp", "-c", "first.c", **cache))
                self.has_loops("first.o")
            for _ in range(2):  # which wants a single word before the compiler
                self.succeeds(self.run_here("ccache", "gcc", "-fopenmp", "-c", "main.c", CCACHE_PREFIX=f"{TOOL}-cc", **cache))
                self.has_loops("main.o")

    def test_cmake_and_make(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(own C)\nfind_package(OpenMP REQUIRED)\n"
                   "add_executable(own main.c first.c)\ntarget_link_libraries(own OpenMP::OpenMP_C)\n")
        changes = {"CMAKE_C_COMPILER_LAUNCHER": f"{TOOL};cc", "CMAKE_GENERATOR": "Unix Makefiles"}
        for command in (["cmake", "-B", "out", "."], ["cmake", "--build", "out", "-j4"]):
            done = self.run_here(*command, **changes)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if command[1] == "-B":
                self.remarks()  # of what CMake tries
        self.has_loops("out/own")
        self.write("Makefile", "own: main.o first.o\n\t$(CC) -fopenmp $^ -o $@\n")
        done = self.run_here("make", "-j4", f"CC={TOOL} cc gcc", "CFLAGS=-fopenmp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.has_loops("own")

    def test_an_interrupted_build_leaves_nothing(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        slow = self.write("slow-gcc", f"#!/bin/sh\ncase \"$*\" in *-E*) exec {shutil.which('gcc')} \"$@\";; esac\necho $$ > compiler\nexec sleep 100\n")
        slow.chmod(0o755)
        for number in (signal.SIGTERM, signal.SIGINT):
            child = subprocess.Popen([TOOL, "cc", slow, "-fopenmp", "-MMD", "-c", "first.c"], cwd=self.folder, env=self.environment({"TMPDIR": str(temporary)}))
            compiler = self.folder / "compiler"
            while not (compiler.exists() and compiler.read_text().endswith("\n")):
                time.sleep(0.01)
            pid = int(compiler.read_text())
            child.send_signal(number)
            self.assertEqual(child.wait(SECONDS_TO_END), -number)
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)
            compiler.unlink()
            self.assertEqual(list(temporary.iterdir()), [])
            self.assertFalse({"first.o", "first.d"} & set(self.names()))

    def test_dependencies_that_cannot_be_written(self):
        """Once the object is there the compiler would have failed. So it has to."""
        for compiler in C_COMPILERS:
            done = self.same(compiler, "-fopenmp", "-MMD", "-MF", "nowhere/first.d", "-c", "first.c")
            self.assertNotEqual(done.returncode, 0)
            self.assertNotIn("first.o", self.names())
            self.assertIn("first.c: compiled as it was: ", self.remarks())


SECONDS_TO_END = 60

if __name__ == "__main__":
    main()
