#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the verdicts on ratios: which side of a bound an interval lies on."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import runs, stats  # noqa: E402


def estimate(low, high, count=20):
    return stats.Estimate((low + high) / 2, low, high, count)


class Verdicts(unittest.TestCase):
    def test_at_most(self):
        self.assertEqual(stats.verdict(estimate(0.9, 1.04), 1.03), "pass")
        self.assertEqual(stats.verdict(estimate(1.0, 1.10), 1.03), "undecided")
        self.assertEqual(stats.verdict(estimate(1.06, 1.10), 1.03), "fail")
        self.assertEqual(stats.verdict(estimate(0.9, 1.0, 9), 1.03), "too few rounds")

    def test_at_least(self):
        self.assertEqual(stats.above(estimate(1.89, 1.99), 1.9), "pass")
        self.assertEqual(stats.above(estimate(1.80, 1.95), 1.9), "undecided")
        self.assertEqual(stats.above(estimate(1.70, 1.80), 1.9), "fail")
        self.assertEqual(stats.above(estimate(1.95, 1.99, 9), 1.9), "too few rounds")

    def test_no_slower(self):
        self.assertEqual(stats.no_slower(estimate(0.99, 1.05)), "pass")
        self.assertEqual(stats.no_slower(estimate(1.02, 1.05)), "fail")


class MoreRounds(unittest.TestCase):
    def test_those_near_the_best_may_become_it(self):
        self.assertEqual(stats.close_to_best({"a": [1.0, 1.0], "b": [1.1, 1.2], "c": [1.3, 1.1]}), ["a", "b"])

    def measured(self, most, contenders):
        """How many samples each of two has."""
        variants = [runs.Variant(label, ["true"], {}) for label in "ab"]
        samples = runs.interleave_until_decided(variants, 4, most, lambda run: run.label, contenders)
        for label, of in samples.items():
            self.assertEqual(set(of), {label})
        return [len(of) for of in samples.values()]

    def test_what_is_decided_ends(self):
        self.assertEqual(self.measured(100, lambda samples: []), [4, 4])

    def test_what_is_undecided_goes_on_with_its_contenders(self):
        self.assertEqual(self.measured(10, lambda samples: ["b"]), [4, 10])
        self.assertEqual(self.measured(100, lambda samples: "ab" if len(samples["b"]) < 12 else []), [12, 12])

    def test_who_has_dropped_out_does_not_come_back(self):
        turns = iter(["b", "ab", "ab"])
        self.assertEqual(self.measured(16, lambda samples: next(turns)), [4, 16])

    def test_without_leave_nothing_goes_on(self):
        self.assertEqual(self.measured(0, lambda samples: "ab"), [4, 4])


if __name__ == "__main__":
    unittest.main()
