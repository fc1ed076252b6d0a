# SPDX-License-Identifier: Apache-2.0
"""Loops that GCC starts by functions of their own because they must run as written: right, and named in the report."""
from drop_in import PROGRAMS, STATUS, Case, main, run

MEMBERS = 3
MEMORY = "scan or lastprivate(conditional:)"
# task: (clause, reason, iterations: those of the ordered ones are not counted)
TASKS = {
    "task_reduction": ("dynamic", "task reduction", 100), "task_reduction_ull": ("guided", "task reduction", 100),
    "task_reduction_static": ("static", "task reduction", 0), "task_reduction_ordered": ("ordered", "ordered", 0),
    "task_reduction_doacross_ull": ("doacross", "doacross", 0), "conditional": ("runtime", "monotonic", 100),
    "conditional_static": ("static", MEMORY, 0), "scan": ("static", MEMORY, 0), "ordered_ull": ("ordered", "ordered", 0),
    "ordered_ull_runtime": ("ordered", "ordered", 0), "doacross_ull": ("doacross", "doacross", 0),
    "doacross_ull_runtime": ("doacross", "doacross", 0),
}


class Passed(Case):
    def test_right_and_reported(self):
        for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}, {"STEELYARD_SCHEDULE": "dynamic,5"}):
            for task, (clause, reason, iterations) in TASKS.items():
                with self.subTest(task=task, environment=environment):
                    asked = {**environment, "STEELYARD_REPORT": self.folder / "report-%p"}
                    result = run([PROGRAMS / "passed", task], asked)
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (STATUS, f"{task} right\n", ""))
                    (report,) = self.reports()
                    (site,) = report["sites"]
                    found = (site["decision"], site["clause"], site["reason"], site["iterations"])
                    self.assertEqual(found, ("passed", clause, reason, iterations))
                    self.assertEqual((site["instances"], site["members"], site["schedule"]), (1, MEMBERS, None))

    def test_all_in_turn(self):
        for environment in ({}, {"STEELYARD_SCHEDULE": "steal"}):
            result = run([PROGRAMS / "passed", *TASKS, *TASKS], environment)
            self.assertEqual(result.stdout, 2 * "".join(f"{task} right\n" for task in TASKS))


if __name__ == "__main__":
    main()
