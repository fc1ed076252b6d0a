#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run dataflow makes of samples, without measuring."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import dataflow, stats  # noqa: E402
from lib.runs import Failure, Run  # noqa: E402

OUTPUT = """stolen 1000: 1000 tasks, result 00000000000003e8
kernel: median 0.000200000 s, best 0.000100000 s of 2 runs
counter by the forker: 0
counter stolen: 8
counter bytes: 48000
"""


def priced(prices, alone=0.0, most=30):
    return {"kernel": "chain", "unit": "ns", "most": most, "prices": {"steelyard": prices},
            "rows": {"steelyard": {"price": stats.bootstrap_median(prices), "alone": alone}}}


class Samples(unittest.TestCase):
    def test_counters_are_those_of_one_run(self):
        found = dataflow.sample(Run(OUTPUT, 1.0), repeat=2)
        self.assertEqual(found["counters"], {"by the forker": 0, "stolen": 4, "bytes": 24000})
        self.assertEqual((found["seconds"], found["tasks"]), (0.0002, 1000))

    def test_a_result_other_than_the_serial_one_is_refused(self):
        with self.assertRaises(Failure):
            dataflow.sample(Run(OUTPUT, 1.0), expected="00000000000003e7")

    def test_a_task_costs_its_share_of_the_time_or_of_the_memory(self):
        run = dataflow.sample(Run(OUTPUT, 1.0))
        self.assertAlmostEqual(dataflow.price([run], "ns")[0], 200)
        self.assertAlmostEqual(dataflow.price([run], "bytes")[0], 48)


class Judging(unittest.TestCase):
    def test_prices_are_held_against_their_bound(self):
        self.assertEqual(dataflow.judge_price(priced([20.0] * 20)), "pass")
        self.assertEqual(dataflow.judge_price(priced([40.0] * 20)), "fail")
        self.assertEqual(dataflow.judge_price(priced([20.0] * 5)), "too few rounds")

    def test_tasks_that_nobody_took_are_no_stolen_ones(self):
        self.assertEqual(dataflow.judge_price(priced([20.0] * 20, alone=0.5)), "fail")

    def test_the_best_is_chosen_on_odd_rounds_and_compared_on_even_ones(self):
        found = dataflow.to_best({"serial 1": [0.1] * 20, "steelyard 1": [0.1] * 20, "tbb 1": [0.1] * 20,
                                  "steelyard 2": [2.0] * 20, "openmp 2": [1.0, 4.0] * 10, "tbb 2": [2.0] * 20}, 2)
        self.assertEqual(found["peer"], "openmp")
        self.assertAlmostEqual(found["ratio"].value, 0.5)

    def test_fib_is_measured_only_where_tasks_of_tasks_are_ordered(self):
        self.assertEqual(dataflow.runtimes_of("fib"), ["steelyard", "openmp", "libomp"])
        self.assertIn("tbb", dataflow.runtimes_of("lu"))

    def test_small_speed_ups_get_more_digits(self):
        self.assertEqual(dataflow.speedup_text(stats.Estimate(0.0062, 0.0061, 0.0063, 20)), "0.0062 [0.0061, 0.0063]")
        self.assertEqual(dataflow.speedup_text(stats.Estimate(1.9, 1.8, 1.95, 20)), "1.90 [1.80, 1.95]")

    def test_nothing_is_compared_without_others(self):
        self.assertIsNone(dataflow.to_best({"serial 1": [1.0] * 20, "steelyard 2": [1.0] * 20}, 2))


if __name__ == "__main__":
    unittest.main()
