# SPDX-License-Identifier: Apache-2.0
"""Where `compare` says that loops stand, and that `run --loops` finds them there: two compilers, two languages, with
and without optimisation and debug information."""
import json
import re
import shutil

from command import Case, main

COMPILERS = {"C++": ("g++", "clang++-19"), "C": ("gcc", "clang-19")}
SUFFIX = {"C++": "cpp", "C": "c"}
CPP = r"""
#include <cstddef>
#include <cstdio>
#include <vector>
static double work(double x, int n) { for (int i = 0; i < n; ++i) x = x * 1.0000001 + 0.1; return x; }

template <class T, class F>
void apply(std::vector<T>& v, F f) {
#pragma omp parallel for schedule(dynamic, 4)    // loop: template
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = f(v[i], static_cast<int>(i));
}

static inline void orphan(std::vector<double>& v) {
#pragma omp for schedule(guided)                 // loop: orphan
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = work(v[i], 100);
}

int main() {
  std::vector<double> v(500, 1.0);
#pragma omp parallel for schedule(dynamic)       // loop: size
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = work(v[i], 7);
#pragma omp parallel
  {
#pragma omp for schedule(runtime)                // loop: first of two
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = work(v[i], 1);
#pragma omp for schedule(dynamic, 2)             // loop: second of two, over a range
    for (auto& x : v) x = work(x, 2);
  }
  apply(v, [](double x, int n) { return work(x, n); });
#pragma omp parallel
  orphan(v);
  auto lambda = [&] {
#pragma omp parallel for schedule(dynamic)       // loop: lambda
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = work(v[i], 3);
  };
  lambda();
  std::printf("%f\n", v[3]);
}
"""
C = r"""
#include <stdio.h>
#include <stdlib.h>
static double v[500];
static void inner(int n) {
#pragma omp parallel for schedule(dynamic, 3)    // loop: bound of an argument
  for (int i = 0; i < n; ++i) v[i] += i;
}
static void orphan(int n) {
#pragma omp for schedule(guided)                 // loop: orphan
  for (int i = 0; i < n; ++i) v[i] += 2 * i;
}
int main(int argc, char** argv) {
  (void)argv;
  double sum = 0;
#pragma omp parallel for schedule(dynamic)       // loop: fixed bound
  for (int i = 0; i < 500; ++i) v[i] += i;
#pragma omp parallel
  {
#pragma omp for schedule(runtime)                // loop: first of two
    for (int i = 0; i < 250 + argc; ++i) v[i] += 2 * i;
#pragma omp for schedule(dynamic) reduction(+ : sum) // loop: second of two
    for (int i = 0; i < abs(400 + argc); ++i) sum += v[i];
  }
  inner(400 + argc);
#pragma omp parallel
  orphan(300 + argc);
  printf("%g %g\n", v[3], sum);
  return 0;
}
"""
SOURCES = {"C++": CPP, "C": C}
QUICK = ("--rounds", "1", "--schedules", "steal")


def loop_lines(source):
    """Of each directive; its `for` stands in the next line."""
    return [number for number, line in enumerate(source.split("\n"), 1) if "// loop: " in line]


class Places(Case):
    def built(self, language, compiler, *options):
        """A program; None without that compiler."""
        if shutil.which(compiler) is None:
            return None
        file = self.folder / f"source.{SUFFIX[language]}"
        file.write_text(SOURCES[language])
        result = self.run_plain(compiler, "-fopenmp", *options, file, "-o", self.folder / "app")
        return self.folder / "app" if result.returncode == 0 else None

    def programs(self, *levels):
        met = False
        for language, compilers in COMPILERS.items():
            for compiler in compilers:
                for level in levels:
                    program = self.built(language, compiler, *level)
                    if program is None:
                        continue
                    met = True
                    yield language, compiler, program
        if not met:
            self.skipTest("no OpenMP here")

    def compared(self, program):
        result = self.steelyard("compare", *QUICK, "--json", "-", "--", program)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        return json.loads(result.stdout)["loops"]

    def test_each_loop_is_shown_at_its_own_line(self):
        levels = [("-O0", "-g"), ("-O2", "-g"), ("-O3", "-g"), ("-O0", "-g1")]
        for language, compiler, program in self.programs(*levels, ("-O2", "-g", "-no-pie"), ("-O2", "-g", "-fno-plt")):
            wanted = loop_lines(SOURCES[language])
            loops = self.compared(program)
            found = sorted(loop["source"]["line"] for loop in loops)
            self.assertEqual(len(found), len(wanted), (compiler, loops))
            for line, directive in zip(found, wanted):
                self.assertIn(line, (directive, directive + 1), (compiler, loops))
            self.assertEqual({loop["source"]["file"].split("/")[-1] for loop in loops}, {f"source.{SUFFIX[language]}"})

    def test_little_debug_information_is_enough_in_cpp(self):
        for compiler in COMPILERS["C++"]:
            program = self.built("C++", compiler, "-O2", "-g1")
            if program is None:
                self.skipTest(f"no {compiler} here")
            for loop, directive in zip(sorted(self.compared(program), key=lambda one: one["source"]["line"]),
                                       loop_lines(CPP)):
                self.assertIn(loop["source"]["line"], (directive, directive + 1))

    def test_the_loop_over_a_vector_of_gcc(self):
        program = self.built("C++", "g++", "-O2", "-g")
        if program is None:
            self.skipTest("no OpenMP here")
        sources = [loop["source"] for loop in self.compared(program)]  # a text leaves out what takes little time
        directive = 1 + CPP[:CPP.index("// loop: size")].count("\n")
        found = [source for source in sources if source["line"] in (directive, directive + 1)]
        self.assertEqual([source["function"] for source in found], ["main"], sources)
        self.assertNotIn("stl_", str(sources))

    def test_what_is_shown_is_understood(self):
        for language, compiler, program in self.programs(("-O2", "-g"), ("-O0", "-g1")):
            loops = self.compared(program)
            self.assertEqual([loop["site"] for loop in loops if loop["file_and_line"] == ""], [])
            for place in ("{name}:{line}", "{folder}/{name}:{line}", "{tail}/{name}:{line}"):
                for loop in loops:
                    file, line = loop["file_and_line"].split(":")
                    self.check_taken(program, place.format(folder=self.folder, tail=self.folder.name, name=file, line=line),
                                     loop["site"], compiler)
            self.assertEqual(len({loop["file_and_line"] for loop in loops}), len(loop_lines(SOURCES[language])))

    def check_taken(self, program, place, site, compiler):
        (self.folder / "loops").write_text(f"{place} wsri\n")
        result = self.steelyard("run", "-v", "-l", "loops", "--", program)
        taken = re.findall(r"(\S+) taken by wsri", result.stderr)
        self.assertEqual((result.returncode, taken), (0, [site]), (compiler, place, result.stderr))
        self.assertNotIn("loops file", result.stderr)

    def test_a_stripped_program_has_offsets(self):
        for _, compiler, program in self.programs(("-O2", "-s")):
            if "clang" in compiler:
                continue
            for loop in self.compared(program):
                self.assertEqual((loop["source"]["line"], loop["file_and_line"]), (0, ""))
                self.check_taken(program, loop["site"], loop["site"], compiler)
            (self.folder / "loops").write_text("source.c:3 wsri\n")
            result = self.steelyard("run", "-l", "loops", "--", program)
            self.assertEqual((result.returncode, result.stderr),
                             (0, "steelyard: loops:1: source.c:3: no such loop in app: it was built without -g; build it "
                                 "with -g, or write module+0xOFFSET\n"))

    def test_a_loop_of_a_shared_library(self):
        text = "void work(double* v, int n) {\n#pragma omp parallel for schedule(dynamic)\n  for (int i = 0; i < n; ++i) v[i] += i;\n}\n"
        library = self.compiled("libwork.so", "-O2", "-fopenmp", "-shared", "-fPIC", source=text)
        if library is None:
            self.skipTest("no OpenMP here")
        caller = "void work(double* v, int n);\nint main(void) { static double v[99]; work(v, 99); return 0; }\n"
        program = self.compiled("caller", library, f"-Wl,-rpath,{self.folder}", source=caller)
        (self.folder / "loops").write_text("libwork.so.c:3 wsri\n")
        result = self.steelyard("run", "-v", "-l", "loops", "--", program)
        self.assertRegex(result.stderr, r"libwork\.so\+0x[0-9a-f]+ taken by wsri")

    def test_children_of_the_program_find_their_loops(self):
        program = self.built("C++", "g++", "-O2", "-g")
        if program is None:
            self.skipTest("no OpenMP here")
        line = loop_lines(CPP)[0] + 1
        (self.folder / "loops").write_text(f"source.cpp:{line} wsri\n")
        result = self.steelyard("run", "-v", "-l", "loops", "--", "sh", "-c", str(program))
        self.assertIn(f"only steelyard run, given the program itself, finds source.cpp:{line} here", result.stderr)


if __name__ == "__main__":
    main()
