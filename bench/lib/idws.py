# SPDX-License-Identifier: Apache-2.0
"""idws: the experiment of the paper on IDWS, with OpenMP, oneTBB and ours, each in a process of its own."""
from statistics import median

from . import bars, idws_ways, kernels, machine, meshes, oversubscribed, stats
from .kernels import AT_ONCE, BOUNDED, DEFAULT, FINE, SERIAL, STATIC, SYNTHETIC, TITLES
from .output import table
from .runs import Failure, interleave_until_decided

OF_LIMIT = 1.03
OF_BEST = 1.02
OF_STATIC = 1.02  # the default on the loop of 5 ns


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=machine.cores(), help="default: the cores of this machine")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--most-rounds", type=int, default=0, metavar="N",
                        help="a kernel with undecided bounds goes on, with the schedules that matter, to at most N rounds")
    parser.add_argument("--repeat", type=int, default=3, help="runs in a process; a sample is their median (default 3)")
    parser.add_argument("--states", type=int, default=16 << 20, help="of the synthetic loops (default 16 Mi)")
    parser.add_argument("--mesh", metavar="FILE", help="of the mesh kernels; default: one made by gmsh")
    parser.add_argument("--kernels", help=f"default {','.join(TITLES)}; with --macros and --delivery {','.join(SYNTHETIC)}")
    parser.add_argument("--svg", metavar="FILE", help="the plot; default BUILD/bench/idws.svg")
    parser.add_argument("--oversubscribed", action="store_true",
                        help="instead: 4 and 8 threads on these cores, against as many threads as --threads")
    parser.add_argument("--macros", action="store_true",
                        help="instead: the paper's macros in a region, against OpenMP's clauses and parallel_for")
    parser.add_argument("--delivery", metavar="A,B,…",
                        help=f"instead: `idws` by these deliveries, against {idws_ways.DELIVERIES[0]}; there are "
                        f"{', '.join(idws_ways.DELIVERIES)}")


def regret_of(samples, label):
    """The best of the others is chosen on odd rounds and compared on even ones."""
    best = stats.best_of({other: stats.odd(of) for other, of in samples.items() if other != label})
    return best, stats.paired_ratio(stats.even(samples[label]), stats.even(samples[best]))


def row_of(kernel, taken):
    """What there is to say of a kernel's samples."""
    serial = taken[SERIAL]
    limits = [sample.limit for sample in serial]
    samples = {label: [sample.seconds for sample in of] for label, of in taken.items()
               if label not in (SERIAL, AT_ONCE)}
    at_once = [sample.seconds for sample in taken[AT_ONCE]]
    regrets = {label: regret_of(samples, label) for label in samples}
    return {
        "kernel": kernel, "samples": samples, "serial": [sample.seconds for sample in serial], "limits": limits,
        "divisible": [sample.divisible for sample in serial],
        "at_once": at_once, "at_once_limit": stats.paired_ratio(at_once, limits),
        "times_limit": {label: stats.paired_ratio(of, limits) for label, of in samples.items()},
        "best_other": {label: best for label, (best, _) in regrets.items()},
        "regret": {label: regret for label, (_, regret) in regrets.items()},
    }


def measure(programs, kernel, options):
    def contenders(taken):
        row = row_of(kernel.name, taken)
        is_open = any(bound[-1] == "undecided" for bound in bounds_of(row))
        return {SERIAL, AT_ONCE, *BOUNDED, *stats.close_to_best(row["samples"])} if is_open else {}

    threads = options.threads
    variants = [programs.serial(kernel, threads), programs.at_once(kernel, threads)]
    variants += [programs.variant(kernel, label, *how, threads) for label, how in programs.strategies().items()]
    taken = interleave_until_decided(variants, options.rounds, options.most_rounds, programs.sampler(kernel, threads),
                                     contenders, kernel.name)
    return row_of(kernel.name, taken)


def of_limit_verdict(ratio, at_once):
    """A machine on which serial programs at once do not reach the limit either fails nobody."""
    verdict = stats.verdict(ratio, OF_LIMIT)
    return "undecided" if verdict == "fail" and stats.verdict(at_once, OF_LIMIT) != "pass" else verdict


def bounds_of(row):
    """(kernel, strategy, what, of what, ratio, bound, verdict) for each bound."""
    name = row["kernel"]
    for label in BOUNDED if name in SYNTHETIC else ():
        of_limit, of_best = row["times_limit"][label], row["regret"][label]
        yield name, label, "limit", of_limit, OF_LIMIT, of_limit_verdict(of_limit, row["at_once_limit"])
        yield name, label, row["best_other"][label], of_best, OF_BEST, stats.verdict(of_best, OF_BEST)
    if name == FINE:
        ratio = stats.paired_ratio(row["samples"][DEFAULT], row["samples"][STATIC])
        yield name, DEFAULT, STATIC, ratio, OF_STATIC, stats.verdict(ratio, OF_STATIC)


def by_strategy(rows, cell, first=()):
    """A table like the paper's: rows are strategies, columns kernels."""
    labels = list(rows[0]["samples"])
    lines = [[label, *(cell(row, label) for row in rows)] for label in labels]
    return table(["", *(TITLES[row["kernel"]] for row in rows)], [*first, *lines])


def seconds(value):
    return f"{value:.3g}" if value < 0.1 else f"{value:.3f}"


def seconds_table(rows):
    first = [["serial", *(seconds(median(row["serial"])) for row in rows)],
             ["limit", *(seconds(median(row["limits"])) for row in rows)],
             [f"{AT_ONCE}, a thread's part", *(seconds(median(row["at_once"])) for row in rows)]]
    return by_strategy(rows, lambda row, label: seconds(median(row["samples"][label])), first)


def bounds_table(bounds):
    lines = [[TITLES[name], f"`{label}`", of, ratio.text(3), f"≤ {bound}", verdict]
             for name, label, of, ratio, bound, verdict in bounds]
    return table(["kernel", "schedule", "of", "time divided by that", "bound", "verdict"], lines, left=3)


def coarse(rows):
    """Where the limit is not all work/members, and so may be overestimated."""
    names = [TITLES[row["kernel"]] for row in rows if median(row["divisible"]) < 0.99 * median(row["limits"])]
    return f" Blocks longer than work/members raise it in: {', '.join(names)}." if names else ""


def text_of(rows, bounds, costs, mesh):
    relative = ", ".join(f"{cost / costs[1]:.2f}" for cost in costs)
    parts = [
        f"Mesh kernels on {mesh.says}. States 0 to 3 took {', '.join(f'{cost:.1f}' for cost in costs)} ns an "
        f"iteration, {relative} times state 1.",
        "Seconds:", seconds_table(rows),
        "Time/limit; the limit is max(W/P, t_1, t_P + t_(P+1)) over blocks of iterations that the serial program "
        f"times, summed over the loops of a kernel, in the same round.{coarse(rows)} The first row is the machine's own: "
        "serial programs on all cores at once, which nothing is divided between.",
        by_strategy(rows, lambda row, label: f"{row['times_limit'][label].value:.2f}",
                    [[AT_ONCE, *(f"{row['at_once_limit'].value:.2f}" for row in rows)]]),
        "Regret: time divided by that of the best other strategy, chosen on odd rounds, compared on even ones:",
        by_strategy(rows, lambda row, label: f"{row['regret'][label].value:.2f}"),
    ]
    if bounds:
        parts += ["Bounds:", bounds_table(bounds)]
    return "\n\n".join(parts)


def check(options):
    for name, least in (("threads", 1), ("rounds", 2), ("repeat", 1), ("states", 1)):
        if getattr(options, name) < least:
            raise Failure(f"--{name} {getattr(options, name)}: give at least {least}")


def run(options, places):
    check(options)
    ways = options.macros or options.delivery
    names = options.kernels.split(",") if options.kernels else list(SYNTHETIC if ways else TITLES)
    if ways and set(names) - set(SYNTHETIC):
        raise Failure(f"--kernels {options.kernels}: with --macros and --delivery there are {', '.join(SYNTHETIC)}")
    mesh = meshes.of(options, places) if set(names) & set(kernels.MESH) else meshes.Mesh([], "none")
    chosen = list(kernels.chosen(names, options.states, options.threads, mesh))
    programs = kernels.Programs(places, options.bind, options.repeat)
    if options.oversubscribed:
        options.json = options.json or places.work / "idws-oversubscribed.json"
        return oversubscribed.run(programs, chosen, options, mesh)
    if options.macros:
        options.json = options.json or places.work / "idws-macros.json"
        return idws_ways.macros(programs, places, chosen, options)
    if options.delivery:
        options.json = options.json or places.work / "idws-delivery.json"
        return idws_ways.deliveries(programs, chosen, idws_ways.deliveries_of(options.delivery), options)
    costs = programs.state_costs()
    rows = [measure(programs, kernel, options) for kernel in chosen]
    bounds = [bound for row in rows for bound in bounds_of(row)]
    bars.write(options.svg or places.work / "idws.svg", rows)
    return {"title": f"IDWS: {options.threads} threads, {options.states} states, {options.rounds} rounds",
            "text": text_of(rows, bounds, costs, mesh), "results": rows, "bounds": bounds, "state_costs_ns": costs,
            "mesh": mesh.says, "failed": any(bound[-1] == "fail" for bound in bounds)}
