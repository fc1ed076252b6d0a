# SPDX-License-Identifier: Apache-2.0
"""static: programs of Clang with static loops, as they are and under `nustatic`: is any slower, what does a balanced loop cost, and
how near does a triangular one come to its limit, also where costs change every ten instances?"""
import re
from statistics import median

from . import stats
from .output import table
from .places import BENCH, MICRO_FLAGS, TOP, call
from .runs import Variant, execute, interleave_until_decided, measured, openmp_environment

SOURCES = TOP / "tests/unit/openmp/programs/patterns"
PARTS = ("main", "run_named", "chains", "values", "bounds", "teams", "libraries")
CROWDED = ("nested", "other_sizes", "side_by_side", "by_ancestor")  # more threads than cores: they measure the kernel's scheduler
SECONDS = re.compile(r" ([0-9.]+) s$", re.M)
MICRO = re.compile(r"^seconds ([0-9.]+), of the limit ([0-9.]+), first block (\d+) of (\d+)", re.M)
NATIVE, OURS = "native", "nustatic"
FEWEST_REGIONS, MORE_REGIONS = 20, 120  # the first few of a run learn
SHARES = 0.01  # of a balanced loop, from equal ones
LIMIT = 1.05
NEW, SEEN, CHUNKS = 1.15, 1.10, 1.10  # phases of ten instances: by blocks, new and seen before; by chunks
PHASES = 200  # instances
NO_PATTERNS = "none"


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--most-rounds", type=int, default=40, help="while a verdict is undecided")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iomp", metavar="DIR", help="Intel's runtime, the libiomp5.so in DIR, instead of LLVM's")
    parser.add_argument("--patterns", help="only these, divided by commas, and no single loops; none: only these loops")
    parser.add_argument("--seconds", type=float, default=0.2, help="that a pattern runs in a process (default 0.2)")
    parser.add_argument("--n", default="600,6000", help="iterations of most loops of a pattern (default 600,6000)")


class Bench:
    def __init__(self, options, places):
        self.options = options
        self.environment = {**openmp_environment(options.threads, options.bind), "OMP_MAX_ACTIVE_LEVELS": "4",
                            "OMP_CANCELLATION": "true", **(places.intel(options.iomp) if options.iomp else {})}
        self.shim = places.shim()
        self.folder = places.work / "static"
        self.folder.mkdir(exist_ok=True)
        build = ["clang++-19", "-std=c++17", "-O2", "-g", "-fopenmp", "-Wno-pass-failed"]
        call([*build, "-o", self.folder / "patterns", *(SOURCES / f"{part}.cpp" for part in PARTS), "-ldl"], places.log)
        for kind in (1, 2):
            call([*build, "-shared", "-fPIC", f"-DKIND={kind}", "-o", self.folder / f"library-{kind}.so", SOURCES / "library.cpp"],
                 places.log)
        for name, flags in (("static_loops", []), ("runtime_loops", ["-DCLAUSE=schedule(runtime)"])):
            call(["clang-19", *MICRO_FLAGS, *flags, "-o", self.folder / name, BENCH / "micro/static_loops.c"], places.log)

    def variants(self, native, ours=None, schedule="nustatic"):
        """A command as it is, and the same, or another one, under a schedule."""
        loaded = {**self.environment, "LD_PRELOAD": str(self.shim), "STEELYARD_SCHEDULE": schedule}
        return [Variant(NATIVE, native, self.environment), Variant(OURS, ours or native, loaded)]

    def loop(self, program, kind, instances):
        return [self.folder / program, kind, 4000, 4000, instances]

    def pattern(self, n, regions, *names):
        return [self.folder / "patterns", "--n", n, "--rounds", regions, "--time", *names]

    def paired(self, variants, measure, ratio_of, bound, name):
        """Samples, and the ratio that is to keep the bound, measured until that is decided."""
        def undecided(samples):
            return (NATIVE, OURS) if stats.verdict(ratio_of(samples), bound) == "undecided" else ()

        samples = interleave_until_decided(variants, self.options.rounds, self.options.most_rounds, measure,
                                           undecided, f"static {name}")
        ratio = ratio_of(samples)
        return {"case": name, "samples": samples, "ratio": ratio, "bound": bound, "verdict": stats.verdict(ratio, bound)}


def pattern_seconds(run):
    return float(measured(SECONDS, run, "time")[1])


def seconds_by_pattern(bench, n, regions, *names):
    """What patterns take natively, all or those, for so many of their regions."""
    run = execute(bench.variants(bench.pattern(n, regions, *names))[0])
    return {line.split()[0]: float(line.split()[-2]) for line in run.output.splitlines()}


def patterns(bench, n):
    """Each pattern's time under nustatic, of that of the program alone."""
    wanted = bench.options.patterns.split(",") if bench.options.patterns else None
    rows = []
    for name in seconds_by_pattern(bench, n, FEWEST_REGIONS):
        if name in CROWDED or (wanted is not None and name not in wanted):
            continue
        few, many = (seconds_by_pattern(bench, n, regions, name)[name] for regions in (FEWEST_REGIONS, MORE_REGIONS))
        # The first regions of a process make its threads, and a run may be disturbed.
        of_one = max((many - few) / (MORE_REGIONS - FEWEST_REGIONS), many / MORE_REGIONS / 10, 1e-7)
        regions = max(FEWEST_REGIONS, round(bench.options.seconds / of_one))
        rows.append(bench.paired(bench.variants(bench.pattern(n, regions, name)), pattern_seconds,
                                 lambda of: stats.paired_ratio(of[OURS], of[NATIVE]), 1.0, f"{name}, {n}"))
    return rows


def loop_figures(run):
    found = measured(MICRO, run, "figures")
    return {"seconds": float(found[1]), "of_limit": float(found[2]), "share": int(found[3]) / int(found[4])}


def of(samples, label, key):
    return [one[key] for one in samples[label]]


def in_seconds(samples):
    return stats.paired_ratio(of(samples, OURS, "seconds"), of(samples, NATIVE, "seconds"))


def phases(bench):
    """What changes of phase cost, against the same work in equal parts, which is what the best cut of each phase has."""
    even = bench.loop("static_loops", "balanced", PHASES)
    by_blocks = [("static_loops", "new", "nustatic", NEW), ("static_loops", "seen", "nustatic", SEEN)]
    by_chunks = [("runtime_loops", kind, schedule, CHUNKS) for kind in ("new", "seen") for schedule in ("jit", "automatic")]
    return [bench.paired(bench.variants(even, bench.loop(program, kind, PHASES), schedule), loop_figures, in_seconds, bound,
                         f"phases of ten instances, {kind}, `{schedule}`, {'blocks' if program == 'static_loops' else 'chunks'}")
            for program, kind, schedule, bound in [*by_blocks, *by_chunks]]


def balanced(bench):
    """What the loop takes under nustatic, and how far its shares are from equal ones."""
    row = bench.paired(bench.variants(bench.loop("static_loops", "balanced", 50)), loop_figures, in_seconds, 1.0,
                       "balanced loop")
    furthest = max(abs(share * bench.options.threads - 1) for share in of(row["samples"], OURS, "share"))
    shares = {"case": "its shares, from equal ones at most", "furthest": furthest, "bound": SHARES,
              "verdict": "pass" if furthest <= SHARES else "fail"}
    return [row, shares]


def triangle(bench):
    """Time of its limit, from the third instance on."""
    row = bench.paired(bench.variants(bench.loop("static_loops", "triangle", 50)), loop_figures,
                       lambda samples: stats.bootstrap_median(of(samples, OURS, "of_limit")), LIMIT, "triangular loop, of its limit")
    row["native"] = median(of(row["samples"], NATIVE, "of_limit"))
    return row


def show(rows):
    lines = []
    for row in rows:
        ratio = row["ratio"].text(3) if "ratio" in row else f"{row['furthest']:.3f}"
        lines.append([row["case"], f"{row['native']:.2f}" if "native" in row else "–", ratio, f"{row['bound']:.2f}", row["verdict"]])
    return table(["program, iterations", "native", "`nustatic`", "bound", "verdict"], lines)


def run(options, places):
    bench = Bench(options, places)
    rows = [] if options.patterns not in (None, NO_PATTERNS) else [*balanced(bench), triangle(bench), *phases(bench)]
    for n in options.n.split(",") if options.patterns != NO_PATTERNS else ():
        rows += patterns(bench, int(n))
    return {"title": f"Static loops of Clang's programs under `nustatic`, {options.threads} threads, {options.rounds} rounds and more",
            "text": show(rows), "results": rows, "failed": any(row["verdict"] == "fail" for row in rows)}
