# SPDX-License-Identifier: Apache-2.0
"""Reports: their files, one for each process, and that what they say is so."""
import os
import re
import resource
import shutil
import signal
import socket

from drop_in import KINDS, STATUS, Case, app, compilers, main, run

TEAM = 4
# number of iterations: (clause, chunk in the source), of app.c
SEPARATE = {1001: ("dynamic", 3), 1002: ("guided", 1), 1003: ("runtime", None), 1008: ("dynamic", 1), 1009: ("dynamic", 5)}


class Files(Case):
    def left(self, pattern, *tasks):
        """The names of the files left, and the result of the run."""
        result = run([app("gcc"), *(tasks or ["dynamic"])], {"STEELYARD_REPORT": pattern})
        return sorted(p.name for p in self.folder.rglob("*") if p.is_file()), result

    def test_pattern(self):
        host = re.escape(socket.gethostname())
        for pattern, wanted in {"report-%p": r"report-\d+", "report": r"report\.\d+", "%p.%h.%p": rf"(\d+)\.{host}\.\1",
                                "r%h": rf"r{host}\.\d+", "r%%-%p": r"r%-\d+", "r%%p": r"r%p\.\d+", "%d%": r"%d%\.\d+"}.items():
            names, result = self.left(self.folder / pattern)
            self.assertEqual((result.returncode, result.stderr, len(names)), (STATUS, "", 1), names)
            self.assertRegex(names[0], f"^{wanted}$")
            (self.folder / names[0]).unlink()

    def test_a_relative_pattern_starts_where_the_program_does(self):
        result = run([app("gcc"), "to-root", "dynamic"], {"STEELYARD_REPORT": "report-%p"}, cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr, len(self.reports())), (STATUS, "", 1))

    def test_a_program_with_a_name_that_is_no_text(self):
        program = os.fsencode(self.folder) + b"/a\xff\xc3\xbc"
        shutil.copy(app("gcc"), program)
        report = self.report_of([os.fsdecode(program), "dynamic"])
        self.assertTrue(report["program"].endswith("/a\ufffd\u00fc"), report["program"])

    def test_the_process_id_is_that_of_the_process(self):
        report = self.report_of([app("gcc"), "dynamic"])
        self.assertEqual(report["ppid"], os.getpid())

    def test_where_nothing_can_be_written(self):
        (self.folder / "file").write_text("")
        for place, why in {self.folder / "missing/report": "No such file or directory",
                           self.folder / "file/report": "Not a directory"}.items():
            for compiler in compilers():
                result = run([app(compiler), "kinds"], {"STEELYARD_REPORT": place})
                self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))
                self.assertRegex(result.stderr, rf"\Asteelyard: report {place}\.\d+ cannot be written \({why}\)\n\Z")

    def test_no_half_report_on_a_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        result = run([app("gcc"), "kinds"], {"STEELYARD_REPORT": self.folder / "report"}, preexec_fn=limit,
                     restore_signals=False)
        self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))
        self.assertRegex(result.stderr, r"\Asteelyard: report \S+ cannot be written \(File too large\)\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_limit_of_file_sizes_ends_no_program(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        result = run([app("gcc"), "kinds"], {"STEELYARD_REPORT": self.folder / "report"}, preexec_fn=limit)
        self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))
        self.assertRegex(result.stderr, r"\Asteelyard: report \S+ cannot be written \(File too large\)\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_closed_pipe_ends_no_program(self):
        reading, writing = os.pipe()
        os.close(reading)
        command = ["sh", "-c", f"{app('gcc')} dynamic 2>&{writing}; echo $?"]
        result = run(command, {"STEELYARD_VERBOSE": "1"}, pass_fds=[writing])
        os.close(writing)
        self.assertEqual(result.stdout, f"dynamic 500500\n{STATUS}\n")

    def test_a_process_without_loops_leaves_none(self):
        names, result = self.left(self.folder / "report", "show")
        self.assertEqual((names, result.returncode, result.stderr), ([], STATUS, ""))


class Processes(Case):
    def reports_of(self, compiler, *tasks):
        result = run([app(compiler), *tasks], {"STEELYARD_REPORT": self.folder / "report-%p"})
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""))
        return result, self.reports()

    def counts(self, reports):
        """(instances, iterations) of the only loop of each report."""
        return sorted((s["instances"], s["iterations"]) for report in reports for s in report["sites"])

    def test_children_report_what_they_did_themselves(self):
        for compiler in compilers():
            result, reports = self.reports_of(compiler, "orphan", "fork")
            self.assertEqual(result.stdout, "orphan 509545\nchild 40\nchild 41\n")
            self.assertEqual(self.counts(reports), [(1, 1010), (2, 1000), (3, 1500)])
            parent = next(r["pid"] for r in reports if r["ppid"] == os.getpid())
            self.assertEqual(sorted(r["ppid"] for r in reports), sorted([os.getpid(), parent, parent]))

    def test_children_of_a_parent_that_used_nothing_yet(self):
        for compiler in compilers():
            result, reports = self.reports_of(compiler, "fork-first")
            self.assertEqual(result.stdout, "child 40\nchild 41\n")
            self.assertEqual(self.counts(reports), [(2, 1000), (3, 1500)], compiler)
            result, reports = self.reports_of(compiler, "fork-first", "dynamic")
            self.assertEqual(self.counts(reports), [(1, 1001), (2, 1000), (3, 1500)], compiler)

    def test_children_that_did_nothing_leave_none(self):
        for compiler in compilers():
            for tasks in (["orphan", "fork-idle"], ["fork-idle", "orphan"]):
                result, reports = self.reports_of(compiler, *tasks)
                self.assertEqual(sorted(result.stdout.splitlines()), ["child 40", "child 41", "orphan 509545"])
                self.assertEqual([r["ppid"] for r in reports], [os.getpid()])
                said = run([app(compiler), *tasks], {"STEELYARD_VERBOSE": "1"}).stderr
                self.assertEqual(len(re.findall(r"^steelyard: app ", said, re.M)), 1, said)

    def test_programs_that_are_started_report_for_themselves(self):
        for compiler in compilers():
            result, reports = self.reports_of(compiler, "dynamic", "--run", app(compiler), "orphan", "orphan")
            self.assertEqual(result.stdout, f"dynamic 500500\norphan 509545\norphan 509545\nchild {STATUS}\n")
            self.assertEqual(self.counts(reports), [(1, 1001), (2, 2020)])


class Content(Case):
    def check_separate(self, report, compiler, chunks):
        """Each plain loop of `kinds`: once, by four, in so many chunks."""
        for iterations, (clause, stated_chunk) in SEPARATE.items():
            site = self.site(report, iterations=iterations)
            with self.subTest(compiler=compiler, site=site):
                self.assertEqual((site["clause"], site["instances"], site["members"]), (clause, 1, TEAM))
                if stated_chunk is not None:
                    self.assertEqual(site["clause_chunk"], stated_chunk)
                if chunks is not None:
                    self.assertEqual(site["chunks"], chunks(iterations, max(site["granule"], 1)))
                self.check_times(site)

    def check_times(self, site):
        self.assertGreater(site["busy_ns"], 0)
        self.assertLessEqual(site["busy_ns"], site["span_ns"])
        self.assertEqual(site["span_ns"], site["wall_ns"] * site["members"])

    def check_passed(self, report, compiler):
        """Loops that keep their order; GCC counts the two differently."""
        for clause, iterations in (("ordered", 1006), ("doacross", 1006)):
            site = self.site(report, clause=clause)
            self.assertEqual((site["decision"], site["reason"], site["instances"], site["members"], site["schedule"]),
                             ("passed", clause, 1, TEAM, None), compiler)
            self.assertIn(site["iterations"], (iterations, 0))

    def test_observed(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"])
            self.check_separate(report, compiler, None)
            self.check_passed(report, compiler)
            self.assertEqual({s["decision"] for s in report["sites"]}, {"observed", "passed"})
            self.assertEqual(self.site(report, iterations=1001)["chunks"], 334)
            self.assertEqual((report["mode"], report["schedule"], report["threads"]), ("observe", None, TEAM))

    def test_observed_in_programs_of_gcc_on_libomp(self):
        """Its functions for GCC call those for Clang; a chunk is counted once all the same."""
        if not app("mixed").exists():
            self.skipTest("no programs of GCC on libomp here")
        for environment, decision in (({}, "observed"), ({"STEELYARD_SCHEDULE": "dynamic,3"}, "taken")):
            report = self.report_of([app("mixed"), "kinds"], environment)
            site = self.site(report, iterations=1001)
            self.assertEqual((site["decision"], site["chunks"]), (decision, 334))
            self.assertEqual({s["abi"] for s in report["sites"]}, {"gomp"})

    def test_taken_by_an_ascending_schedule(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"], {"STEELYARD_SCHEDULE": "dynamic,7"})
            self.check_separate(report, compiler, lambda n, whole: -(-n // (-(-7 // whole) * whole)))
            self.check_passed(report, compiler)
            monotonic = self.site(report, iterations=1005)
            self.assertEqual((monotonic["decision"], monotonic["schedule"], monotonic["reason"]), ("taken", "dynamic", None))
            self.assertEqual((report["mode"], report["schedule"], report["chunk"]), ("take", "dynamic", 7))

    def test_taken_by_one_that_is_not(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"], {"STEELYARD_SCHEDULE": "steal"})
            self.check_separate(report, compiler, None)
            self.check_passed(report, compiler)
            monotonic = self.site(report, iterations=1005)
            self.assertEqual((monotonic["decision"], monotonic["reason"], monotonic["schedule"]),
                             ("passed", "monotonic", None))
            for iterations in SEPARATE:
                self.assertEqual(self.site(report, iterations=iterations)["decision"], "taken")

    def test_equal_blocks_are_a_chunk_for_each_member(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"], {"STEELYARD_SCHEDULE": "static"})
            self.check_separate(report, compiler, lambda n, whole: TEAM)

    def test_teams_of_one(self):
        for compiler in compilers():
            for environment, decision in (({}, "observed"), ({"STEELYARD_SCHEDULE": "wsri"}, "taken")):
                site = self.site(self.report_of([app(compiler), "orphan", "orphan"], environment), iterations=2020)
                self.assertEqual((site["decision"], site["instances"], site["members"]), (decision, 2, 1))
                if decision == "taken":
                    self.assertEqual(site["chunks"], 2)

    def test_a_loop_after_a_region_of_one(self):
        alone = {"OMP_THREAD_LIMIT": "1", "KMP_WARNINGS": "0"}
        for compiler in compilers():
            for environment, decision in (({}, "observed"), ({"STEELYARD_SCHEDULE": "wsri"}, "taken")):
                report = self.report_of([app(compiler), "dynamic", "orphan"], {**alone, **environment})
                for iterations in (1001, 1010):
                    site = self.site(report, iterations=iterations)
                    self.assertEqual((site["decision"], site["members"]), (decision, 1), compiler)

    def test_loops_without_iterations(self):
        """Clang's programs skip them before the runtime hears of them."""
        for environment, decision in (({}, "observed"), ({"STEELYARD_SCHEDULE": "steal"}, "taken")):
            site = self.site(self.report_of([app("gcc"), "kinds"], environment), clause="guided", clause_chunk=2)
            self.assertEqual((site["decision"], site["instances"], site["iterations"], site["chunks"], site["members"]),
                             (decision, 1, 0, 0, TEAM))

    def test_static_loops_are_seen_in_programs_of_clang(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"], {"STEELYARD_SCHEDULE": "steal"})
            found = [s for s in report["sites"] if s["clause"] == "static"]
            if compiler == "gcc":
                self.assertEqual(found, [])
            else:
                (site,) = found
                self.assertEqual((site["decision"], site["reason"], site["instances"], site["iterations"], site["members"]),
                                 ("passed", "static", 1, 1004, TEAM))

    def test_each_site_once(self):
        for compiler in compilers():
            for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
                for _ in range(5):
                    report = self.report_of([app(compiler), "kinds", "kinds", "kinds"], environment)
                    places = [(s["module"], s["offset"]) for s in report["sites"]]
                    self.assertEqual(len(places), len(set(places)))
                    self.assertEqual({s["instances"] for s in report["sites"]}, {3}, report["sites"])

    def test_regions(self):
        wanted = {"gcc": 3, "clang": 2}  # GCC's program starts the empty loop too
        for compiler in compilers():
            for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
                report = self.report_of([app(compiler), "kinds", "kinds"], environment)
                self.assertEqual([r["instances"] for r in report["regions"]], 8 * [2])
                self.assertEqual(max(r["loops"] for r in report["regions"]), 2 * wanted[compiler])
                self.assertTrue(all(r["wall_ns"] > 0 for r in report["regions"]))

    def test_regions_of_teams_of_one(self):
        """They have the same loops."""
        for compiler in compilers():
            for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
                wide, narrow = ({r["offset"]: r["loops"] for r in report["regions"]} for report in (
                    self.report_of([app(compiler), "kinds"], environment),
                    self.report_of([app(compiler), "kinds"], {**environment, "OMP_THREAD_LIMIT": "1", "KMP_WARNINGS": "0"})))
                self.assertEqual(narrow, wide, compiler)
                self.assertEqual(list(wide.values()).count(0), 1, "the region with a plain static loop")

    def test_places(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"])
            self.assertEqual(report["program"], os.path.realpath(app(compiler)))
            self.assertEqual([m["path"] for m in report["modules"]], [os.path.realpath(app(compiler))])
            self.assertEqual({s["module"] for s in report["sites"]}, {0})
            self.assertEqual({s["abi"] for s in report["sites"]}, {{"gcc": "gomp", "clang": "kmp"}[compiler]})
            self.assertEqual(len(report["runtimes"]), 1)
            idents = [s["ident"] for s in report["sites"]]
            if compiler == "gcc":
                self.assertEqual(set(idents), {None})
            else:
                self.assertTrue(all(re.fullmatch(r";.*/app\.c;\w+;\d+;\d+;;", i) for i in idents), idents)


if __name__ == "__main__":
    main()
