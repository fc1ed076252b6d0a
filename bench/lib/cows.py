# SPDX-License-Identifier: Apache-2.0
"""cows: seven kernels on irregular and on roughly regular graphs, on every runtime's schedules."""
import math
import re
import sys
from statistics import median
from typing import NamedTuple

from . import cows_replay, cows_selection, cows_text, programs, stats
from .cows_graphs import NAMES as GRAPHS
from .cows_graphs import ORDERS, Maker
from .runs import Failure, Variant, chosen_kernels, execute, interleave_until_decided, measured, openmp_environment

KERNELS = ("kc", "le", "bfs", "bf", "ds", "pr", "cc")
CLAUSES = ("static", "static,1", "dynamic", "guided")  # cows-openmp has each in its source
CYCLIC = "static,1"
TBB = "oneTBB auto"
SCHEDULES = ("random", "wsr", "wsri", "wsrw", "wsr:paper", "wsri:paper", "wsrw:paper", "idws", "adaptive",
             "steal")  # those that the library has are run
COST_AWARE = ("wsrw", "wsri")  # what the paper proposes
DROP_IN = "OMP_SCHEDULE="  # columns of cows-openmp with the drop-in
NO_PEERS = (":paper", DROP_IN)  # columns with these are neither what is proposed nor what that is held against
CHUNKS = (1, 4, 16, 64, 256, 1024)
LEAST_LEFT = (2, 5, 20, 100)  # below so many iterations a victim is not asked; 5 is the paper's
BOUND = 1.03  # in nine rows of ten
WORST = 1.10  # in all
SAMPLE = 0.02  # seconds that a sample lasts at least, in several runs of the kernel
RESULT = re.compile(r"^rounds (\d+), loops (\d+), result (\w+)$", re.M)
LIMIT = re.compile(r"^limit ([0-9.]+) s for \d+ members, work ([0-9.]+) s$", re.M)
COUNTER = re.compile(r"^counter (\w[\w ]*): ([0-9.]+)$", re.M)


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--most-rounds", type=int, default=0, metavar="N",
                        help="an undecided row goes on, with the schedules that may be the best, to at most N rounds")
    parser.add_argument("--kernels", default=",".join(KERNELS), help=f"default {','.join(KERNELS)}")
    parser.add_argument("--graphs", default=",".join(GRAPHS), help="data sets, debian, or files (SNAP, .mtx); "
                        f"default {','.join(GRAPHS)}")
    parser.add_argument("--scale", type=int, default=16, help="power-law graphs of 1/N of the vertices (default 16)")
    parser.add_argument("--road-scale", type=int, default=16, help="the same of road-like graphs (default 16)")
    parser.add_argument("--orders", action="store_true", help=f"each graph also by {' and by '.join(ORDERS)}")
    parser.add_argument("--schedules", default=",".join(SCHEDULES), help="ours; separated by commas")
    parser.add_argument("--drop-in", default="wsrw,idws,adaptive,steal", metavar="NAMES",
                        help="of these also the drop-in's, by OMP_SCHEDULE; default wsrw,idws,adaptive,steal; none: ''")
    more = parser.add_mutually_exclusive_group()
    more.add_argument("--ablate", action="store_true", help="wsrw without each of its optimisations")
    more.add_argument("--sweep", action="store_true", help=f"wsr, wsri and wsrw with chunks of {CHUNKS}, and with least shares of {LEAST_LEFT}")
    more.add_argument("--selection", action="store_true",
                      help="what choosing victims takes: instructions, by callgrind (use a larger --scale)")
    more.add_argument("--replay", action="store_true", help="recorded costs in virtual time, at --members")
    parser.add_argument("--launcher", action="store_true",
                        help="the paper's own road: plain OpenMP with schedule(runtime) that `steelyard cc` has compiled, by OMP_SCHEDULE; "
                        "with --replay: wsrw knows what that program tells of its costs")
    parser.add_argument("--members", default="32", metavar="N,...", help="of --replay (default 32)")
    parser.add_argument("--svg", metavar="FILE", help="the plot; default BUILD/bench/cows.svg")


class Choice(NamedTuple):
    """A runtime's schedule: one column of the tables."""

    label: str
    program: str
    arguments: tuple = ()
    environment: dict = {}


def ours(schedule, label=None, arguments=(), environment=None):
    return Choice(label or schedule, "cows-steelyard", ("--schedule", schedule, *arguments), environment or {})


def dropped_in(schedule, places):
    return Choice(DROP_IN + schedule, "cows-openmp", ("--schedule", "runtime"),
                  {"LD_PRELOAD": str(places.shim()), "OMP_SCHEDULE": schedule})


def peers(directory):
    found = [Choice(clause, "cows-openmp", ("--schedule", clause)) for clause in CLAUSES]
    if (directory / "cows-tbb").exists():
        found.append(Choice(TBB, "cows-tbb"))
    else:
        print("bench: no oneTBB, goes on without it; `ci/install-packages bench` installs it", file=sys.stderr)
    return found


def without(optimisation):
    """Arguments and environment that make wsrw leave out an optimisation of the paper, or ours: the one place that knows. All
    read costs whatever that takes, for what is left out costs nothing where none are read."""
    word = {"Opt1": ",reuse", "Opt2": ",equal", "Opt3": ",guarded", "Opt4": ",search", "expensive first": ",expensive",
            "sparing": ""}[optimisation]
    return (), {"STEELYARD_WITHOUT": "sparing" + word}


def counts(text):
    """The numbers in it, divided by commas."""
    words = text.split(",")
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise Failure(f"--members {text}: not numbers divided by commas, as in 2,8,32")
    return [int(word) for word in words]


def launched_program(directory):
    program = "cows-launched"
    if not (directory / program).exists():
        raise Failure("--launcher: no cows-launched; it is built where Clang's libraries are (docs/launcher.md)")
    return program


def launched(schedules, directory, places):
    """One program for all columns: native clauses by its own runtime, ours by the drop-in, which `wsrw` asks the program's loops for costs."""
    program = launched_program(directory)
    loaded = {"LD_PRELOAD": str(places.shim())}
    return [*(Choice(clause, program, (), {"OMP_SCHEDULE": clause}) for clause in CLAUSES),
            *(Choice(name, program, (), {**loaded, "OMP_SCHEDULE": name}) for name in schedules)]


def choices(options, directory, places):
    known = programs.known_schedules(directory)
    chosen = [name for name in options.schedules.split(",") if name in known]
    if unknown := [name for name in options.schedules.split(",") if name not in (*known, *SCHEDULES)]:
        raise Failure(f"--schedules {unknown[0]}: no such schedule; there are {', '.join(known)}")
    if options.launcher:
        return launched(chosen, directory, places)
    if options.ablate:
        if "wsrw" not in known:
            raise Failure("--ablate: this library has no wsrw")
        named = [("wsrw, reads all", *without("sparing")),
                 *((f"without {name}", *without(name)) for name in ("Opt1", "Opt2", "Opt3", "Opt4", "expensive first"))]
        return [Choice(CYCLIC, "cows-openmp", ("--schedule", CYCLIC)), ours("wsrw"),
                *(ours("wsrw", label, more, env) for label, more, env in named)]
    if options.sweep:
        stealing = [name for name in ("wsr", "wsri", "wsrw") if name in chosen]
        return [Choice(CYCLIC, "cows-openmp", ("--schedule", CYCLIC)),
                *(ours(f"{name},{chunk}") for name in stealing for chunk in CHUNKS),
                *(ours(name, f"{name}, least {least}", (), {"STEELYARD_LEAST_LEFT": str(least)})
                  for name in stealing for least in LEAST_LEFT)]
    return [*peers(directory), *(ours(name) for name in chosen),
            *(dropped_in(name, places) for name in options.drop_in.split(",") if name in known)]


class Bench:
    def __init__(self, options, places):
        self.directory = places.kernels("bench_cows")
        self.threads = options.threads
        self.environment = {**openmp_environment(options.threads, options.bind), **places.libraries()}

    def run(self, program, kernel, graph, *arguments):
        """Once, for what it prints."""
        return execute(self.variant(Choice(program, program, arguments), kernel, graph, 1), timeout=3600)

    def variant(self, choice, kernel, graph, repeat):
        command = [self.directory / choice.program, "--kernel", kernel, "--graph", graph.file, "--repeat", repeat,
                   *(() if choice.program == "cows-serial" else ("--threads", self.threads)), *choice.arguments]
        return Variant(choice.label, command, {**self.environment, **choice.environment})


def sampler(expected, counters, name):
    """Makes a sample of a run whose result is the serial one. Counters that a program prints are kept by label."""
    def sample(run):
        found = measured(RESULT, run, "result").group(3)
        if found != expected:
            raise Failure(f"{name}, {run.label}: the result is {found}, that of the serial kernel {expected}")
        for counter, value in COUNTER.findall(run.output):
            counters[run.label].setdefault(counter, []).append(float(value))
        return programs.kernel_seconds(run)
    return sample


def judge(samples):
    """The better of what the paper proposes, and the best of the others, chosen on odd rounds, compared on even ones."""
    proposed = {label: stats.odd(of) for label, of in samples.items() if label in COST_AWARE}
    others = {label: stats.odd(of) for label, of in samples.items()
              if label not in proposed and not any(word in label for word in NO_PEERS)}
    if not proposed or not others:
        return {}
    mine, best = stats.best_of(proposed), stats.best_of(others)
    ratio = stats.paired_ratio(stats.even(samples[mine]), stats.even(samples[best]))
    return {"proposed": mine, "best_other": best, "to_best": ratio, "verdict": stats.verdict(ratio, BOUND)}


def has_failed(rows):
    """In more than a tenth of the rows, or anywhere by more than a tenth."""
    judged = [row for row in rows if "verdict" in row]
    fails = [row for row in judged if row["verdict"] == "fail"]
    return len(fails) > len(judged) / 10 or any(stats.verdict(row["to_best"], WORST) == "fail" for row in fails)


def contenders(samples):
    """Who goes on where a row is undecided."""
    return stats.close_to_best(samples) if judge(samples).get("verdict") == "undecided" else []


def measure(bench, kernel, graph, columns, options):
    name = f"{kernel} {graph.title}"
    serial = bench.run("cows-serial", kernel, graph, "--limit", bench.threads)
    rounds_of_kernel, loops, result = measured(RESULT, serial, "result").groups()
    limit, work = (float(word) for word in measured(LIMIT, serial, "limit").groups())
    repeat = min(25, max(1, math.ceil(SAMPLE * bench.threads / max(work, 1e-6))))
    counters = {choice.label: {} for choice in columns}
    variants = [bench.variant(choice, kernel, graph, repeat) for choice in columns]
    samples = interleave_until_decided(variants, options.rounds, options.most_rounds, sampler(result, counters, name),
                                       contenders, name)
    medians = {label: median(of) for label, of in samples.items()}
    least = min(medians.values())
    return {
        "kernel": kernel, "graph": graph.title, "kind": graph.kind, "facts": graph.facts, "rounds": int(rounds_of_kernel),
        "loops": int(loops), "work_seconds": work, "limit_seconds": limit, "samples": samples, "medians": medians,
        "gains": {label: stats.paired_ratio(samples[CYCLIC], of) for label, of in samples.items()},
        "times_limit": {label: of / limit for label, of in medians.items()},
        "regret": {label: of / least for label, of in medians.items()}, "counters": counters}


def run(options, places):
    if options.rounds < 2:
        raise Failure("--rounds: at least 2, the best is chosen on odd ones and compared on even ones")
    if options.launcher and (options.ablate or options.sweep or options.selection):
        raise Failure("--launcher: goes with --replay, or alone")
    if options.prebuilt:
        raise Failure("--prebuilt: `bench/run pack` does not gather the programs of cows; give --build")
    kernels = chosen_kernels(options.kernels, KERNELS)
    bench = Bench(options, places)
    maker = Maker(places, bench.directory / "cows-graph", options.scale, options.road_scale)
    graphs = maker.all(options.graphs.split(","), (None, *(ORDERS if options.orders else ())))
    scale = f"power-law graphs at 1/{options.scale} of the paper's vertices, road-like ones at 1/{options.road_scale}"
    if options.replay:
        members = counts(options.members)
        known = programs.known_schedules(bench.directory)
        if options.launcher:
            launched_program(bench.directory)
        rows = [row for kernel in kernels for graph in graphs
                for row in cows_replay.replay(bench, kernel, graph, members, known, options.launcher)]
        return {"title": f"COWS kernels, recorded costs in virtual time; {scale}", **cows_replay.report(rows)}
    if options.selection:
        rows = [cows_selection.measure(bench, kernel, graph, name) for kernel in kernels for graph in graphs
                for name in COST_AWARE]
        return {"title": f"COWS kernels, {options.threads} threads, what choosing victims takes; {scale}",
                **cows_selection.report(rows)}
    columns = choices(options, bench.directory, places)
    rows = [measure(bench, kernel, graph, columns, options) for kernel in kernels for graph in graphs]
    if not (options.ablate or options.sweep):  # they have no peers to be held against
        rows = [{**row, **judge(row["samples"])} for row in rows]
    title = f"COWS kernels, {options.threads} threads, {options.rounds} rounds; {scale}"
    cows_text.write_plot(options.svg or places.work / "cows.svg", title, rows)
    return {"title": title, "text": cows_text.text_of(rows), "results": rows, "failed": has_failed(rows)}
