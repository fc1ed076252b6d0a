# SPDX-License-Identifier: Apache-2.0
"""Programs as the compile launcher makes them (src/openmp/compiled/compiled.md), beside the same without it."""
from build_compiled import FOLDER, VARIANTS
from drop_in import Case, attempts, main, run

STATUS = 5
TEAM = {"OMP_NUM_THREADS": "4", "OMP_DYNAMIC": "false"}
SCHEDULES = ("static", "cyclic", "dynamic", "dynamic,7", "guided", "steal", "steal,3", "wsr", "wsri", "wsrw", "idws", "adaptive", "jit",
             "nustatic", "factoring", "trapezoid")
ANY = (1001, 1005, 1006)  # lines of the loops in forms.c that any schedule may run
SHARES = (1002, 1003, 1004)
GIVEN = {"STEELYARD_SCHEDULE": "nustatic:10,90", "OMP_NUM_THREADS": "2"}
EQUAL = (500, 500)
OTHER = (100, 900)


class Compiled(Case):
    def programs(self, kind, *names):
        """Those that could be built here, of which GCC's always can."""
        found = [name for name in names or VARIANTS if (FOLDER / f"{kind}-{name}").exists()]
        self.assertIn("gcc", found)
        return found

    def output(self, program, environment=(), words=(), **options):
        result = run([FOLDER / program, *words], {**TEAM, **dict(environment)}, **options)
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""), (program, environment))
        return result.stdout

    def report(self, program, environment=(), words=()):
        return self.report_of([FOLDER / program, *words], {**TEAM, **dict(environment)}, status=STATUS)

    def lines(self, report, **wanted):
        """Of the loops with these properties."""
        return sorted(int(s["ident"].split(";")[3]) for s in report["sites"] if all(s[k] == v for k, v in wanted.items()))

    def test_unloaded_a_program_does_what_it_does_without(self):
        for name in self.programs("forms"):
            for words in ({}, {"OMP_SCHEDULE": "guided,3"}, {"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "7"}):
                self.assertEqual(self.output(f"forms-{name}", words, preload=()),
                                 self.output(f"forms-{name}-plain", words, preload=()), (name, words))

    def test_loaded_with_nothing_to_do_it_does_so_too(self):
        for name in self.programs("forms"):
            self.assertEqual(self.output(f"forms-{name}"), self.output(f"forms-{name}-plain", preload=()), name)

    def test_every_schedule_runs_each_iteration_once(self):
        for name in self.programs("forms", "gcc", "gcc-no-pie", "clang"):
            plain = self.output(f"forms-{name}-plain", {"BALANCED": "1"}, preload=())
            for schedule in SCHEDULES:
                for members in ("3", "4"):
                    how = {"BALANCED": "1", "STEELYARD_SCHEDULE": schedule, "OMP_NUM_THREADS": members}
                    self.assertEqual(self.output(f"forms-{name}", how), plain, (name, schedule, members))

    def test_it_is_found_however_it_was_linked(self):
        for name in self.programs("forms"):
            if name == "gcc-static":
                continue  # nothing is loaded with it
            report = self.report(f"forms-{name}", {"STEELYARD_SCHEDULE": "steal", "BALANCED": "1"})
            self.assertEqual(self.lines(report, abi="compiled", decision="taken", schedule="steal"), list(ANY), name)
            self.assertEqual(self.lines(report, abi="compiled", decision="passed", reason="static"), list(SHARES), name)

    def test_a_report_knows_each_loop_by_its_place(self):
        for name in self.programs("forms", "gcc", "clang"):
            report = self.report(f"forms-{name}", {"STEELYARD_SCHEDULE": "dynamic,5", "BALANCED": "1"})
            (site,) = [s for s in report["sites"] if s["ident"] == ";forms.c;;1001;0;;"]
            self.assertEqual((site["clause"], site["clause_chunk"], site["chunk"], site["members"]), ("static", 0, 5, 4))
            self.assertGreaterEqual(site["chunks"], site["iterations"] // 5)
            self.assertGreater(site["wall_ns"], 0)
            # The loop over members that stands around some is none of the program's.
            self.assertEqual(self.lines(report, abi="compiled"), sorted(ANY + SHARES), name)
            self.assertEqual([s["clause"] for s in report["sites"] if s["abi"] != "compiled"], ["runtime"], name)

    def test_only_reporting_changes_nothing(self):
        for name in self.programs("forms", "gcc", "clang"):
            report = {"STEELYARD_REPORT": self.folder / "report-%p"}
            self.assertEqual(self.output(f"forms-{name}", report), self.output(f"forms-{name}-plain", preload=()), name)
            (found,) = self.reports()
            self.assertEqual(self.lines(found, abi="compiled", decision="observed"), list(ANY), name)

    def test_a_loops_file_names_it_by_its_place(self):
        file = self.folder / "loops"
        file.write_text("forms.c:1001 guided,2\n")
        report = self.report("forms-gcc", {"STEELYARD_LOOPS": file, "BALANCED": "1"})
        self.assertEqual(self.lines(report, schedule="guided"), [1001])

    def test_limits_are_measured(self):
        report = self.report("forms-gcc", {"STEELYARD_LIMIT": "1", "BALANCED": "1"})
        (site,) = [s for s in report["sites"] if s["ident"] == ";forms.c;;1001;0;;"]
        self.assertGreater(site["work_ns"], 0)

    def shares(self, name, pattern, environment=(), words=(), **options):
        first, last, total, broken = self.output(f"shares-{name}", {"OMP_NUM_THREADS": "2", **dict(environment)}, [pattern, *words], **options).split()
        self.assertEqual(broken, "0", (name, pattern))
        return (int(first), int(last)), total

    def test_loops_that_cannot_notice_get_other_shares(self):
        for name in self.programs("shares"):
            for pattern in ("plain", "chain", "combined"):
                self.assertEqual(self.shares(name, pattern, preload=())[0], EQUAL, (name, pattern))
                self.assertEqual(self.shares(name, pattern, GIVEN)[0], OTHER, (name, pattern))
                self.assertEqual(self.shares(name, pattern, {**GIVEN, "STEELYARD_STATIC": "0"})[0], EQUAL, (name, pattern))

    def test_loops_that_would_notice_keep_their_blocks(self):
        for name in self.programs("shares"):
            for pattern in ("reduction", "asks", "shows"):
                self.assertEqual(self.shares(name, pattern, GIVEN), self.shares(name, pattern, preload=()), (name, pattern))

    def test_reductions_may_be_freed(self):
        for name in self.programs("shares"):
            self.assertEqual(self.shares(name, "reduction", {**GIVEN, "STEELYARD_FREE_REDUCTIONS": "1"})[0], OTHER, name)

    def test_shared_objects_are_found_when_they_come(self):
        for name in self.programs("shares"):
            library = FOLDER / f"library-{name}.so"
            self.assertEqual(self.shares(name, "plain", words=[library], preload=())[0], EQUAL, name)
            report = self.report(f"shares-{name}", GIVEN, ["plain", library])
            found = {report["modules"][s["module"]]["path"]: s["decision"] for s in report["sites"] if s["ident"] == ";shares.c;;2001;0;;"}
            self.assertEqual(found, {str(FOLDER / f"shares-{name}"): "taken", str(library): "taken"}, name)

    def test_one_runtime_for_two_compilers(self):
        if not (FOLDER / "library-clang.so").exists():
            self.skipTest("no program of Clang here")
        self.assertEqual(self.shares("gcc", "chain", GIVEN, [FOLDER / "library-clang.so"])[0], OTHER)

    def test_costs_are_stated_where_a_schedule_asks_for_them(self):
        rows = 3000
        always = {"STEELYARD_WITHOUT": "sparing"}
        for name in self.programs("costs", "gcc", "gcc-no-pie", "g++", "clang", "clang++"):
            total, stated = self.output(f"costs-{name}", preload=()).split()
            self.assertEqual(stated, "0", name)
            for schedule in SCHEDULES:
                found = self.output(f"costs-{name}", {"STEELYARD_SCHEDULE": schedule, **always})
                # There are two keys.
                self.assertEqual(found, f"{total} {2 * rows if schedule == 'wsrw' else 0}\n", (name, schedule))
            runs = (self.output(f"costs-{name}", {"STEELYARD_SCHEDULE": "wsrw"}).split() for _ in attempts())
            short = any(int(stated) < rows for _, stated in runs)  # others may take the processor, and loops last longer
            self.assertTrue(short, "loops are too short for costs to be stated")
            (site,) = self.report(f"costs-{name}", {"STEELYARD_SCHEDULE": "wsrw", **always})["sites"]
            self.assertEqual((site["costs"], site["schedule"], site["instances"]), ("derived", "wsrw", 20), name)


if __name__ == "__main__":
    main()
