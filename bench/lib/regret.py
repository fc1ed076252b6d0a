# SPDX-License-Identifier: Apache-2.0
"""regret: what `automatic` loses, once it has settled, against the best schedule of the whole catalogue."""
import re
import shutil
from collections import defaultdict
from statistics import median
from typing import Callable, NamedTuple

from . import cows, jit_programs, kernels, meshes, programs, stats
from .cows_graphs import Maker
from .output import table
from .runs import Failure, Variant, execute, interleave_until_decided, measured

CHOOSER = "automatic"
CHUNKS = ("dynamic,16", "dynamic,64", "dynamic,256")
FIRST = 2  # rounds of all schedules; those far from the best then drop out
MEDIAN, WORST = 1.03, 1.10
SUITES = ("idws", "cows", "jit", "balance")


class Loop(NamedTuple):
    """What is measured by each schedule: one row."""

    suite: str
    name: str
    variant: Callable  # of a schedule's name
    sampler: Callable  # of a run: seconds


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=10, help=f"of what is near the best after {FIRST} rounds (default %(default)s)")
    parser.add_argument("--suites", default=",".join(SUITES), help="default %(default)s")
    parser.add_argument("--schedules", help="those to compare with, as in static;dynamic,64 (default: the whole catalogue, and dynamic with three chunks)")
    parser.add_argument("--repeat", type=int, default=15, help="runs in a process of idws, a sample is their median (default %(default)s)")
    parser.add_argument("--states", type=int, default=2 << 20, help="of the synthetic loops of idws (default 2 Mi)")
    parser.add_argument("--mesh", metavar="FILE", help="of the mesh kernels; default: one made by gmsh")
    parser.add_argument("--scale", type=int, default=64, help="graphs of cows of 1/N of the vertices (default %(default)s)")
    parser.add_argument("--inputs", default="rmat,lattice", help="of balance (default %(default)s)")


def catalogue(options, places):
    known = [name for name in programs.known_schedules(places.kernels("steelyard_tool")) if name != CHOOSER]
    if not options.schedules:
        return [*known, *CHUNKS]
    names = options.schedules.split(";")
    if unknown := [name for name in names if not re.fullmatch(r"([^,]+)(,\d+)?", name) or name.split(",")[0] not in known]:
        raise Failure(f"--schedules {unknown[0]}: no such schedule; between several stands a semicolon")
    return names


def of_idws(options, places):
    made = kernels.Programs(places, options.bind, options.repeat)
    for kernel in kernels.chosen(kernels.TITLES, options.states, options.threads, meshes.of(options, places)):
        def variant(name, kernel=kernel):
            return made.variant(kernel, name, "steelyard", name, options.threads)

        def sampler(kernel=kernel):
            sample = made.sampler(kernel, options.threads)
            return lambda run: sample(run).seconds
        yield Loop("idws", kernel.name, variant, sampler)


def of_cows(options, places):
    bench = cows.Bench(options, places)
    maker = Maker(places, bench.directory / "cows-graph", options.scale, options.scale)
    for graph in maker.all(("youtube", "road-pa"), (None,)):
        for name in cows.KERNELS:
            def variant(schedule, kernel=name, graph=graph):
                return bench.variant(cows.ours(schedule), kernel, graph, 25)

            def sampler(kernel=name, graph=graph):
                serial = bench.run("cows-serial", kernel, graph)
                return cows.sampler(measured(cows.RESULT, serial, "result").group(3), defaultdict(dict), kernel)
            yield Loop("cows", f"{name} {graph.title}", variant, sampler)


def of_jit(options, places):
    options.paper, options.quick, options.instances = False, False, None
    made = jit_programs.Programs(places, "gcc", options, places.libraries())
    for name in jit_programs.KERNELS:
        def variant(schedule, name=name):
            return made.variant(name, jit_programs.Choice(schedule, "runtime", {**made.drop_in, "OMP_SCHEDULE": schedule}))
        yield Loop("jit", name, variant, lambda name=name: made.sampler(name))


def of_balance(options, places):
    bench = programs.Bench(places, options.threads, options.bind)
    for case in programs.cases(programs.NAMES, None, options.inputs.split(",")):
        yield Loop("balance", case.name, lambda schedule, case=case: bench.variant(case, schedule),
                   lambda: programs.kernel_seconds)


def with_knowledge(variant, folder):
    return Variant(variant.label, variant.command, {**variant.environment, "STEELYARD_KNOWLEDGE": str(folder)})


def variants_of(loop, names, folder):
    """What a process of the chooser finds serves the next one: two are run before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    chooser = with_knowledge(loop.variant(CHOOSER), folder)
    for _ in range(2):
        execute(chooser)
    return [chooser, *(loop.variant(name) for name in names)]


def still_taking_part(samples):
    """The schedules that have not dropped out; the chooser is none of them."""
    rounds = len(samples[CHOOSER])
    return {label: of for label, of in samples.items() if label != CHOOSER and len(of) == rounds}


def near_the_best(samples):
    return {CHOOSER, *stats.close_to_best(still_taking_part(samples))}


def regret_of(samples):
    """The best of those that took part to the end is chosen on odd rounds, and compared on even ones."""
    best = stats.best_of({label: stats.odd(of) for label, of in still_taking_part(samples).items()})
    return best, stats.paired_ratio(stats.even(samples[CHOOSER]), stats.even(samples[best]))


def measure(loop, names, options, places):
    variants = variants_of(loop, names, places.work / "knowledge")
    samples = interleave_until_decided(variants, FIRST, options.rounds, loop.sampler(), near_the_best, f"{loop.suite} {loop.name}")
    best, regret = regret_of(samples)
    return {"suite": loop.suite, "loop": loop.name, "samples": samples, "best": best, "regret": regret,
            "verdict": stats.verdict(regret, WORST)}


def text_of(rows):
    lines = [[row["suite"], row["loop"], f"{1000 * median(row['samples'][row['best']]):.3g}", f"`{row['best']}`",
              row["regret"].text(3), row["verdict"]] for row in rows]
    values = [row["regret"].value for row in rows]
    said = f"Median {median(values):.3f} (bound {MEDIAN}), worst {max(values):.3f} (bound {WORST})."
    return table(["suite", "loop", "best, ms", "of them", f"`{CHOOSER}` divided by that", f"≤ {WORST:.2f}"], lines, left=2) + "\n\n" + said


def check(options):
    if options.rounds < 2 or options.repeat < 1 or options.states < 1:
        raise Failure("--rounds: at least 2, the best is chosen on odd ones and compared on even ones; --repeat, --states: at least 1")
    if options.prebuilt:
        raise Failure("--prebuilt: `bench/run pack` does not gather these programs; give --build")
    if unknown := [name for name in options.suites.split(",") if name not in SUITES]:
        raise Failure(f"--suites {unknown[0]}: no such suite; there are {', '.join(SUITES)}")


def run(options, places):
    check(options)
    names = catalogue(options, places)
    makers = {"idws": of_idws, "cows": of_cows, "jit": of_jit, "balance": of_balance}
    rows = [measure(loop, names, options, places) for suite in options.suites.split(",") for loop in makers[suite](options, places)]
    values = [row["regret"].value for row in rows]
    failed = median(values) > MEDIAN + stats.MARGIN or any(row["verdict"] == "fail" for row in rows)
    return {"title": f"Regret of {CHOOSER}: {options.threads} threads, {options.rounds} rounds", "text": text_of(rows),
            "results": rows, "failed": failed}
