# SPDX-License-Identifier: Apache-2.0
"""What users write into the environment: what is understood, what is refused in one line, what goes before what."""
import os
import shutil
import subprocess

from drop_in import KINDS, PROGRAMS, SHIM, SOURCES, STATUS, Case, app, compilers, line_of, main, run

UNKNOWN = "is not a schedule; `steelyard schedules` lists them"
RANGE = "has a chunk out of range; it is a whole number from 1 to 2^63-1"
NUMBER = "has a chunk that is not a whole number; write for example `dynamic,64`"
IGNORED = "; it is ignored\n"
HUGE = "1" + 30 * "0"
BAD_SCHEDULES = {
    "fastest": UNKNOWN, "wsri2": UNKNOWN, "nonmonotonic:wsri": UNKNOWN,
    "dynamic,0": RANGE, "dynamic,-1": RANGE, f"dynamic,{HUGE}": RANGE, "steal,9223372036854775808": RANGE,
    "dynamic,x": NUMBER, "dynamic,": NUMBER, "dynamic,3,4": NUMBER, "dynamic,1e3": NUMBER, "guided,0x10": NUMBER,
    " ": "names no schedule; `steelyard schedules` lists them",
    "\u00e9\x7f": UNKNOWN,
}
BAD_OMP_SCHEDULES = {"wsri,0": RANGE, "WSR,-1": RANGE, f"steal,{HUGE}": RANGE, "nonmonotonic:steal,abc": NUMBER}
NO_SCHEDULE = "has no schedule; write `SITE SCHEDULE[,CHUNK]`"
NO_SITE = "names no site; write `module+0xOFFSET` or `file.c:LINE`"
BAD_FILES = {
    "app+0x10 fastest\n": (1, UNKNOWN), "# head\n\napp+0x10": (3, NO_SCHEDULE), "\r\napp+0x10 steal\r\nodd\r\n": (3, NO_SCHEDULE),
    "here steal": (1, NO_SITE), "app+0x10 dynamic,0": (1, RANGE), "x" * 100000: (1, NO_SCHEDULE),
    "a.c:1 steal twice\n": (1, "has more than two words; write `SITE SCHEDULE[,CHUNK]`"),
}


class Refused(Case):
    """Everything that cannot be understood: one line, and the program runs as it was."""

    def refuse(self, environment, line, reported=None):
        for compiler in compilers():
            with self.subTest(compiler=compiler, environment=environment):
                result = run([app(compiler), "kinds"], environment)
                self.assertEqual(result.stderr, f"steelyard: {line}")
                self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))
                result = run([app(compiler), "kinds"], {**environment, "STEELYARD_REPORT": self.folder / "report"})
                (report,) = self.reports()
                self.assertEqual((result.stderr, report["mode"]), (f"steelyard: {line}", "observe"))
                self.assertEqual(report["warnings"], [(reported or line).rpartition("; ")[0]])
                self.assertNotIn("taken", [site["decision"] for site in report["sites"]])

    def test_a_misspelt_variable(self):
        for compiler in compilers():
            result = run([app(compiler), "kinds"], {"STEELYARD_SHEDULE": "steal"})
            self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))
            self.assertEqual(result.stderr, "steelyard: STEELYARD_SHEDULE means nothing; did you mean STEELYARD_SCHEDULE?\n")

    def test_schedules(self):
        for value, reason in BAD_SCHEDULES.items():
            shown = value[:80].replace("\x7f", "?")  # no line sends what a terminal obeys
            self.refuse({"STEELYARD_SCHEDULE": value}, f"STEELYARD_SCHEDULE={shown} {reason}{IGNORED}",
                        f"STEELYARD_SCHEDULE={value[:80]} {reason}{IGNORED}")

    def test_names_of_ours_with_bad_chunks_in_omp_schedule(self):
        for value, reason in BAD_OMP_SCHEDULES.items():
            self.refuse({"OMP_SCHEDULE": value}, f"OMP_SCHEDULE={value} {reason}{IGNORED}")

    def test_loops_files(self):
        path = self.folder / "loops"
        for text, (number, reason) in BAD_FILES.items():
            path.write_bytes(text.encode())
            line = f"{path}:{number}: this line {reason}; the file is ignored\n"
            self.refuse({"STEELYARD_LOOPS": path}, line)

    def test_loops_files_that_cannot_be_read(self):
        missing = self.folder / "missing"
        self.refuse({"STEELYARD_LOOPS": missing},
                    f"loops file {missing} cannot be read (No such file or directory){IGNORED}")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for file in (self.folder, pipe, "/dev/null"):
            self.refuse({"STEELYARD_LOOPS": file},
                        f"loops file {file} cannot be read (it is not a regular file){IGNORED}")
        large = self.folder / "large"
        large.touch()
        os.truncate(large, 16 << 20)
        self.refuse({"STEELYARD_LOOPS": large}, f"loops file {large} cannot be read (it is too large){IGNORED}")

    def test_a_loops_file_with_a_strange_name(self):
        for compiler in compilers():
            result = run([app(compiler), "kinds"], {"STEELYARD_LOOPS": "a\nb\033[2J\x7fc"})
            self.assertEqual((result.returncode, result.stderr),
                             (STATUS, f"steelyard: loops file a?b?[2J?c cannot be read (No such file or directory){IGNORED}"))

    def test_the_report_holds_every_line_said(self):
        asked = {"STEELYARD_SCHEDULE": "fastest", "OMP_SCHEDULE": "steal,0", "STEELYARD_LOOPS": self.folder / "missing"}
        result = run([app("gcc"), "dynamic"], {**asked, "STEELYARD_REPORT": self.folder / "report"})
        (report,) = self.reports()
        said = [line.removeprefix("steelyard: ") for line in result.stderr.splitlines()]
        self.assertEqual([line.removesuffix(IGNORED.rstrip()) for line in said], report["warnings"])
        self.assertEqual(len(said), 3)

    def test_files_without_rules_say_nothing(self):
        path = self.folder / "loops"
        for text in ("", "\n", "# nothing\r\n\r\n", "   \t"):
            path.write_text(text)
            for compiler in compilers():
                report = self.report_of([app(compiler), "kinds"], {"STEELYARD_LOOPS": path})
                self.assertEqual((report["mode"], report["warnings"]), ("observe", []))


class Understood(Case):
    def decisions(self, compiler, environment, *tasks):
        """(decision, schedule, chunk) by number of iterations."""
        report = self.report_of([app(compiler), *(tasks or ["dynamic", "runtime"])], environment)
        return {s["iterations"]: (s["decision"], s["schedule"], s["chunk"]) for s in report["sites"]}

    def test_names_in_any_case_with_spaces(self):
        for compiler in compilers():
            for value, wanted in {"WSRI": ("wsri", 0), " Steal ": ("steal", 0), "Dynamic , 7": ("dynamic", 7),
                                  "static,3": ("cyclic", 3)}.items():
                got = self.decisions(compiler, {"STEELYARD_SCHEDULE": value})
                self.assertEqual(got, {1001: ("taken", *wanted), 1003: ("taken", *wanted)}, value)

    def test_names_of_ours_in_omp_schedule_reach_runtime_loops_only(self):
        for compiler in compilers():
            for value, wanted in {"wsri": ("wsri", 0), "WsRi": ("wsri", 0), "nonmonotonic:wsri": ("wsri", 0),
                                  " steal , 5 ": ("steal", 5), "trapezoid": ("trapezoid", 0)}.items():
                got = self.decisions(compiler, {"OMP_SCHEDULE": value})
                self.assertEqual(got, {1001: ("observed", None, 0), 1003: ("taken", *wanted)}, (compiler, value))

    def test_omp_get_schedule_stays_meaningful(self):
        for compiler in compilers():
            for value, shown in {"wsri": "2,1", "steal,9": "2,9", "steal,99999999999": "2,1"}.items():
                result = run([app(compiler), "show", "runtime"], {"OMP_SCHEDULE": value})
                self.assertEqual((result.stdout, result.stderr), (f"schedule {shown}\nruntime 502503\n", ""), compiler)

    def test_standard_names_are_left_alone(self):
        for compiler in compilers():
            for value in ("guided,4", "static", "dynamic,17", "GUIDED", "auto", "nonmonotonic:dynamic,3"):
                native = run([app(compiler), "show", "runtime"], {"OMP_SCHEDULE": value}, preload=())
                result = run([app(compiler), "show", "runtime"], {"OMP_SCHEDULE": value})
                self.assertEqual((result.stdout, result.stderr), (native.stdout, native.stderr), value)
                got = self.decisions(compiler, {"OMP_SCHEDULE": value})
                self.assertEqual(got[1003], ("observed", None, 0), value)

    def test_the_program_goes_before_omp_schedule(self):
        for compiler in compilers():
            for set_schedule in ("set-guided", "set-dynamic", "set-static"):
                for value in ("wsri", "wsri,9"):
                    got = self.decisions(compiler, {"OMP_SCHEDULE": value}, set_schedule, "runtime")
                    self.assertEqual(got, {1003: ("observed", None, 0)}, f"{set_schedule} over {value}")
                got = self.decisions(compiler, {"STEELYARD_SCHEDULE": "wsri"}, set_schedule, "runtime")
                self.assertEqual(got, {1003: ("taken", "wsri", 0)}, set_schedule)

    def test_a_monotonic_schedule_of_the_program_is_kept(self):
        for compiler in compilers():
            for schedule, wanted in {"steal": ("passed", None, 0), "trapezoid": ("taken", "trapezoid", 0)}.items():
                for asked in ({"STEELYARD_SCHEDULE": schedule}, {"OMP_SCHEDULE": schedule}):
                    got = self.decisions(compiler, asked, "set-monotonic", "runtime")
                    self.assertEqual(got, {1003: wanted}, (compiler, asked))
            asked = {"STEELYARD_SCHEDULE": "steal", "OMP_SCHEDULE": "monotonic:dynamic,4"}
            self.assertEqual(self.decisions(compiler, asked, "runtime"), {1003: ("passed", None, 0)}, compiler)

    def test_before_openmp_5_clang_says_nothing_and_means_monotonic(self):
        if not app("clang-4.5").exists():
            self.skipTest("no Clang")
        for schedule, old, wanted in (("steal", "0", ("passed", None, 0)), ("guided", "0", ("taken", "guided", 0)),
                                      ("steal", "1", ("taken", "steal", 0))):
            got = self.decisions("clang-4.5", {"STEELYARD_SCHEDULE": schedule, "STEELYARD_OLD_NAMES": old})
            self.assertEqual(got, {1001: wanted, 1003: wanted})

    def test_a_bad_chunk_is_not_handed_on(self):
        for compiler in compilers():
            native = run([app(compiler), "show", "runtime"], preload=())
            result = run([app(compiler), "show", "runtime"], {"OMP_SCHEDULE": "steal,0"})
            self.assertEqual(result.stdout, native.stdout)
            self.assertRegex(result.stderr, r"\Asteelyard: OMP_SCHEDULE=steal,0 [^\n]*\n\Z")

    def test_a_chunk_in_omp_schedule_is_not_the_programs(self):
        for compiler in compilers():
            self.assertEqual(self.decisions(compiler, {"OMP_SCHEDULE": "wsri,5"}, "runtime"), {1003: ("taken", "wsri", 5)})

    def test_a_shell_hands_it_on(self):
        for compiler in compilers():
            command = ["sh", "-c", f"{app(compiler)} show runtime; exit $?"]
            report = self.report_of(command, {"OMP_SCHEDULE": "wsri"})
            self.assertEqual(self.site(report, iterations=1003)["schedule"], "wsri")
            self.assertEqual(report["omp_schedule"], "wsri")


class WrittenChunks(Case):
    """Programs rely on whole chunks; cyclic blocks of one show the least that is kept."""

    def run_cyclic(self, compiler, *tasks, **environment):
        """How many chunks were split, and the loop."""
        asked = {"STEELYARD_SCHEDULE": "cyclic,1", **environment, "STEELYARD_REPORT": self.folder / "report"}
        result = run([app(compiler), *tasks], asked)
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""), result)
        (report,) = self.reports()
        return int(result.stdout.split()[-1]), self.site(report, decision="taken")

    def test_of_the_source_are_kept(self):
        for compiler in compilers():
            for task in ("chunks", "guided-chunks"):
                split, site = self.run_cyclic(compiler, task)
                self.assertEqual((split, site["granule"], site["chunk"], site["chunks"]), (0, 16, 1, 101), (compiler, task))

    def test_are_split_on_demand(self):
        for compiler in compilers():
            for task in ("chunks", "guided-chunks"):
                split, site = self.run_cyclic(compiler, task, STEELYARD_SPLIT_CHUNKS="1")
                self.assertEqual((split, site["granule"]), (101, 0), (compiler, task))
            split, _ = self.run_cyclic(compiler, "chunks", STEELYARD_SPLIT_CHUNKS="0")
            self.assertEqual(split, 0)

    def test_of_omp_set_schedule_are_kept(self):
        for compiler in compilers():
            for asked in ({}, {"OMP_SCHEDULE": "guided,16"}, {"OMP_SCHEDULE": "steal,5"}):
                split, site = self.run_cyclic(compiler, "set-chunk", "runtime-chunks", **asked)
                self.assertEqual((split, site["granule"]), (0, 16), (compiler, asked))
            split, site = self.run_cyclic(compiler, "set-chunk", "runtime-chunks", STEELYARD_SPLIT_CHUNKS="1")
            self.assertEqual((split, site["granule"]), (101, 0), compiler)

    def test_of_omp_schedule_are_the_users(self):
        for compiler in compilers():
            for value in ("dynamic,16", "nonmonotonic:guided,16", "static,16", "steal,16"):
                split, site = self.run_cyclic(compiler, "runtime-chunks", OMP_SCHEDULE=value)
                self.assertEqual((split, site["granule"]), (101, 0), (compiler, value))

    def test_are_kept_by_a_loops_file(self):
        for compiler in compilers():
            offset = self.site(self.report_of([app(compiler), "chunks"]), iterations=1609)["offset"]
            (self.folder / "loops").write_text(f"app+{offset} cyclic\n")
            split, site = self.run_cyclic(compiler, "chunks", STEELYARD_LOOPS=self.folder / "loops", STEELYARD_SCHEDULE="")
            self.assertEqual((split, site["granule"]), (0, 16), compiler)

    def test_are_kept_by_the_measuring_run(self):
        for compiler in compilers():
            split, site = self.run_cyclic(compiler, "chunks", STEELYARD_LIMIT="1")
            self.assertEqual((split, site["granule"], site["schedule"]), (0, 16, "measure"), compiler)


class LoopsFile(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "loops"

    def test_module_and_offset_override_the_clause(self):
        for compiler in compilers():
            before = self.report_of([app(compiler), "dynamic", "runtime"])
            offset = self.site(before, iterations=1001)["offset"]
            for module in ("app", app(compiler)):
                self.path.write_text(f"{module}+{offset} steal\r\n")
                report = self.report_of([app(compiler), "dynamic", "runtime"], {"STEELYARD_LOOPS": self.path})
                site = self.site(report, iterations=1001)
                self.assertEqual((site["decision"], site["schedule"], site["offset"]), ("taken", "steal", offset))
                self.assertEqual(self.site(report, iterations=1003)["decision"], "observed")

    def test_file_and_line_of_clang(self):
        if "clang" not in compilers():
            self.skipTest("no programs of Clang here")
        self.path.write_text(f"app.c:{line_of('dynamic')} guided,2\nprograms/app.c:{line_of('runtime')} wsr")
        report = self.report_of([app("clang"), "dynamic", "runtime"], {"STEELYARD_LOOPS": self.path})
        first, second = self.site(report, iterations=1001), self.site(report, iterations=1003)
        self.assertEqual((first["schedule"], first["chunk"], second["schedule"]), ("guided", 2, "wsr"))

    def test_rules_of_other_places_touch_nothing(self):
        self.path.write_text(f"other+0x10 steal\napp+0x1 steal\napp.c:{line_of('dynamic') + 1} steal\n")
        for compiler in compilers():
            asked = {"STEELYARD_LOOPS": self.path, "STEELYARD_REPORT": self.folder / "report"}
            result = run([app(compiler), "dynamic"], asked)
            (report,) = self.reports()
            self.assertEqual((result.returncode, result.stdout), (STATUS, "dynamic 500500\n"))
            self.assertEqual(self.site(report, iterations=1001)["decision"], "observed")

    def test_file_then_steelyard_schedule_then_omp_schedule(self):
        for compiler in compilers():
            before = self.report_of([app(compiler), "dynamic", "runtime"])
            self.path.write_text(f"app+{self.site(before, iterations=1003)['offset']} dynamic,9\n")
            lower = {"OMP_SCHEDULE": "wsri"}
            middle = {**lower, "STEELYARD_SCHEDULE": "guided"}
            wanted = {1: (lower, None, "wsri"), 2: (middle, "guided", "guided"),
                      3: ({**middle, "STEELYARD_LOOPS": self.path}, "guided", "dynamic"),
                      4: ({**lower, "STEELYARD_LOOPS": self.path}, None, "dynamic")}
            for environment, of_dynamic, of_runtime in wanted.values():
                report = self.report_of([app(compiler), "dynamic", "runtime"], environment)
                got = [self.site(report, iterations=n)["schedule"] for n in (1001, 1003)]
                self.assertEqual(got, [of_dynamic, of_runtime], environment)


class UnmetRules(Case):
    """Lines of a loops file that meet no loop of the process."""

    def said(self, text, *tasks, compiler="gcc", **environment):
        """What a run says; the same is among the report's warnings."""
        path = self.folder / "loops"
        path.write_text(text)
        command = [app(compiler), *(tasks or ["dynamic"])]
        result = run(command, {"STEELYARD_LOOPS": path, **environment})
        self.assertEqual(result.returncode, STATUS)
        if environment.get("STEELYARD_VERBOSE") != "1":
            again = run(command, {"STEELYARD_LOOPS": path, **environment, "STEELYARD_REPORT": self.folder / "report"})
            self.assertEqual(again.stderr, result.stderr)
            reports = self.reports()
            if result.stderr:
                self.assertIn(result.stderr, [f"steelyard: {line}\n" for r in reports for line in r["warnings"]])
        return result.stderr

    def offset(self, compiler="gcc"):
        return self.site(self.report_of([app(compiler), "dynamic"]), iterations=1001)["offset"]

    def test_an_offset_from_before_the_program_was_rebuilt(self):
        stale = "steelyard: loops file: no loop ran at app+0x3%s; if the program was rebuilt, compare it again\n"
        for compiler in compilers():
            for lines, more in (("app+0x3 steal\n", ""), (f"{app(compiler)}+0x3 steal\n", None),
                                ("app+0x3 steal\nother+0x1 steal\napp+0x4 wsr\napp+0x5 wsr\n", " (and 2 more)"),
                                (f"app+{self.offset(compiler)} steal\napp+0x3 steal\n", "")):
                said = self.said(lines, compiler=compiler)
                if more is None:
                    self.assertRegex(said, r"\Asteelyard: loops file: no loop ran at /[^\n]*\+0x3; [^\n]*\n\Z")
                else:
                    self.assertEqual(said, stale % more)

    def test_a_rule_that_is_met_says_nothing(self):
        for compiler in compilers():
            self.assertEqual(self.said(f"app+{self.offset(compiler)} steal\n", compiler=compiler), "")
            self.assertEqual(self.said(f"app+{self.offset(compiler)} steal\nother+0x3 steal\n", compiler=compiler), "")

    def test_a_process_without_loops_says_nothing(self):
        for compiler in compilers():
            self.assertEqual(self.said("app+0x3 steal\n", "show", compiler=compiler), "")
        (self.folder / "loops").write_text("sh+0x3 steal\ntrue+0x3 steal\n")
        result = run(["sh", "-c", "/bin/true; exit 3"], {"STEELYARD_LOOPS": self.folder / "loops"})
        self.assertEqual((result.returncode, result.stderr), (3, ""))

    def test_children_of_fork_say_nothing(self):
        for compiler in compilers():
            for tasks in (["orphan", "fork"], ["orphan", "fork-idle"]):
                self.assertEqual(self.said("app+0x3 steal\n", *tasks, compiler=compiler).count("\n"), 1)

    def test_other_modules_are_for_those_who_ask(self):
        unmet = "loops file: no line of it names a loop that ran in this process"
        self.assertEqual(self.said("other+0x3 steal\n"), "")
        self.assertIn(f"steelyard: {unmet}\n", self.said("other+0x3 steal\n", STEELYARD_VERBOSE="1"))
        report = self.report_of([app("gcc"), "dynamic"], {"STEELYARD_LOOPS": self.folder / "loops"})
        self.assertEqual(report["warnings"], [unmet])

    def test_file_and_line_of_a_program_without_positions(self):
        wanted = ("steelyard: loops file: only steelyard run, given the program itself, finds app.c:3 here; else write "
                  "module+0xOFFSET\n")
        self.assertEqual(self.said("app.c:3 steal\n"), wanted)
        self.assertEqual(self.said("app.c:3? steal\n"), "")
        self.assertEqual(self.said(f"app+{self.offset()} steal\napp.c:3 steal\n"), "")

    def test_a_line_where_no_loop_is(self):
        if "clang" not in compilers():
            self.skipTest("no programs of Clang here")
        said = "steelyard: loops file: no loop ran at app.c:3; if the program was rebuilt, compare it again\n"
        self.assertEqual(self.said("app.c:3 steal\n", compiler="clang"), said)
        self.assertEqual(self.said("other.c:3 steal\n", compiler="clang"), "")
        self.assertEqual(self.said("app.c:3? steal\n", compiler="clang"), "")
        self.assertEqual(self.said(f"app.c:{line_of('dynamic')} steal\n", compiler="clang"), "")

    def test_a_module_with_a_blank_in_its_name(self):
        program = self.folder / "my app#1"
        shutil.copy(app("gcc"), program)
        (self.folder / "loops").write_text(f"my app#1+{self.offset()} steal\n")
        report = self.report_of([program, "dynamic"], {"STEELYARD_LOOPS": self.folder / "loops"})
        self.assertEqual(self.site(report, iterations=1001)["schedule"], "steal")


class Secure(Case):
    """A set-uid program is loaded with a shim it is linked to; the environment of whoever starts it does not count."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("needs root to make a set-uid program")
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest("the folder for temporary files ignores set-uid")
        os.chmod(self.folder, 0o777)
        shutil.copy(SHIM, self.folder / SHIM.name)
        self.program = self.folder / "linked"
        subprocess.run(["gcc", "-O2", "-fopenmp", SOURCES / "app.c", "-o", self.program, "-Wl,--no-as-needed",
                        self.folder / SHIM.name, f"-Wl,-rpath,{self.folder}"], check=True)
        (self.folder / "loops").write_text("wrong\n")

    def run_as_nobody(self, mode):
        os.chmod(self.program, mode)
        asked = {"STEELYARD_VERBOSE": "1", "STEELYARD_SCHEDULE": "steal", "STEELYARD_LOOPS": self.folder / "loops",
                 "STEELYARD_REPORT": self.folder / "report"}
        return run([self.program, "dynamic"], asked, preload=(), user=65534, group=65534, extra_groups=[])

    def test_ignores_the_environment(self):
        result = self.run_as_nobody(0o4755)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, "dynamic 500500\n", ""))
        self.assertEqual(self.reports(), [])

    def test_the_same_program_without_set_uid_does_not(self):
        result = self.run_as_nobody(0o755)
        self.assertEqual(result.returncode, STATUS)
        self.assertIn("this line has no schedule", result.stderr)
        self.assertIn("1 loop site taken", result.stderr)
        self.assertEqual(len(self.reports()), 1)


if __name__ == "__main__":
    main()
