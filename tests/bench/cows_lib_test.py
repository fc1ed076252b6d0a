#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run cows makes of samples, without measuring."""
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import cows, cows_replay, cows_text, dots, stats  # noqa: E402
from lib.runs import Failure, Run  # noqa: E402

OUTPUT = "rounds 3, loops 7, result 00ff\nkernel: median 0.5 s, best 0.4 s of 3 runs\n"


def row(kernel, graph, kind, seconds):
    samples = {label: [value] * 20 for label, value in seconds.items()}
    least = min(seconds.values())
    return {"kernel": kernel, "graph": graph, "kind": kind, "facts": "9 vertices", "loops": 7, "limit_seconds": 1.0,
            "medians": seconds, "gains": {label: stats.paired_ratio(samples["static,1"], of)
                                          for label, of in samples.items()},
            "times_limit": seconds, "regret": {label: of / least for label, of in seconds.items()},
            "counters": {label: {} for label in seconds}, **cows.judge(samples)}


class Judging(unittest.TestCase):
    def test_the_proposed_are_held_against_the_best_of_the_others(self):
        found = cows.judge({"static,1": [2.0] * 20, "steal": [1.5] * 20, "wsri": [1.2] * 20, "wsrw": [1.0] * 20})
        self.assertEqual((found["proposed"], found["best_other"]), ("wsrw", "steal"))
        self.assertAlmostEqual(found["to_best"].value, 2 / 3)
        self.assertEqual(found["verdict"], "pass")

    def test_chosen_on_odd_rounds_and_compared_on_even_ones(self):
        lucky = [1.0, 3.0] * 10
        found = cows.judge({"static,1": lucky, "guided": [2.0] * 20, "wsri": [2.0] * 20})
        self.assertEqual(found["best_other"], "static,1")
        self.assertAlmostEqual(found["to_best"].value, 2 / 3)

    def test_what_is_undecided_goes_on_with_those_that_may_be_the_best(self):
        shaky = [1.0, 1.0, 1.2, 1.2] * 5
        self.assertEqual(cows.contenders({"static,1": [2.0] * 20, "guided": [1.0] * 20, "wsri": shaky}), ["guided", "wsri"])
        self.assertEqual(cows.contenders({"static,1": [2.0] * 20, "guided": [1.1] * 20, "wsri": [1.0] * 20}), [])

    def test_one_row_in_ten_may_fail_if_not_by_much(self):
        def judged(ratio):
            return cows.judge({"static,1": [1.0] * 20, "wsri": [ratio] * 20})
        good, bad, awful = judged(1.0), judged(1.11), judged(1.2)
        self.assertFalse(cows.has_failed([good] * 9 + [bad]))
        self.assertTrue(cows.has_failed([good] * 8 + [bad] * 2))
        self.assertTrue(cows.has_failed([good] * 19 + [awful]))
        self.assertFalse(cows.has_failed([{}] * 3))

    def test_neither_papers_forms_nor_the_drop_in_are_peers(self):
        found = cows.judge({"static,1": [2.0] * 20, "wsri:paper": [0.5] * 20, "OMP_SCHEDULE=steal": [0.5] * 20,
                            "wsrw": [1.0] * 20})
        self.assertEqual((found["proposed"], found["best_other"]), ("wsrw", "static,1"))

    def test_nothing_is_judged_without_what_the_paper_proposes(self):
        self.assertEqual(cows.judge({"static,1": [1.0] * 20, "steal": [1.0] * 20}), {})


class Samples(unittest.TestCase):
    def test_a_result_other_than_the_serial_one_is_refused(self):
        with self.assertRaises(Failure):
            cows.sampler("00fe", {}, "bfs")(Run(OUTPUT, 1.0, "wsri"))

    def test_the_time_is_that_of_the_kernel_and_counters_are_kept(self):
        counters = {"wsri": {}}
        seconds = cows.sampler("00ff", counters, "bfs")(Run(OUTPUT + "counter steals: 12\n", 1.0, "wsri"))
        self.assertEqual(seconds, 0.5)
        self.assertEqual(counters, {"wsri": {"steals": [12.0]}})


class Replay(unittest.TestCase):
    @staticmethod
    def row(kernel, times, steals):
        return {"kernel": kernel, "free": {name: {"makespan_us": time, "limit_us": 10.0, "steals": steals[name]}
                                           for name, time in times.items()}}

    def test_the_gain_is_held_against_what_there_is_to_gain(self):
        times = {"cyclic": 15.0, "wsr": 12.0, "wsri": 11.0, "wsrw": 10.1}
        steals = {"cyclic": 0, "wsr": 30, "wsri": 20, "wsrw": 10}
        guarded = self.row("bfs", {**times, "wsrw": 15.0}, steals)
        found = cows_replay.judge([self.row("pr", times, steals), guarded])
        self.assertAlmostEqual(found["distance"], 1.5)
        self.assertAlmostEqual(found["gain"], 15 / 10.1)
        self.assertAlmostEqual(found["worst"], 0.01)
        self.assertTrue(found["gains_all"] and found["steals_less"])
        late = cows_replay.judge([self.row("pr", {**times, "wsrw": 10.3}, {**steals, "wsri": 31})])
        self.assertFalse(late["gains_all"] or late["steals_less"])

    def test_what_a_compiled_program_tells_is_judged_where_it_was_replayed(self):
        times = {"cyclic": 15.0, "wsr": 12.0, "wsri": 11.0, "wsrw": 10.1, cows_replay.TOLD: 12.0}
        found = cows_replay.judge([self.row("pr", times, {**dict.fromkeys(times, 30), "wsri": 20, cows_replay.TOLD: 10})])
        self.assertEqual(found["knowing"], cows_replay.TOLD)
        self.assertAlmostEqual(found["gain"], 1.25)
        self.assertFalse(found["gains_all"])
        self.assertTrue(found["steals_less"])

    def test_members_are_numbers(self):
        self.assertEqual(cows.counts("2,8"), [2, 8])
        for wrong in ("", "2,", "0", "two"):
            with self.assertRaises(Failure):
                cows.counts(wrong)

    def test_nothing_is_claimed_of_what_was_not_run(self):
        self.assertEqual(cows_replay.judge([self.row("pr", {"cyclic": 1.0}, {"cyclic": 0})]), {})


class Text(unittest.TestCase):
    rows = [row("bfs", "youtube/8", "power law", {"static,1": 2.0, "guided": 4.0, "wsri": 1.0}),
            row("bfs", "orkut/8", "power law", {"static,1": 2.0, "guided": 1.0, "wsri": 4.0})]

    def test_gains_are_those_over_cyclic_and_means_are_geometric(self):
        self.assertIn("| bfs | youtube/8 | 2e+03 | 0.50 [0.50, 0.50] | 2.00 [2.00, 2.00] |", cows_text.gains(self.rows))
        self.assertIn("| power law | bfs | 2 | 1.00 | 1.00 |", cows_text.means(self.rows))

    def test_the_verdict_names_share_and_worst_row(self):
        line = cows_text.verdict_line(self.rows)
        self.assertIn("within 3 % of it in 50 % of 2 rows", line)
        self.assertIn("worst row: bfs on orkut/8, 4.00 [4.00, 4.00] of `guided`", line)

    def test_counters_are_left_out_while_there_are_none(self):
        self.assertEqual(cows_text.counters(self.rows), "")

    def test_the_plot_is_xml_with_a_dot_for_each_time(self):
        drawing = dots.svg("a & b", [("bfs <x>", {"static,1": 2.0, "wsri": 1.0}), ("pr", {"static,1": 9.0, "wsri": 1.0})])
        circles = xml.fromstring(drawing).findall(".//{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(circles), 2 + 4)


if __name__ == "__main__":
    unittest.main()
