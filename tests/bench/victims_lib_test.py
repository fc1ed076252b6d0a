#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run victims makes of samples, without measuring."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import victims  # noqa: E402
from lib.runs import Failure, Run  # noqa: E402

TASKS = """fib 35: 9227465
kernel: median 0.020000000 s, best 0.010000000 s of 3 runs
peak memory: 4000 KiB
counter steals: 6
counter requests: 30
counter most requests: 12
"""
DATAFLOW = """cholesky 2048: 816 tasks, result 00000000000003e8
kernel: median 0.200000000 s, best 0.100000000 s of 3 runs
counter stolen: 9
counter analysed: 816
counter requests: 12
counter most requests: 9
"""


def taken(near, random, result="fib 35: 9227465"):
    def runs(times, result):
        return [{"result": result, "seconds": each, "steals": 1, "requests": 4, "most": 2} for each in times]
    return {"near": runs(near, "fib 35: 9227465"), "random": runs(random, result)}


class Samples(unittest.TestCase):
    def test_counters_are_those_of_one_run_of_either_suite(self):
        self.assertEqual(victims.sample(Run(TASKS, 1.0)), {"result": "fib 35: 9227465", "seconds": 0.02, "steals": 2,
                                                           "requests": 10, "most": 4})
        found = victims.sample(Run(DATAFLOW, 1.0))
        self.assertEqual((found["steals"], found["requests"], found["most"]), (3, 4, 3))

    def test_both_run_the_same_program_in_another_environment(self):
        near, random = victims.variants({"tasks": Path("there")}, "fib", 4)
        self.assertEqual(near.command, random.command)
        self.assertEqual((near.environment, random.environment),
                         ({"STEELYARD_VICTIMS": "near"}, {"STEELYARD_VICTIMS": "random"}))


class Comparing(unittest.TestCase):
    def test_random_is_compared_with_near_in_the_same_round(self):
        found = victims.compare("fib", taken([1.0, 2.0] * 10, [1.1, 2.2] * 10))
        self.assertAlmostEqual(found["random/near"].value, 1.1)
        self.assertAlmostEqual(found["random/near"].low, 1.1)
        self.assertIn("1.10 [1.10, 1.10]", victims.text_of([found]))

    def test_other_results_are_refused(self):
        with self.assertRaises(Failure):
            victims.compare("fib", taken([1.0] * 2, [1.0] * 2, "fib 35: 9227466"))


if __name__ == "__main__":
    unittest.main()
