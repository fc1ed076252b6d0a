# SPDX-License-Identifier: Apache-2.0
"""`steelyard run` as users start it: what it makes of its options before it becomes the program."""
import json
import os
import re
import shutil
import subprocess

from command import LOOP, SHIM, TOOL, Case, main


class Run(Case):
    def setUp(self):
        super().setUp()
        self.program = self.compiled("loop", "-fopenmp")
        if self.program is None:
            self.skipTest("no OpenMP here")

    def taken(self, result):
        self.assertEqual((result.returncode, result.stdout), (0, "499500\n"), result)
        return re.search(r"(\d+) loop sites? taken", result.stderr)[1] == "1"

    def test_as_written_in_any_case(self):
        for name in ("as-written", "AS-WRITTEN", "As-Written"):
            result = self.steelyard("run", "-v", "-s", name, "--", self.program, STEELYARD_SCHEDULE="steal")
            self.assertFalse(self.taken(result), name)
        self.assertTrue(self.taken(self.steelyard("run", "-v", "--", self.program)))

    def test_a_report_without_the_process_id_gets_it(self):
        self.assertEqual(self.steelyard("run", "-r", "left", "--", self.program).returncode, 0)
        self.assertRegex(" ".join(path.name for path in self.folder.glob("left*")), r"\Aleft\.\d+\Z")

    def test_a_limit_of_file_sizes_ends_no_program(self):
        command = f'ulimit -f 0; exec "{TOOL}" run -r x.json -- "{self.program}"'
        result = self.run_plain("sh", "-c", command)
        self.assertEqual((result.returncode, result.stdout), (0, "499500\n"), result)
        self.assertRegex(result.stderr, r"\Asteelyard: report \S+ cannot be written \(File too large\)\n\Z")

    def test_of_two_lines_for_a_loop_the_first_counts(self):
        for pattern in self.offsets():
            (self.folder / "loops").write_text(f"{pattern} steal\n{pattern} guided\n")
            result = self.steelyard("run", "-v", "-l", "loops", "--", self.program)
            first = result.stderr.splitlines()[0]
            self.assertEqual(first, f"steelyard: loops:2: '{pattern}' stands in line 1 already, which counts; delete one "
                                    "of them")
            self.assertIn("taken by steal", result.stderr)

    def offsets(self):
        said = self.steelyard("run", "-v", "--", self.program).stderr
        return re.findall(r"loop\+0x[0-9a-f]+", said)

    def test_loops_files_that_are_no_files(self):
        os.mkfifo(self.folder / "pipe")
        self.refused(2, "pipe: not a regular file; write the lines into one", "run", "-l", "pipe", "--", self.program)

    def test_a_line_number_that_the_library_cannot_hold(self):
        (self.folder / "loops").write_text("a.c:4294967295 steal\n")
        self.refused(2, "loops:1: 'a.c:4294967295' names no site; write `module+0xOFFSET` or `file.c:LINE`", "run", "-l",
                     "loops", "--", self.program)

    def test_a_line_from_before_the_program_was_rebuilt(self):
        (self.folder / "loops").write_text("loop+0x1 steal\n")
        result = self.steelyard("run", "-l", "loops", "--", "sh", "-c", f"{self.program}; /bin/true; exit 3")
        self.assertEqual((result.returncode, result.stdout), (3, "499500\n"))
        self.assertEqual(result.stderr, "steelyard: loops file: no loop ran at loop+0x1; if the program was rebuilt, compare "
                                        "it again\n")

    def test_a_library_that_cannot_be_preloaded(self):
        (self.folder / "a b").mkdir()
        shutil.copy(SHIM, self.folder / "a b")
        library = self.folder / "a b" / SHIM.name
        self.refused(2, f"{library}: a blank or colon in this path cannot be preloaded; install Steelyard elsewhere, or point "
                        "STEELYARD_LIBRARY to a copy", "run", "--", self.program, STEELYARD_LIBRARY=str(library))


class Chunks(Case):
    """What `run` and `compare` make of a chunk that the program has written."""

    def setUp(self):
        super().setUp()
        source = LOOP.replace("schedule(dynamic)", "schedule(dynamic, 16)")
        self.program = self.compiled("chunked", "-fopenmp", source=source)
        if self.program is None:
            self.skipTest("no OpenMP here")

    def test_run_keeps_it_unless_told_otherwise(self):
        for options, said in ((["-s", "steal,20"], "steal,32 (20 rounded up) in whole chunks of 16"),
                              (["-s", "steal,20", "--split-chunks"], "steal,20")):
            result = self.steelyard("run", "-v", *options, "--", self.program)
            self.assertEqual((result.returncode, result.stdout), (0, "499500\n"), result)
            self.assertIn(f" taken by {said}, 1 instance\n", result.stderr)

    def test_compare_says_so(self):
        for options, split, granule in (([], False, 16), (["--split-chunks"], True, 0)):
            result = self.steelyard("compare", "--rounds", "1", "--schedules", "steal", *options, "--json", "-", "--",
                                    self.program)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result)
            found = json.loads(result.stdout)
            self.assertEqual((found["split_chunks"], found["loops"][0]["granule"]), (split, granule))


class LoopsFiles(Case):
    """What is wrong with a file is said, its name as a terminal can show it."""

    def test_no_file_of_lines(self):
        self.refused(2, "/dev/null: not a regular file; write the lines into one", "run", "-l", "/dev/null", "--", "/bin/true")
        strange = "a\nb\033[2J"
        self.refused(2, "a?b?[2J: cannot be read (No such file or directory); name a loops file (steelyard compare prints one)",
                     "run", "-l", strange, "--", "/bin/true")
        (self.folder / strange).write_text("x\n")
        self.refused(2, "a?b?[2J:1: 'x' has no schedule; write `SITE SCHEDULE[,CHUNK]`", "run", "-l", strange, "--", "/bin/true")
        (self.folder / strange).write_text("# nothing\n")
        self.refused(2, "--loops a?b?[2J: no line names a loop; write SITE SCHEDULE[,CHUNK]", "run", "-l", strange, "--",
                     "/bin/true")


class WrongWords(Case):
    """The first line names the mistake, not what follows from it."""

    def test_no_command(self):
        for words in ((), ("--", "/bin/true")):
            self.refused(2, "no command given; write for example steelyard compare -- PROGRAM, or see steelyard --help", *words)
        self.refused(2, "there is no option --rounds before a command; see steelyard --help", "--rounds", "3", "compare")
        self.refused(2, "'compar' is no command; did you mean compare?", "compar", "--", "/bin/true")
        self.refused(2, "'balance' is no command; steelyard --help lists them", "balance", "--", "/bin/true")

    def test_no_option(self):
        self.refused(2, "compare has no option --thread; did you mean --threads?", "compare", "--thread", "2", "--", "/bin/true")
        self.refused(2, "run has no option --colour; see steelyard run --help, and put the program after --", "run", "--colour",
                     "--", "/bin/true")
        self.refused(2, "info has no option --jsn; did you mean --json?", "info", "--jsn")
        self.refused(2, "info takes no 'more'; see steelyard info --help", "info", "more")
        self.refused(2, "--json goes with --report; write steelyard cc --report --json FILE", "cc", "--json", "/bin/true")

    def test_options_of_cc_in_any_order(self):
        for words in (("--report", "--json", "none"), ("--json", "--report", "none"), ("--report", "none", "--json")):
            self.refused(2, "none: no object, program or archive; name what steelyard cc has compiled", "cc", *words)

    def test_one_dash(self):
        for command, word in (("run", "-schedule"), ("compare", "-rounds")):
            self.refused(2, f"{word}: write -{word}, with two dashes", command, word, "3", "--", "/bin/true")
        self.refused(2, "-verbose: write --verbose, with two dashes", "run", "-s", "steal", "-verbose", "/bin/true")
        result = self.steelyard("run", "/bin/echo", "-verbose")
        self.assertEqual((result.returncode, result.stdout), (0, "-verbose\n"), "it is the program's")

    def test_a_blank_behind_the_comma(self):
        self.refused(2, "--schedule: 'dynamic,' has a chunk that is not a whole number; write for example `dynamic,64`", "run",
                     "--schedule", "dynamic,", "64", "--", "/bin/true")

    def test_what_is_no_program(self):
        for command in ("run", "compare"):
            self.refused(126, ".: is a directory; name the program in it", command, "--", ".")
            self.refused(127, "A=1: not found in PATH; to set a variable, write env A=1 and the program", command, "--", "A=1",
                         "/bin/true")
            self.refused(127, "A=/x: not found; to set a variable, write env A=/x and the program", command, "--", "A=/x")
            self.refused(127, "/bin/true 1: not found; write the program and its arguments without quotes", command, "--",
                         "/bin/true 1")

    def test_a_report_that_is_a_directory(self):
        self.refused(2, "--report .: is a directory; name a file in it", "run", "--report", ".", "--", "/bin/true")


class Output(Case):
    def test_a_full_disk_is_said(self):
        for words in (["--version"], ["--help"], ["schedules"], ["run", "--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([TOOL, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (2, "steelyard: cannot write the output; is the disk full?\n"), words)


if __name__ == "__main__":
    main()
