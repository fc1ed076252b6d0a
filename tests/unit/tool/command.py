# SPDX-License-Identifier: Apache-2.0
"""What the tests of the whole command share: programs to start, and how the command is run on them."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = Path(os.environ["STEELYARD_TEST_TOOL"])
SHIM = Path(os.environ["STEELYARD_TEST_SHIM"])
SECONDS = 600  # only a command that hangs takes so long
LOOP = r"""
#include <stdio.h>
int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  printf("%ld\n", sum);
  return 0;
}
"""


class Case(unittest.TestCase):
    """Has a folder for programs and what they leave."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="steelyard-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compiled(self, name, *options, compiler="gcc", source=LOOP):
        """A program; None when it cannot be built here."""
        (self.folder / f"{name}.c").write_text(source)
        command = [compiler, "-g", self.folder / f"{name}.c", "-o", self.folder / name, *options]
        try:
            built = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return None
        return self.folder / name if built.returncode == 0 else None

    def script(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)
        return self.folder / name

    def environment(self, changes=()):
        ours = ("OMP_", "GOMP_", "KMP_", "STEELYARD_", "LD_", "ASAN_", "TSAN_", "LSAN_", "MSAN_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return {**kept, "OMP_NUM_THREADS": "2", "STEELYARD_LIBRARY": str(SHIM), "XDG_CACHE_HOME": str(self.folder / "cache"),
                **dict(changes)}

    def run_plain(self, *command, **changes):
        return subprocess.run(list(map(str, command)), env=self.environment(changes), capture_output=True, text=True,
                              timeout=SECONDS, check=False, cwd=self.folder)

    def steelyard(self, *words, **changes):
        return self.run_plain(TOOL, *words, **changes)

    def refused(self, status, message, *words, **changes):
        """Ends with the status and this line."""
        result = self.steelyard(*words, **changes)
        self.assertEqual((result.returncode, result.stderr), (status, f"steelyard: {message}\n"), result)


def main():
    unittest.main(verbosity=2)
