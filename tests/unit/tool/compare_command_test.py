# SPDX-License-Identifier: Apache-2.0
"""`steelyard compare` as users start it: the files it reads and leaves, and how it waits."""
import json
import os
import shutil
import signal
import subprocess
import time

from command import LOOP, SHIM, TOOL, Case, main

SLOW = LOOP.replace("long sum", "sleep(2); long sum").replace("#include", "#include <unistd.h>\n#include", 1)
READER = LOOP.replace("long sum = 0;", "long sum = 0; int n; if (scanf(\"%d\", &n) != 1) return 9;").replace("1000", "n")
QUICK = ("--rounds", "1", "--schedules", "steal")


class Keep(Case):
    def compare(self, folder):
        return ("compare", *QUICK, "--keep", folder, "--", self.program)

    def setUp(self):
        super().setUp()
        self.program = self.compiled("loop", "-fopenmp")
        if self.program is None:
            self.skipTest("no OpenMP here")

    def test_a_folder_is_used_once(self):
        result = self.steelyard(*self.compare("kept"))
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        before = sorted(self.folder.rglob("kept/**/*"))
        self.assertGreater(len(before), 4)
        self.refused(2, "--keep kept: not empty; name a new folder, or empty this one", *self.compare("kept"))
        self.assertEqual(sorted(self.folder.rglob("kept/**/*")), before)

    def test_an_empty_folder_will_do(self):
        (self.folder / "empty").mkdir()
        self.assertEqual(self.steelyard(*self.compare("empty")).returncode, 0)

    def test_a_file_is_no_folder(self):
        (self.folder / "file").write_text("x")
        self.refused(2, "--keep file: cannot write there; name a folder of yours", *self.compare("file"))


class Json(Case):
    def test_a_failure_leaves_no_file(self):
        result = self.steelyard("compare", "--json", "new.json", "--", "/bin/false")
        self.assertEqual(result.returncode, 3)
        self.assertFalse((self.folder / "new.json").exists())

    def test_a_failure_leaves_the_old_file(self):
        (self.folder / "old.json").write_text("old")
        self.assertEqual(self.steelyard("compare", "--json", "old.json", "--", "/bin/false").returncode, 3)
        self.assertEqual((self.folder / "old.json").read_text(), "old")

    def test_what_cannot_be_written_is_said_first(self):
        for file in ("none/new.json", ".", "/dev/null/new.json"):
            self.refused(2, f"--json {file}: cannot be written; name a file in a folder of yours", "compare", "--json",
                         file, "--", "/bin/false")

    def test_it_is_written(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        for file in ("new.json", self.folder / "new.json", "/dev/null"):
            result = self.steelyard("compare", *QUICK, "--json", file, "--", program)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        json.loads((self.folder / "new.json").read_text())

    def test_it_goes_to_standard_output_in_place_of_the_text(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        result = self.steelyard("compare", *QUICK, "--json", "-", "--", program)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertEqual(json.loads(result.stdout)["steelyard_compare"], 1)
        self.assertFalse((self.folder / "-").exists())


class Notes(Case):
    def setUp(self):
        super().setUp()
        self.program = self.compiled("loop", "-fopenmp")
        if self.program is None:
            self.skipTest("no OpenMP here")

    def test_a_schedule_of_ours_is_dropped_for_the_baseline(self):
        dropped = "Note: dropped for every run, as it would change what is compared: "
        result = self.steelyard("compare", *QUICK, "--", self.program, OMP_SCHEDULE="wsri,4")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertIn(dropped + "OMP_SCHEDULE=wsri,4\n", result.stdout)
        result = self.steelyard("compare", *QUICK, "--", self.program, OMP_SCHEDULE="guided")
        self.assertNotIn(dropped, result.stdout)

    def test_one_thread(self):
        result = self.steelyard("compare", *QUICK, "--threads", "1", "--", self.program)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertIn("\n1 thread in a loop, ", result.stdout)
        self.assertEqual(result.stdout.count("one thread: no schedule can matter"), 1, result.stdout)
        self.assertNotIn("\nregion ", result.stdout)

    def test_no_command_that_would_be_refused(self):
        output = self.steelyard("compare", *QUICK, "--", self.program).stdout
        self.assertIn("Keep it as written: 1 round cannot tell a gain from noise", output)
        self.assertNotIn("steelyard run", output)
        self.assertNotIn("loops.txt", output)


class Surroundings(Case):
    """Inputs, folders and paths of an unusual kind."""

    def setUp(self):
        super().setUp()
        self.program = self.compiled("loop", "-fopenmp")
        if self.program is None:
            self.skipTest("no OpenMP here")

    def test_every_run_reads_the_file_on_standard_input(self):
        reader = self.compiled("reader", "-fopenmp", source=READER)
        (self.folder / "input").write_text("1000\n")
        with open(self.folder / "input", encoding="utf-8") as file:
            result = subprocess.run([TOOL, "compare", *QUICK, "--", reader], stdin=file, env=self.environment(),
                                    capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)

    def test_no_folder_for_temporary_files(self):
        self.refused(2, "no folder for temporary files: No such file or directory; set TMPDIR to a folder of yours, or use --keep",
                     "compare", *QUICK, "--", self.program, TMPDIR="/nodir")

    def test_a_library_that_is_reached_through_a_link(self):
        (self.folder / "a b").mkdir()
        shutil.copy(SHIM, self.folder / "a b")
        result = self.steelyard("compare", *QUICK, "--", self.program,
                                STEELYARD_LIBRARY=str(self.folder / "a b" / SHIM.name))
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertRegex(result.stdout, r"(?m)^\s*taken\b|\b1 taken, 0 passed\b")

    def test_a_program_with_a_blank_in_its_name(self):
        program = self.folder / "my loop#1"
        self.program.rename(program)
        result = self.steelyard("compare", *QUICK, "--json", "-", "--", program)
        self.assertEqual(result.returncode, 0, result)
        (loop,) = json.loads(result.stdout)["loops"]
        self.assertRegex(loop["site"], r"\Amy loop#1\+0x[0-9a-f]+\Z")
        (self.folder / "loops").write_text(loop["site"] + " steal  # the loop\n")
        result = self.steelyard("run", "-v", "-l", "loops", "--", program)
        self.assertIn("1 loop sites taken", result.stderr)

    def test_a_program_that_fails_with_much_to_say(self):
        script = self.script("loud", "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x\nprintf '\\033[2Jend\\n'\nexit 3\n")
        result = self.steelyard("compare", *QUICK, "--", script)
        self.assertEqual(result.returncode, 3)
        self.assertLess(len(result.stderr), 1000)
        self.assertNotIn("\033", result.stderr)


class Unreached(Case):
    def test_a_runtime_that_may_be_inside_is_named(self):
        names = "const char* volatile name = \"GOMP_SPINCOUNT\"; int main(void) { return name[0] == 0; }"
        reason = "it may have one linked in statically; link libgomp.so or libomp.so"
        for source, remedy in ((names, reason), ("int main(void) { return 0; }",
                                                 "is it built with -fopenmp and linked dynamically, or "
                                                 "does it start children with another environment?")):
            program = self.compiled("app", "-s", source=source)
            self.refused(5, f"{program}: used no OpenMP runtime that can be reached; {remedy}", "compare", "--", program)

    def test_a_program_that_sets_a_runtimes_variable_is_reached(self):
        library = self.compiled("libloop.so", "-fopenmp", "-shared", "-fPIC", source=LOOP.replace("main", "loop"))
        if library is None:
            self.skipTest("no OpenMP here")
        caller = """#include <stdlib.h>
int loop(void);
int main(void) { return setenv("KMP_BLOCKTIME", "0", 0) + loop(); }
"""
        program = self.compiled("caller", library, f"-Wl,-rpath,{self.folder}", source=caller)
        result = self.steelyard("run", "--verbose", "--schedule", "steal", "--", program)
        self.assertEqual((result.returncode, result.stdout), (0, "499500\n"))
        self.assertIn("may have one linked in statically", result.stderr)
        self.assertIn("1 loop sites taken", result.stderr)


class Waiting(Case):
    def test_two_interrupts_leave_no_folder(self):
        command = [TOOL, "compare", *QUICK, "--", "sleep", "30"]
        with subprocess.Popen(command, env=self.environment({"TMPDIR": str(self.folder)}), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as compare:
            while not list(self.folder.glob("steelyard.*/*.output")):
                time.sleep(0.01)
            os.kill(compare.pid, signal.SIGSTOP)
            for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCONT):
                os.kill(compare.pid, signal_number)
            errors = compare.communicate(timeout=20)[1]
        self.assertEqual((compare.returncode, errors), (130, "steelyard: interrupted\n"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_stop_during_the_warm_up_is_no_time_limit(self):
        program = self.compiled("slow", "-fopenmp", source=SLOW)
        if program is None:
            self.skipTest("no OpenMP here")
        command = [TOOL, "compare", *QUICK, "--", program]
        with subprocess.Popen(command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as compare:
            time.sleep(0.7)  # by then the warm-up runs, for two seconds
            for signal_number in (signal.SIGSTOP, signal.SIGCONT):
                os.kill(compare.pid, signal_number)
                time.sleep(0.1)
            output, errors = compare.communicate()
        self.assertEqual((compare.returncode, errors), (0, ""), output)


if __name__ == "__main__":
    main()
