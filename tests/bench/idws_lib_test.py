#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run idws makes of its programs, with programs that only print."""
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import idws, idws_ways, kernels, stats  # noqa: E402
from lib.runs import Failure, execute  # noqa: E402

SUM = "checksum: 0123456789abcdef"
KERNEL = kernels.Kernel("regular", "synthetic", [])
# seconds under each schedule; the default has none
SECONDS = {"": 0.51, "steal": 0.51, "idws": 0.52, "wsri": 0.51, "random": 0.9}


def printing(lines):
    return "#!/bin/sh\n" + "\n".join(f"echo '{line}'" for line in lines) + "\n"


class Programs(unittest.TestCase):
    serial = ["kernel: median 1.0 s, best 1.0 s of 1 runs", "limit: median 0.5 s on 2 members, 0.5 s divisible", SUM]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("synthetic-serial", printing(self.serial))
        cases = "".join(f"'{name}') s={seconds};; " for name, seconds in SECONDS.items())
        self.write("synthetic-steelyard", f"""#!/bin/sh
[ "$1" = --schedules ] && {{ echo steal idws wsri random; exit; }}
name=
while [ $# -gt 0 ]; do [ "$1" = --schedule ] && name=$2; shift; done
case $name in {cases}*) s=0.6;; esac
echo "kernel: median $s s, best $s s of 1 runs"; echo '{SUM}'
""")
        self.write("synthetic-openmp", printing(["kernel: median 0.55 s, best 0.5 s of 1 runs", SUM]))
        self.programs = kernels.Programs(SimpleNamespace(kernels=lambda _: self.folder, libraries=dict), "false", 1)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def test_a_threads_part_of_serial_programs_at_once(self):
        sample = self.programs.sampler(KERNEL, 4)
        self.assertEqual(sample(execute(self.programs.at_once(KERNEL, 4))).seconds, 0.25)

    def test_one_that_fails_at_once_is_seen(self):
        sample = self.programs.sampler(KERNEL, 2)
        self.write("synthetic-serial", f"""#!/bin/sh
mkdir '{self.folder}/first' 2>/dev/null || exit 1
echo 'kernel: median 1.0 s, best'; echo '{SUM}'
""")
        with self.assertRaisesRegex(Failure, "1 of 2 serial programs"):
            sample(execute(self.programs.at_once(KERNEL, 2)))

    def test_another_result_is_refused(self):
        sample = self.programs.sampler(KERNEL, 2)
        self.write("synthetic-openmp", printing(["kernel: median 0.5 s", "checksum: fedcba9876543210"]))
        with self.assertRaisesRegex(Failure, "differs from the serial one"):
            sample(execute(self.programs.variant(KERNEL, "OMP static", "openmp", "static", 2)))

    def measured(self, most_rounds):
        return idws.measure(self.programs, KERNEL, SimpleNamespace(threads=2, rounds=20, most_rounds=most_rounds))

    def test_a_row(self):
        row = self.measured(40)
        self.assertEqual({len(of) for of in row["samples"].values()}, {20}, "all is decided")
        self.assertAlmostEqual(row["times_limit"]["idws"].value, 1.04)
        self.assertAlmostEqual(row["at_once_limit"].value, 1.0)
        verdicts = {(label, of): verdict for _, label, of, *_, verdict in idws.bounds_of(row)}
        self.assertEqual(verdicts["idws", "limit"], "pass", "within the bound and two points")
        self.assertEqual(set(verdicts.values()), {"pass"})

    def test_a_machine_that_does_not_reach_the_limit_fails_nobody(self):
        far, near = stats.Estimate(1.2, 1.1, 1.3, 20), stats.Estimate(1.0, 0.99, 1.01, 20)
        self.assertEqual(idws.of_limit_verdict(far, near), "fail")
        self.assertEqual(idws.of_limit_verdict(far, far), "undecided")
        self.assertEqual(idws.of_limit_verdict(near, far), "pass")

    def test_an_open_row_goes_on_without_those_far_behind(self):
        self.write("synthetic-steelyard", (self.folder / "synthetic-steelyard").read_text(encoding="utf-8").replace(
            "'idws') s=0.52", "'idws') if mkdir turn 2>/dev/null; then s=0.5; else rmdir turn; s=0.6; fi").replace(
            "#!/bin/sh\n", f"#!/bin/sh\ncd '{self.folder}'\n", 1))
        samples = self.measured(40)["samples"]
        self.assertEqual([len(samples[name]) for name in ("idws", "steal", "random")], [40, 40, 20])


class Deliveries(unittest.TestCase):
    def test_each_is_compared_with_hybrid_in_whatever_order_they_are_named(self):
        def variant(_kernel, label, *_):
            return SimpleNamespace(environment={}, _replace=lambda environment: label)

        programs = SimpleNamespace(variant=variant)
        taken = {"signal": [2.0] * 10, "poll": [1.5] * 10, "hybrid": [1.0] * 10}
        options = SimpleNamespace(threads=2)
        before = idws_ways.rounds_of
        self.addCleanup(setattr, idws_ways, "rounds_of", before)
        idws_ways.rounds_of = lambda _programs, _kernel, variants, _options: {name: taken[name] for name in variants}
        row = idws_ways.delivery_row(programs, KERNEL, ["signal", "poll", "hybrid"], options)
        self.assertEqual({name: ratio.value for name, ratio in row["of_hybrid"].items()}, {"signal": 2.0, "poll": 1.5})


if __name__ == "__main__":
    unittest.main()
