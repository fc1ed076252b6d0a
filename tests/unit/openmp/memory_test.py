# SPDX-License-Identifier: Apache-2.0
"""What the drop-in takes from the system: memory, mapped by itself and counted by a library before it; no threads."""
from drop_in import PROGRAMS, SHIM, Case, main, run

KIB = 1024
MAPPING = 32 * KIB  # asked of the system at once, by each member that finds nothing left
COUNTED = (PROGRAMS / "counter.so", SHIM)


class Memory(Case):
    def mapped(self, *task, environment=()):
        """Bytes mapped, at each point that the program names."""
        result = run([PROGRAMS / "memory", *task], {"STEELYARD_SCHEDULE": "steal", **dict(environment)}, preload=COUNTED)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return {name: int(value) for name, value in (line.split() for line in result.stdout.splitlines())}

    def test_64_kib_for_each_thread(self):
        for environment in ({}, {"STEELYARD_SCHEDULE": "wsri"}, {"STEELYARD_REPORT": self.folder / "report"}):
            at = self.mapped("threads", environment=environment)
            self.assertGreater(at["first"], at["start"])
            self.assertLessEqual(at["last"] - at["start"], 64 * 64 * KIB, environment)

    def test_regions_do_not_pile_up(self):
        for environment in ({}, {"STEELYARD_REPORT": self.folder / "report"}, {"STEELYARD_LIMIT": "1"}):
            at = self.mapped("regions", environment=environment)
            allowance = 1280 * KIB if "STEELYARD_LIMIT" in environment else 4 * MAPPING  # at most 64 plans for each loop
            self.assertGreaterEqual(at["first"], MAPPING)
            self.assertLessEqual(at["last"] - at["first"], allowance, environment)

    def test_without_anything_to_do_it_takes_next_to_nothing(self):
        at = self.mapped("threads", environment={"STEELYARD_SCHEDULE": ""})
        self.assertLessEqual(at["last"], 4 * MAPPING)

    def test_plugins_that_come_and_go(self):
        pattern = self.folder / "report"
        at = self.mapped("plugin", PROGRAMS / "plugin.so", "1000", environment={"STEELYARD_REPORT": pattern})
        self.assertGreater(at["moves"], 100)
        self.assertLessEqual(at["last"] - at["first"], 4 * MAPPING)
        (report,) = self.reports()
        of_plugin = [s for s in report["sites"] if report["modules"][s["module"]]["path"].endswith("/plugin.so")]
        self.assertEqual(sum(s["iterations"] for s in of_plugin), 100000)
        self.assertEqual(sum(s["instances"] for s in of_plugin), 1000)
        self.assertLessEqual(len(of_plugin), 16)  # one for each address at which it was

    def test_a_program_for_which_there_is_no_more_memory(self):
        for threads in ("0", "2", "4"):
            for environment in ({}, {"STEELYARD_SCHEDULE": ""}, {"STEELYARD_REPORT": self.folder / "report"}):
                self.mapped("no-room", threads, environment=environment)

    def test_it_starts_no_thread(self):
        native = run([PROGRAMS / "memory", "count-threads"], preload=())
        self.assertEqual(native.stdout, "threads 3\n")
        asked = {"STEELYARD_SCHEDULE": "steal", "STEELYARD_LIMIT": "1", "STEELYARD_REPORT": self.folder / "report"}
        for environment in ({}, asked):
            result = run([PROGRAMS / "memory", "count-threads"], environment)
            self.assertEqual((result.stdout, result.stderr), (native.stdout, ""))


if __name__ == "__main__":
    main()
