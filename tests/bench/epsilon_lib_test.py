#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run epsilon makes of samples, without measuring."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import epsilon  # noqa: E402
from lib.runs import Failure, Run  # noqa: E402


def output(adjoint):
    return Run(f"matmul 0.010 0.500 0.100\ngauss-jordan 0.020 0.400 0.200\nadjoint {adjoint} 0.300 0.400\n", 1.0)


class Samples(unittest.TestCase):
    def test_medians_decide(self):
        rows, broken = epsilon.summarise([epsilon.sample(output(each)) for each in (1.9, 1.5, 7.0)])
        self.assertEqual(rows["adjoint"]["published"], {"median": 1.9, "most": 7.0})
        self.assertEqual(broken, [])
        _, broken = epsilon.summarise([epsilon.sample(output(each)) for each in (1.9, 2.0, 7.0)])
        self.assertEqual(broken, ["adjoint, published"])

    def test_each_kernel_has_its_line(self):
        with self.assertRaises(Failure):
            epsilon.sample(Run("matmul 0.010 0.500 0.100\n", 1.0))

    def test_table(self):
        rows, _ = epsilon.summarise([epsilon.sample(output(1.5))])
        self.assertIn("| adjoint | 1.90 | 1.50 (1.50) | 0.30 (0.30) | 0.40 (0.40) |", epsilon.text_of(rows))


if __name__ == "__main__":
    unittest.main()
