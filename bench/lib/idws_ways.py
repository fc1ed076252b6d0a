# SPDX-License-Identifier: Apache-2.0
"""idws --macros and --delivery: the ways into the schedule `idws`, on the synthetic loops."""
from statistics import median

from . import stats
from .kernels import SYNTHETIC
from .output import table
from .places import BENCH, MICRO_FLAGS, call
from .runs import Failure, Variant, interleave, openmp_environment

MACROS, GUIDED, IDWS = "macros", "OMP guided", "idws"
OF_BETTER = 1.03
MOST_ENTRY_NS = 150.0
ENTRY_SAMPLES = 5  # of a process
DELIVERIES = ("hybrid", "signal", "membarrier", "poll")
OF_HYBRID = 1.05


def rounds_of(programs, kernel, variants, options):
    taken = interleave(variants, options.rounds, programs.sampler(kernel, options.threads), kernel.name)
    return {label: [sample.seconds for sample in of] for label, of in taken.items()}


def seconds_table(rows):
    labels = list(rows[0]["samples"])
    lines = [[label, *(f"{median(row['samples'][label]):.4g}" for row in rows)] for label in labels]
    return table(["seconds", *(SYNTHETIC[row["kernel"]] for row in rows)], lines)


def result(title, rows, bounds, options, further=""):
    lines = [[SYNTHETIC.get(what, what), who, of, ratio.text(3), f"≤ {bound}", verdict]
             for what, who, of, ratio, bound, verdict in bounds]
    text = (f"{seconds_table(rows)}\n\n{further}Bounds:\n\n"
            + table(["", "", "of", "ratio", "bound", "verdict"], lines, left=3))
    return {"title": f"{title}: {options.threads} threads, {options.states} states, {options.rounds} rounds",
            "text": text.replace("≤ –", "–"), "results": rows, "bounds": bounds, "failed": any(bound[-1] == "fail" for bound in bounds)}


# --macros

def entry(places, options):
    """Nanoseconds per loop of two iterations, on one thread: label → a median for each round."""
    program = places.work / "entry"
    flags = ["-std=c++11", *(flag for flag in MICRO_FLAGS if not flag.startswith("-std"))]
    call(["g++", *flags, "-o", program, BENCH / "micro/entry.cpp", *places.library_flags()], places.log)

    def sample(run):
        found = {}
        for name, value in (line.split() for line in run.output.splitlines()):
            found.setdefault(name, []).append(float(value))
        return {name: median(values) for name, values in found.items()}

    variant = Variant("entry", [program, 1, ENTRY_SAMPLES], openmp_environment(1, options.bind))
    samples = interleave([variant], options.rounds, sample, "entry")["entry"]
    return {name: [one[name] for one in samples] for name in samples[0]}


def macros_row(programs, kernel, options):
    strategies = {label: how for label, how in programs.strategies().items() if label.startswith("OMP") or label == IDWS}
    strategies[MACROS] = ("macros", None)
    variants = [programs.variant(kernel, label, *how, options.threads) for label, how in strategies.items()]
    samples = rounds_of(programs, kernel, variants, options)
    better = stats.best_of({label: stats.odd(samples[label]) for label in (GUIDED, IDWS)})
    return {"kernel": kernel.name, "samples": samples, "better": better,
            "of_better": stats.paired_ratio(stats.even(samples[MACROS]), stats.even(samples[better]))}


def macros(programs, places, chosen, options):
    entered = entry(places, options)
    rows = [macros_row(programs, kernel, options) for kernel in chosen]
    of_bound = stats.paired_ratio(entered["macros"], [MOST_ENTRY_NS] * len(entered["macros"]))
    bounds = [("entry and exit, one thread", MACROS, f"{MOST_ENTRY_NS:.0f} ns", of_bound, 1.0, stats.verdict(of_bound, 1.0))]
    bounds += [(row["kernel"], MACROS, row["better"], row["of_better"], OF_BETTER,
                stats.verdict(row["of_better"], OF_BETTER)) for row in rows]
    costs = ", ".join(f"{name} {median(values):.1f} ns" for name, values in entered.items())
    further = f"Entering and leaving a loop of two iterations on one thread: {costs}.\n\n"
    return result("IDWS by its macros in an `omp parallel` region", rows, bounds, options, further)


# --delivery

def deliveries_of(text):
    names = text.split(",")
    for name in names:
        if name not in DELIVERIES:
            raise Failure(f"--delivery {name}: no such delivery; there are {', '.join(DELIVERIES)}")
    return names if DELIVERIES[0] in names else [DELIVERIES[0], *names]


def delivery_row(programs, kernel, names, options):
    variants = []
    for name in names:
        plain = programs.variant(kernel, name, "steelyard", IDWS, options.threads)
        variants.append(plain._replace(environment={**plain.environment, "STEELYARD_DELIVERY": name}))
    samples = rounds_of(programs, kernel, variants, options)
    return {"kernel": kernel.name, "samples": samples,
            "of_hybrid": {name: stats.paired_ratio(samples[name], samples[DELIVERIES[0]])
                          for name in names if name != DELIVERIES[0]}}


def deliveries(programs, chosen, names, options):
    rows = [delivery_row(programs, kernel, names, options) for kernel in chosen]
    bounds = [(row["kernel"], name, DELIVERIES[0], ratio, OF_HYBRID, stats.verdict(ratio, OF_HYBRID))
              for row in rows for name, ratio in row["of_hybrid"].items() if name == "signal"]
    others = [(row["kernel"], name, DELIVERIES[0], ratio, "–", "") for row in rows
              for name, ratio in row["of_hybrid"].items() if name != "signal"]
    return result("The deliveries of IDWS", rows, bounds + others, options)
