# SPDX-License-Identifier: Apache-2.0
"""victims: thieves of tasks that ask the nearest first, and those that ask at random."""
import os
import re
from statistics import median

from . import stats
from .output import table
from .runs import Failure, Variant, chosen_kernels, execute, interleave, measured

NEAR, RANDOM = "near", "random"
REPEAT = 3
# name → the suite, and what its program calls that.
KERNELS = {"fib": ("tasks", "fib"), "queens": ("tasks", "queens"), "uts-t1": ("tasks", "uts-t1"),
           "uts-t3": ("tasks", "uts-t3"), "cholesky": ("dataflow", "cholesky"),
           "smith-waterman": ("dataflow", "smith-waterman"), "sparse-lu": ("dataflow", "sparse-lu"),
           "dataflow-fib": ("dataflow", "fib")}
FIRST_LINE = re.compile(r"^([\w-]+ \d+: .*)$", re.M)
SECONDS = re.compile(r"^kernel: median ([0-9.]+) s", re.M)
COUNTER = re.compile(r"^counter (steals|stolen|requests|most requests): (\d+)$", re.M)


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=max(3, len(os.sched_getaffinity(0))),
                        help="default %(default)s: as many as cores, but 3 at least, as two have only each other")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kernels", default=",".join(KERNELS), help="default %(default)s")


def variants(directories, kernel, threads):
    suite, name = KERNELS[kernel]
    command = [directories[suite] / f"{suite}-steelyard", "--kernel", name, "--threads", threads, "--repeat", REPEAT]
    blas = {"OPENBLAS_NUM_THREADS": "1"} if suite == "dataflow" else {}
    return [Variant(victims, command, {**blas, "STEELYARD_VICTIMS": victims}) for victims in (NEAR, RANDOM)]


def sample(run):
    counters = {name: int(value) / REPEAT for name, value in COUNTER.findall(run.output)}
    return {"result": measured(FIRST_LINE, run, "result")[1], "seconds": float(measured(SECONDS, run, "time")[1]),
            "steals": counters.get("steals", counters.get("stolen", 0)), "requests": counters["requests"],
            "most": counters["most requests"]}


def compare(kernel, taken):
    """Random beside near, round by round."""
    results = {run["result"] for of in taken.values() for run in of}
    if len(results) != 1:
        raise Failure(f"results differ: {', '.join(sorted(results))}")
    rows = {victims: {what: median(run[what] for run in of) for what in ("seconds", "steals", "requests", "most")}
            for victims, of in taken.items()}
    ratio = stats.paired_ratio([run["seconds"] for run in taken[RANDOM]], [run["seconds"] for run in taken[NEAR]])
    return {"kernel": kernel, "rows": rows, "random/near": ratio, "samples": taken}


def text_of(results):
    lines = [[result["kernel"], f"`{victims}`", f"{row['seconds']:.3g}", f"{row['steals']:.0f}",
              f"{row['requests']:.0f}", f"{row['most']:.0f}",
              result["random/near"].text() if victims == RANDOM else ""]
             for result in results for victims, row in result["rows"].items()]
    return table(["kernel", "victims", "time, s", "steals", "requests", "of one thread", "random/near"], lines, left=2)


def run(options, places):
    if options.rounds < 2 or options.threads < 2:
        raise Failure("--rounds and --threads: give at least 2")
    wanted = chosen_kernels(options.kernels, KERNELS)
    directories = {suite: places.kernels(f"bench_{suite}") for suite in sorted({KERNELS[one][0] for one in wanted})}
    for suite, directory in directories.items():
        if not (directory / f"{suite}-steelyard").exists():
            raise Failure(f"the programs of {suite} were not built; `ci/install-packages bench` installs what they need")
    results = []
    for kernel in wanted:
        both = variants(directories, kernel, options.threads)
        for one in both:
            execute(one)
        results.append(compare(kernel, interleave(both, options.rounds, sample, f"victims {kernel}")))
    return {"title": f"Whom thieves of tasks ask: {options.threads} threads, {options.rounds} rounds",
            "text": text_of(results), "results": results}
