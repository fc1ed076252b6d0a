#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run selection makes of figures, without replaying."""
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import selection  # noqa: E402
from lib.runs import Failure  # noqa: E402

SAID = """dense end; automatic; first 0.1000; then 0.0100; best guided
dense end; exhaustive; first 0.5000; then -0.0100; best guided
a | b; automatic; first 0.0000; then 0.0100; best cyclic,16 | steal
a | b; exhaustive; first 0.1000; then 0.0700; best cyclic,16 | steal
"""


def result(said=SAID, phase=0):
    return {"members": 8, "unit": 25, "phase": phase, "loops": selection.figures(said)}


class Selection(unittest.TestCase):
    def test_figures_are_read_by_loop_and_method(self):
        found = selection.figures(SAID)
        self.assertEqual(list(found), ["dense end", "a | b"])
        self.assertEqual(found["a | b"]["automatic"], {"first": 0.0, "then": 0.01, "best": "cyclic,16 | steal"})
        self.assertEqual(found["dense end"]["exhaustive"]["then"], -0.01)
        with self.assertRaises(Failure):
            selection.figures("nothing")

    def test_a_table_has_means_and_the_worst_loop(self):
        text = selection.show(result(phase=10), SimpleNamespace(first=20, instances=200))
        self.assertIn("8 members, units of 25 ns, costs of another kind each 10 instances", text)
        self.assertIn("| method | first 20 | the other 180 | worst loop of these |", text)
        self.assertIn("| `automatic` | 5.0 % | 1.0 % | 1.0 % |", text)
        self.assertIn("| `exhaustive` | 30.0 % | 3.0 % | 7.0 % |", text)

    def test_ahead_is_who_has_lost_the_least_first_and_then(self):
        self.assertTrue(selection.is_ahead(result()))
        self.assertFalse(selection.is_ahead(result(SAID.replace("exhaustive; first 0.5000", "exhaustive; first -0.5000"))))
        self.assertFalse(selection.is_ahead(result(SAID.replace("then 0.0700", "then 0.0200"))))

    def test_the_verdict_is_over_all_settings(self):
        options = SimpleNamespace(first=20, instances=200)
        lost = result(SAID.replace("automatic; first 0.1000", "automatic; first 0.9000"), phase=10)
        found = selection.verdict([result(), result(), result(), lost], options)
        self.assertFalse(found["failed"])
        self.assertIn("has not lost the least: 8 members, units of 25 ns, costs of another kind each 10 instances.", found["text"])
        self.assertIn("| `automatic` | 15.0 % | 1.0 % |", found["text"])
        self.assertTrue(selection.verdict([lost], options)["failed"])
        self.assertNotIn("not lost the least", selection.verdict([result()], options)["text"])

    def test_numbers_have_to_be_some(self):
        self.assertEqual(selection.numbers("8,32", "members"), [8, 32])
        with self.assertRaises(Failure):
            selection.numbers("many", "members")


if __name__ == "__main__":
    unittest.main()
