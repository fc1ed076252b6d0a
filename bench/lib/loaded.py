# SPDX-License-Identifier: Apache-2.0
"""loaded: whole programs with the drop-in loaded and nothing overridden."""
import tempfile
from statistics import median

from . import programs, stats
from .output import table
from .runs import interleave

BOUND = 1.01
NATIVE, LOADED, OBSERVING = "native", "loaded", "observing"
WIDE = 0.05  # an interval as wide as this says little


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--programs", default="pagerank,bfs,mandelbrot,components")


def sample(run):
    return {"whole": run.seconds, "kernel": programs.kernel_seconds(run)}


def measure(bench, case, rounds, directory):
    variants = [bench.variant(case, label=NATIVE), bench.loaded(case, LOADED),
                bench.loaded(case, OBSERVING, STEELYARD_REPORT=f"{directory}/%p")]
    samples = interleave(variants, rounds, sample, f"loaded {case.name}")
    taken = {label: {key: [one[key] for one in of] for key in ("whole", "kernel")} for label, of in samples.items()}
    row = {"case": case.name, "native_seconds": median(taken[NATIVE]["whole"]), "samples": samples}
    for label in (LOADED, OBSERVING):
        for key in ("whole", "kernel"):
            row[f"{label} {key}"] = stats.paired_ratio(taken[label][key], taken[NATIVE][key])
    whole = row[f"{LOADED} whole"]
    row["verdict"] = stats.no_slower(whole, BOUND)
    row["wide"] = whole.high - whole.low > WIDE
    return row


def show(rows):
    head = ["program", "native, s", "loaded: whole program", f"contains or below {BOUND}", "kernel",
            "with a report: whole program", "kernel"]
    lines = []
    for row in rows:
        judged = row["verdict"] + (", wide interval" if row["wide"] else "")
        lines.append([row["case"], f"{row['native_seconds']:.2f}", row["loaded whole"].text(3), judged,
                      row["loaded kernel"].text(3), row["observing whole"].text(3), row["observing kernel"].text(3)])
    return table(head, lines)


def run(options, places):
    bench = programs.Bench(places, options.threads, options.bind)
    with tempfile.TemporaryDirectory() as directory:
        rows = [measure(bench, case, options.rounds, directory)
                for case in programs.cases(options.programs.split(","), inputs=["rmat"])]
    return {"title": f"Loaded, nothing overridden; {options.threads} threads, {options.rounds} rounds",
            "text": show(rows), "results": rows, "failed": any(row["verdict"] == "fail" for row in rows)}
