# SPDX-License-Identifier: Apache-2.0
"""Regions in the report: where their stretches end, how unequal their members are, and shares of disjoint time. The
program's clocks are made up, so every time is exact."""
from drop_in import PROGRAMS, STATUS, Case, compilers, main, run

UNIT = 1_000_000
SUMS = {"plain": 1, "in-turn": 1, "loops": 6, "reduction": 3, "wide-reduction": 15, "single": 33, "dynamic": 3,
        "nested": 12, "tasks": 190, "alone": 1, "child": 1, "cancel": 1}


class Regions(Case):
    def kinds(self):
        """With GCC's programs on libomp, where they are."""
        return [*compilers(), *(["mixed"] if (PROGRAMS / "mixed/regions").exists() else [])]

    def regions(self, kind, task, environment=()):
        return self.report_of([PROGRAMS / kind / "regions", task], environment)["regions"]

    def check(self, region, members, busy, span, avoidable):
        """Times in units."""
        found = (region["members"], region["busy_ns"], region["span_ns"], region["avoidable_ns"])
        self.assertEqual(found, (members, busy * UNIT, span * UNIT, avoidable * UNIT), region)

    def check_triangles(self, kind, task, stretches, triangles):
        """So many stretches; in some of them, the triangles, the members have 1, 2 and 3 units."""
        (region,) = self.regions(kind, task)
        self.assertEqual((kind, region["stretches"]), (kind, stretches))
        self.check(region, 3, 6 * triangles, 9 * triangles, triangles)

    def test_a_stretch_ends_with_the_region(self):
        for kind in self.kinds():
            self.check_triangles(kind, "plain", 1, 1)

    def test_a_stretch_ends_at_a_barrier(self):
        """Over the whole region all members have the same."""
        for kind in self.kinds():
            self.check_triangles(kind, "in-turn", 4, 3)

    def test_static_loops_end_in_a_barrier(self):
        """GCC leaves out the second one's, for the region ends there; Clang's reduction of each ends a stretch too."""
        wanted = {"gcc": 2, "mixed": 2, "clang": 5}
        for kind in self.kinds():
            self.check_triangles(kind, "loops", wanted[kind], 2)

    def test_reductions_at_the_end(self):
        for kind in self.kinds():
            self.check_triangles(kind, "reduction", 1, 1)
            (wide,) = self.regions(kind, "wide-reduction")
            self.check(wide, 6, 21, 36, 2.5)

    def test_singles_and_sections(self):
        """Five singles, the sections, the end. GCC has one barrier for what a single copies and one behind it."""
        wanted = {"gcc": 12, "mixed": 12, "clang": 7}
        for kind in self.kinds():
            (region,) = self.regions(kind, "single")
            self.assertEqual(region["stretches"], wanted[kind], kind)

    def test_a_timed_loop_has_its_stretch_to_itself(self):
        for kind in self.kinds():
            (region,) = self.regions(kind, "dynamic")
            self.assertGreaterEqual(region["stretches"], 2)
            self.check(region, 3, 6, 9, 1)

    def test_nested_regions_share_the_time_of_the_outer_one(self):
        """Each of two members forks a team three times: its own work is 1 unit, the other member's 2."""
        for kind in self.kinds():
            outer, inner = sorted(self.regions(kind, "nested"), key=lambda region: region["instances"])
            self.assertEqual((outer["stretches"], inner["instances"], inner["stretches"]), (4, 6, 12), kind)
            self.check(outer, 2, 6, 6, 0)
            self.check(inner, 2, 18, 24, 1.5)
            self.assertEqual((outer["wall_ns"], outer["own_ns"]), (3 * UNIT, 0), kind)
            self.assertEqual((inner["wall_ns"], inner["own_ns"]), (6 * UNIT, 3 * UNIT), kind)

    def test_tasks_in_a_barrier_and_teams_of_one(self):
        for kind in self.kinds():
            (tasks,) = self.regions(kind, "tasks")
            self.assertEqual(tasks["stretches"], 3, kind)
            (alone,) = self.regions(kind, "alone")
            self.assertEqual(alone["stretches"], 2)
            self.check(alone, 1, 1, 1, 0)
            self.assertEqual((alone["wall_ns"], alone["own_ns"]), (UNIT, UNIT), kind)

    def test_the_child_of_a_fork_reports_its_own(self):
        for kind in self.kinds():
            result = run([PROGRAMS / kind / "regions", "plain", "child"], {"STEELYARD_REPORT": self.folder / "report-%p"})
            self.assertEqual((result.returncode, result.stderr), (STATUS, ""))
            found = sorted((r["members"], r["stretches"]) for report in self.reports() for r in report["regions"])
            self.assertEqual(found, [(1, 2), (3, 1)], kind)

    def test_cancelled_regions(self):
        """Of GCC's programs: libomp by itself hangs in some of Clang's."""
        (region,) = self.regions("gcc", "cancel", {"OMP_CANCELLATION": "true"})
        self.assertGreaterEqual(region["stretches"], 4)
        self.assertLess(region["stretches"], 10)

    def test_nothing_changes_for_the_program(self):
        for kind in self.kinds():
            for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
                with self.subTest(kind=kind, environment=environment):
                    tasks = [task for task in SUMS if task != "cancel"]
                    result = run([PROGRAMS / kind / "regions", *tasks], environment)
                    wanted = "".join(f"{task} {SUMS[task]}\n" for task in tasks)
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, wanted, ""))


if __name__ == "__main__":
    main()
