# SPDX-License-Identifier: Apache-2.0
"""Runs programs in one setting (toolchain, schedule, team size) and judges the output."""
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import building

HERE = Path(__file__).resolve().parent
PROGRAM_SECONDS = 600
CASE_SECONDS = "60"
RESTARTS = 2  # of a program that died, without the cases already run
SPLITTING = {"static", "cyclic", "dynamic"}  # schedules that surely split the chunks of these cases, if they may
SPLIT_CASES = ("owner_64", "owner_1024")
MAY_TAKE_NOTHING = {"cancel"}  # cancellable loops may all be passed through


@dataclass
class Setting:
    options: object
    toolchain: str
    schedule: str
    threads: int

    @property
    def compiler(self):
        return building.compiler_of(self.toolchain)

    @property
    def folder(self):
        return self.options.build / self.compiler

    def environment(self, reports=None):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(("OMP_", "GOMP_", "KMP_", "STEELYARD_", "LD_PRELOAD"))}
        environment.update(OMP_NUM_THREADS=str(self.threads), OMP_WAIT_POLICY="passive",
                           CONFORMANCE_SECONDS=CASE_SECONDS)
        if self.toolchain == "iomp":
            environment["LD_LIBRARY_PATH"] = str(self.options.build / "iomp")
        if self.schedule:
            environment.update(LD_PRELOAD=str(self.options.shim.resolve()),
                               STEELYARD_SCHEDULE=self.schedule, STEELYARD_REPORT=f"{reports}/%p.json")
        return environment


@dataclass
class Outcome:
    setting: Setting
    group: str
    program: str
    passed: int = 0
    known: int = 0
    failures: list = field(default_factory=list)

    @property
    def toolchain(self):
        return self.setting.toolchain

    @property
    def schedule(self):
        return self.setting.schedule

    def line(self):
        return (f"{self.toolchain} {self.schedule or 'native'} x{self.setting.threads} {self.program}: "
                f"{self.passed} passed, {len(self.failures)} failed, {self.known} known")


def launch(setting, command, seconds=PROGRAM_SECONDS, extra=None):
    """The finished process, or None after a timeout, and the reports that it left."""
    reports = tempfile.mkdtemp(prefix="steelyard-conformance-")
    environment = dict(setting.environment(reports), **(extra or {}))
    try:
        result = subprocess.run(command, env=environment, capture_output=True, text=True,
                                timeout=seconds, errors="replace", stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        result = None
    found = [read_report(path) for path in sorted(Path(reports).iterdir())]
    shutil.rmtree(reports, ignore_errors=True)
    return result, found


def read_report(path):
    try:
        report = json.loads(path.read_text())
        return report if report.get("steelyard_report") == 1 else {"broken": "not a report"}
    except (ValueError, AttributeError) as problem:
        return {"broken": str(problem)}


def count_taken(reports):
    return sum(s.get("decision") == "taken" for r in reports for s in r.get("sites", []))


def programs(setting):
    wanted = setting.options.programs
    names = [n for n in building.PROGRAMS if wanted is None or n in wanted]
    return [n for n in names if (setting.folder / n).exists()]


@lru_cache(maxsize=None)
def listed(program):
    result = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=60, check=True)
    return tuple(result.stdout.split())


def case_names(setting, program):
    return listed(str(setting.folder / program))


def conformance_jobs(setting, table):
    return [partial(run_program, setting, program, table) for program in programs(setting)]


def run_program(setting, program, table):
    """All cases but the excused; after a crash, the rest in a fresh process."""
    outcome = Outcome(setting, "conformance", program)
    cases = case_names(setting, program)
    excused = table.excused(setting.toolchain, cases, setting.schedule)
    outcome.known = len(excused)
    left = [c for c in cases if c not in excused]
    taken = 0
    for _ in range(1 + RESTARTS):
        skip = ",".join(c for c in cases if c not in left)
        arguments = ["--skip", skip] if skip else []
        result, reports = launch(setting, [str(setting.folder / program), *arguments])
        taken += count_taken(reports)
        outcome.failures += [f"{program}: report: {r['broken']}" for r in reports if "broken" in r]
        settled = absorb(outcome, result)
        left = [c for c in left if c not in settled]
        if not left:
            break
    outcome.failures += [f"{c}: did not run" for c in left]
    if setting.schedule is None:
        look_again(outcome, cases)
    if setting.schedule and taken == 0 and program not in MAY_TAKE_NOTHING:
        outcome.failures.append(f"{program}: no loop was taken")
    return outcome


def look_again(outcome, cases):
    """A runtime that aborts or hangs now and then by itself is not what is tested here: a native case that fails and then passes
    alone is said, and counts as known."""
    kept = []
    for failure in outcome.failures:
        case = re.match(r"[^ :]*", failure)[0]
        if case in cases and run_alone(outcome.setting, outcome.program, case, 20).startswith("ok "):
            print(f"{outcome.toolchain} native x{outcome.setting.threads} {outcome.program}: once, not alone: {failure}")
            outcome.known += 1
        else:
            kept.append(failure)
    outcome.failures = kept


def absorb(outcome, result):
    """Counts the lines of one process and names the cases it settled."""
    settled = set()
    if result is None:
        outcome.failures.append(f"{outcome.program}: timed out after {PROGRAM_SECONDS} s")
        return settled
    for line in result.stdout.splitlines():
        match = re.match(r"(ok|FAIL) ([^ :]+)(.*)", line)
        if match:
            settled.add(match[2])
            if match[1] == "ok":
                outcome.passed += 1
            else:
                outcome.failures.append(f"{match[2]}{match[3]}"[:240])
    last = re.findall(r"^(\d+ passed, (\d+) failed)$", result.stdout, re.M)[-1:]
    if not last:
        outcome.failures.append(f"{outcome.program}: no last line, status {result.returncode}: "
                                f"{result.stderr.strip()[-160:]}")
    elif result.returncode != (1 if int(last[0][1]) else 0):
        outcome.failures.append(f"{outcome.program}: {last[0][0]}, but status {result.returncode}: "
                                f"{result.stderr.strip()[-160:]}")
    return settled


def split_jobs(setting):
    wanted = setting.schedule in SPLITTING and "chunks" in programs(setting)
    return [partial(run_split, setting)] if wanted else []


def run_split(setting):
    """Where chunks may be split the program notices: else its cases would show nothing."""
    outcome = Outcome(setting, "conformance", "chunks, split")
    command = [str(setting.folder / "chunks"), *SPLIT_CASES]
    result, _ = launch(setting, command, extra={"STEELYARD_SPLIT_CHUNKS": "1"})
    said = result.stdout if result else "timed out"
    for case in SPLIT_CASES:
        if f"FAIL {case}: {case}: split before" in said:
            outcome.passed += 1
        else:
            outcome.failures.append(f"{case}: no chunk was split: {said[-160:]}")
    return outcome


def run_alone(setting, program, case, seconds=3):
    """What a native failure does today."""
    result, _ = launch(setting, [str(setting.folder / program), case], 60, {"CONFORMANCE_SECONDS": str(seconds)})
    if result is None:
        return "hangs"
    lines = [x for x in result.stdout.splitlines() if x.startswith(("ok ", "FAIL "))]
    return lines[0][:150] if lines else f"status {result.returncode}"


def lightgbm_jobs(options):
    """Two native runs must agree, then every schedule must agree with them."""
    expected = {}
    schedules = [None, None, *options.schedules]
    # The first job fills `expected`; it runs here so that the others can rely on it.
    first = check_lightgbm(options, None, expected)
    return [lambda: first] + [partial(check_lightgbm, options, s, expected) for s in schedules[1:]]


def check_lightgbm(options, schedule, expected):
    setting = Setting(options, "wheel", schedule, 2)
    outcome = Outcome(setting, "lightgbm", "lightgbm")
    command = [str(options.lightgbm / "bin" / "python"), str(HERE / "lightgbm_check.py")]
    result, reports = launch(setting, command)
    if result is None or result.returncode != 0:
        outcome.failures.append("lightgbm: " + ("timed out" if result is None else result.stderr[-300:]))
    elif expected.setdefault("digests", result.stdout) != result.stdout:
        changed = set(result.stdout.splitlines()) ^ set(expected["digests"].splitlines())
        outcome.failures.append(f"lightgbm: other results: {sorted(changed)}")
    elif schedule and count_taken(reports) == 0:
        outcome.failures.append("lightgbm: no loop was taken")
    outcome.passed = 0 if outcome.failures else 1
    return outcome
