# SPDX-License-Identifier: Apache-2.0
"""balance: every schedule on the example programs, decided by the paired rule."""
import json
import shlex
from statistics import median

from . import limit, programs, stats
from .output import replace_measured, table, write_json
from .places import TOP
from .programs import WRITTEN
from .runs import Failure, execute, interleave

OURS = "steal"
BOUND = 1.03  # of the row's best
SELECTED = {"programs": ",".join(programs.NAMES), "inputs": "rmat,lattice,debian",
            "schedules": ";".join(programs.SCHEDULES)}


def add_arguments(parser):
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    for name, value in SELECTED.items():
        parser.add_argument(f"--{name}", default=value, help=f"default {value}")
    parser.add_argument("--write", action="store_true", help="put the table into docs/measured.md")
    parser.add_argument("--resume", action="store_true", help="keep the rows of a run that was interrupted")


def variants_of(bench, case, schedules):
    return [bench.variant(case, name) for name in (WRITTEN, *schedules)]


def verify(bench, case, schedules):
    """Once under each schedule, with the program's own check; warms the machine up as well."""
    for name in (WRITTEN, *schedules):
        execute(bench.variant(case, name, label=f"{case.name}, {name}", verify=True))


def judge(samples):
    """What the paired rule says of `steal`: the best of the others is chosen on odd rounds, compared on even ones."""
    others = {label: stats.odd(of) for label, of in samples.items() if label != OURS}
    best = stats.best_of(others)
    to_best = stats.paired_ratio(stats.even(samples[OURS]), stats.even(samples[best]))
    to_clause = stats.paired_ratio(samples[OURS], samples[WRITTEN])
    return {"best_other": best, "to_best": to_best, "verdict": stats.verdict(to_best, BOUND), "to_clause": to_clause}


def measure(bench, case, options):
    schedules = options.schedules.split(";")
    if OURS not in schedules:
        schedules.append(OURS)
    verify(bench, case, schedules)
    variants = variants_of(bench, case, schedules)
    samples = interleave(variants, options.rounds, programs.kernel_seconds, case.name)
    limits = limit.Limits(bench, case)
    return {
        "program": case.program, "input": case.input, "clause": case.clause, "samples": samples, **judge(samples),
        "medians": {label: median(of) for label, of in samples.items()},
        "ratios": {label: stats.paired_ratio(of, samples[WRITTEN]) for label, of in samples.items()},
        "steal_times_limit": limits.times_limit(bench.variant(case, OURS)),
        "written_times_limit": limits.times_limit(bench.loaded(case, WRITTEN)),
    }


def milliseconds(seconds):
    return f"{1000 * seconds:.3g}" if seconds < 0.1 else f"{1000 * seconds:.0f}"


def verdicts(rows):
    head = ["program", "input", "clause", "as written, ms", "time/limit", "`steal`, ms", "time/limit",
            "`steal` of its clause", "best other", "`steal` of that", "≤ 1.03"]
    lines = []
    for row in rows:
        lines.append([
            row["program"], row["input"], row["clause"], milliseconds(row["medians"][WRITTEN]),
            limit.text(row["written_times_limit"]), milliseconds(row["medians"][OURS]),
            limit.text(row["steal_times_limit"]), row["to_clause"].text(), row["best_other"], row["to_best"].text(),
            row["verdict"]])
    return table(head, lines, left=3)


def all_schedules(rows):
    labels = [label for label in rows[0]["ratios"] if label != WRITTEN]
    lines = [[row["program"], row["input"], *(f"{row['ratios'][label].value:.2f}" for label in labels)] for row in rows]
    return table(["program", "input", *(f"`{label}`" for label in labels)], lines, left=2)


def repeat_command(options):
    words = ["bench/run", "balance", "--threads", options.threads, "--rounds", options.rounds]
    for name, usual in SELECTED.items():
        if getattr(options, name) != usual:
            words += [f"--{name}", shlex.quote(getattr(options, name))]
    return " ".join(str(word) for word in words)


def text_of(rows):
    return (f"{verdicts(rows)}\n\nEach schedule's time, divided by that of the program as written:\n\n"
            f"{all_schedules(rows)}")


def measured_text(rows, options, facts):
    bind = "" if options.bind == "false" else f", bound to cores (`OMP_PROC_BIND={options.bind}`)"
    return (f"{options.threads} threads{bind} on {facts['cpu']} with {facts['cores']} cores, Linux {facts['kernel']}, "
            f"{facts['date'].split()[0]}; gcc and libgomp, {options.rounds} interleaved rounds. Ratios are paired by "
            f"round, with 95 % intervals; the best other schedule is chosen on odd rounds and compared on even ones. "
            f"To repeat it: `{repeat_command(options)}`; [bench](../bench/README.md) says what each column means.\n\n"
            f"{text_of(rows)}")


def write_measured(rows, options, facts):
    path = TOP / "docs/measured.md"
    try:
        text = replace_measured(path.read_text(encoding="utf-8"), measured_text(rows, options, facts))
    except ValueError as error:
        raise Failure(f"{path}: {error}") from error
    path.write_text(text, encoding="utf-8")


def read_rows(path):
    """The rows that an interrupted run left."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))
    for row in rows:
        for key in ("to_best", "to_clause"):
            row[key] = stats.Estimate(*row[key])
        row["ratios"] = {label: stats.Estimate(*of) for label, of in row["ratios"].items()}
    return rows


def run(options, places):
    bench = programs.Bench(places, options.threads, options.bind)
    inputs = options.inputs.split(",")
    debian = places.debian_graph() if "debian" in inputs else None
    partial = places.work / "balance.partial.json"
    rows = read_rows(partial) if options.resume else []
    for case in programs.cases(options.programs.split(","), debian, inputs):
        if any((row["program"], row["input"]) == (case.program, case.input) for row in rows):
            continue
        rows.append(measure(bench, case, options))
        write_json(partial, rows, quiet=True)
    partial.unlink(missing_ok=True)
    if options.write:
        write_measured(rows, options, options.facts)
    return {"title": f"Kernel times, {options.threads} threads, {options.rounds} rounds", "text": text_of(rows),
            "results": rows, "failed": any(row["verdict"] == "fail" for row in rows)}
