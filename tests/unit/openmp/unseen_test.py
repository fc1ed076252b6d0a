# SPDX-License-Identifier: Apache-2.0
"""Loops of teams whose start the drop-in did not see, inside loops that it did see: both run right, both are reported."""
from drop_in import PROGRAMS, STATUS, Case, main, run

OUTER, INNER, INNERMOST = 101, 31, 7
REASON = "a team whose start was not seen"


def total(n):
    return n * (n - 1) // 2


PLAIN = OUTER * total(INNER)
TASKS = {"dynamic": PLAIN, "nowait": PLAIN, "ordered": PLAIN, "doacross": PLAIN, "sections": OUTER * 7,
         "nest": OUTER * (total(INNER) + INNER * total(INNERMOST))}
ENVIRONMENTS = ({}, {"STEELYARD_SCHEDULE": "dynamic,1"}, {"STEELYARD_SCHEDULE": "steal"}, {"STEELYARD_SCHEDULE": "wsri"})


def programs():
    """By GCC on libgomp, by Clang on libomp, by GCC on libomp."""
    return [path for path in (PROGRAMS / name / "unseen" for name in ("gcc", "clang", "mixed")) if path.exists()]


class Unseen(Case):
    def test_both_loops_are_right(self):
        for program in programs():
            for environment in ENVIRONMENTS:
                for task, inner in TASKS.items():
                    with self.subTest(program=program, environment=environment, task=task):
                        result = run([program, task], environment)
                        self.assertEqual((result.returncode, result.stdout, result.stderr),
                                         (STATUS, f"{task} {total(OUTER)} {inner}\n", ""))

    def reported(self, program, task, environment):
        report = self.report_of([program, task], environment)
        return {(s["decision"], s["reason"]): s for s in report["sites"]}

    def test_the_loop_that_was_seen(self):
        """Nothing of the inner loops is counted as its own."""
        for program in programs():
            for environment in ENVIRONMENTS[:2]:
                decision = "taken" if environment else "observed"
                for task in TASKS:
                    site = self.reported(program, task, environment)[decision, None]
                    with self.subTest(program=program, task=task, site=site):
                        counted = (site["instances"], site["iterations"], site["chunks"], site["members"])
                        self.assertEqual(counted, (1, OUTER, OUTER, 2))

    def test_the_loops_that_were_not(self):
        for program in programs():
            for environment in ENVIRONMENTS[:2]:
                for task in ("dynamic", "nowait", "ordered", "doacross"):
                    site = self.reported(program, task, environment)["passed", REASON]
                    with self.subTest(program=program, task=task, site=site):
                        self.assertEqual((site["instances"], site["members"], site["schedule"]), (OUTER, 2, None))
                        self.assertIn(site["iterations"], (OUTER * INNER, 0))
                report = self.report_of([program, "nest"], environment)
                passed = sorted(s["instances"] for s in report["sites"] if s["reason"] == REASON)
                self.assertEqual(passed, [OUTER, OUTER * INNER])


if __name__ == "__main__":
    main()
