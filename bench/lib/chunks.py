# SPDX-License-Identifier: Apache-2.0
"""chunks: what handing out an iteration of an empty loop costs, natively and by the drop-in."""
import json
import tempfile
from pathlib import Path
from statistics import median

from . import stats
from .output import table
from .runs import Variant, execute, interleave, openmp_environment

ITERATIONS = 1_000_000
BATCHES = 9
MILLISECONDS = 20
BOUNDS = {"steal,1": 0.6, "dynamic,1": 1.5}  # of the native schedule(dynamic, 1)
SCHEDULES = ("steal,1", "dynamic,1", "wsri", "wsr", "random,1", "guided")
NATIVE = "native dynamic,1"


def add_arguments(parser):
    parser.add_argument("--threads", default="2,1", help="team sizes (default 2,1)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--schedules", default=";".join(SCHEDULES), help=f"separated by ; (default {';'.join(SCHEDULES)})")
    parser.add_argument("--iomp", metavar="DIR", help="also Clang on Intel's runtime, the libiomp5.so in DIR")


class Setting:
    """One compiler with its runtime, one team size."""

    def __init__(self, places, compiler, threads, options, libraries):
        self.compiler, self.threads = compiler, threads
        self.program = places.micro("chunks", compiler)
        self.shim = {"LD_PRELOAD": str(places.shim())}
        self.common = {**openmp_environment(threads, options.bind), **libraries}
        self.schedules = options.schedules.split(";")

    def variant(self, label, clause="dynamic", **environment):
        command = [self.program, clause, ITERATIONS, BATCHES, MILLISECONDS]
        return Variant(label, command, {**self.common, **environment})

    def native(self):
        found = [self.variant(NATIVE), self.variant("native runtime: dynamic,1", "runtime", OMP_SCHEDULE="dynamic,1")]
        if self.compiler == "clang":  # its plain dynamic already steals ranges; this one has the counter
            found.append(self.variant("native monotonic: dynamic,1", "monotonic"))
        return found

    def ours(self):
        found = [self.variant("loaded, nothing set", **self.shim)]
        found += [self.variant(name, **self.shim, STEELYARD_SCHEDULE=name) for name in self.schedules]
        found.append(self.variant("runtime: steal,1", "runtime", **self.shim, OMP_SCHEDULE="steal,1"))
        return found


def sample(run):
    batches = [float(line) for line in run.output.split()]
    return {"median": median(batches), "least": min(batches)}


def chunks_per_loop(variant):
    """How many chunks a loop is handed out in: the cost of an iteration is not that of a chunk."""
    with tempfile.TemporaryDirectory() as directory:
        reporting = variant._replace(environment={**variant.environment, "STEELYARD_REPORT": f"{directory}/%p"})
        execute(reporting)
        sites = [site for path in Path(directory).iterdir() for site in json.loads(path.read_text())["sites"]]
    instances = sum(site["instances"] for site in sites)
    return sum(site["chunks"] for site in sites) / instances if instances else None


def measure(setting, rounds):
    variants = setting.native() + setting.ours()
    name = f"chunks {setting.compiler} {setting.threads} threads"
    samples = interleave(variants, rounds, sample, name)
    medians = {label: [one["median"] for one in of] for label, of in samples.items()}
    rows = []
    for variant in variants:
        ours = "LD_PRELOAD" in variant.environment
        ratio = stats.paired_ratio(medians[variant.label], medians[NATIVE])
        bound = BOUNDS.get(variant.label) if setting.threads == 2 else None
        rows.append({
            "variant": variant.label,
            "ns": median(medians[variant.label]),
            "least_ns": min(one["least"] for one in samples[variant.label]),
            "ratio": ratio,
            "bound": bound,
            "verdict": stats.verdict(ratio, bound) if bound else None,
            "chunks": chunks_per_loop(variant) if ours else None,
            "samples": samples[variant.label],
        })
    return {"compiler": setting.compiler, "threads": setting.threads, "rows": rows}


def show(result):
    lines = []
    for row in result["rows"]:
        bound = f"≤ {row['bound']}: **{row['verdict']}**" if row["bound"] else ""
        chunks = f"{row['chunks']:,.0f}" if row["chunks"] else ""
        lines.append([row["variant"], f"{row['ns']:.3f}", f"{row['least_ns']:.3f}", row["ratio"].text(3), bound, chunks])
    head = [f"{result['compiler']}, {result['threads']} threads", "ns/iteration", "least", f"of {NATIVE}", "bound",
            "chunks/loop"]
    return table(head, lines)


def run(options, places):
    runtimes = [("gcc", places.libraries())]
    if options.iomp:
        runtimes.append(("clang", places.intel(options.iomp)))
    results = []
    for compiler, libraries in runtimes:
        for threads in options.threads.split(","):
            results.append(measure(Setting(places, compiler, int(threads), options, libraries), options.rounds))
    text = "\n\n".join(show(result) for result in results)
    failed = any(row["verdict"] == "fail" for result in results for row in result["rows"])
    return {"title": f"{ITERATIONS:,} empty iterations, {options.rounds} rounds", "text": text, "results": results,
            "failed": failed}
