# SPDX-License-Identifier: Apache-2.0
"""What the process-level tests share: where things are, and how a program is run under the drop-in."""
import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SHIM = Path(os.environ["STEELYARD_TEST_SHIM"])
PROGRAMS = Path(os.environ["STEELYARD_TEST_PROGRAMS"])
SOURCES = Path(__file__).parent / "programs"
# Of every version of Clang that is here; `clang` is the one that is installed with what the tests need.
CLANG_FOLDERS = ("clang", *(f"clang-{version}" for version in (14, 15, 16, 17, 18, 20, 21)))
SECONDS = 600  # only a command that hangs takes so long
STATUS = 7  # of app.c
KINDS = """\
dynamic 500500
guided 501501
runtime 502503
static 503506
monotonic 504510
ordered 7124
doacross 2852
region 1016064
orphan 509545
"""


def attempts(least=50, seconds=60):
    """For what a process shows that nothing disturbs: so many, and as many as there is time for where other work takes the cores."""
    end = time.monotonic() + seconds
    made = 0
    while made < least or time.monotonic() < end:
        made += 1
        yield made


def clean_environment():
    ours = ("OMP_", "GOMP_", "KMP_", "STEELYARD_", "LD_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "OMP_WAIT_POLICY": "passive"}


def run(command, environment=(), preload=(SHIM,), **options):
    """Runs a command; the variables reach it and its children."""
    variables = {**clean_environment(), **dict(environment)}
    if preload:
        variables["LD_PRELOAD"] = " ".join(map(str, preload))
    return subprocess.run([str(word) for word in command], env=variables, capture_output=True, text=True,
                          timeout=SECONDS, check=False, **options)


def app(compiler):
    return PROGRAMS / compiler / "app"


def compilers():
    """Those whose programs exist here."""
    return [name for name in ("gcc", "clang") if app(name).exists()]


def clang_folders(program):
    """Those in which there is such a program."""
    return [PROGRAMS / folder for folder in CLANG_FOLDERS if (PROGRAMS / folder / program).exists()]


def line_of(mark):
    """The line of app.c on which `site: MARK` stands."""
    lines = (SOURCES / "app.c").read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if f"site: {mark} " in line)


class Case(unittest.TestCase):
    """Has a folder for reports and files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="steelyard-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def reports(self):
        """Those left so far, which are then taken away."""
        found = []
        for path in sorted(self.folder.glob("report*")):
            found.append(json.loads(path.read_text()))
            path.unlink()
        return found

    def report_of(self, command, environment=(), status=STATUS):
        """The one report of a run that says nothing."""
        result = run(command, {**dict(environment), "STEELYARD_REPORT": self.folder / "report-%p"})
        self.assertEqual((result.returncode, result.stderr), (status, ""), result)
        found = self.reports()
        self.assertEqual(len(found), 1)
        return found[0]

    def site(self, report, **wanted):
        """The one loop with these properties."""
        found = [s for s in report["sites"] if all(s[key] == value for key, value in wanted.items())]
        self.assertEqual(len(found), 1, f"{wanted} in {report['sites']}")
        return found[0]


def main():
    unittest.main(verbosity=2)
