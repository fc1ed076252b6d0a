# SPDX-License-Identifier: Apache-2.0
"""pragmas: what became of each `for` and `parallel for` of a program's sources, by the reports that its processes have left."""
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from os.path import commonpath
from pathlib import Path

from .output import table
from .runs import Failure

SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inc"}
NOT_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+((?:\\[ \t]*\n|[^\n])*)", re.M)
WORKSHARED = re.compile(r"(?:parallel\s+)?for\b")
TAKEN = "taken"
GROUPED = "a reduction, whose grouping would change"  # as the drop-in says it (src/openmp/shares/static_loop.hpp)
NOT_MET = "not met"


@dataclass(frozen=True)
class Pragma:
    file: str
    line: int
    text: str


@dataclass
class Fate:
    """What one process did with the loops of a pragma: a template or an inlined function has several sites."""
    reasons: set = field(default_factory=set)
    shares: str | None = None

    def text(self):
        return ", ".join(sorted(self.reasons)) or TAKEN


def without_comments(source):
    """The same lines; comments are blank. A string may hold what looks like one."""
    def blank(match):
        text = match.group()
        return re.sub(r"[^\n]", " ", text) if text.startswith("/") else text
    return NOT_TEXT.sub(blank, source)


def pragmas_in(source, file):
    """Its worksharing loops. Sections share out no iterations, `target` and `teams` are for other devices or teams."""
    code = without_comments(source)
    for match in DIRECTIVE.finditer(code):
        text = " ".join(match.group(1).replace("\\\n", " ").split())
        if WORKSHARED.match(text):
            yield Pragma(file, code.count("\n", 0, match.start()) + 1, text)


def source_files(paths):
    for path in map(Path, paths):
        if not path.exists():
            raise Failure(f"{path}: no such file or directory")
        yield from sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES) if path.is_dir() else [path]


def all_pragmas(paths):
    """Each file once, by the name that finds it."""
    found = {}
    for file in source_files(paths):
        text = file.read_text(encoding="utf-8", errors="replace")
        found.setdefault(file.resolve(), list(pragmas_in(text, str(file.resolve()))))
    return [pragma for pragmas in found.values() for pragma in pragmas]


def place_of(ident):
    """File and line of Clang's `;file;function;line;column;;`; None: it was not told (-g)."""
    parts = (ident or "").split(";")
    return (parts[1], int(parts[3])) if len(parts) > 4 and parts[3].isdigit() and int(parts[3]) > 0 else None


def ends_in(path, tail):
    wanted = [part for part in Path(tail).parts if part not in (".", "..")]
    return list(Path(path).parts[-len(wanted):]) == wanted


def pragma_at(pragmas, place, program):
    """The compiler may have been given no more than a base name: of several such files that nearest to the program counts."""
    file, line = place
    found = [one for one in pragmas if one.line == line and ends_in(one.file, file)]
    return max(found, key=lambda one: len(commonpath([one.file, program])), default=None)


def fates_of(report, pragmas):
    fates = {}
    for site in report["sites"]:
        place = place_of(site["ident"])
        pragma = pragma_at(pragmas, place, report["program"]) if place else None
        if pragma is None:
            continue
        fate = fates.setdefault(pragma, Fate())
        fate.shares = fate.shares or site.get("shares")
        if site["decision"] != TAKEN:
            fate.reasons.add(site["reason"] or site["decision"])
    return fates


def read_report(path):
    try:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        if report["steelyard_report"] != 1:
            raise ValueError("another version")
        return report
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path}: no report of the drop-in ({error})") from error


def in_one_process(pragma, processes):
    """Taken where one process has taken all of its loops; else why not."""
    fates = [fates[pragma] for _, fates in processes if pragma in fates]
    if not fates:
        return NOT_MET
    return min((fate.text() for fate in fates), key=lambda text: text != TAKEN)


def counted(texts):
    return "; ".join(f"{count} × {text}" for text, count in Counter(texts).most_common()) or "–"


def program_row(name, fates):
    texts = [fate.text() for fate in fates.values()]
    return [name, len(texts), texts.count(TAKEN), counted(text for text in texts if text != TAKEN)]


def loops_lines(processes):
    """A line for a loops file of each loop that was met: the shares that it had in the end, else that it is to learn some. None of one
    that kept its blocks for a reduction: a line would force it, and the program would add in another order."""
    lines = {}
    grouped = set()
    for _, fates in processes:
        for pragma, fate in fates.items():
            place = f"{pragma.file}:{pragma.line}"
            if GROUPED in fate.reasons:
                grouped.add(place)
            if fate.shares or place not in lines:
                lines[place] = f"nustatic:{fate.shares}" if fate.shares else "nustatic"
    return "".join(f"{place} {schedule}\n" for place, schedule in sorted(lines.items()) if place not in grouped)


def add_arguments(parser):
    parser.add_argument("sources", nargs="+", help="files and directories of the programs' sources")
    parser.add_argument("--reports", nargs="+", required=True, metavar="FILE",
                        help="what `steelyard run --report` has left of each program; built by Clang with -g")
    parser.add_argument("--loops", metavar="FILE", help="writes a loops file of the shares that the reports hold; loops "
                        "that kept their blocks for a reduction are left out, for a line would force them")


def run(options, _places):
    pragmas = all_pragmas(options.sources)
    reports = [read_report(path) for path in options.reports]
    processes = [(Path(report["program"]).name, fates_of(report, pragmas)) for report in reports]
    if options.loops:
        Path(options.loops).write_text(loops_lines(processes), encoding="utf-8")
    fates = {pragma: in_one_process(pragma, processes) for pragma in pragmas}
    taken = list(fates.values()).count(TAKEN)
    together = ["together", len(fates), taken, counted(text for text in fates.values() if text != TAKEN)]
    programs = table(["program", "pragmas met", "taken", "others"], [program_row(*one) for one in processes] + [together])
    lines = [[f"{Path(one.file).name}:{one.line}", one.text, fate] for one, fate in fates.items()]
    return {"title": f"{taken} of {len(fates)} worksharing pragmas taken ({100 * taken / max(len(fates), 1):.0f} %)",
            "text": f"{programs}\n\n{table(['place', 'pragma', 'fate'], lines, left=3)}",
            "results": [{"file": one.file, "line": one.line, "pragma": one.text, "fate": fate} for one, fate in fates.items()]}
