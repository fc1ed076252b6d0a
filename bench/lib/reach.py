# SPDX-License-Identifier: Apache-2.0
"""reach: how soon a second thread has tasks whose parent computes on without a call, and how many it runs meanwhile."""
from statistics import median

from . import stats
from .output import table
from .places import BENCH, MICRO_FLAGS, call
from .runs import Variant, execute, interleave, openmp_environment

ROUNDS_OF_PROCESS = 4
MOST_US = 50.0
LEAST_TASKS = 45
STATES = {"awake": "the second thread has just run a task", "idle": "it has had none for 10 ms"}
RUNTIMES = {"group": "ours", "dataflow": "ours", "openmp": "openmp"}


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=10)


def built(places, name, extra):
    output = places.work / f"reach-{name}"
    flags = ["-std=c++20", *(flag for flag in MICRO_FLAGS if not flag.startswith("-std"))]
    call(["g++", *flags, "-O2", "-o", output, BENCH / "micro/reach.cpp", "-pthread", *extra], places.log)
    return output


def programs(places):
    ours = ["-DSTEELYARD", *places.library_flags()]
    return {"ours": built(places, "ours", ours), "openmp": built(places, "openmp", [])}


def sample(run):
    """The medians of a process's rounds; a round in which nobody came counts as the parent's whole time."""
    lines = [line.split() for line in run.output.splitlines()]
    firsts = [float(first) if float(first) >= 0 else 500e3 for first, _ in lines]
    return {"first": median(firsts), "tasks": median(int(count) for _, count in lines)}


def row(state, runtime, samples):
    ratio = stats.paired_ratio([one["first"] for one in samples], [MOST_US] * len(samples))
    few = stats.paired_ratio([LEAST_TASKS / max(one["tasks"], 1) for one in samples], [1.0] * len(samples))
    verdicts = [stats.verdict(ratio, 1.0), stats.verdict(few, 1.0)] if RUNTIMES[runtime] == "ours" and state == "awake" else []
    return {"state": state, "runtime": runtime, "first": median(one["first"] for one in samples),
            "tasks": median(one["tasks"] for one in samples), "verdicts": verdicts, "samples": samples}


def run(options, places):
    binaries = programs(places)
    environment = {"ours": {"STEELYARD_NUM_THREADS": "2"}, "openmp": openmp_environment(2, options.bind)}
    rows = []
    for state in STATES:
        variants = [Variant(runtime, [binaries[of], runtime, state, ROUNDS_OF_PROCESS], environment[of])
                    for runtime, of in RUNTIMES.items()]
        execute(variants[0])
        samples = interleave(variants, options.rounds, sample, f"reach {state}")
        rows += [row(state, runtime, samples[runtime]) for runtime in RUNTIMES]
    lines = [[each["state"], each["runtime"], f"{each['first']:.1f}", f"{each['tasks']:.0f}",
              ", ".join(each["verdicts"]) or "–"] for each in rows]
    head = ["second thread", "tasks of", "first, us", "of 50 possible", f"≤ {MOST_US:.0f} us, ≥ {LEAST_TASKS}"]
    return {"title": f"64 tasks of 10 ms of a thread that then computes 500 ms, {options.rounds} rounds",
            "text": table(head, lines, left=2), "results": rows,
            "failed": any("fail" in each["verdicts"] for each in rows)}
