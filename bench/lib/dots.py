# SPDX-License-Identifier: Apache-2.0
"""A plot of how far each variant is from the fastest of its row, as SVG that reads on light and dark ground."""
from html import escape

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#7f7f7f", "#bcbd22", "#9467bd",
           "#17becf", "#e31a1c", "#33a02c")
STYLE = """<style>
text { font: 12px sans-serif; fill: #1a1a1a } .rule { stroke: #d0d0d0 } .title { font-size: 14px }
@media (prefers-color-scheme: dark) { text { fill: #e6e6e6 } .rule { stroke: #505050 } }
</style>"""
LEFT, RIGHT, TOP, LINE, PLOT = 190, 30, 74, 18, 620
FURTHEST = 3.0  # dots beyond stand at the edge


def _x(ratio):
    return LEFT + (min(ratio, FURTHEST) - 1) / (FURTHEST - 1) * PLOT


def _text(x, y, text, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{escape(text)}</text>'


def _legend(labels):
    each = (LEFT + PLOT) // max(1, (len(labels) + 1) // 2)
    for number, label in enumerate(labels):
        x, y = 14 + number // 2 * each, 34 + number % 2 * 16
        yield f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{COLOURS[number % len(COLOURS)]}"/>'
        yield _text(x + 8, y, label)


def _axis(bottom):
    for tenth in range(10, int(FURTHEST * 10) + 1, 5):
        x = _x(tenth / 10)
        yield f'<line class="rule" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>'
        yield _text(x, bottom + 16, f"{tenth / 10:g}", 'text-anchor="middle"')


def _row(y, name, ratios, labels):
    yield _text(LEFT - 12, y + 4, name, 'text-anchor="end"')
    yield f'<line class="rule" x1="{LEFT}" y1="{y}" x2="{LEFT + PLOT}" y2="{y}"/>'
    for number, label in enumerate(labels):
        if label in ratios:
            hint = f"<title>{escape(label)}: {ratios[label]:.2f}</title>"
            yield (f'<circle cx="{_x(ratios[label]):.1f}" cy="{y}" r="4" fill="{COLOURS[number % len(COLOURS)]}" '
                   f'fill-opacity="0.85">{hint}</circle>')


def svg(title, rows):
    """rows: (name, {label: time}); labels keep the order of the first row."""
    labels = list(rows[0][1])
    bottom = TOP + LINE * (len(rows) + 1)
    parts = [STYLE, _text(14, 18, title, 'class="title"'), *_legend(labels), *_axis(bottom)]
    for number, (name, times) in enumerate(rows):
        least = min(times.values())
        parts += _row(TOP + LINE * (number + 1), name, {label: time / least for label, time in times.items()}, labels)
    parts.append(_text(LEFT + PLOT / 2, bottom + 34, f"time / fastest of the row (at most {FURTHEST:g})",
                       'text-anchor="middle"'))
    width, height = LEFT + PLOT + RIGHT, bottom + 44
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">\n{body}\n</svg>\n')
