#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the verdicts on ratios: which side of a bound an interval lies on."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import stats  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
