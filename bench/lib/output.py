# SPDX-License-Identifier: Apache-2.0
"""Markdown tables, JSON files, and the table of docs/measured.md."""
import json
import re
import sys
from pathlib import Path


def table(header, rows, left=1):
    """A Markdown table; the first `left` columns are text, the others figures."""
    rule = ["---"] * left + ["--:"] * (len(header) - left)
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def machine_line(facts):
    quota = f", quota {facts['quota']:g} cores" if facts.get("quota") else ""
    return f"{facts['cpu']}, {facts['cores']} cores{quota}, Linux {facts['kernel']}, {facts['date']}"


def quiet_line(watch):
    return (f"{watch['seconds']:.0f} s; meanwhile other work took {watch['cores_taken_by_others']:.2f} cores, "
            f"the hypervisor {watch['cores_stolen']:.2f}")


def write_json(path, value, quiet=False):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    if not quiet:
        print(f"bench: {path}", file=sys.stderr)


OPENING = "<!-- measured-table -->"
CLOSING = "<!-- /measured-table -->"


def replace_measured(text, content):
    """`text` with `content` between the two marks; a missing closing mark is added behind the opening one."""
    if OPENING not in text:
        raise ValueError(f"no {OPENING}")
    if CLOSING not in text:
        text = text.replace(OPENING, f"{OPENING}\n{CLOSING}", 1)
    between = re.compile(re.escape(OPENING) + ".*?" + re.escape(CLOSING), re.S)
    return between.sub(lambda _: f"{OPENING}\n{content}\n{CLOSING}", text, count=1)
