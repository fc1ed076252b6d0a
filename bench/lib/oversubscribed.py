# SPDX-License-Identifier: Apache-2.0
"""idws --oversubscribed: more threads than cores, against as many threads as cores."""
from . import stats
from .kernels import BOUNDED, TITLES
from .output import table
from .runs import interleave

TEAMS = (4, 8)
BOUND = 1.3


def key(label, threads):
    return f"{label}, {threads} threads"


def measure(programs, kernel, options):
    teams = [options.threads, *(team for team in TEAMS if team > options.threads)]
    strategies = programs.strategies()
    variants = [programs.variant(kernel, key(label, team), *how, team)
                for label, how in strategies.items() for team in teams]
    taken = interleave(variants, options.rounds, programs.sampler(kernel, options.threads), kernel.name)
    samples = {label: [sample.seconds for sample in of] for label, of in taken.items()}
    ratios = {label: {team: stats.paired_ratio(samples[key(label, team)], samples[key(label, options.threads)])
                      for team in teams[1:]} for label in strategies}
    return {"kernel": kernel.name, "samples": samples, "ratios": ratios}


def bounds_of(row):
    """(kernel, strategy, threads, ratio, bound, verdict)"""
    for label in BOUNDED:
        for team, ratio in row["ratios"][label].items():
            yield row["kernel"], label, team, ratio, BOUND, stats.verdict(ratio, BOUND)


def text_of(rows, bounds, options):
    teams = list(next(iter(rows[0]["ratios"].values())))
    head = ["", *(f"{TITLES[row['kernel']]}, {team}" for row in rows for team in teams)]
    lines = [[label, *(f"{row['ratios'][label][team].value:.2f}" for row in rows for team in teams)]
             for label in rows[0]["ratios"]]
    judged = [[TITLES[name], f"`{label}`", team, ratio.text(), f"≤ {bound}", verdict]
              for name, label, team, ratio, bound, verdict in bounds]
    return (f"Time with more threads, divided by that with {options.threads}:\n\n{table(head, lines)}\n\nBounds:\n\n"
            + table(["kernel", "schedule", "threads", "ratio", "bound", "verdict"], judged, left=2))


def run(programs, chosen, options, mesh):
    rows = [measure(programs, kernel, options) for kernel in chosen]
    bounds = [bound for row in rows for bound in bounds_of(row)]
    return {"title": f"IDWS, more threads than {options.threads} cores, {options.rounds} rounds",
            "text": text_of(rows, bounds, options), "results": rows, "bounds": bounds, "mesh": mesh.says,
            "failed": any(bound[-1] == "fail" for bound in bounds)}
