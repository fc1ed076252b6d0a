#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run regret makes of samples, without measuring."""
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import regret  # noqa: E402
from lib.runs import Failure, Variant  # noqa: E402

COUNTING = "import os,sys; f=os.environ.get('STEELYARD_KNOWLEDGE'); open(f + '/n','a').write('x') if f else 0"


LOOP = regret.Loop("made", "up", lambda name: Variant(name, [sys.executable, "-c", COUNTING], {}), None)


class Regret(unittest.TestCase):
    def test_the_best_is_chosen_on_odd_rounds_and_compared_on_even_ones(self):
        samples = {"automatic": [1.0, 1.1] * 5, "steal": [0.9, 1.0] * 5, "guided": [2.0, 0.1] * 5}
        best, ratio = regret.regret_of(samples)
        self.assertEqual(best, "steal")
        self.assertAlmostEqual(ratio.value, 1.1)
        self.assertEqual(ratio.count, 5)

    def test_who_has_dropped_out_is_no_rival(self):
        samples = {"automatic": [1.0] * 10, "steal": [0.1] * 2, "guided": [0.5] * 10}
        self.assertEqual(regret.regret_of(samples)[0], "guided")

    def test_automatic_never_drops_out(self):
        near = regret.near_the_best({"automatic": [9, 9], "steal": [1, 1], "guided": [1.1, 1.1], "static": [2, 2]})
        self.assertEqual(near, {"automatic", "steal", "guided"})
        self.assertEqual(regret.near_the_best({"automatic": [1, 1], "steal": [2, 2], "static": [9, 9]}), {"automatic", "steal"})

    def test_who_has_dropped_out_makes_nobody_else_drop_out(self):
        samples = {"automatic": [9] * 4, "steal": [2] * 4, "guided": [2.1] * 4, "static": [1.2] * 2}
        self.assertEqual(regret.near_the_best(samples), {"automatic", "steal", "guided"})

    def test_processes_before_train(self):
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory) / "kept"
            variants = regret.variants_of(LOOP, ["steal"], folder)
            self.assertEqual((folder / "n").read_text(), "xx")
            self.assertEqual([each.environment for each in variants], [{"STEELYARD_KNOWLEDGE": str(folder)}, {}])
            self.assertEqual([each.label for each in variants], ["automatic", "steal"])

    def test_the_text_has_the_median_and_the_worst(self):
        rows = [{"suite": "idws", "loop": name, "samples": {"steal": [0.002]}, "best": "steal", "verdict": "pass",
                 "regret": regret.stats.Estimate(value, value, value, 5)} for name, value in (("a", 1.0), ("b", 1.01), ("c", 1.2))]
        text = regret.text_of(rows)
        self.assertIn("| idws | a | 2 | `steal` | 1.000 [1.000, 1.000] | pass |", text)
        self.assertTrue(text.endswith("Median 1.010 (bound 1.03), worst 1.200 (bound 1.1)."), text)

    def test_wrong_words(self):
        right = {"rounds": 10, "repeat": 5, "states": 9, "prebuilt": None, "suites": "idws,cows"}
        regret.check(SimpleNamespace(**right))
        for name, value in (("rounds", 1), ("repeat", 0), ("states", 0), ("prebuilt", "here"), ("suites", "idws,cow")):
            with self.assertRaises(Failure):
                regret.check(SimpleNamespace(**{**right, name: value}))


if __name__ == "__main__":
    unittest.main()
