# SPDX-License-Identifier: Apache-2.0
"""cows --selection: what choosing a victim takes of a kernel's run: making prefix sums, in time, and searching, in
instructions."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import callgrind
from .output import table
from .runs import Failure, Variant, execute, measured

BOUND = 0.005
# Inclusive instructions of a function; the loops' bodies are all of the program's own.
LINE = re.compile(r"^\s*([0-9,]+) (?:\([^)]*\))?\s+(\S.*)$")
SEARCH = "::take_from_others("
READING = re.compile(r"reading costs: ([0-9.]+) of")
RUNS = 100  # in a process


def annotated(file, *how):
    said = subprocess.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", *how, file], capture_output=True,
                          text=True, check=False)
    if said.returncode != 0:
        raise Failure(f"callgrind_annotate: {said.stderr.strip()}")
    found = (LINE.match(line) for line in said.stdout.splitlines())
    return [(int(one.group(1).replace(",", "")), one.group(2)) for one in found if one]


def total_of(lines, word):
    return sum(count for count, what in lines if word in what)


def command_of(bench, kernel, graph, schedule, repeat, threads):
    return [bench.directory / "cows-steelyard", "--kernel", kernel, "--graph", graph.file, "--repeat", repeat,
            "--threads", threads, "--schedule", schedule, "--always-parallel"]


def counted(bench, *run):
    """Instructions of the whole process: (all, searching)."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "callgrind"
        callgrind.counted(command_of(bench, *run), bench.environment, f"{run[0]} {run[1].title}", file, timeout=3600)
        own, inclusive = annotated(file), annotated(file, "--inclusive=yes")
    everything = sum(count for count, what in own if "PROGRAM TOTALS" not in what)
    return everything, total_of(inclusive, SEARCH)


def measure(bench, kernel, graph, schedule):
    """Searching in instructions, what two runs in a process take more than one, of those of a run on one thread, where nobody
    waits. Reading costs in time, of the loops that have them."""
    for needed in ("valgrind", "callgrind_annotate"):
        if shutil.which(needed) is None:
            raise Failure(f"--selection: no {needed}; install valgrind")

    def more(threads, of):
        one, two = (counted(bench, kernel, graph, schedule, repeat, threads)[of] for repeat in (1, 2))
        return two - one

    run, search = more(1, 0), more(bench.threads, 1)
    said = execute(Variant(f"{kernel} {graph.title}",
                           command_of(bench, kernel, graph, schedule, RUNS, bench.threads), bench.environment))
    reading = float(measured(READING, said, "reading costs").group(1))
    return {"kernel": kernel, "graph": graph.title, "schedule": schedule, "instructions": run, "search": search / run,
            "reading": reading, "of_run": reading + search / run}


def report(rows):
    lines = [[row["kernel"], row["graph"], row["schedule"], f"{row['instructions'] / 1e6:.1f}",
              f"{100 * row['reading']:.3f} %", f"{100 * row['search']:.3f} %", "pass" if row["of_run"] < BOUND else "fail"]
             for row in rows]
    head = ["kernel", "graph", "schedule", "million instructions", "making prefix sums", "searching", "both < 0.5 %"]
    held = sum(row["of_run"] < BOUND for row in rows)
    text = table(head, lines, left=3) + f"\n\n{held} of {len(rows)} rows below 0.5 %."
    return {"text": text, "results": rows, "failed": held < len(rows)}
