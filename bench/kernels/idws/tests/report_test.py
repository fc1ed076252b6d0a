#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `bench/run idws` makes of samples: regrets, bounds, tables and the plot."""
import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from lib import bars, idws, kernels, meshes, oversubscribed, stats  # noqa: E402
from lib.runs import Failure, Run  # noqa: E402

TIMES = {"OMP static": 2.0, "OMP dynamic": 1.5, "oneTBB": 1.2, "default": 1.01, "steal": 1.01, "idws": 1.02,
         "wsri": 1.3}


def row(kernel, rounds=20):
    samples = {label: [seconds * (1 + 0.001 * k) for k in range(rounds)] for label, seconds in TIMES.items()}
    limits = [1 + 0.001 * k for k in range(rounds)]
    regrets = {label: idws.regret_of(samples, label) for label in samples}
    return {"kernel": kernel, "samples": samples, "serial": limits, "limits": limits, "divisible": limits,
            "at_once": limits, "at_once_limit": stats.paired_ratio(limits, limits),
            "times_limit": {label: stats.paired_ratio(of, limits) for label, of in samples.items()},
            "best_other": {label: best for label, (best, _) in regrets.items()},
            "regret": {label: regret for label, (_, regret) in regrets.items()}}


class Report(unittest.TestCase):
    def test_each_strategy_is_compared_with_the_best_other(self):
        best, regret = idws.regret_of(row("regular")["samples"], "wsri")
        self.assertIn(best, ("default", "steal"))
        self.assertAlmostEqual(regret.value, 1.3 / 1.01)

    def test_bounds_of_a_synthetic_loop(self):
        verdicts = {(label, of): verdict for _, label, of, _, _, verdict in idws.bounds_of(row("regular"))}
        self.assertEqual(len(verdicts), 8)
        self.assertEqual(verdicts["default", "limit"], "pass")
        self.assertEqual(verdicts["wsri", "limit"], "fail")

    def test_the_fine_loop_is_held_against_static(self):
        self.assertEqual([bound[1:3] for bound in idws.bounds_of(row("regular5ns"))], [("default", "OMP static")])

    def test_mesh_kernels_have_no_bounds(self):
        self.assertEqual(list(idws.bounds_of(row("swap"))), [])

    def test_text_names_every_kernel_and_strategy(self):
        rows = [row(name) for name in kernels.TITLES]
        bounds = [bound for one in rows for bound in idws.bounds_of(one)]
        text = idws.text_of(rows, bounds, [1, 20, 40, 100], meshes.Mesh([], "a mesh"))
        for word in (*kernels.TITLES.values(), *TIMES, "0.05, 1.00, 2.00, 5.00"):
            self.assertIn(word, text)

    def test_the_plot_is_well_formed(self):
        picture = xml.etree.ElementTree.fromstring(bars.picture([row(name) for name in kernels.TITLES]))
        titles = [found.text for found in picture.iter() if found.get("class") == "title"]
        self.assertEqual(titles, list(kernels.TITLES.values()))

    def test_more_threads_than_cores(self):
        ratio = stats.paired_ratio([1.2] * 10, [1.0] * 10)
        one = {"kernel": "swap", "ratios": {label: {4: ratio, 8: ratio} for label in kernels.BOUNDED}}
        bounds = list(oversubscribed.bounds_of(one))
        self.assertEqual({bound[-1] for bound in bounds}, {"pass"})
        self.assertIn("Swap, 8", oversubscribed.text_of([one], bounds, SimpleNamespace(threads=2)))

    def test_what_programs_print(self):
        run = Run("kernel: median 0.25 s, best 0.2 s of 3 runs\nlimit: median 0.125 s on 2 members, 0.12 s of it\n"
                  "checksum: 0123456789abcdef\n", 1)
        self.assertEqual(kernels.number(kernels.SECONDS, run), 0.25)
        self.assertEqual(kernels.number(kernels.LIMIT, run, 2), 0.12)
        self.assertEqual(kernels.checksum_of(run), "0123456789abcdef")

    def test_unknown_kernel(self):
        with self.assertRaisesRegex(Failure, "--kernels flat: no such kernel; there are regular, "):
            list(kernels.chosen(["flat"], 10, 2, meshes.Mesh([], "")))


if __name__ == "__main__":
    unittest.main()
