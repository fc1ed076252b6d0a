# SPDX-License-Identifier: Apache-2.0
"""What the tests of `steelyard cc` share: compilers with and without it."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = Path(os.environ["STEELYARD_TEST_TOOL"])
HERE = Path(__file__).resolve().parent
SECONDS = 600  # only a command that hangs takes so long
C_COMPILERS = [name for name in ("gcc", "clang-19") if shutil.which(name)]
CXX_COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]

LOOP = """#include <stdio.h>
int values[100];
int NAME(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) values[i] = i;
  return values[99];
}
"""


class Case(unittest.TestCase):
    """Has a folder, in which commands run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="steelyard-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log of the launcher"

    def environment(self, changes=()):
        ours = ("OMP_", "GOMP_", "KMP_", "STEELYARD_", "LD_", "DEPENDENCIES_OUTPUT")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return {**kept, "STEELYARD_CC_LOG": str(self.log), **{name: str(value) for name, value in dict(changes).items()}}

    def run_here(self, *command, cwd=None, **changes):
        return subprocess.run(list(map(str, command)), env=self.environment(changes), capture_output=True, text=True, timeout=SECONDS,
                              check=False, cwd=cwd or self.folder)

    def launched(self, *command, cwd=None, **changes):
        return self.run_here(TOOL, "cc", *command, cwd=cwd, **changes)

    def succeeds(self, result):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def remarks(self):
        """What the log says; it begins anew."""
        text = self.log.read_text() if self.log.exists() else ""
        self.log.unlink(missing_ok=True)
        return text

    def write(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        return self.folder / name

    def has_loops(self, *names):
        """All of them were rewritten."""
        self.assertEqual(self.remarks(), "")
        for name in names:
            done = self.run_here(TOOL, "cc", "--json", "--report", name)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn('"reach":"any"', done.stdout)

    def reported(self, name):
        """The loops of an object, as the report has them."""
        return [json.loads(line) for line in self.run_here(TOOL, "cc", "--json", "--report", name).stdout.splitlines()]

    def same(self, *command, **more):
        """Plain and launched: status, output and messages."""
        runs = [self.run_here(*launcher, *command, **more) for launcher in ([], [TOOL, "cc"])]
        said = [(run.returncode, run.stdout, run.stderr) for run in runs]
        self.assertEqual(said[0], said[1], command)
        return runs[0]

    def names(self):
        return sorted(path.name for path in self.folder.rglob("*") if path != self.log)


def main():
    unittest.main(verbosity=2)
