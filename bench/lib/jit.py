# SPDX-License-Identifier: Apache-2.0
"""jit: the experiment of nuStatic's paper and more loops that run again and again, on every schedule and runtime."""
from statistics import median

from . import jit_replay, stats
from .jit_programs import KERNELS, NATIVE, NUSTATIC, SERIAL, SWEPT, Programs, intel_runtime, is_learner, is_native
from .output import table
from .runs import Failure, chosen_kernels, interleave_until_decided

OF_BEST = ("adjoint", "adjoint-increasing", "gauss-jordan")  # where nustatic is held against the best schedule
OF_SWEPT = ("lattice-boltzmann",)  # where the better learner is held against the best chunk
BOUND = 1.03
ROUNDS, MOST_ROUNDS, QUICK_ROUNDS = 8, 40, 2


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, help=f"default {ROUNDS}; with --quick {QUICK_ROUNDS}")
    parser.add_argument("--most-rounds", type=int, metavar="N",
                        help="a kernel with undecided bounds goes on, with the schedules that may be the best, to at most N rounds "
                        f"(default {MOST_ROUNDS}; with --quick none)")
    parser.add_argument("--kernels", default=",".join(KERNELS), help=f"default {','.join(KERNELS)}")
    parser.add_argument("--instances", type=int, help="of each kernel; default: as many as its scale has")
    parser.add_argument("--compilers", default="gcc,clang", help="default gcc,clang; clang with Intel's runtime")
    parser.add_argument("--iomp", metavar="DIR", help="where libiomp5.so is; default BUILD/python/lib, from ci/python-env")
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--paper", action="store_true", help="the paper's sizes; takes hours")
    scale.add_argument("--quick", action="store_true", help="small sizes and few rounds; decides nothing")
    parser.add_argument("--replay", action="store_true", help="instead: the paper's figures at 2, 4 and 8 threads, in virtual time")


def rivals_of(kernel, samples):
    """What those that learn are held against. Whoever has dropped out is none: it was far behind."""
    most = max(map(len, samples.values()))
    return {label: of for label, of in samples.items() if len(of) == most and label != SERIAL and not is_learner(label)
            and (kernel in OF_BEST or SWEPT in label)}


def candidates_of(kernel, samples):
    """Those that are held against them: plain nustatic in both ways, or the better of all that learn, chosen on odd rounds."""
    if kernel in OF_BEST:
        return [label for label in samples if label.split(",")[0] == NUSTATIC]
    learners = {label: stats.odd(of) for label, of in samples.items() if is_learner(label)}
    return [stats.best_of(learners)] if learners and kernel in OF_SWEPT else []


def bounds_of(kernel, samples):
    """What is held against what: dictionaries with a verdict each. The best rival is chosen on odd rounds and compared on even ones."""
    found = []
    for label in candidates_of(kernel, samples):
        best = stats.best_of({rival: stats.odd(of) for rival, of in rivals_of(kernel, samples).items()})
        ratio = stats.paired_ratio(stats.even(samples[label]), stats.even(samples[best]))
        found.append({"schedule": label, "of": best, "ratio": ratio, "verdict": stats.verdict(ratio, BOUND)})
    return found


def contenders(kernel, samples):
    """Who goes on: nobody once all is decided, else those that learn and those that may be the best."""
    if all(bound["verdict"] in ("pass", "fail") for bound in bounds_of(kernel, samples)):
        return set()
    return {*stats.close_to_best(rivals_of(kernel, samples)), *filter(is_learner, samples)}


def measure(programs, kernel, rounds, most):
    samples = interleave_until_decided(programs.variants(kernel), rounds, most, programs.sampler(kernel),
                                       lambda taken: contenders(kernel, taken), f"{programs.compiler} {kernel}")
    return {"kernel": kernel, "compiler": programs.compiler, "samples": samples,
            "medians": {label: median(of) for label, of in samples.items()}, "bounds": bounds_of(kernel, samples)}


def milliseconds(seconds):
    return f"{1000 * seconds:.3g}" if seconds < 1 else f"{1000 * seconds:.0f}"


def relative_table(rows):
    """Each schedule's time over that of the fastest; those of the program's own runtime and of oneTBB last."""
    fastest = [min(row["medians"].values()) for row in rows]
    lines = [["fastest, ms", *map(milliseconds, fastest)]]
    labels = list(dict.fromkeys(label for row in rows for label in row["medians"]))
    for label in sorted(labels, key=lambda one: (one != SERIAL, is_native(one))):
        cells = [f"{row['medians'][label] / least:.2f}" if label in row["medians"] else "" for row, least in zip(rows, fastest)]
        lines.append([f"`{label}`", *cells])
    return table(["", *(row["kernel"] for row in rows)], lines)


def bounds_table(rows):
    lines = [[row["kernel"], row["compiler"], f"`{bound['schedule']}`", f"`{bound['of']}`", bound["ratio"].text(3), f"≤ {BOUND}",
              bound["verdict"]] for row in rows for bound in row["bounds"]]
    head = ["kernel", "compiler", "schedule", "of the best", "time divided by that", "bound", "verdict"]
    return table(head, lines, left=4) if lines else "none: no kernel with a bound"


def text_of(rows):
    parts = []
    for compiler in dict.fromkeys(row["compiler"] for row in rows):
        parts += [f"{compiler}, {NATIVE[compiler]}'s runtime beside; times over that of the fastest:",
                  relative_table([row for row in rows if row["compiler"] == compiler])]
    return "\n\n".join([*parts, "Bounds:", bounds_table(rows)])


def suites(options, places):
    """The programs of each compiler that is there."""
    for compiler in options.compilers.split(","):
        if compiler not in NATIVE:
            raise Failure(f"--compilers {compiler}: no such compiler; there are {', '.join(NATIVE)}")
        libraries = places.libraries() if compiler == "gcc" else intel_runtime(options, places)
        if libraries is not None:
            yield Programs(places, compiler, options, libraries)


def rounds_of(options):
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    if rounds < 2:
        raise Failure("--rounds: at least 2, the best is chosen on odd ones and compared on even ones")
    return rounds, options.most_rounds if options.most_rounds is not None else 0 if options.quick else MOST_ROUNDS


def run(options, places):
    if options.prebuilt:
        raise Failure("--prebuilt: `bench/run pack` does not gather the programs of jit; give --build")
    if options.replay:
        options.json = options.json or places.work / "jit-replay.json"
        return jit_replay.run(places)
    rounds, most = rounds_of(options)
    kernels = chosen_kernels(options.kernels, KERNELS)
    rows = [measure(programs, kernel, rounds, most) for programs in suites(options, places) for kernel in kernels]
    if not rows:
        raise Failure(f"--compilers {options.compilers}: none of them can be used")
    title = f"Loops that run again and again: {options.threads} threads, {rounds} to {max(rounds, most)} rounds"
    return {"title": title, "text": text_of(rows), "results": rows,
            "failed": any(bound["verdict"] == "fail" for row in rows for bound in row["bounds"])}
