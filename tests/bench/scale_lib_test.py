#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run scale makes of figures, without replaying."""
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import scale, scale_here  # noqa: E402
from lib.runs import Failure  # noqa: E402

SAID = """regular static makespan 12.000 limit 10.000 chunks 4 steals 0 attempts 0 lines 9 most 3
regular steal makespan 11.000 limit 10.000 chunks 90 steals 7 attempts 8 lines 80 most 6
adjoint static makespan 27.000 limit 10.000 chunks 4 steals 0 attempts 0 lines 9 most 3
adjoint steal makespan 11.000 limit 10.000 chunks 90 steals 7 attempts 8 lines 80 most 9
"""


class Scale(unittest.TestCase):
    def test_figures_are_read_by_loop_and_schedule(self):
        found = scale.figures(SAID)
        self.assertEqual(list(found), ["regular", "adjoint"])
        self.assertEqual(found["adjoint"]["steal"], {"makespan_us": 11.0, "limit_us": 10.0, "chunks": 90, "steals": 7,
                                                     "attempts": 8, "lines": 80, "most_lines": 9})
        with self.assertRaises(Failure):
            scale.figures("nothing")

    def test_a_table_has_each_loop_their_mean_and_the_most_lines(self):
        text = scale.show({"machine": "2x64", "members": 4, "each": 2048, "loops": scale.figures(SAID)})
        self.assertIn("2x64, 4 members, 2,048 iterations each", text)
        self.assertIn("| regular | 10 us | 1.20 | 1.10 |", text)
        self.assertIn("| geometric mean |  | 1.80 | 1.10 |", text)
        self.assertIn("| most lines of a call |  | 3 | 9 |", text)

    def test_members_are_those_of_the_machine_or_told(self):
        self.assertEqual(scale.members_of("2x64", SimpleNamespace(members=None)), (8, 32, 128))
        self.assertEqual(scale.members_of("2x64", SimpleNamespace(members="3,5")), [3, 5])
        with self.assertRaises(Failure):
            scale.members_of("mine.txt", SimpleNamespace(members=None))
        with self.assertRaises(Failure):
            scale.members_of("2x64", SimpleNamespace(members="many"))

    def test_a_machine_is_a_preset_or_a_path(self):
        self.assertTrue(scale.file_of("2x64").exists())
        self.assertEqual(scale.file_of("/my/machine.txt"), "/my/machine.txt")

    def test_measured_loops_are_held_against_the_least_limit_and_replay(self):
        def run(makespan, limit):
            return scale_here.sample(SimpleNamespace(label="x", output=f"regular makespan {makespan} limit {limit}\n"))

        samples = {"steal": [run(11, 10), run(13, 10.5), run(12, 11)], "static": [run(20, 12)]}
        measured = scale_here.of_limit(samples)
        self.assertEqual(measured, {"steal": {"regular": 1.2}, "static": {"regular": 2.0}})
        text = scale_here.show({"threads": 4, "each": 2048, "measured": measured,
                                "replayed": {"steal": {"regular": 1.0}, "static": {"regular": 2.5}}})
        self.assertIn("4 threads, 2,048 iterations each", text)
        self.assertIn("| `steal` | 1.20, 1.00 | 1.20 |", text)
        self.assertIn("| `static` | 2.00, 2.50 | 0.80 |", text)
        with self.assertRaises(Failure):
            scale_here.sample(SimpleNamespace(label="x", output="nothing"))


if __name__ == "__main__":
    unittest.main()
