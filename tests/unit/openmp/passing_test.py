# SPDX-License-Identifier: Apache-2.0
"""Short regions that need nothing of the drop-in begin without it, and are seen as soon as they need something. How long a region takes is
the machine's affair, so where several threads have to come it is not asserted that any passes: only that nothing else changes."""
from drop_in import PROGRAMS, Case, main, run

REGIONS, LATE, N, INNER = 3000, 1000, 16, 300
FEW = REGIONS // 10  # some more are seen where the machine does something else meanwhile
LOOP = N * (N - 1) // 2
SUMS = {"plain": REGIONS * LOOP, "without_questions": REGIONS * LOOP, "long_ones": REGIONS // 10 * LOOP,
        "late": (2 * REGIONS - LATE) * LOOP, "as_written": REGIONS * LOOP, "other_sizes": REGIONS, "inside": REGIONS * (LOOP + 1),
        "libraries": REGIONS * LOOP}
STEAL, SHARES = {"STEELYARD_SCHEDULE": "steal"}, {"STEELYARD_SCHEDULE": "nustatic"}
SCHEDULES = (STEAL, SHARES, {"STEELYARD_SCHEDULE": "jit"}, {**SHARES, "STEELYARD_STATIC": "0"})


def programs():
    """By GCC on libgomp, by Clang on libomp, by GCC on libomp."""
    return [path for path in (PROGRAMS / name / "passing" for name in ("gcc", "clang", "mixed")) if path.exists()]


class Passing(Case):
    def seen(self, program, task, environment=(), threads=1):
        """How many regions were. What they compute is right."""
        crowded = threads > 2 or task == "other_sizes"
        words = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive" if crowded else "active", **dict(environment)}
        result = run([program, task], words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        name, seen, computed = result.stdout.split()
        self.assertEqual((name, int(computed)), (task, SUMS[task]), (program, environment, threads))
        return int(seen)

    def test_most_short_regions_pass(self):
        for program in programs():
            for environment in SCHEDULES:
                for task in ("plain", "without_questions"):
                    with self.subTest(program=program, environment=environment, task=task):
                        self.assertLess(self.seen(program, task, environment), FEW)

    def test_long_ones_do_not(self):
        for program in programs():
            self.assertEqual(self.seen(program, "long_ones", STEAL), REGIONS // 10, program)

    def test_a_report_sees_all(self):
        for program in programs():
            asked = {**STEAL, "STEELYARD_REPORT": self.folder / "report-%p"}
            self.assertEqual(self.seen(program, "plain", asked), REGIONS, program)
            (report,) = self.reports()
            self.assertEqual(sum(region["instances"] for region in report["regions"]), REGIONS, program)

    def test_those_at_which_something_is_learnt_anew_are_all_seen(self):
        for program in programs():
            if program.parent.name == "clang":
                every = {"STEELYARD_SCHEDULE": "nustatic:every:500"}
                self.assertEqual(self.seen(program, "without_questions", every, threads=2), REGIONS)

    def test_a_loop_that_comes_late_is_taken(self):
        for program in programs():
            for environment in SCHEDULES[:3]:
                for threads in (1, 2, 3):
                    seen = self.seen(program, "late", environment, threads)
                    self.assertGreaterEqual(seen, REGIONS - LATE - 1, (program, environment, threads))
                    if threads == 1:
                        self.assertLess(seen, REGIONS - LATE + FEW, (program, environment))

    def test_loops_that_run_as_written_pass_too(self):
        for program in programs():
            if program.parent.name != "clang":
                self.assertLess(self.seen(program, "as_written", STEAL), FEW, program)

    def test_results_of_teams_that_pass(self):
        for program in programs():
            for environment in ({}, *SCHEDULES):
                for threads in (1, 2, 3):
                    for task in ("plain", "without_questions", "other_sizes", "inside", "as_written"):
                        self.seen(program, task, environment, threads)

    def test_another_body_at_the_same_address_is_seen(self):
        for program in programs():
            if program.parent.name == "mixed":
                continue  # it has no libraries of its own
            for threads in (1, 2):
                seen = self.seen(program, "libraries", STEAL, threads)
                self.assertEqual(seen, REGIONS, (program, threads))


if __name__ == "__main__":
    main()
