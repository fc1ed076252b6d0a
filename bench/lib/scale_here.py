# SPDX-License-Identifier: Apache-2.0
"""scale --here: this machine described by measurement, and the loops of `scale` on it, beside what replay on that description says."""
import os
import re
from statistics import geometric_mean, median

from .output import table
from .runs import Failure, Variant, execute, interleave, openmp_environment

NATIVE = "libgomp dynamic,1"
SCHEDULES = ("static", "dynamic", "guided", "factoring", "steal", "wsri")
EACH = (2048, 16384)  # iterations for each member
LINE = re.compile(r"^(\S+) makespan ([0-9.]+) limit ([0-9.]+)$", re.M)


def described(directory, places):
    """The description of this machine, in a file."""
    said = execute(Variant("scale-host", [directory / "scale-host", "--table"], {})).output
    file = places.work / "this-host.txt"
    file.write_text(said, encoding="utf-8")
    return file, said


def variants(directory, places, options, each):
    """The loops on this machine. STEELYARD_SCHEDULE names a schedule of ours; by OMP_SCHEDULE `static`, `dynamic` and `guided` would be libgomp's."""
    command = [directory / "scale-run", "--each", each, "--unit", options.unit, "--rows", options.rows]
    environment = openmp_environment(options.threads, options.bind)
    ours = {"LD_PRELOAD": str(places.shim())}
    return [Variant(NATIVE, command, {**environment, "OMP_SCHEDULE": "dynamic,1"}),
            *(Variant(name, command, {**environment, **ours, "STEELYARD_SCHEDULE": name}) for name in SCHEDULES)]


def of_limit(samples):
    """Schedule → loop → time/limit. The limit of a loop is the least that any sample has seen: iterations take the same in all."""
    limits = {}
    for runs in samples.values():
        for run in runs:
            for loop, (_, limit) in run.items():
                limits[loop] = min(limit, limits.get(loop, limit))
    return {name: {loop: median(run[loop][0] for run in runs) / limits[loop] for loop in limits} for name, runs in samples.items()}


def sample(run):
    found = {loop: (float(makespan), float(limit)) for loop, makespan, limit in LINE.findall(run.output)}
    if not found:
        raise Failure(f"{run.label}: scale-run printed no figures")
    return found


def foretold(directory, file, options, each, figures):
    """The same in replay; `figures` reads what scale-replay prints."""
    command = [directory / "scale-replay", "--machine", file, "--members", options.threads, "--each", each, "--unit", options.unit,
               "--rows", options.rows, "--schedules", ",".join(SCHEDULES)]
    loops = figures(execute(Variant("scale-replay", command, {}), timeout=3600).output)
    by_name = {name: {loop: of[name]["makespan_us"] / of[name]["limit_us"] for loop, of in loops.items()} for name in SCHEDULES}
    return {NATIVE: by_name["dynamic"], **by_name}


def show(result):
    """Measured, replayed: one row for each schedule."""
    loops = list(next(iter(result["measured"].values())))
    lines = []
    for name, of in result["measured"].items():
        replayed = result["replayed"][name]
        mean = geometric_mean(of[loop] / replayed[loop] for loop in loops)
        lines.append([f"`{name}`", *(f"{of[loop]:.2f}, {replayed[loop]:.2f}" for loop in loops), f"{mean:.2f}"])
    title = f"{result['threads']} threads, {result['each']:,} iterations each, time/limit: measured, replayed"
    return f"{title}\n\n" + table(["schedule", *loops, "measured / replayed"], lines, left=1)


def run(options, directory, places, figures):
    processors = len(os.sched_getaffinity(0))
    options.threads = options.threads or processors
    if not 2 <= options.threads <= processors:
        raise Failure(f"--threads {options.threads}: give 2 to {processors}, the processors of this machine")
    if options.members:
        raise Failure("--members: with --here it is --threads")
    file, said = described(directory, places)
    results = []
    for each in EACH:
        samples = interleave(variants(directory, places, options, each), options.rounds, sample, f"scale --here, {each} each")
        results.append({"threads": options.threads, "each": each, "measured": of_limit(samples),
                        "replayed": foretold(directory, file, options, each, figures), "samples": samples})
    return {"title": "Loops on this machine, and in replay on its description",
            "text": "\n\n".join([f"```\n{said.strip()}\n```", *map(show, results)]), "results": results}
