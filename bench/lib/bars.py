# SPDX-License-Identifier: Apache-2.0
"""The plot of `idws`: for each kernel a panel of bars, the time of each strategy relative to the fastest."""
import sys
from html import escape
from pathlib import Path
from statistics import median

from .kernels import DEFAULT, TBB, TITLES

ACROSS = 3  # panels
WIDE = 330
LEFT = 92  # where bars begin, in a panel
LONGEST = 180
MOST = 3.0  # a longer bar is cut there
LINE = 17
HEAD = 30
LEGEND = 34

STYLE = """
svg { --paper: #ffffff; --ink: #1f2328; --faint: #d0d7de; --openmp: #6e7f96; --tbb: #c77b18; --ours: #0a7d73;
      --usual: #0a4f9e; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #e6edf3; --faint: #3d444d; --openmp: #93a4bb; --tbb: #e3a047; --ours: #2fb5a8;
        --usual: #6cb0ff; }
}
.paper { fill: var(--paper); } .rule { stroke: var(--faint); }
text { fill: var(--ink); font: 11px system-ui, sans-serif; } .title { font-weight: 600; font-size: 13px; }
.value { font-size: 10px; } .right { text-anchor: end; }
.openmp { fill: var(--openmp); } .tbb { fill: var(--tbb); }
.ours { fill: var(--ours); } .default { fill: var(--usual); }
"""
COLOURS = {"openmp": "OpenMP", "tbb": "oneTBB", "default": "Steelyard's default", "ours": "Steelyard, by name"}


def colour(label):
    if label.startswith("OMP "):
        return "openmp"
    return {TBB: "tbb", DEFAULT: "default"}.get(label, "ours")


def text(x, y, said, kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(said)}</text>'


def bar(x, y, label, ratio):
    length = LONGEST * min(ratio, MOST) / MOST
    cut = " »" if ratio > MOST else ""
    return [text(x + LEFT - 6, y + 11, label, "right"),
            f'<rect x="{x + LEFT}" y="{y + 2}" width="{length:.1f}" height="{LINE - 5}" class="{colour(label)}"/>',
            text(x + LEFT + length + 4, y + 11, f"{ratio:.2f}{cut}", "value")]


def panel(x, y, row):
    """The bars of a kernel; a thin line marks the fastest."""
    times = {label: median(of) for label, of in row["samples"].items()}
    fastest = min(times.values())
    one = x + LEFT + LONGEST / MOST
    drawn = [text(x + LEFT, y + 16, TITLES[row["kernel"]], "title")]
    for number, (label, seconds) in enumerate(times.items()):
        drawn += bar(x, y + HEAD + number * LINE - 6, label, seconds / fastest)
    top = y + HEAD - 6
    drawn.append(f'<line x1="{one}" x2="{one}" y1="{top}" y2="{top + len(times) * LINE}" class="rule"/>')
    return drawn


def legend(y):
    drawn = []
    for number, (kind, said) in enumerate(COLOURS.items()):
        x = 20 + number * 170
        drawn += [f'<rect x="{x}" y="{y - 9}" width="11" height="11" class="{kind}"/>', text(x + 16, y, said)]
    return drawn


def picture(rows):
    tall = HEAD + LINE * len(rows[0]["samples"]) + 8
    width = WIDE * ACROSS
    height = LEGEND + tall * -(-len(rows) // ACROSS) + 10
    drawn = [f'<rect width="{width}" height="{height}" class="paper"/>', *legend(22)]
    for number, row in enumerate(rows):
        drawn += panel(number % ACROSS * WIDE, LEGEND + number // ACROSS * tall, row)
    return "\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        "<title>Median time of each strategy, relative to the fastest of its kernel</title>",
        f"<style>{STYLE}</style>", *drawn, "</svg>", ""])


def write(path, rows):
    Path(path).write_text(picture(rows), encoding="utf-8")
    print(f"bench: {path}", file=sys.stderr)
