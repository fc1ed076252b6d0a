# SPDX-License-Identifier: Apache-2.0
"""`steelyard compare` as users start it: the files it reads and leaves, and how it waits."""
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import time

from command import LOOP, SHIM, TOOL, Case, main

SLOW = LOOP.replace("long sum", "sleep(2); long sum").replace("#include", "#include <unistd.h>\n#include", 1)
READER = LOOP.replace("long sum = 0;", "long sum = 0; int n; if (scanf(\"%d\", &n) != 1) return 9;").replace("1000", "n")
# Under `steal` it prints another sum, exits with 3, or both: what STEELYARD_SCHEDULE and the first argument say.
FICKLE = LOOP.replace("#include", "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n#include", 1).replace(
    "main(void) {", "main(int argc, char** argv) { const char* s = getenv(\"STEELYARD_SCHEDULE\"); "
    "const char* fault = argc > 1 && s != 0 && strcmp(s, \"steal\") == 0 ? argv[1] : \"\";").replace(
    "  return 0;", "  printf(\"took %d s\\n\", (int)clock());\n"
    "  if (strcmp(fault, \"output\") == 0) printf(\"%g\\n\", 0.1 + 1e-5); else printf(\"%g\\n\", 0.1);\n"
    "  if (strcmp(fault, \"hang\") == 0) pause();\n"
    "  return strcmp(fault, \"status\") == 0 ? 3 : 0;")
# One of two members sleeps, whatever else the machine does: the other waits for it.
TRIANGLE = r"""
#include <omp.h>
#include <time.h>
int main(void) {
  struct timespec rest = {0, 50000000};
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 0; i < 8; ++i) if (i >= 4) nanosleep(&rest, 0);
  return 0;
}
"""
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
        self.assertIn("\nVerdict: not sure: 1 round cannot tell a gain from noise; use --rounds 5 or more\n", output)
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
        self.assertIn("1 loop site taken", result.stderr)

    def test_a_program_that_fails_with_much_to_say(self):
        script = self.script("loud", "#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x\nprintf '\\033[2Jend\\n'\nexit 3\n")
        result = self.steelyard("compare", *QUICK, "--", script)
        self.assertEqual(result.returncode, 3)
        self.assertLess(len(result.stderr), 1000)
        self.assertNotIn("\033", result.stderr)


NAMES = r"""
#include <cstddef>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>
#include <time.h>
template <class Key, class Value, class Function>
void apply_to_each_of_a_vector_of_maps(std::vector<std::map<Key, Value>>& values, Function function) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < values.size(); ++i) function(values[i]);
}
int main() {
  std::vector<std::map<std::string, std::vector<double>>> values(200);
  apply_to_each_of_a_vector_of_maps(values, std::function<void(std::map<std::string, std::vector<double>>&)>(
      [](auto& one) { for (int i = 0; i < 200; ++i) one[std::to_string(i)].push_back(i); }));
  apply_to_each_of_a_vector_of_maps(values, [](auto& one) { one.clear(); });
  timespec rest = {0, 1000000};
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 8; ++i) nanosleep(&rest, nullptr);
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 20; ++i) {
#pragma omp ordered
    values[0][std::to_string(i)];
  }
}
"""


class Terminal(Case):
    """What fits the terminal, and what is in colour."""

    def setUp(self):
        super().setUp()
        (self.folder / "names.cpp").write_text(NAMES)
        self.program = self.folder / "a-program-with-a-name-that-is-not-short"
        try:
            built = self.run_plain("g++", "-O2", "-g", "-fopenmp", self.folder / "names.cpp", "-o", self.program)
        except FileNotFoundError:
            built = None
        if built is None or built.returncode != 0:
            self.skipTest("no OpenMP here")

    def on_terminal(self, columns, *options, **changes):
        """The lines that a terminal of so many columns is given, colours included."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
        command = [TOOL, "compare", *QUICK, *options, "--", self.program, "an argument", "x" * 100]
        with subprocess.Popen(list(map(str, command)), env=self.environment({"TERM": "xterm", **changes}), stdout=slave,
                              stderr=subprocess.DEVNULL, cwd=self.folder) as compare:
            os.close(slave)
            text = b""
            try:
                while piece := os.read(master, 65536):
                    text += piece
            except OSError:  # the terminal's other end is closed
                pass
            self.assertEqual(compare.wait(), 0)
        os.close(master)
        return text.decode().replace("\r\n", "\n").split("\n")

    def longest(self, lines):
        return max(len(re.sub("\033\\[[0-9;]*m", "", line)) for line in lines)

    def test_no_line_is_longer_than_the_terminal(self):
        for columns in (80, 100, 130):
            lines = self.on_terminal(columns)
            self.assertLessEqual(self.longest(lines), columns, "\n".join(lines))
            self.assertTrue(any("apply_to_each_of_a" in line and "..." in line for line in lines), "\n".join(lines))
            self.assertTrue(any("names.cpp:" in line for line in lines), "\n".join(lines))
        self.assertFalse(any("steals" in line for line in self.on_terminal(80)))

    def test_a_terminal_below_80_columns_is_taken_for_80(self):
        lines = self.on_terminal(40)
        self.assertLessEqual(self.longest(lines), 80)
        self.assertTrue(any("time/written" in line for line in lines))

    def test_wide_prints_everything(self):
        for lines in (self.on_terminal(80, "--wide"), self.steelyard("compare", *QUICK, "--", self.program).stdout.split("\n")):
            self.assertTrue(any("steals" in line for line in lines))
            self.assertFalse(any("..." in line for line in lines))

    def test_columns_says_the_width(self):
        lines = self.steelyard("compare", *QUICK, "--", self.program, COLUMNS="90").stdout.split("\n")
        self.assertLessEqual(self.longest(lines), 90)

    def test_no_colour_where_it_is_not_wanted(self):
        for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\033", "".join(self.on_terminal(80, **changes)))


class FullDisk(Case):
    """Reports that cannot be written are no lack of OpenMP."""

    def test_a_limit_of_file_sizes(self):
        result = self.run_plain("sh", "-c", f'ulimit -f 0; exec "{TOOL}" compare -- /bin/true', TMPDIR=str(self.folder))
        self.assertEqual(result.returncode, 2, result)
        self.assertRegex(result.stderr, r"\Asteelyard: \S+: reports cannot be written there \(File too large\); make room, or "
                                        r"choose another folder by TMPDIR or --keep\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def small_disk(self, kilobytes):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", disk], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("needs to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        return disk

    def test_a_small_disk(self):
        disk = self.small_disk(4)
        for words, changes in (((), {"TMPDIR": str(disk)}), (("--keep", disk / "kept"), {})):
            result = self.steelyard("compare", *words, "--", "/bin/true", **changes)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn("reports cannot be written there (No space left on device)", result.stderr)

    def test_a_disk_that_fills_up(self):
        disk = self.small_disk(128)
        program = self.compiled("loud", "-fopenmp", source=LOOP.replace("return 0", "for (int i = 0; i < 300; ++i) "
                                                                                     'printf("%1024d", i); return 0'))
        if program is None:
            self.skipTest("no OpenMP here")
        result = self.steelyard("compare", *QUICK, "--", program, TMPDIR=str(disk))
        self.assertEqual(result.returncode, 2, result)
        self.assertIn("reports cannot be written there (No space left on device)", result.stderr)


class OfOurLibrary(Case):
    """Programs whose loops are those of libsteelyard.so: a stand-in for it says which schedule it was given."""

    def setUp(self):
        super().setUp()
        text = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void loop(void) {
  const char* name = getenv("STEELYARD_SCHEDULE");
  printf("%s\\n", name == NULL ? "none" : name);
  usleep(name == NULL ? 20000 : 5000);
}
"""
        self.library = self.compiled("libsteelyard.so.0", "-shared", "-fPIC", "-Wl,-soname,libsteelyard.so.0", source=text)
        if self.library is None:
            self.skipTest("no compiler here")
        self.program = self.compiled("app", self.library, f"-Wl,-rpath,{self.folder}",
                                     source="void loop(void); int main(void) { loop(); return 0; }\n")

    def test_run_passes_the_schedule_on(self):
        self.assertEqual(self.steelyard("run", "-s", "wsri,8", "--", self.program).stdout, "wsri,8\n")
        self.assertEqual(self.steelyard("run", "--", self.program).stdout, "none\n")

    def test_compare_compares_the_whole_program(self):
        result = self.steelyard("compare", "--rounds", "2", "--schedules", "steal,wsri", "--", self.program)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        for name in ("as written", "steal", "wsri"):
            self.assertRegex(result.stdout, rf"(?m)^  {name} ")
        self.assertIn("Note: of libsteelyard.so, the schedules are those of loops that name none", result.stdout)
        self.assertNotIn("in a loop", result.stdout)
        found = json.loads(self.steelyard("compare", *QUICK, "--json", "-", "--", self.program).stdout)
        self.assertEqual((found["library"], found["loops"]), (True, []))
        written, steal = (row["median_ns"] for row in found["rows"])
        self.assertGreater(written, 20e6)
        self.assertGreater(steal, 5e6)


class Faults(Case):
    """One schedule under which the program does something else."""

    def compared(self, fault, *options):
        program = self.compiled("fickle", "-fopenmp", source=FICKLE)
        if program is None:
            self.skipTest("no OpenMP here")
        result = self.steelyard("compare", "--rounds", "2", "--schedules", "static,steal", "--json", "out.json", *options,
                                "--", program, fault)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        return result.stdout, json.loads((self.folder / "out.json").read_text())

    def faults(self, result):
        return {row["schedule"]: row["fault"] and row["fault"]["mark"] for row in result["rows"]}

    def test_an_output_that_differs_is_marked(self):
        text, result = self.compared("output")
        self.assertEqual(self.faults(result), {"as written": None, "static": None, "steal": "output differs"})
        self.assertIn("its output differs from that as written, line 3: `0.10001` in place of `0.1`; "
                      "if that may be so, use --ignore-output.\n", text)
        self.assertEqual(self.faults(self.compared("output", "--ignore-output")[1])["steal"], None)

    def test_a_status_is_that_rows(self):
        text, result = self.compared("status")
        self.assertEqual(self.faults(result), {"as written": None, "static": None, "steal": "failed"})
        self.assertIn("Note: `steal` is not advised: it failed, it exited with status 3 in round 1.\n", text)
        self.assertEqual(len(result["rows"][1]["times_ns"]), 2)

    def test_a_time_limit_is_that_rows(self):
        text, result = self.compared("hang", "--timeout", "10")
        self.assertEqual(self.faults(result)["steal"], "failed")
        self.assertIn("it ran past the time limit of 10 s in round 1.\n", text)

    def test_nothing_differs_by_itself(self):
        self.assertEqual(set(self.faults(self.compared("none")[1]).values()), {None})

    def test_output_is_kept(self):
        self.compared("none", "--keep", "kept")
        self.assertEqual(len(list(self.folder.glob("kept/*.output"))), len(list(self.folder.glob("kept/*.errors"))))
        self.assertTrue(list(self.folder.glob("kept/*steal.output"))[0].read_text().startswith("499500\n"))


class Budget(Case):
    def test_bad_ones(self):
        for bad in ("0", "-1s", "10min", "x"):
            self.refused(2, f"--budget {bad}: not a time above 0; write 90s, 10m or 1h", "compare", f"--budget={bad}", "--",
                         "/bin/true")

    def test_rounds_as_time_allows(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        result = self.steelyard("compare", "--budget", "1s", "--rounds", "7", "--schedules", "steal", "--json", "-", "--",
                                program)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        found = json.loads(result.stdout)
        self.assertGreaterEqual(found["rounds"], 1)
        self.assertLessEqual(found["rounds"], 7)
        self.assertGreaterEqual(found["looks"], 1)
        self.assertIn(found["advice"]["verdict"]["kind"], ("gain", "not sure", "none"))


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
        self.assertIn("1 loop site taken", result.stderr)


class NothingToTake(Case):
    """A program with plain static loops only."""

    def compare(self, compiler, *words):
        program = self.compiled(f"triangle-{compiler}", "-fopenmp", compiler=compiler, source=TRIANGLE)
        if program is None:
            self.skipTest(f"no {compiler} with OpenMP here")
        result = self.steelyard("compare", "--rounds", "2", *words, "--", program)
        line = (f"steelyard: {program}: has no loop that can be taken: its loops are plain static ones, which the "
                "compiler writes out; write schedule(runtime) in the source, or compile by steelyard cc\n")
        self.assertEqual((result.returncode, result.stderr), (5, line), result)
        return result.stdout

    def check(self, compiler):
        text = self.compare(compiler)
        self.assertIn("\nWhole program as written: ", text)
        self.assertRegex(text, rf"(?m)^(region|passed) +triangle-{compiler}\.c:6 \(main\) +\d")
        self.assertRegex(text, rf"(?m)^  change this line: triangle-{compiler}\.c:6 \(main\): up to \d+\.\d %: "
                               r"write schedule\(runtime\) in the source, or compile by steelyard cc$")
        self.assertNotIn("steal", text)
        found = json.loads(self.compare(compiler, "--json", "-"))
        self.assertEqual(len(found["rows"]), 1)
        self.assertEqual(len(found["rows"][0]["times_ns"]), 2)
        self.assertIn("static", found["nothing_taken"])
        self.assertLessEqual(sum(part["share"] for part in found["regions"] + found["loops"]), 1)
        (change,) = found["change"]
        self.assertTrue(0 < change["up_to"] < 1, change)

    def test_of_gcc(self):
        self.check("gcc")

    def test_of_clang(self):
        """Its static loops ask for their blocks, so shares are learnt for them; without that there is nothing to take either."""
        program = self.compiled("triangle-clang-19", "-fopenmp", compiler="clang-19", source=TRIANGLE)
        if program is None:
            self.skipTest("no clang-19 with OpenMP here")
        text = self.steelyard("compare", "--rounds", "2", "--", program)
        self.assertEqual((text.returncode, text.stderr), (0, ""), text)
        self.assertRegex(text.stdout, r"(?m)^taken +triangle-clang-19\.c:6 \(main\) +\d")
        self.assertRegex(text.stdout, r"(?m)^ *nustatic +\d")
        self.assertRegex(text.stdout, r"steal \(not taken: static\)")
        without = self.steelyard("compare", "--rounds", "2", "--schedules", "steal", "--", program)
        self.assertEqual(without.returncode, 5, without)
        self.assertRegex(without.stdout, r"(?m)^  change this line: triangle-clang-19\.c:6 \(main\): up to \d+\.\d %: ")


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
            errors = compare.communicate()[1]
        self.assertEqual((compare.returncode, errors), (130, "steelyard: interrupted\n"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_interrupt_prints_the_complete_rounds(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        command = [TOOL, "compare", "--rounds", "1000", "--schedules", "steal", "--keep", "kept", "--", program]
        with subprocess.Popen(command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=self.folder) as compare:
            while len(list(self.folder.glob("kept/*.output"))) < 12:
                time.sleep(0.01)
            os.kill(compare.pid, signal.SIGTERM)
            output, errors = compare.communicate()
        self.assertEqual((compare.returncode, errors), (130, ""), output)
        self.assertRegex(output, r"(?m)^Note: interrupted; this is of [1-9][0-9]* rounds?\.$")
        self.assertIn("\nVerdict: ", output)

    def test_a_stop_during_the_warm_up_is_no_time_limit(self):
        program = self.compiled("slow", "-fopenmp", source=SLOW)
        if program is None:
            self.skipTest("no OpenMP here")
        command = [TOOL, "compare", *QUICK, "--keep", "kept", "--", program]
        with subprocess.Popen(command, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.folder) as compare:
            while not list(self.folder.glob("kept/*.output")):  # then the warm-up runs, for two seconds
                time.sleep(0.01)
            for signal_number in (signal.SIGSTOP, signal.SIGCONT):
                os.kill(compare.pid, signal_number)
                time.sleep(0.1)
            output, errors = compare.communicate()
        self.assertEqual((compare.returncode, errors), (0, ""), output)


if __name__ == "__main__":
    main()
