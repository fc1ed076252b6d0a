# SPDX-License-Identifier: Apache-2.0
"""STEELYARD_LIMIT=1 on loops whose iterations last a known time: the program's clocks are made up."""
from drop_in import KINDS, PROGRAMS, STATUS, Case, app, compilers, main, run

MEMBERS = 2


class Limit(Case):
    def measure(self, compiler, task):
        """The loop's site, the sum over instances of the longest iteration, and of all iterations."""
        asked = {"STEELYARD_LIMIT": "1", "STEELYARD_REPORT": self.folder / "report"}
        result = run([PROGRAMS / compiler / "limit", task], asked)
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""))
        (report,) = self.reports()
        self.assertEqual(report["mode"], "limit")
        name, longest, everything = result.stdout.split()
        self.assertEqual(name, task)
        return self.site(report, decision="taken"), int(longest), int(everything)

    def check_relations(self, site, everything):
        """What holds for every loop: W/P <= limit <= W, and W is what the iterations last, and all that the members were busy."""
        self.assertEqual((site["schedule"], site["members"]), ("measure", MEMBERS))
        self.assertEqual((site["work_ns"], site["busy_ns"]), (everything, everything))
        self.assertLessEqual(site["busy_ns"], site["span_ns"])
        self.assertLessEqual(site["limit_low_ns"], site["limit_high_ns"])
        self.assertGreaterEqual(site["limit_low_ns"], site["work_ns"] // MEMBERS - site["instances"])
        self.assertLessEqual(site["limit_high_ns"], site["work_ns"])

    def test_one_long_iteration_is_the_limit(self):
        for compiler in compilers():
            site, longest, everything = self.measure(compiler, "long-first")
            self.check_relations(site, everything)
            self.assertEqual((site["instances"], site["iterations"]), (1, 64))
            self.assertGreaterEqual(site["limit_low_ns"], longest)

    def test_a_long_iteration_among_short_ones_is_found(self):
        """It shares its chunk with others at first; ranges that took long are cut finer in the next instances."""
        for compiler in compilers():
            site, longest, everything = self.measure(compiler, "long-inside")
            self.check_relations(site, everything)
            self.assertEqual((site["instances"], site["iterations"]), (12, 12 * 20000))
            self.assertGreaterEqual(site["limit_high_ns"], longest)
            self.assertGreaterEqual(site["limit_low_ns"], longest * 0.8)  # half of it would be W/P

    def test_an_even_loop(self):
        for compiler in compilers():
            site, _, everything = self.measure(compiler, "uniform")
            self.check_relations(site, everything)
            self.assertEqual((site["instances"], site["iterations"]), (1, 1000))
            self.assertGreater(site["chunks"], 2 * MEMBERS)
            self.assertLessEqual(site["chunks"], 1000)

    def test_a_team_of_one_is_its_own_limit(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "orphan", "orphan"], {"STEELYARD_LIMIT": "1"})
            site = self.site(report, iterations=2020)
            self.assertGreater(site["work_ns"], 0)
            self.assertEqual({site["limit_low_ns"], site["limit_high_ns"], site["wall_ns"]}, {site["work_ns"]})

    def test_programs_run_right_while_measured(self):
        for compiler in compilers():
            result = run([app(compiler), "kinds", "kinds"], {"STEELYARD_LIMIT": "1", "STEELYARD_SCHEDULE": "steal"})
            self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, KINDS + KINDS, ""))

    def test_monotonic_loops_are_measured_and_ordered_ones_are_not(self):
        for compiler in compilers():
            report = self.report_of([app(compiler), "kinds"], {"STEELYARD_LIMIT": "1"})
            self.assertEqual(self.site(report, iterations=1005)["schedule"], "measure")
            for clause in ("ordered", "doacross"):
                site = self.site(report, clause=clause)
                self.assertEqual((site["decision"], site["work_ns"]), ("passed", 0))


if __name__ == "__main__":
    main()
