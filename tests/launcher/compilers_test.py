#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which compilers `steelyard cc` stands before: GCC and Clang by name, their wrappers by asking, and all of them by links."""
import shutil

from launching import C_COMPILERS, LOOP, TOOL, Case, main

STRICT = LOOP.replace("NAME(void)", "strict(void)").replace("int values", "int strict(void);\nint values").replace("#include <stdio.h>\n", "")


class Compilers(Case):
    def setUp(self):
        super().setUp()
        self.write("first.c", LOOP.replace("NAME", "first"))

    def script(self, name, text):
        """A command in a folder of its own, for PATH."""
        (self.folder / "bin").mkdir(exist_ok=True)
        file = self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    def test_compilers_that_it_does_not_know(self):
        script = self.write("pgcc-like", '#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
        script.chmod(0o755)
        run = self.launched(script, "-fopenmp", "-c", "first.c")
        self.assertEqual((run.returncode, run.stdout), (7, "-fopenmp|-c|first.c|"))
        self.assertIn("the compiler is none that it knows", self.remarks())
        self.assertEqual(self.launched("no-such-gcc", "first.c").returncode, 127)
        self.assertEqual(self.launched(self.folder, "first.c").returncode, 126)

    def test_wrappers(self):
        """As mpicc: with options of its own, which Clang finds unused where it is given preprocessed text."""
        self.write("hidden/hidden.h", "#define FROM_THE_WRAPPER 1\n")
        self.write("strict.c", '#include "hidden.h"\n' + STRICT.replace("100", "100 * FROM_THE_WRAPPER * OF_ITS_OWN"))
        for compiler in C_COMPILERS:
            wrapper = self.script("mpicc", f'exec {compiler} -Ihidden -DOF_ITS_OWN=1 "$@"')
            for output in (["-c", "-o", "strict.o"], ["-shared", "-fPIC", "-o", "strict.so"]):
                self.succeeds(self.launched(wrapper, "-fopenmp", "-Wall", "-Wextra", "-pedantic", "-Werror", "strict.c", *output))
                self.has_loops(output[-1])
        self.write("plus.c", LOOP.replace("NAME(void)", "plus()").replace("return", "return sizeof('a') == 1 ? 7 : ") + "int main() { return plus(); }")
        wrapper = self.script("mpicxx", 'exec g++ "$@"')
        self.succeeds(self.launched(wrapper, "-fopenmp", "plus.c", "-o", "plus"))
        self.has_loops("plus")
        self.assertEqual(self.run_here("./plus").returncode, 7, "g++ takes .c for C++")

    def test_wrappers_of_what_it_does_not_know(self):
        for macro in ("__INTEL_COMPILER", "__NVCOMPILER"):
            self.succeeds(self.launched(self.script("icc", f'exec gcc -D{macro}=1 "$@"'), "-fopenmp", "-c", "first.c"))
            self.assertIn("the compiler is none that it knows", self.remarks())
        if shutil.which("aarch64-linux-gnu-gcc"):
            self.succeeds(self.launched(self.script("crosscc", 'exec aarch64-linux-gnu-gcc "$@"'), "-fopenmp", "-c", "first.c"))
            self.assertIn("the compiler is none that it knows", self.remarks())

    def test_wrappers_with_a_dash(self):
        for name in ("scorep-gcc", "my-own-gcc", "c99-gcc-12"):
            self.succeeds(self.launched(self.script(name, 'exec gcc "$@"'), "-fopenmp", "-c", "first.c"))
            self.has_loops("first.o")

    def test_what_the_compiler_then_refuses_is_taken_back(self):
        """Rewritten it is compiled, with words that are not said of the source; the source itself is refused."""
        wrapper = self.script("mpicc", 'case "$*" in *cpp-output*) echo more >&2;; *" -E "*|*" -E") ;; *) exit 3;; esac\nexec gcc "$@"')
        for output in (["-c"], ["-c", "-o", "x.o"], ["-shared", "-fPIC", "-o", "x.so"]):
            self.assertEqual(self.launched(wrapper, "-fopenmp", *output, "first.c").returncode, 3)
            self.assertEqual(self.names(), ["bin", "first.c", "mpicc"])
            self.assertEqual(self.remarks(), "first.c: compiled as it was: the compiler has something to say of it\n")

    def test_a_unit_without_loops_is_compiled_once(self):
        """Though Clang has no use for what the wrapper adds."""
        self.write("none.c", "int none(void) { return 1; }\n")
        for compiler in C_COMPILERS:
            wrapper = self.script("mpicc", f'case "$*" in *" -E"*|*"-###"*) ;; *) echo "$*" >> compiled;; esac\nexec {compiler} -I. "$@"')
            self.succeeds(self.launched(wrapper, "-fopenmp", "-c", "none.c"))
        self.assertEqual(len((self.folder / "compiled").read_text().splitlines()), len(C_COMPILERS))

    def test_nothing_is_asked_where_there_is_nothing_to_rewrite(self):
        wrapper = self.script("mpicc", 'echo "$*" >> asked; exec gcc "$@"')
        for words in (["-c", "-fPIC", "first.c"], ["-fopenmp", "--version"], ["-fopenmp", "first.o", "-shared", "-o", "first.so"]):
            self.assertEqual(self.launched(wrapper, *words).returncode, 0)
        self.assertEqual(len((self.folder / "asked").read_text().splitlines()), 3)

    def test_the_same_in_a_single_word(self):
        single = TOOL.with_name("steelyard-cc")
        self.succeeds(self.run_here(single, "gcc", "-fopenmp", "-c", "first.c"))
        self.has_loops("first.o")
        for options in (["--help"], [], ["--report", "first.o"], ["--report"], ["-c", "first.c"]):
            both = [self.run_here(*command, *options) for command in ([single], [TOOL, "cc"])]
            self.assertEqual(*((run.returncode, run.stdout, run.stderr) for run in both), options)

    def link(self, folder="links", **more):
        done = self.run_here(TOOL, "cc", "--links", folder, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_links(self):
        """With them first in PATH, makefiles that name their compilers are built by the launcher."""
        self.script("mpicc", 'exec gcc "$@"')
        before = {"PATH": f"{self.folder}/bin:/usr/bin:/bin"}
        for _ in range(2):  # they are made anew
            made = self.link(**before)
            self.assertEqual(made.stderr, "")
            self.assertLessEqual({"gcc", "g++", "mpicc", *C_COMPILERS}, set(made.stdout.splitlines()[0].split()))
            self.assertIn(f'PATH="{self.folder}/links:$PATH"', made.stdout)
        behind = {"PATH": f"{self.folder}/links:{before['PATH']}"}
        for compiler in (*C_COMPILERS, "mpicc"):
            self.write("Makefile", f"CC = {compiler}\nCFLAGS = -fopenmp\nfirst.o: first.c\n\t$(CC) $(CFLAGS) -c first.c\n")
            done = self.run_here("make", "-B", **behind)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.has_loops("first.o")
        self.assertEqual(*(self.run_here("gcc", *words, **path).stdout for path in (before, behind) for words in [["--version"]]))
        self.assertIn("gcc: ", self.run_here("gcc", "-nonsense", **behind).stderr)

    def test_links_among_what_looks_for_the_next_compiler(self):
        """As ccache's links, which pass over themselves only; a copy of this command; and a script that calls the launcher."""
        nexts = 'me=$(dirname "$0"); IFS=:; for d in $PATH; do [ "$d" != "$me" ] && [ -x "$d/gcc" ] && exec "$d/gcc" "$@"; done'
        self.script("gcc", nexts)
        before = f"{self.folder}/links:/usr/bin:/bin"
        self.link(PATH="/usr/bin:/bin")
        (self.folder / "copy").mkdir()
        shutil.copy(TOOL, self.folder / "copy" / "gcc")
        self.write("calls/gcc", f'#!/bin/sh\nexec {TOOL} cc gcc "$@"\n').chmod(0o755)
        self.script("mpicc", 'exec gcc "$@"')
        for path in (f"{self.folder}/bin:{before}", f"{self.folder}/links:{self.folder}/bin:/usr/bin:/bin", f"{self.folder}/calls:{before}",
                     f"{self.folder}/links:{self.folder}/calls:/usr/bin:/bin", f"{self.folder}/links:/usr/lib/ccache:/usr/bin:/bin",
                     f"/usr/lib/ccache:{before}"):
            for compiler in ("gcc", self.folder / "bin" / "mpicc"):
                (self.folder / "first.o").unlink(missing_ok=True)
                self.succeeds(self.run_here("timeout", "60", compiler, "-fopenmp", "-c", "first.c", PATH=path, CCACHE_DIR=self.folder / "cache"))
                self.has_loops("first.o")
        copied = self.run_here("timeout", "60", "gcc", "-fopenmp", "-c", "first.c", PATH=f"{self.folder}/copy:{before}")
        self.assertEqual(copied.returncode, 0)
        self.assertIn("steelyard-rewrite is not installed", copied.stderr)

    def test_links_without_a_path(self):
        self.link(PATH="/usr/bin:/bin")
        self.succeeds(self.run_here("env", "-u", "PATH", self.folder / "links" / "gcc", "-fopenmp", "-c", "first.c"))
        self.has_loops("first.o")

    def test_links_where_something_else_is(self):
        links = self.folder / "links"
        links.mkdir()
        self.write("links/gcc", "mine")
        (links / "g++").symlink_to("/usr/bin/true")
        made = self.link(PATH="/usr/bin:/bin")
        self.assertEqual(sorted(made.stderr.splitlines()),
                         [f"steelyard: {links}/{name}: left as it is, for it is no link of ours" for name in ("g++", "gcc")])
        self.assertEqual((links / "gcc").read_text(), "mine")
        self.assertEqual((links / "g++").readlink().name, "true")
        (links / "cc").unlink()
        self.assertNotIn("gcc", made.stdout.splitlines()[0].split())

    def test_wrong_use_of_links(self):
        self.write("file", "")
        for words, said in ((["--links", "file"], "file: "), (["--links", "none", "--report"], "--links stands alone"), (["--links"], "--links"), (["--links", ""], "--links ''"),
                            (["--links", "a:b"], "without a colon")):
            done = self.run_here(TOOL, "cc", *words)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), words)
            self.assertIn(said, done.stderr)
        self.assertIn("no compiler", self.run_here(TOOL, "cc", "--links", "none", PATH="/none").stderr)
        self.link(PATH="/usr/bin:/bin")
        alone = self.run_here(self.folder / "links" / "gcc", "-c", "first.c", PATH=f"{self.folder}/links")
        self.assertEqual((alone.returncode, alone.stderr),
                         (127, "steelyard: gcc is a link to steelyard, and PATH has no other gcc; install it, or remove the link\n"))


if __name__ == "__main__":
    main()
