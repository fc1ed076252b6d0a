# SPDX-License-Identifier: Apache-2.0
"""What `bench/run cows` says of its rows."""
import sys
from pathlib import Path
from statistics import geometric_mean

from . import dots
from .output import table

KINDS = ("power law", "road", "other")


def _labels(rows):
    return list(rows[0]["medians"])


def graphs(rows):
    known = {row["graph"]: row["facts"] for row in rows}
    return table(["graph", "size"], list(known.items()), left=2)


def gains(rows):
    """Each schedule against static,1: above 1 it is faster."""
    labels = _labels(rows)
    head = ["kernel", "graph", "static,1, ms", *(f"`{label}`" for label in labels if label != "static,1")]
    return table(head, [[row["kernel"], row["graph"], f"{1000 * row['medians']['static,1']:.3g}",
                         *(row["gains"][label].text() for label in labels if label != "static,1")] for row in rows], left=2)


def means(rows):
    """Geometric means of the gains over the graphs of a kind, by kernel and over all kernels."""
    labels = [label for label in _labels(rows) if label != "static,1"]
    lines = []
    for kind in KINDS:
        of_kind = [row for row in rows if row["kind"] == kind]
        kernels = list(dict.fromkeys(row["kernel"] for row in of_kind))
        groups = [(kernel, [row for row in of_kind if row["kernel"] == kernel]) for kernel in kernels]
        if len(kernels) > 1:
            groups.append(("all", of_kind))
        for kernel, group in groups:
            mean = [geometric_mean(row["gains"][label].value for row in group) for label in labels]
            lines.append([kind, kernel, len(group), *(f"{value:.2f}" for value in mean)])
    return table(["graphs", "kernel", "rows", *(f"`{label}`" for label in labels)], lines, left=2)


def of_limit(rows):
    labels = _labels(rows)
    lines = [[row["kernel"], row["graph"], row["loops"], f"{1000 * row['limit_seconds']:.3g}",
              *(f"{row['times_limit'][label]:.2f} / {row['regret'][label]:.2f}" for label in labels)] for row in rows]
    return table(["kernel", "graph", "loops", "limit, ms", *(f"`{label}`" for label in labels)], lines, left=2)


def judged(rows):
    """Empty where nothing was judged."""
    if not any("verdict" in row for row in rows):
        return ""
    head = ["kernel", "graph", "proposed", "best other", "rounds", "proposed of that", "≤ 1.03"]
    return "\n\n" + verdict_line(rows) + table(head, [
        [row["kernel"], row["graph"], row["proposed"], row["best_other"], len(row["samples"][row["proposed"]]),
         row["to_best"].text(), row["verdict"]] for row in rows if "verdict" in row], left=4)


def counters(rows):
    """Means of what the programs count (steals, time for prefix sums, for searches); empty while they count nothing."""
    names = sorted({name for row in rows for of in row["counters"].values() for name in of})
    if not names:
        return ""
    lines = []
    for row in rows:
        for label, of in row["counters"].items():
            cells = [f"{sum(of[name]) / len(of[name]):.4g}" if name in of else "" for name in names]
            lines.extend([[row["kernel"], row["graph"], f"`{label}`", *cells]] if of else [])
    return "\n\nCounted, means over the rounds:\n\n" + table(["kernel", "graph", "schedule", *names], lines, left=3)


def verdict_line(rows):
    rows = [row for row in rows if "verdict" in row]
    near = [row for row in rows if row["verdict"] == "pass"]
    open_ = [row for row in rows if row["verdict"] not in ("pass", "fail")]
    worst = max(rows, key=lambda row: row["to_best"].value)
    names = " or ".join(sorted({row["proposed"] for row in rows}))
    return (f"**{names} is the best or within 3 % of it in {100 * len(near) / len(rows):.0f} % of {len(rows)} rows** "
            f"({len(open_)} undecided); worst row: {worst['kernel']} on {worst['graph']}, {worst['to_best'].text()} of "
            f"`{worst['best_other']}`.\n\n")


def text_of(rows):
    return (f"{graphs(rows)}\n\nTime under static,1 (cyclic) divided by that under each schedule, above 1 is faster:\n\n"
            f"{gains(rows)}\n\nGeometric means over graphs:\n\n{means(rows)}\n\n"
            f"time/limit (limit from the times of the iterations in serial runs), and regret, time/least of the row:\n\n"
            f"{of_limit(rows)}{counters(rows)}{judged(rows)}")


def write_plot(path, title, rows):
    drawing = dots.svg(title, [(f"{row['kernel']} {row['graph']}", row["medians"]) for row in rows])
    Path(path).write_text(drawing, encoding="utf-8")
    print(f"bench: {path}", file=sys.stderr)
