# SPDX-License-Identifier: Apache-2.0
"""tasks: recursive programs with a task for each call, on OpenMP, oneTBB, a queue with a lock, and ours."""
import re
from statistics import median

from . import stats
from .output import table
from .runs import Failure, Variant, chosen_kernels, execute, interleave, measured, openmp_environment

KERNELS = {"fib": 35, "fib-by-reference": 35, "queens": 13, "uts-t1": 0, "uts-t3": 0, "quicksort": 700_000,
           "mergesort": 700_000, "strassen": 1024, "monte-carlo": 20_000_000}
SERIAL, OURS = "serial", "steelyard"
PEERS = ("openmp", "sections", "tbb", "queue")
SORTS = ("quicksort", "mergesort")  # the only ones of `sections`
CUTOFF = 1000  # elements for which the others make no tasks when they sort; ours always does
SLOW = {("fib", "openmp"), ("fib", "queue"), ("fib", "tbb")}  # so many times slower that a smaller n says as much
SMALL_FIB = 25
RESULT = re.compile(r"^([\w-]+ \d+: .*)$", re.M)
TASKS = re.compile(r"^tasks: (\d+)$", re.M)
SECONDS = re.compile(r"^kernel: median ([0-9.]+) s", re.M)
COUNTER = re.compile(r"^counter steals: (\d+)$", re.M)
PEAK = re.compile(r"^peak memory: (\d+) KiB$", re.M)
OURS_ALONE = ("fib-by-reference",)  # how a program is written for our join
ONE_WORKER = {"fib": 2.8, "fib-by-reference": 2.7}
SPEEDUP = {"fib": ("T1/T2", 1.9), "fib-by-reference": ("T1/T2", 1.9), "queens": ("Tseq/T2", 1.7),
           "uts-t1": ("Tseq/T2", 1.85), "uts-t3": ("Tseq/T2", 1.85)}
DEEP = ("uts-t3",)  # whose stacks are looked at
NO_SLOWER = ("T1/T2", 1.0)  # of the others
REPEAT = 3


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2, help="of the parallel runs (default 2)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kernels", default=",".join(KERNELS), help="default %(default)s")
    parser.add_argument("--ours-only", action="store_true", help="only ours and serial")


def tasks_of_fib(n):
    before, calls = 1, 1
    for _ in range(2, n + 1):
        before, calls = calls, before + calls + 1
    return (calls - 1) // 2


def cutoff(kernel, runtime):
    return ["--cutoff", CUTOFF] if kernel in SORTS and runtime in PEERS else []


def variant(directory, kernel, runtime, threads, bind):
    size = SMALL_FIB if (kernel, runtime) in SLOW else KERNELS[kernel]
    command = [directory / f"tasks-{runtime}", "--kernel", kernel, "--threads", threads, "--repeat", REPEAT,
               *(["--size", size] if size else []), *cutoff(kernel, runtime)]
    environment = openmp_environment(threads, bind) if runtime == "openmp" else {}
    return Variant(f"{runtime} {threads}", command, environment)


def tasks_of(directory, kernel, runtime):
    """How many tasks `runtime` makes: the serial program counts them."""
    command = [directory / f"tasks-{SERIAL}", "--kernel", kernel, "--count", *cutoff(kernel, runtime)]
    return int(TASKS.search(execute(Variant(f"{kernel} counted", command, {})).output)[1])


def sample(run):
    found = measured(SECONDS, run, "time")
    counter, peak = COUNTER.search(run.output), PEAK.search(run.output)
    return {"result": RESULT.search(run.output)[1], "seconds": float(found[1]),
            "steals": int(counter[1]) / REPEAT if counter else None, "kib": int(peak[1])}


def check_results(kernel, taken):
    """All runs of a size have the same result."""
    results = {run["result"] for label, of in taken.items() for run in of if (kernel, label.split(" ")[0]) not in SLOW}
    if len(results) != 1:
        raise Failure(f"results differ: {', '.join(sorted(results))}")


def runtimes_of(directory, kernel, options):
    peers = [] if options.ours_only or kernel in OURS_ALONE else [peer for peer in PEERS if (directory / f"tasks-{peer}").exists()]
    return [OURS] + [peer for peer in peers if peer != "sections" or kernel in SORTS]


def memory_of(directory, kernel, options, rounds=10):
    """What ours needs beside an idle pool, of twice the serial program's stack for each thread."""
    def variants(label, name, threads):
        one = variant(directory, kernel, name, threads, options.bind)
        idle = Variant(f"idle {label}", [directory / f"tasks-{name}", "--kernel", "fib", "--size", 2, "--threads", threads],
                       one.environment)
        return [Variant(label, one.command, one.environment), idle]
    both = variants("ours", OURS, options.threads) + variants("serial", SERIAL, 1)
    kib = interleave(both, rounds, lambda one: sample(one)["kib"], f"memory of {kernel}")
    beside = {label: [busy - idle for busy, idle in zip(kib[label], kib[f"idle {label}"])] for label in ("ours", "serial")}
    return stats.paired_ratio([max(one, 4) for one in beside["ours"]],
                              [2 * options.threads * max(one, 4) for one in beside["serial"]])


def measure(directory, kernel, options):
    runtimes = runtimes_of(directory, kernel, options)
    variants = [variant(directory, kernel, SERIAL, 1, options.bind)]
    variants += [variant(directory, kernel, runtime, threads, options.bind)
                 for runtime in runtimes for threads in (1, options.threads)]
    for one in variants:
        execute(one)
    taken = interleave(variants, options.rounds, sample, f"tasks {kernel}")
    check_results(kernel, taken)
    seconds = {label: [one["seconds"] for one in of] for label, of in taken.items()}
    if kernel == "fib":  # smaller ones, by the task
        for label in seconds:
            if (kernel, label.split(" ")[0]) in SLOW:
                scale = tasks_of_fib(KERNELS[kernel]) / tasks_of_fib(SMALL_FIB)
                seconds[label] = [value * scale for value in seconds[label]]
    serial, many = seconds[f"{SERIAL} 1"], options.threads
    rows = {}
    for runtime in runtimes:
        one, all_of_them = seconds[f"{runtime} 1"], seconds[f"{runtime} {many}"]
        steals = [run["steals"] for run in taken[f"{runtime} {many}"]]
        rows[runtime] = {
            "one": median(one), "many": median(all_of_them), "T1/Tseq": stats.paired_ratio(one, serial),
            "T1/T2": stats.paired_ratio(one, all_of_them), "Tseq/T2": stats.paired_ratio(serial, all_of_them),
            "tasks": tasks_of(directory, kernel, runtime),
            "steals": median(steals) if steals[0] is not None else None,
            "kib": median(run["kib"] for run in taken[f"{runtime} {many}"]),
        }
    memory = memory_of(directory, kernel, options) if kernel in DEEP else None
    return {"kernel": kernel, "serial": median(serial), "rows": rows, "memory": memory, "samples": taken}


def bounds_of(result):
    ours, kernel = result["rows"][OURS], result["kernel"]
    what, bound = SPEEDUP.get(kernel, NO_SLOWER)
    yield kernel, f"{what} ≥ {bound}", ours[what], stats.above(ours[what], bound)
    if kernel in ONE_WORKER:
        yield kernel, f"T1/Tseq ≤ {ONE_WORKER[kernel]}", ours["T1/Tseq"], stats.verdict(ours["T1/Tseq"], ONE_WORKER[kernel])

    if result["memory"]:
        yield (kernel, "peak beside an idle pool's ≤ 2 x threads x the serial stack", result["memory"],
               stats.verdict(result["memory"], 1.0))


def steals_of(row):
    if row["steals"] is None:
        return "", ""
    return f"{row['steals']:.0f}", f"{row['steals'] / row['tasks']:.1e}"


def text_of(results, bounds, threads):
    lines = [[result["kernel"], f"{result['serial']:.3f}", f"`{name}`", f"{row['one']:.3f}", f"{row['many']:.3f}",
              row["T1/Tseq"].text(), row["T1/T2"].text(), row["Tseq/T2"].text(),
              f"{row['tasks']:,}", *steals_of(row), f"{row['kib'] / 1024:.1f}"]
             for result in results for name, row in result["rows"].items()]
    head = ["kernel", "serial, s", "runtime", "T1, s", f"T{threads}, s", "T1/Tseq", f"T1/T{threads}",
            f"Tseq/T{threads}", "tasks", "steals", "steals/tasks", "peak, MiB"]
    verdicts = [[kernel, f"`{what}`", ratio.text(), verdict] for kernel, what, ratio, verdict in bounds]
    return "\n\n".join([table(head, lines, left=3),
                        f"fib of OpenMP, oneTBB and the queue is fib({SMALL_FIB}), scaled by the number of tasks. Sorts: "
                        f"the others make no tasks for {CUTOFF} elements and fewer; ours always does.",
                        table(["kernel", "bound", "measured", "verdict"], verdicts, left=2)])


def run(options, places):
    if options.rounds < 2 or options.threads < 2:
        raise Failure("--rounds and --threads: give at least 2")
    directory = places.kernels("bench_tasks")
    if not (directory / "tasks-serial").exists():
        raise Failure("the programs were not built: nettle is missing; `ci/install-packages bench` installs it")
    results = [measure(directory, kernel, options) for kernel in chosen_kernels(options.kernels, KERNELS)]
    bounds = [bound for result in results for bound in bounds_of(result)]
    return {"title": f"Tasks: {options.threads} threads, {options.rounds} rounds",
            "text": text_of(results, bounds, options.threads), "results": results,
            "bounds": bounds, "failed": any(bound[-1] == "fail" for bound in bounds)}
