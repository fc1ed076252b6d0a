# SPDX-License-Identifier: Apache-2.0
"""The example programs, their clauses and their inputs."""
import json
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from .runs import Failure, Variant, execute, measured, openmp_environment

KERNEL = re.compile(r"^kernel: median ([0-9.]+) s, best ([0-9.]+) s", re.M)
SCHEDULES = ("static", "cyclic", "dynamic", "guided", "trapezoid", "factoring", "random", "wsr", "wsri", "wsrw", "idws",
             "adaptive", "steal")
WRITTEN = "as written"

# program: (clause of its irregular loops, R-MAT scale, side of the lattice, options)
# A `runtime` clause with nothing set is dynamic,1 on libgomp.
GRAPH = {
    "pagerank": ("runtime", 17, 500, []),
    "bfs": ("dynamic,64", 17, 500, ["--sources", "8"]),
    "components": ("dynamic", 18, 700, []),
    "triangles": ("guided", 15, 700, []),
    "kcore": ("runtime", 17, 500, []),
    "betweenness": ("dynamic", 13, 120, []),
}
PLAIN = {
    "mandelbrot": ("dynamic", "512 rows", []),
    "adjoint": ("guided", "30000 rows", []),
}
NAMES = (*GRAPH, *PLAIN)
REPEATS = {"bfs": 8, "components": 12}  # their kernels are short and vary; default 5
LONG = ("triangles", "betweenness")  # which take a tenth of a second on Debian's graph


class Case(NamedTuple):
    """A program on an input: one row of a table."""

    program: str
    input: str
    clause: str
    arguments: list

    @property
    def name(self):
        return f"{self.program} {self.input}"


def graph_cases(program, debian, inputs, larger=0):
    clause, scale, side, own = GRAPH[program]
    repeat = REPEATS.get(program, 5)
    known = {
        "rmat": (f"R-MAT {scale + larger}", ["--rmat", scale + larger], repeat),
        "lattice": (f"lattice {side}²", ["--lattice", side], repeat),
        "debian": ("Debian", ["--snap", debian], (3 if program in LONG else max(10, repeat)) if debian else 0),
    }
    for name in inputs:
        title, words, times = known[name]
        if times:
            yield Case(program, title, clause, [*words, "--repeat", times, *own])


def cases(names, debian=None, inputs=("rmat", "lattice", "debian"), larger=0):
    found = []
    for name in names:
        if name in GRAPH:
            found += graph_cases(name, debian, inputs, larger)
        elif name in PLAIN:
            clause, title, arguments = PLAIN[name]
            found.append(Case(name, title, clause, ["--repeat", 3, *arguments]))
        else:
            raise Failure(f"{name}: no such program; there are {', '.join(NAMES)}")
    return found


def known_schedules(directory):
    """The names that the command `steelyard` there lists."""
    said = subprocess.run([directory / "steelyard", "schedules", "--names"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise Failure(f"{directory / 'steelyard'} schedules --names: {said.stderr.strip() or 'failed'}")
    return said.stdout.split()


class Bench:
    """Makes the variants of a case: as written, or under a schedule of ours."""

    def __init__(self, places, threads, bind):
        self.directory = places.programs()
        self.preload = {"LD_PRELOAD": str(places.shim())}
        self.environment = {**openmp_environment(threads, bind), **places.libraries()}

    def variant(self, case, schedule=WRITTEN, label=None, verify=False, **environment):
        command = [self.directory / case.program, *case.arguments, *([] if verify else ["--no-verify"])]
        told = "OMP_SCHEDULE" if case.clause == "runtime" else "STEELYARD_SCHEDULE"  # the other overrides other clauses, too
        chosen = {} if schedule == WRITTEN else {**self.preload, told: schedule}
        return Variant(label or schedule, command, {**self.environment, **chosen, **environment})

    def loaded(self, case, label, **environment):
        return self.variant(case, label=label, **self.preload, **environment)


def kernel_seconds(run):
    """The median of the timed runs inside the program."""
    return float(measured(KERNEL, run, "kernel time").group(1))


def sites_of(variant):
    """Runs it with a report; the figures of its loop sites, summed by place."""
    with tempfile.TemporaryDirectory() as directory:
        execute(variant._replace(environment={**variant.environment, "STEELYARD_REPORT": f"{directory}/%p"}))
        reports = [json.loads(path.read_text(encoding="utf-8")) for path in Path(directory).iterdir()]
    sums = defaultdict(Counter)
    for report in reports:
        for site in report["sites"]:
            figures = {key: value for key, value in site.items() if isinstance(value, int)}
            sums[site["module"], site["offset"]].update(figures)
    return sums
