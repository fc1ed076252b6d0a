# SPDX-License-Identifier: Apache-2.0
"""latency: what a loop of the library costs beside its iterations, against libgomp in the same rounds."""
from statistics import median

from . import stats
from .output import table
from .places import BENCH, MICRO_FLAGS, call
from .runs import Variant, execute, interleave, openmp_environment

# mode: (samples per process, what one is)
MODES = {"pair": (300, "us"), "idle": (30, "us"), "parked": (300, "us"), "passive": (300, "us"), "thousand": (20, "ns"), "micro": (20, "ns"), "tail": (5, "us")}
WORK_US = 10.0  # of an iteration of `pair` and `idle`


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--modes", default=",".join(MODES), help=f"default {','.join(MODES)}")


def built(places, name, extra):
    """latency.c once more, with these flags."""
    output = places.work / f"latency-{name}"
    source = BENCH / "micro/latency.c"
    if not output.exists() or output.stat().st_mtime < source.stat().st_mtime:
        call(["gcc", *MICRO_FLAGS, "-O3", "-o", output, source, "-pthread", *extra], places.log)
    return output


def programs(places):
    ours = ["-DSTEELYARD", *places.library_flags()]
    return {"ours": built(places, "ours", ours), "libgomp": built(places, "openmp", [])}


def sample(run):
    """The median of a process's samples, and that of the lines that name what they are."""
    plain, named = [], []
    for line in run.output.splitlines():
        words = line.split()
        (named if len(words) == 2 else plain).append(float(words[-1]))
    return {"median": median(plain), "beside": median(named) if named else None}


def bound_of(mode, ours, theirs):
    """What each round allows."""
    if mode in ("pair", "passive"):
        return [WORK_US + (one["median"] - WORK_US) for one in theirs]
    if mode in ("idle", "parked"):
        return [WORK_US + 1.3 * one["beside"] for one in ours]
    if mode == "thousand":
        return [1.1 * one["beside"] + 50 for one in ours]
    if mode == "micro":
        return [one["beside"] + 50 for one in ours]
    return [50.0] * len(ours)


def measure(mode, binaries, options):
    count, unit = MODES[mode]
    environment = {"ours": {"STEELYARD_NUM_THREADS": "2"}, "libgomp": openmp_environment(2, options.bind)}
    if mode == "passive":
        environment["libgomp"]["OMP_WAIT_POLICY"] = "passive"
    asked = "parked" if mode == "passive" else mode
    variants = [Variant(label, [path, asked, count], environment[label]) for label, path in binaries.items()]
    for variant in variants:
        execute(variant)
    samples = interleave(variants, options.rounds, sample, f"latency {mode}")
    ours, theirs = samples["ours"], samples["libgomp"]
    ratio = stats.paired_ratio([one["median"] for one in ours], bound_of(mode, ours, theirs))
    return {"mode": mode, "unit": unit, "ours": median(one["median"] for one in ours),
            "libgomp": median(one["median"] for one in theirs), "bound": median(bound_of(mode, ours, theirs)),
            "to_bound": ratio, "verdict": stats.verdict(ratio, 1.0), "samples": samples}


MEANING = {
    "pair": "two iterations of 10 us, back to back; bound: 10 us + libgomp's overhead",
    "idle": "the same after 10 ms idle; bound: 10 us + 1.3 x a futex wake-up on another processor",
    "parked": "the same after 1 ms of the caller's own work; bound: 10 us + 1.3 x a futex wake-up after as much",
    "passive": "the same; bound: 10 us + the overhead of libgomp with OMP_WAIT_POLICY=passive",
    "thousand": "1,000 trivial iterations; bound: 1.1 x serial + 50 ns",
    "micro": "1,000 iterations of about a nanosecond; bound: serial + 50 ns",
    "tail": "until the second thread has the tail behind an iteration of 500 ms; bound: 50 us",
}


def run(options, places):
    binaries = programs(places)
    rows = [measure(mode, binaries, options) for mode in options.modes.split(",")]
    lines = [[row["mode"], MEANING[row["mode"]], f"{row['ours']:.4g} {row['unit']}", f"{row['libgomp']:.4g}",
              f"{row['bound']:.4g}", row["to_bound"].text(3), row["verdict"]] for row in rows]
    head = ["", "what", "ours", "libgomp", "bound", "ours of the bound", "verdict"]
    return {"title": f"Latency of loops, 2 threads, {options.rounds} rounds", "text": table(head, lines, left=2),
            "results": rows, "failed": any(row["verdict"] == "fail" for row in rows)}
