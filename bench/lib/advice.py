# SPDX-License-Identifier: Apache-2.0
"""advice: how often `steelyard compare` is sure, and right, where the answer is known: programs against themselves under
another name, idle and beside another program, and a program with a gain of 30 %."""
import json
import random
import subprocess
import sys
from contextlib import contextmanager

from . import stats
from .output import table
from .places import BENCH, MICRO_FLAGS, call
from .runs import Failure, Variant, clean_environment, execute, interleave, openmp_environment, progress

THREADS = 2
# As written and under its second name: libgomp's own dynamic,64, and ours.
SAME = "dynamic,64"
CASES = ("idle", "loaded", "gain")
CANDIDATES = ("steal", "guided", "dynamic")  # of the program with the known gain


def add_arguments(parser):
    parser.add_argument("--times", type=int, default=20, help="comparisons of each case (default 20)")
    parser.add_argument("--cases", default=",".join(CASES), help=f"default {','.join(CASES)}")
    parser.add_argument("--programs", default="pagerank,triangles", help="of idle and loaded")


def triangle(places):
    """The program with the known gain."""
    output = places.work / "triangle"
    source = BENCH / "micro/triangle.c"
    if not output.exists() or output.stat().st_mtime < source.stat().st_mtime:
        call(["gcc", *MICRO_FLAGS, "-o", output, source], places.log)
    return output


def programs(places):
    """The quickstart's two programs on small inputs."""
    binaries = places.build / "bin"
    return {"pagerank": [binaries / "pagerank", "--rmat", "14", "--sweeps", "20", "--repeat", "1", "--no-verify"],
            "triangles": [binaries / "triangles", "--lattice", "300", "--repeat", "1", "--no-verify"]}


@contextmanager
def disturbance(wanted):
    """Another program that always has something to compute."""
    if not wanted:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            yield
        finally:
            other.kill()


def compare(places, environment, schedules, command):
    """One comparison: its verdict, and whether it advises anything."""
    words = [places.build / "bin/steelyard", "compare", "--json", "-", "--schedules", schedules, "--", *command]
    done = subprocess.run([str(word) for word in words], env={**clean_environment(), **environment}, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"compare: {done.stderr.strip()}")
    advice = json.loads(done.stdout)["advice"]
    schedule = advice["loops"][0]["schedule"] if advice["use"] == "loops" else advice["schedule"]
    return {**advice["verdict"], "sure": advice["use"] is not None, "schedule": schedule}


def repeat(places, options, case, name, environment, schedules, command):
    found = []
    for time in range(options.times):
        progress(f"{case} {name}: {time + 1}/{options.times}")
        found.append(compare(places, environment, schedules, command))
    progress("")
    return found


def against_itself(places, options, case):
    environment = {**openmp_environment(THREADS, options.bind), "OMP_SCHEDULE": SAME}
    rows = []
    for name in options.programs.split(","):
        with disturbance(case == "loaded"):
            found = repeat(places, options, case, name, environment, SAME, programs(places)[name])
        sure = sum(one["sure"] for one in found)
        rows.append({"case": f"{name} against itself, {case}", "found": found, "sure": sure, "promised": None,
                     "fresh": None, "verdict": "pass" if sure <= options.times // 20 else "fail"})
    return rows


def fresh_variants(places, options, command):
    """The program as written and under each candidate, without the comparison; and without the command, which takes some
    milliseconds itself."""
    environment = {**openmp_environment(THREADS, options.bind), "OMP_SCHEDULE": "static"}
    loaded = {**environment, "LD_PRELOAD": str(places.shim())}
    return [Variant("written", command, environment),
            *(Variant(name, command, {**loaded, "STEELYARD_SCHEDULE": name}) for name in CANDIDATES)]


def fresh_gains(samples):
    """The share that each candidate saves, and its interval."""
    ratios = {name: stats.paired_ratio(samples[name], samples["written"]) for name in CANDIDATES}
    return {name: stats.Estimate(1 - of.value, 1 - of.high, 1 - of.low, of.count) for name, of in ratios.items()}


def known_gain(places, options):
    """Fresh rounds lie between the comparisons, so that both see the machine as it is."""
    command = [triangle(places), "6000"]
    environment = {**openmp_environment(THREADS, options.bind), "OMP_SCHEDULE": "static"}
    variants = fresh_variants(places, options, command)
    for variant in variants:
        execute(variant)
    found, samples = [], {variant.label: [] for variant in variants}
    for time in range(options.times):
        progress(f"gain triangle: {time + 1}/{options.times}")
        found.append(compare(places, environment, ",".join(CANDIDATES), command))
        another_order = random.sample(variants, len(variants))
        for label, of in interleave(another_order, 1, lambda run: run.seconds, "fresh runs").items():
            samples[label] += of
    progress("")
    fresh = fresh_gains(samples)
    gains = [(one["gain"], one["schedule"]) for one in found if one["kind"] == "gain"]
    kept = all(gain <= fresh[schedule].high for gain, schedule in gains)
    enough = len(gains) >= 0.9 * options.times
    promised = f"{min(gains)[0]:.2f} to {max(gains)[0]:.2f}" if gains else "–"
    used = sorted({schedule for _, schedule in gains})
    return {"case": "a gain of 30 %, idle", "found": found, "sure": len(gains), "promised": promised,
            "fresh": "; ".join(f"{name} {fresh[name].text()}" for name in used), "verdict": "pass" if kept and enough else "fail"}


def run(options, places):
    for word in options.cases.split(","):
        if word not in CASES:
            raise Failure(f"--cases {word}: none of {', '.join(CASES)}")
    for name in options.programs.split(","):
        if name not in programs(places):
            raise Failure(f"--programs {name}: none of {', '.join(programs(places))}")
    places.shim()
    call(["cmake", "--build", places.build, "--target", "steelyard_tool", "pagerank", "triangles"], places.log)
    rows = []
    for case in options.cases.split(","):
        rows += [known_gain(places, options)] if case == "gain" else against_itself(places, options, case)
    text = table(["case", "sure", "promised", "fresh runs", "verdict"],
                 [[row["case"], f"{row['sure']} of {options.times}", row["promised"] or "–", row["fresh"] or "–",
                   row["verdict"]] for row in rows])
    return {"title": "What `steelyard compare` is sure of", "text": text, "rows": rows,
            "failed": any(row["verdict"] == "fail" for row in rows)}
