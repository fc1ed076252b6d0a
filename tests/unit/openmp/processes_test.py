# SPDX-License-Identifier: Apache-2.0
"""The drop-in in the environment of processes it can do nothing for: static, 32-bit, scripts, own runtimes."""
import os
import re
import sys

from drop_in import KINDS, PROGRAMS, STATUS, Case, app, compilers, main, run

ASKED = {"STEELYARD_SCHEDULE": "steal", "OMP_SCHEDULE": "wsri"}


class Processes(Case):
    def environment(self):
        return {**ASKED, "STEELYARD_REPORT": self.folder / "report-%p"}

    def needs(self, name):
        if not (PROGRAMS / name).exists():
            self.skipTest(f"{name} could not be built here")
        return PROGRAMS / name

    def check(self, command, stdout, status, said=""):
        """Right, silent, and without a report of its own."""
        result = run(command, self.environment())
        self.assertEqual((result.returncode, result.stdout), (status, stdout), result.stderr)
        self.assertRegex(result.stderr, rf"\A{said}\Z")
        self.assertEqual(self.reports(), [])

    def script(self, text):
        path = self.folder / "script"
        path.write_text(text)
        os.chmod(path, 0o755)
        return path

    def test_without_openmp(self):
        self.check([PROGRAMS / "plain"], "plain\n", 5)
        result = run([PROGRAMS / "plain"], {**self.environment(), "STEELYARD_VERBOSE": "1"})
        self.assertRegex(result.stderr, r"\Asteelyard: inactive in plain \(\d+\): [^\n]*\n\Z")

    def test_a_program_with_functions_of_its_own_called_open_read_and_write(self):
        native = run([PROGRAMS / "own-files"], preload=())
        (self.folder / "loops").write_text("own-files+0x1? steal\n")
        for said in ({}, {"STEELYARD_VERBOSE": "1"}):
            asked = {**self.environment(), "STEELYARD_LOOPS": self.folder / "loops", **said}
            result = run([PROGRAMS / "own-files"], asked)
            self.assertEqual((result.returncode, result.stdout), (STATUS, native.stdout), result.stderr)
            self.assertEqual("1 loop site taken" in result.stderr, bool(said), result.stderr)
            (report,) = self.reports()
            self.assertEqual(report["sites"][0]["decision"], "taken")

    def test_barriers_are_asked_for_while_there_is_one_thread(self):
        """Later the kernel may take ten milliseconds, in a loop."""
        native = run([PROGRAMS / "barriers"], preload=()).stdout
        if native != "not registered\n":
            self.skipTest(f"without the drop-in: {native}")
        self.assertEqual(run([PROGRAMS / "barriers"], {"STEELYARD_SCHEDULE": "idws"}).stdout, "registered\n")
        self.assertEqual(run([PROGRAMS / "barriers"]).stdout, native, "nothing is asked of the drop-in")

    def test_static(self):
        program = self.needs("plain-static")
        self.check([program], "plain\n", 5)
        result = run([program], {**self.environment(), "STEELYARD_VERBOSE": "1"})
        self.assertEqual((result.stdout, result.stderr), ("plain\n", ""))

    def test_static_with_openmp(self):
        result = run([self.needs("app-static"), "kinds"], {"STEELYARD_SCHEDULE": "steal"})
        self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, KINDS, ""))

    def test_32_bit(self):
        program = self.needs("plain-32")
        try:
            self.check([program], "plain\n", 5)
        except OSError:
            self.skipTest("no 32-bit programs run here")

    def test_scripts(self):
        self.check([self.script("#!/bin/sh\necho script\nexit 3\n")], "script\n", 3)

    def test_a_runtime_inside_the_program(self):
        program = self.needs("app-own-runtime")
        asked = {"STEELYARD_SCHEDULE": "steal", "STEELYARD_REPORT": self.folder / "report-%p"}
        result = run([program, "kinds"], asked)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, KINDS, ""))
        self.assertEqual(self.reports(), [])
        result = run([program, "kinds"], {**asked, "STEELYARD_VERBOSE": "1"})
        self.assertRegex(result.stderr, r"\Asteelyard: inactive in app-own-runtime \(\d+\): [^\n]*\n\Z")

    def test_a_library_that_finds_its_runtime_through_another(self):
        program = f"import ctypes; print(ctypes.CDLL({str(PROGRAMS / 'whole.so')!r}).run_plugin())"
        for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
            result = run([sys.executable, "-c", program], environment)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "4950\n", ""))

    def children_of(self, compiler, child, stdout, status):
        """An OpenMP program that starts something else: one report, its own."""
        result = run([app(compiler), "dynamic", "--run", child], self.environment())
        self.assertEqual(result.stdout, f"dynamic 500500\n{stdout}child {status}\n")
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""))
        (report,) = self.reports()
        self.assertEqual(self.site(report, iterations=1001)["schedule"], "steal")

    def test_children_of_openmp_programs(self):
        for compiler in compilers():
            self.children_of(compiler, PROGRAMS / "plain", "plain\n", 5)
            self.children_of(compiler, self.script("#!/bin/sh\necho script\nexit 3\n"), "script\n", 3)
            if (PROGRAMS / "plain-static").exists():
                self.children_of(compiler, PROGRAMS / "plain-static", "plain\n", 5)

    def test_a_script_starts_openmp_programs(self):
        for compiler in compilers():
            script = self.script(f"#!/bin/sh\n{app(compiler)} dynamic\n{app(compiler)} orphan | cat\nexit 9\n")
            result = run([script], self.environment())
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (9, "dynamic 500500\norphan 509545\n", ""))
            self.assertEqual(sorted(s["iterations"] for r in self.reports() for s in r["sites"]), [1001, 1010])

    def test_a_missing_program_of_a_script(self):
        result = run([self.script("#!/bin/sh\n/nonexistent\n")], self.environment())
        self.assertEqual(result.returncode, 127)
        self.assertFalse(re.search("steelyard:", result.stderr))


if __name__ == "__main__":
    main()
