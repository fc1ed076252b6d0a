#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests bench/run launcher on a suite that is made up, with a launcher that only notes that it was there."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import launcher, suites  # noqa: E402
from lib.runs import Failure  # noqa: E402
from lib.stats import Estimate  # noqa: E402

MAKEFILE = "p: p.c\n\tcc -o p p.c\nclean:\n\trm -f p\n"
PROGRAM = '#include <stdio.h>\nint main(void) { puts("PASS"); return 0; }\n'
LAUNCHER = '#!/bin/sh\necho "$2" >> "$0.log"\nshift\nexec "$@"\n'


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.source = self.top / "source"
        self.source.mkdir()
        (self.source / "Makefile").write_text(MAKEFILE)
        (self.source / "p.c").write_text(PROGRAM)
        self.steelyard = self.top / "steelyard"
        self.steelyard.write_text(LAUNCHER)
        self.steelyard.chmod(0o755)
        self.suite = suites.Suite("", "", None)
        self.program = suites.Program("p", ("p",), ("./p",), ("./p",), suites.passes_gap)

    def tree(self, steelyard=None):
        return suites.Tree(self.suite, self.source, self.top / ("launched" if steelyard else "plain"), "gcc", steelyard)

    def test_a_copy_is_built_and_kept(self):
        tree = self.tree()
        self.assertGreater(tree.build(self.program), 0)
        (kept,) = tree.keep(self.program, self.top / "kept")
        self.assertEqual(subprocess.run([kept], capture_output=True, text=True, check=True).stdout, "PASS\n")
        self.assertTrue(launcher.passed(self.program, kept, "steal", {}))
        self.assertFalse((self.source / "p").exists())

    def test_the_launcher_stands_before_the_compiler(self):
        tree = self.tree(self.steelyard)
        for _ in range(2):
            tree.build(self.program)
        self.assertEqual(len(Path(f"{self.steelyard}.log").read_text().split()), 2, "each time from the sources alone")

    def test_what_cannot_be_built_says_why(self):
        (self.source / "p.c").write_text("int main(void) { return x; }\n")
        with self.assertRaisesRegex(Failure, "^make p in .*Error 1"):
            self.tree().build(self.program)
        self.assertFalse(launcher.can_be_built(self.tree(), self.program))

    def test_programs_that_are_only_built_are_all_that_there_are(self):
        (self.source / "Makefile").write_text("all:\n\tmkdir -p a\n\tcc -o a/p p.c\n\tcp p.c a/text\n\tchmod +x a/text\nclean:\n\trm -rf a\n")
        tree = self.tree()
        only = suites.Program(".", ("all",))
        tree.build(only)
        self.assertEqual([path.name for path in tree.keep(only, self.top / "kept")], ["0-p"])

    def test_a_loop_of_several_programs_counts_once(self):
        any_loop = {"file": "x/../a.h", "line": 3, "reach": "any", "combined": True}
        rows = [{"loops": [any_loop, {"file": "b.c", "line": 1, "reach": "left", "combined": True}]},
                {"loops": [{**any_loop, "file": "a.h"}, {"file": "b.c", "line": 9, "reach": "shares", "combined": False}]}]
        self.assertEqual(launcher.reach_of({"suite": "s", "compiler": "gcc", "programs": rows}), ["s", "gcc", 3, 1, 1, 1, "1 of 2"])

    def test_bounds(self):
        row = {"slower": SimpleNamespace(value=1.2), "instructions": {"plain": 1000, "launched": 1004}, "checks": {"steal": True},
               "longer": Estimate(1.0, 0.99, 1.01, 10)}
        self.assertTrue(launcher.is_well(row))
        for change in ({"slower": SimpleNamespace(value=1.31)}, {"instructions": {"plain": 1000, "launched": 1006}}, {"checks": {"steal": False}},
                       {"longer": Estimate(1.04, 1.03, 1.05, 10)}):
            self.assertFalse(launcher.is_well({**row, **change}))

    def test_suites_are_named_with_their_folders(self):
        for wrong in ("gapbs", "other=/tmp", "gapbs=/no/such/folder"):
            with self.assertRaises(Failure):
                list(launcher.asked(SimpleNamespace(suites=[wrong])))
        self.assertEqual(list(launcher.asked(SimpleNamespace(suites=[f"npb={self.top}"]))), [("npb", self.top)])


if __name__ == "__main__":
    unittest.main()
