# SPDX-License-Identifier: Apache-2.0
"""dataflow: tasks ordered by what they access, on OpenMP, oneTBB's flow graph, StarPU, and ours."""
import re
from pathlib import Path
from statistics import median
from typing import NamedTuple

from . import stats
from .output import table
from .runs import Failure, Variant, chosen_kernels, execute, interleave, measured, openmp_environment

SERIAL, OURS, LIBOMP = "serial", "steelyard", "libomp"
PEERS = ("openmp", "tbb", "starpu")
# Programs, and how many timed runs in a process.
PROGRAMS = {"cholesky": 3, "lu": 3, "smith-waterman": 1, "sparse-lu": 1, "fib": 3}
# They order only tasks that one task has forked: no dataflow through tasks of tasks.
WITHOUT = {"fib": ("tbb", "starpu")}
TO_BEST = {"cholesky": 1.05}
RESULT = re.compile(r"^[\w-]+ \d+: (\d+) tasks, result ([0-9a-f]{16})$", re.M)
SECONDS = re.compile(r"^kernel: median ([0-9.]+) s", re.M)
COUNTER = re.compile(r"^counter ([\w ]+): (\d+)$", re.M)


class Price(NamedTuple):
    """What a task costs: a kernel, on whom, and how many of them at the most."""

    kernel: str
    runtimes: tuple
    threads: int
    repeat: int
    arguments: tuple
    unit: str
    most: float = None  # bound of ours


PRICES = {
    "chain": Price("chain", (OURS, *PEERS, LIBOMP), 1, 3, (), "ns", 30),
    "chain-2": Price("chain", (OURS, "openmp", "tbb", LIBOMP), 2, 3, (), "ns"),  # where there is nothing to gain
    "stolen": Price("stolen", (OURS, "openmp", LIBOMP), 2, 1, (), "ns", 250),
    # Tasks of a microsecond; serial's time is taken off.
    "stolen-1us": Price("stolen", (SERIAL, OURS, "openmp", LIBOMP), 2, 1, ("--size", 50000, "--work", 4000), "ns"),
    "flight": Price("flight", (OURS, "openmp", "tbb", LIBOMP), 1, 1, (), "bytes", 300),
}
FEWER = {("chain", "starpu"): 100_000}  # so many times slower that fewer tasks say as much
KERNELS = (*PRICES, *PROGRAMS)


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2, help="of the parallel runs (default 2)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kernels", default=",".join(KERNELS), help="default %(default)s")
    parser.add_argument("--ours-only", action="store_true", help="only ours and serial")
    parser.add_argument("--libomp", metavar="FILE",
                        help="also OpenMP's program on a runtime with libgomp's calls: libomp.so.5, libiomp5.so")


class Bench:
    """Makes variants of the programs."""

    def __init__(self, options, places):
        self.options = options
        self.directory = places.kernels("bench_dataflow")
        if not (self.directory / "dataflow-serial").exists():
            raise Failure("the programs were not built: OpenBLAS is missing; `ci/install-packages bench` installs it")
        self.starpu = {"STARPU_SILENT": "1", "STARPU_HOME": str(places.work)}
        self.other = places.work / "libomp"
        if options.libomp:
            self._link(Path(options.libomp).resolve())

    def _link(self, file):
        if not file.exists():
            raise Failure(f"--libomp {file}: not there")
        self.other.mkdir(exist_ok=True)
        link = self.other / "libgomp.so.1"
        link.unlink(missing_ok=True)
        link.symlink_to(file)

    def has(self, runtime):
        if runtime in (SERIAL, OURS):
            return True
        if self.options.ours_only:
            return False
        return bool(self.options.libomp) if runtime == LIBOMP else (self.directory / f"dataflow-{runtime}").exists()

    def variant(self, kernel, runtime, threads, *arguments):
        program = "openmp" if runtime == LIBOMP else runtime
        command = [self.directory / f"dataflow-{program}", "--kernel", kernel, "--threads", threads, *arguments]
        environment = {"OPENBLAS_NUM_THREADS": "1"}
        if program == "openmp":
            environment |= openmp_environment(threads, self.options.bind)
        if runtime == LIBOMP:
            environment["LD_LIBRARY_PATH"] = str(self.other)
        if runtime == "starpu":
            environment |= {**self.starpu, "STARPU_NCPU": str(threads)}
        return Variant(f"{runtime} {threads}", command, environment)


def sample(run, repeat=1, expected=None):
    result, seconds = measured(RESULT, run, "result"), measured(SECONDS, run, "time")
    if expected not in (None, result[2]):
        raise Failure(f"a result is {result[2]}, not {expected}")
    counters = {name: int(value) / repeat for name, value in COUNTER.findall(run.output)}
    return {"seconds": float(seconds[1]), "tasks": int(result[1]), "result": result[2], "counters": counters}


def price(runs, unit):
    """Of a task, in each round."""
    if unit == "bytes":
        return [run["counters"]["bytes"] / run["tasks"] for run in runs]
    return [run["seconds"] / run["tasks"] * 1e9 for run in runs]


def measure_price(bench, name, rounds):
    """Rows of what a task costs on each runtime."""
    it = PRICES[name]
    variants = []
    for runtime in filter(bench.has, it.runtimes):
        fewer = ("--size", FEWER[name, runtime]) if (name, runtime) in FEWER else ()
        variants.append(bench.variant(it.kernel, runtime, it.threads, "--repeat", it.repeat, *it.arguments, *fewer))
    for one in variants:
        execute(one._replace(command=[*one.command, "--verify"]))
    taken = interleave(variants, rounds, lambda run: sample(run, it.repeat), f"dataflow {name}")
    taken = {label.split(" ")[0]: runs for label, runs in taken.items()}
    prices = {runtime: price(runs, it.unit) for runtime, runs in taken.items()}
    if SERIAL in prices:
        own = prices.pop(SERIAL)
        prices = {runtime: [value - base for value, base in zip(of, own)] for runtime, of in prices.items()}
    rows = {runtime: {"price": stats.bootstrap_median(of), "alone": alone(taken[runtime])}
            for runtime, of in prices.items()}
    return {"kernel": name, "unit": it.unit, "most": it.most, "rows": rows, "prices": prices, "samples": taken}


def alone(runs):
    """The share of tasks that were not where they were wanted: run by who forks them, or before all were forked."""
    counters = [run["counters"].get("by the forker", run["counters"].get("begun", 0)) / run["tasks"] for run in runs]
    return median(counters)


def judge_price(result):
    prices, most = result["prices"][OURS], result["most"]
    ratio = stats.paired_ratio(prices, [most] * len(prices))
    return "fail" if result["rows"][OURS]["alone"] > 0 else stats.verdict(ratio, 1)


def to_best(seconds, threads):
    """Ours to the best of the others, chosen on odd rounds, compared on even ones."""
    peers = {label: stats.odd(of) for label, of in seconds.items()
             if label.endswith(f" {threads}") and label.split(" ")[0] not in (SERIAL, OURS)}
    if not peers or len(stats.even(seconds[f"{OURS} {threads}"])) == 0:
        return None
    best = stats.best_of(peers)
    return {"peer": best.split(" ")[0],
            "ratio": stats.paired_ratio(stats.even(seconds[f"{OURS} {threads}"]), stats.even(seconds[best]))}


def runtimes_of(kernel):
    return [runtime for runtime in (OURS, *PEERS, LIBOMP) if runtime not in WITHOUT.get(kernel, ())]


def measure_program(bench, kernel, rounds, many):
    repeat = PROGRAMS[kernel]
    runtimes = [runtime for runtime in runtimes_of(kernel) if bench.has(runtime)]
    variants = [bench.variant(kernel, runtime, threads, "--repeat", repeat)
                for runtime, threads in [(SERIAL, 1)] + [(runtime, n) for runtime in runtimes for n in (1, many)]]
    expected = sample(execute(variants[0]._replace(command=[*variants[0].command, "--verify"])))
    for one in variants[1:]:
        execute(one)
    taken = interleave(variants, rounds, lambda run: sample(run, repeat, expected["result"]), f"dataflow {kernel}")
    seconds = {label: [run["seconds"] for run in of] for label, of in taken.items()}
    serial = seconds[f"{SERIAL} 1"]
    rows = {}
    for runtime in runtimes:
        one, all_of_them = seconds[f"{runtime} 1"], seconds[f"{runtime} {many}"]
        rows[runtime] = {"one": median(one), "many": median(all_of_them), "T1/Tseq": stats.paired_ratio(one, serial),
                         "Tseq/T2": stats.paired_ratio(serial, all_of_them)}
    counters = {name: median(run["counters"][name] for run in taken[f"{OURS} {many}"])
                for name in ("stolen", "analysed")}
    return {"kernel": kernel, "tasks": expected["tasks"], "serial": median(serial), "rows": rows, "counters": counters,
            "alone_analysed": max(run["counters"]["analysed"] for run in taken[f"{OURS} 1"]),
            "to_best": to_best(seconds, many), "samples": taken}


def text_of_prices(results):
    lines = [[result["kernel"], f"`{runtime}`", row["price"].text(1), result["unit"],
              "" if result["most"] is None or runtime != OURS else f"≤ {result['most']}",
              "" if row["alone"] == 0 else f"{row['alone']:.0%}"]
             for result in results for runtime, row in result["rows"].items()]
    return table(["kernel", "runtime", "a task costs", "", "bound", "not as wanted"], lines, left=2)


def speedup_text(ratio):
    """Enough digits also where tasks do nothing but call."""
    return ratio.text(2 if ratio.value >= 0.1 else 4)


def text_of_programs(results, threads):
    lines = []
    for result in results:
        for runtime, row in result["rows"].items():
            mine, best = runtime == OURS, result["to_best"]
            lines.append([result["kernel"], result["tasks"], f"{result['serial']:.3g}", f"`{runtime}`",
                          f"{row['one']:.3g}", f"{row['many']:.3g}", row["T1/Tseq"].text(), speedup_text(row["Tseq/T2"]),
                          f"{best['ratio'].text()} of `{best['peer']}`" if mine and best else "",
                          f"{result['counters']['analysed']:.0f}" if mine else "",
                          f"{result['counters']['stolen']:.0f}" if mine else ""])
    head = ["kernel", "tasks", "serial, s", "runtime", "T1, s", f"T{threads}, s", "T1/Tseq", f"Tseq/T{threads}",
            "to the best other", "analysed", "stolen"]
    return table(head, lines, left=1)


def bounds_of(prices, programs, threads):
    for result in prices:
        if result["most"] is not None:
            what = f"≤ {result['most']} {result['unit']} a task"
            yield result["kernel"], what, result["rows"][OURS]["price"], judge_price(result)
    for result in programs:
        bound, found = TO_BEST.get(result["kernel"]), result["to_best"]
        if bound and found:
            yield (result["kernel"], f"T{threads} ≤ {bound} of the best other", found["ratio"],
                   stats.verdict(found["ratio"], bound))
        yield (result["kernel"], "nothing analysed by one thread", stats.bootstrap_median([result["alone_analysed"]]),
               "pass" if result["alone_analysed"] == 0 else "fail")


def run(options, places):
    if options.rounds < 2 or options.threads < 2:
        raise Failure("--rounds and --threads: give at least 2")
    wanted = chosen_kernels(options.kernels, KERNELS)
    bench = Bench(options, places)
    prices = [measure_price(bench, kernel, options.rounds) for kernel in wanted if kernel in PRICES]
    programs = [measure_program(bench, kernel, options.rounds, options.threads) for kernel in wanted
                if kernel in PROGRAMS]
    bounds = list(bounds_of(prices, programs, options.threads))
    verdicts = [[kernel, what, ratio.text(), verdict] for kernel, what, ratio, verdict in bounds]
    texts = [text_of_prices(prices)] if prices else []
    texts += [text_of_programs(programs, options.threads)] if programs else []
    texts += [table(["kernel", "bound", "measured", "verdict"], verdicts, left=2)] if verdicts else []
    return {"title": f"Dataflow: {options.threads} threads, {options.rounds} rounds", "text": "\n\n".join(texts),
            "results": [*prices, *programs], "bounds": bounds, "failed": any(bound[-1] == "fail" for bound in bounds)}
