# SPDX-License-Identifier: Apache-2.0
"""cows --replay: what the iterations cost, recorded in serial runs and replayed in virtual time on large teams."""
import re
from statistics import geometric_mean

from .output import table
from .runs import Failure, Variant, execute, progress

SCHEDULES = ("cyclic", "static", "dynamic", "guided", "wsr", "wsri", "wsrw", "idws", "adaptive", "steal")
LINE = re.compile(r"^(\S+) makespan ([0-9.]+) limit ([0-9.]+) steals (\d+) attempts (\d+) chunks (\d+)$", re.M)


def replay(bench, kernel, graph, members, known):
    progress(f"replay {kernel} {graph.title}")
    costs = graph.file.with_suffix(f".{kernel}.costs")
    bench.run("cows-serial", kernel, graph, "--record", costs)
    names = ",".join(name for name in SCHEDULES if name in known)
    command = [bench.directory / "cows-replay", "--costs", costs, "--members", members, "--schedules", names]
    said = execute(Variant(f"replay {kernel} {graph.title}", command, {}), timeout=3600).output
    costs.unlink()
    found = {name: {"makespan_us": float(makespan), "limit_us": float(limit), "steals": int(steals),
                    "attempts": int(attempts), "chunks": int(chunks)}
             for name, makespan, limit, steals, attempts, chunks in LINE.findall(said)}
    if not found:
        raise Failure("cows-replay printed no figures")
    progress("")
    return {"kernel": kernel, "graph": graph.title, "facts": graph.facts, "of": found}


def _gain(row, name):
    return row["of"]["cyclic"]["makespan_us"] / row["of"][name]["makespan_us"]


def text_of(rows):
    names = list(rows[0]["of"])
    lines = []
    for row in rows:
        cells = [f"{of['makespan_us'] / of['limit_us']:.2f}, {_gain(row, name):.2f}"
                 + (f", {of['steals']}" if of["attempts"] else "") for name, of in row["of"].items()]
        lines.append([row["kernel"], row["graph"], *cells])
    means = [f"{geometric_mean(_gain(row, name) for row in rows):.2f}" for name in names]
    lines.append(["geometric mean", "of the gains", *means])
    return ("makespan/limit, gain over cyclic (above 1 is faster), steals of those that steal; summed over up to eight runs "
            "of each loop, a call at 20 ns, a line from another member at 50 ns:\n\n"
            + table(["kernel", "graph", *(f"`{name}`" for name in names)], lines, left=2))
