#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What becomes of the output and the exit status of a program."""
import contextlib
import io
import subprocess
import unittest
from types import SimpleNamespace
from unittest import mock

import running


def judged(stdout, status, stderr=""):
    outcome = running.Outcome(None, "conformance", "loops")
    settled = running.absorb(outcome, subprocess.CompletedProcess([], status, stdout, stderr))
    return outcome, settled


class Absorb(unittest.TestCase):
    def test_all_passed(self):
        outcome, settled = judged("ok a\nok b\n2 passed, 0 failed\n", 0)
        self.assertEqual((outcome.passed, outcome.failures, settled), (2, [], {"a", "b"}))

    def test_a_failure_is_counted_once(self):
        outcome, settled = judged("ok a\nFAIL b: iteration 3 ran 2 times\n1 passed, 1 failed\n", 1)
        self.assertEqual((outcome.passed, settled), (1, {"a", "b"}))
        self.assertEqual(outcome.failures, ["b: iteration 3 ran 2 times"])

    def test_a_program_that_dies_behind_its_last_line_has_failed(self):
        for status in (-11, -6, 1, 127):
            outcome, settled = judged("ok a\n1 passed, 0 failed\n", status, "free(): invalid pointer")
            self.assertEqual((outcome.passed, settled), (1, {"a"}))
            self.assertEqual(
                outcome.failures, [f"loops: 1 passed, 0 failed, but status {status}: free(): invalid pointer"])

    def test_a_harness_that_catches_a_signal_at_exit_has_said_so(self):
        outcome, _ = judged("ok a\n1 passed, 0 failed\nFAIL a: fatal signal 11\n1 passed, 1 failed\n", 1)
        self.assertEqual(outcome.failures, ["a: fatal signal 11"])

    def test_a_status_that_hides_failures_is_one(self):
        outcome, _ = judged("FAIL a: hang\n0 passed, 1 failed\n", 0)
        self.assertEqual(outcome.failures, ["a: hang", "loops: 0 passed, 1 failed, but status 0: "])

    def test_a_program_without_a_last_line_has_failed(self):
        outcome, settled = judged("ok a\n", -9, "Killed")
        self.assertEqual((outcome.failures, settled), (["loops: no last line, status -9: Killed"], {"a"}))

    def test_a_timeout_settles_nothing(self):
        outcome = running.Outcome(None, "conformance", "loops")
        self.assertEqual(running.absorb(outcome, None), set())
        self.assertEqual(len(outcome.failures), 1)


class LookAgain(unittest.TestCase):
    def judged_again(self, alone):
        outcome = running.Outcome(SimpleNamespace(toolchain="clang", threads=4), "conformance", "loops", failures=["a: hang", "loops: no"])
        with mock.patch.object(running, "run_alone", return_value=alone), contextlib.redirect_stdout(io.StringIO()) as said:
            running.look_again(outcome, ["a", "b"])
        return outcome, said.getvalue()

    def test_a_case_that_passes_alone_is_said_and_known(self):
        outcome, said = self.judged_again("ok a")
        self.assertEqual((outcome.failures, outcome.known), (["loops: no"], 1))
        self.assertIn("a: hang", said)

    def test_a_case_that_fails_again_has_failed(self):
        for alone in ("FAIL a: hang", "hangs", "status -6"):
            outcome, said = self.judged_again(alone)
            self.assertEqual((outcome.failures, outcome.known, said), (["a: hang", "loops: no"], 0, ""))


if __name__ == "__main__":
    unittest.main()
