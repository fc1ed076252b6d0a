# SPDX-License-Identifier: Apache-2.0
"""cows --selection: what choosing a victim takes of a kernel's run, in instructions: making prefix sums, and searching."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .output import table
from .runs import Failure, Variant, execute

BOUND = 0.005
# Inclusive instructions of a function; the loops' bodies are all of the program's own.
LINE = re.compile(r"^\s*([0-9,]+) (?:\([^)]*\))?\s+(\S.*)$")
SUMS = "work_sums::apply("
SEARCH = "::take_from_others("
SPINNING = ("runtime::pool::live(", "runtime::board<")  # threads take turns under valgrind: how long they wait says nothing


def annotated(file, *how):
    said = subprocess.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", *how, file], capture_output=True,
                          text=True, check=False)
    if said.returncode != 0:
        raise Failure(f"callgrind_annotate: {said.stderr.strip()}")
    found = (LINE.match(line) for line in said.stdout.splitlines())
    return [(int(one.group(1).replace(",", "")), one.group(2)) for one in found if one]


def total_of(lines, *words):
    return sum(count for count, what in lines if any(word in what for word in words))


def counted(bench, kernel, graph, schedule, repeat):
    """Instructions of the whole process: (all but waiting, making sums, searching)."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "callgrind"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", bench.directory / "cows-steelyard",
                   "--kernel", kernel, "--graph", graph.file, "--repeat", repeat, "--threads", bench.threads,
                   "--schedule", schedule, "--always-parallel"]
        execute(Variant(f"{kernel} {graph.title}", command, bench.environment), timeout=3600)
        own, inclusive = annotated(file), annotated(file, "--inclusive=yes")
    everything = sum(count for count, what in own if "PROGRAM TOTALS" not in what)
    return everything - total_of(own, *SPINNING), total_of(inclusive, SUMS), total_of(inclusive, SEARCH)


def measure(bench, kernel, graph, schedule):
    """A run of the kernel: what two runs in a process take more than one."""
    for needed in ("valgrind", "callgrind_annotate"):
        if shutil.which(needed) is None:
            raise Failure(f"--selection: no {needed}; install valgrind")
    one, two = (counted(bench, kernel, graph, schedule, repeat) for repeat in (1, 2))
    run, sums, search = (more - less for more, less in zip(two, one))
    return {"kernel": kernel, "graph": graph.title, "schedule": schedule, "instructions": run, "sums": sums,
            "search": search, "of_run": (sums + search) / run}


def report(rows):
    lines = [[row["kernel"], row["graph"], row["schedule"], f"{row['instructions'] / 1e6:.1f}",
              f"{100 * row['sums'] / row['instructions']:.3f} %", f"{100 * row['search'] / row['instructions']:.3f} %",
              "pass" if row["of_run"] < BOUND else "fail"] for row in rows]
    head = ["kernel", "graph", "schedule", "million instructions", "making prefix sums", "searching", "both < 0.5 %"]
    held = sum(row["of_run"] < BOUND for row in rows)
    text = table(head, lines, left=3) + f"\n\n{held} of {len(rows)} rows below 0.5 %."
    return {"text": text, "results": rows, "failed": held < len(rows)}
