# SPDX-License-Identifier: Apache-2.0
"""launcher: known suites compiled by `steelyard cc`: what that costs, whether they pass their own checks, and how far it reaches."""
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import median

from . import callgrind, stats
from .output import table
from .places import BENCH, MICRO_FLAGS, call
from .runs import Failure, Variant, execute, interleave, measured, openmp_environment, progress
from .suites import COMPILERS, SUITES, Tree

PLAIN, LAUNCHED = "plain", "launched"
SCHEDULES = ("static", "dynamic,1", "steal", "wsri", "wsrw")
SLOWER, MORE = 1.3, 1.005  # bounds: of the time that compiling takes, and of the instructions of a program without the drop-in
LONGER, A_LOOP = 1.0, 100  # bounds without the drop-in: of a program's time, and of what a loop takes more, in ns
BRIEF_TOOK = re.compile(r"^([0-9.]+) ns a loop")
BRIEF = ("separate", "reduced", "combined")  # loops of bench/micro/brief_loops.c


def add_arguments(parser):
    parser.add_argument("suites", nargs="+", metavar="SUITE=FOLDER", help=f"where the suite lies, which stays as it is: {', '.join(SUITES)}")
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--rounds", type=int, default=3, help="of compiling (default %(default)s)")
    parser.add_argument("--runs", type=int, default=10, help="of each program without the drop-in, and of brief loops (default %(default)s); 0: none")
    parser.add_argument("--threads", type=int, default=3, help="of the checks (default %(default)s)")
    parser.add_argument("--programs", help="only these, divided by commas")
    parser.add_argument("--no-instructions", action="store_true", help="callgrind takes most of the time")


def asked(options):
    for each in options.suites:
        name, separator, folder = each.partition("=")
        if not separator or name not in SUITES:
            raise Failure(f"{each}: not SUITE=FOLDER; suites are {', '.join(SUITES)}")
        if not Path(folder).is_dir():
            raise Failure(f"{folder}: no folder")
        yield name, Path(folder)


def loops_of(steelyard, program):
    """What `--report` says of each loop of a program."""
    done = subprocess.run([steelyard, "cc", "--json", "--report", program], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []


def passed(program, path, schedule, environment):
    run = execute(Variant(program.name, [path, *program.command[1:]],
                          {**environment, **({"STEELYARD_SCHEDULE": schedule} if schedule else {})}))
    return program.passes(run.output)


def can_be_built(tree, program):
    try:
        tree.build(program)
    except Failure as why:
        print(f"bench: {program.name} is left out: {why}", file=sys.stderr)
        return False
    return True


class Bench:
    def __init__(self, options, places):
        self.options = options
        self.steelyard = places.kernels("steelyard_tool") / "steelyard"
        self.work = places.work / "launcher"
        self.log = places.log
        self.loaded = {**openmp_environment(options.threads, "false"), "LD_PRELOAD": str(places.shim())}
        self.unloaded = openmp_environment(options.threads, "false")

    def measure(self, name, folder, compiler):
        suite = SUITES[name]
        here = self.work / compiler / name
        trees = {PLAIN: Tree(suite, folder, here / PLAIN, compiler), LAUNCHED: Tree(suite, folder, here / LAUNCHED, compiler, self.steelyard)}
        wanted = self.options.programs.split(",") if self.options.programs else None
        rows = [self.program(program, trees, here) for program in suite.programs(folder) if wanted is None or program.name in wanted]
        log = trees[LAUNCHED].log
        said = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return {"suite": name, "compiler": compiler, "programs": [row for row in rows if row is not None], "log": sorted(set(said))}

    def in_turn(self, commands, measure, name):
        """What runs of plain and launched programs take without the drop-in."""
        environment = openmp_environment(os.cpu_count(), "true")
        return interleave([Variant(label, command, environment) for label, command in commands.items()], self.options.runs, measure, name)

    def brief_loops(self, compiler):
        """How many ns more each kind of loop takes."""
        folder = self.work / compiler
        folder.mkdir(parents=True, exist_ok=True)
        programs = {PLAIN: folder / "brief", LAUNCHED: folder / "brief-launched"}
        for label, before in ((PLAIN, []), (LAUNCHED, [self.steelyard, "cc"])):
            call([*before, COMPILERS[compiler][0], *MICRO_FLAGS, "-o", programs[label], BENCH / "micro/brief_loops.c"], self.log)
        rows = {}
        for kind in BRIEF:
            took = self.in_turn({label: [path, kind] for label, path in programs.items()},
                                lambda run: float(measured(BRIEF_TOOK, run, "ns a loop")[1]), f"{compiler} {kind}")
            more_by = [launched - plain for launched, plain in zip(took[LAUNCHED], took[PLAIN])]
            rows[kind] = {"plain": median(took[PLAIN]), "more": stats.bootstrap_median(more_by), "samples": took}
        return rows

    def program(self, program, trees, here):
        """None: its own makefile cannot build it here."""
        if not program.command and not can_be_built(trees[PLAIN], program):
            return None
        seconds = {label: [] for label in trees}
        built = {}
        for done in range(self.options.rounds):
            for label, tree in trees.items():
                progress(f"{program.name} {label} {done + 1}/{self.options.rounds}")
                seconds[label].append(tree.build(program))
                built[label] = tree.keep(program, here / "kept" / label)
        progress(f"{program.name} runs")
        checks, counted, longer = {}, None, None
        if program.command:
            checks["unloaded"] = passed(program, built[LAUNCHED][0], None, self.unloaded)
            checks.update((schedule, passed(program, built[LAUNCHED][0], schedule, self.loaded)) for schedule in SCHEDULES)
        if program.command and not self.options.no_instructions:
            counted = {label: callgrind.total([without_debug_information(paths[0]), *program.smaller[1:]], openmp_environment(1, "false"),
                                              f"{program.name}, {label}") for label, paths in built.items()}
        if program.command and self.options.runs:
            arguments = (program.larger or program.command)[1:]
            took = self.in_turn({label: [paths[0], *arguments] for label, paths in built.items()}, lambda run: run.seconds, program.name)
            longer = stats.paired_ratio(took[LAUNCHED], took[PLAIN])
        progress("")
        return {"program": program.name, "seconds": seconds, "longer": longer, "slower": stats.paired_ratio(seconds[LAUNCHED], seconds[PLAIN]),
                "instructions": counted, "checks": checks,
                "loops": [loop for path in built[LAUNCHED] for loop in loops_of(self.steelyard, path)]}


def without_debug_information(program):
    """A copy of it. Valgrind of Debian 12 gives up on what Clang 19 writes."""
    copy = program.with_name(f"{program.name}.bare")
    execute(Variant(f"strip {program.name}", ["strip", "--strip-debug", "-o", copy, program], {}))
    return copy


def more(row):
    counted = row["instructions"]
    return counted[LAUNCHED] / counted[PLAIN] if counted else None


def line_of(suite, row):
    failed = [name for name, well in row["checks"].items() if not well]
    counted = more(row)
    return [suite["suite"], suite["compiler"], row["program"], f"{median(row['seconds'][PLAIN]):.2f}", row["slower"].text(2),
            "–" if counted is None else f"{counted:.4f}", "–" if row["longer"] is None else row["longer"].text(2),
            "–" if not row["checks"] else "all" if not failed else f"not {', '.join(failed)}"]


def is_well(row):
    counted = more(row)
    took_longer = row["longer"] is not None and stats.verdict(row["longer"], LONGER) == "fail"
    return row["slower"].value <= SLOWER and (counted is None or counted <= MORE) and not took_longer and all(row["checks"].values())


def reach_of(suite):
    """A loop of a header that several programs have counts once."""
    loops = {(os.path.normpath(loop["file"]), loop["line"]): loop for row in suite["programs"] for loop in row["loops"]}
    counts = Counter(loop["reach"] for loop in loops.values())
    by_any = counts["any"] + counts["written"]
    combined = [loop for loop in loops.values() if loop["combined"]]
    return [suite["suite"], suite["compiler"], len(loops), by_any, counts["shares"], counts["left"],
            f"{sum(loop['reach'] in ('any', 'written') for loop in combined)} of {len(combined)}"]


def brief_of(compiler, rows):
    return [[compiler, kind, f"{row['plain']:.0f}", row["more"].text(0)] for kind, row in rows.items()]


def text_of(suites, brief):
    costs = [line_of(suite, row) for suite in suites for row in suite["programs"]]
    text = table(["suite", "compiler", "program", "compiled plainly, s", f"launched of that, ≤ {SLOWER}", f"instructions, ≤ {MORE}", f"time, ≤ {LONGER:.2f}",
                  "checks passed"], costs, left=3)
    text += "\n\n" + table(["suite", "compiler", "loops", "any schedule", "learnt shares only", "left alone", "combined: any"], map(reach_of, suites), left=2)
    if brief:
        text += "\n\n" + table(["compiler", "a brief loop", "takes plainly, ns", f"launched more, ≤ {A_LOOP}"],
                              [line for compiler, rows in brief.items() for line in brief_of(compiler, rows)], left=2)
    logs = [f"{suite['suite']}, {suite['compiler']}: {line}" for suite in suites for line in suite["log"]]
    return "\n".join([text, "", *logs]).rstrip()


def run(options, places):
    if options.prebuilt:
        raise Failure("--prebuilt: compiling is what is measured; give --build")
    if options.rounds < 1 or options.threads < 1 or options.runs < 0:
        raise Failure("--rounds, --threads: at least 1; --runs: at least 0")
    if unknown := [name for name in options.compilers.split(",") if name not in COMPILERS]:
        raise Failure(f"--compilers {unknown[0]}: no such compiler; there are {', '.join(COMPILERS)}")
    folders = list(asked(options))
    bench = Bench(options, places)
    suites = [bench.measure(name, folder, compiler) for compiler in options.compilers.split(",") for name, folder in folders]
    brief = {compiler: bench.brief_loops(compiler) for compiler in options.compilers.split(",")} if options.runs else {}
    well = all(is_well(row) for suite in suites for row in suite["programs"])
    well = well and all(row["more"].low <= A_LOOP for rows in brief.values() for row in rows.values())
    return {"title": f"The compile launcher: {options.rounds} rounds", "text": text_of(suites, brief), "results": suites, "brief": brief, "failed": not well}
