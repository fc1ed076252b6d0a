# SPDX-License-Identifier: Apache-2.0
"""scaling: the example programs at several team sizes, within a time budget."""
import time
from statistics import median

from . import programs, stats
from .output import table
from .programs import WRITTEN
from .runs import interleave

SCHEDULES = ("steal", "wsri", "dynamic", "guided")


def add_arguments(parser):
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--rounds", type=int, default=20, help="at most")
    parser.add_argument("--budget", type=float, default=450, help="seconds for all programs (default 450)")
    parser.add_argument("--programs", default="pagerank,bfs,components,triangles,mandelbrot,adjoint")
    parser.add_argument("--inputs", default="rmat", help="of rmat, lattice, debian")
    parser.add_argument("--schedules", default=";".join(SCHEDULES), help="separated by ;")
    parser.add_argument("--larger", type=int, default=0, help="added to the R-MAT scales (default 0)")


def key(threads, schedule):
    return f"{threads}: {schedule}"


def variants_of(benches, case, schedules):
    """As written at every size; a team of one runs every schedule alike."""
    for threads, bench in benches.items():
        for schedule in (WRITTEN, *(schedules if threads > 1 else ())):
            yield bench.variant(case, schedule, label=key(threads, schedule))


def measure(benches, case, schedules, rounds, until):
    samples = interleave(list(variants_of(benches, case, schedules)), rounds, programs.kernel_seconds, case.name, until)
    least = min(benches)
    base = samples[key(least, WRITTEN)]
    rows = []
    for threads in benches:
        written = samples[key(threads, WRITTEN)]
        row = {"threads": threads, "seconds": median(written), "speed_up": stats.paired_ratio(base, written), "of": {}}
        for schedule in schedules if threads > 1 else ():
            ours = samples[key(threads, schedule)]
            row["of"][schedule] = {"ratio": stats.paired_ratio(ours, written),
                                   "speed_up": stats.paired_ratio(base, ours)}
        rows.append(row)
    return {"case": case.name, "clause": case.clause, "rounds": len(base), "least": least, "rows": rows,
            "samples": samples}


def show(results, schedules):
    head = ["program", "threads", "rounds", "as written, ms", "speed-up"]
    head += [f"`{schedule}`: speed-up, of as written" for schedule in schedules]
    lines = []
    for result in results:
        for row in result["rows"]:
            line = [f"{result['case']} ({result['clause']})", row["threads"], result["rounds"],
                    f"{1000 * row['seconds']:.2f}", f"{row['speed_up'].value:.2f}"]
            for schedule in schedules:
                one = row["of"].get(schedule)
                line.append(f"{one['speed_up'].value:.2f}, {one['ratio'].text()}" if one else "")
            lines.append(line)
    return table(head, lines)


def run(options, places):
    sizes = [int(word) for word in options.threads.split(",")]
    benches = {threads: programs.Bench(places, threads, options.bind) for threads in sizes}
    schedules = options.schedules.split(";")
    inputs = options.inputs.split(",")
    debian = places.debian_graph() if "debian" in inputs else None
    cases = programs.cases(options.programs.split(","), debian, inputs, options.larger)
    began = time.monotonic()
    results = []
    for number, case in enumerate(cases, 1):
        until = began + options.budget * number / len(cases)
        results.append(measure(benches, case, schedules, options.rounds, until))
    return {"title": f"Kernel times by team size, speed-up over {min(sizes)} thread(s) as written",
            "text": show(results, schedules), "results": results}
