# SPDX-License-Identifier: Apache-2.0
"""scale: the schedules on machines that are not there, in virtual time that charges for lines of memory."""
import re
from statistics import geometric_mean

from . import scale_here
from .output import table
from .places import BENCH
from .runs import Failure, Variant, execute, progress

MACHINES = {"2x64": (8, 32, 128), "flat-1024": (1024,)}  # of each, so many members
EACH = (2048, 16384)  # iterations for each member
SCHEDULES = ("static", "dynamic", "guided", "factoring", "steal", "wsri", "idws", "adaptive", "random")
LINE = re.compile(r"^(\S+) (\S+) makespan ([0-9.]+) limit ([0-9.]+) chunks (\d+) steals (\d+) attempts (\d+) lines (\d+) most (\d+)$",
                  re.M)


def add_arguments(parser):
    parser.add_argument("--machines", default=",".join(MACHINES), help="files of bench/machines, or paths (default %(default)s)")
    parser.add_argument("--members", help="default: " + "; ".join(f"{name}: {','.join(map(str, of))}" for name, of in MACHINES.items()))
    parser.add_argument("--each", default=",".join(map(str, EACH)), help="iterations for each member (default %(default)s)")
    parser.add_argument("--schedules", default=",".join(SCHEDULES), help="default %(default)s")
    parser.add_argument("--learnt", action="store_true",
                        help="front ends know how long iterations take on average, as from a loop's second instance on")
    parser.add_argument("--dealt", action="store_true",
                        help="and how costs lie, from one instance before: blocks of equal cost are dealt by `steal`")
    parser.add_argument("--rows", default="judged", choices=["judged", "training"],
                        help="training: other loops, to choose constants by (default %(default)s)")
    parser.add_argument("--here", action="store_true",
                        help="instead: describe this machine, run the loops on it, and compare with replay")
    parser.add_argument("--threads", type=int, help="with --here; default: one for each processor")
    parser.add_argument("--rounds", type=int, default=5, help="with --here (default %(default)s)")
    parser.add_argument("--unit", type=int, default=10, help="ns of a unit of cost; an iteration costs 0.3 to 5 (default %(default)s)")


def file_of(machine):
    path = BENCH / "machines" / f"{machine}.txt"
    return path if path.exists() else machine


def numbers(text, option):
    try:
        return [int(word) for word in text.split(",")]
    except ValueError as error:
        raise Failure(f"--{option} {text}: whole numbers, separated by commas") from error


def members_of(machine, options):
    if options.members:
        return numbers(options.members, "members")
    if machine not in MACHINES:
        raise Failure(f"--machines {machine}: say how many members by --members")
    return MACHINES[machine]


def figures(said):
    """Loop → schedule → what there is to say."""
    found = {}
    for loop, schedule, makespan, limit, chunks, steals, attempts, lines, most in LINE.findall(said):
        found.setdefault(loop, {})[schedule] = {
            "makespan_us": float(makespan), "limit_us": float(limit), "chunks": int(chunks), "steals": int(steals),
            "attempts": int(attempts), "lines": int(lines), "most_lines": int(most)}
    if not found:
        raise Failure("scale-replay printed no figures")
    return found


def replay(program, machine, members, each, options):
    progress(f"scale {machine}, {members} members, {each} iterations each")
    command = [program, "--machine", file_of(machine), "--members", members, "--each", each, "--unit", options.unit, "--rows", options.rows,
               "--schedules", options.schedules, *(f"--{known}" for known in ("learnt", "dealt") if getattr(options, known))]
    loops = figures(execute(Variant("scale-replay", command, {}), timeout=3600).output)
    return {"machine": machine, "members": members, "each": each, "loops": loops}


def of_limit(figure):
    return figure["makespan_us"] / figure["limit_us"]


def show(result):
    schedules = list(next(iter(result["loops"].values())))
    lines = [[loop, f"{next(iter(of.values()))['limit_us']:,.0f} us", *(f"{of_limit(of[name]):.2f}" for name in schedules)]
             for loop, of in result["loops"].items()]
    lines.append(["geometric mean", "", *(f"{geometric_mean(of_limit(of[name]) for of in result['loops'].values()):.2f}"
                                          for name in schedules)])
    most = [f"{max(of[name]['most_lines'] for of in result['loops'].values()):,}" for name in schedules]
    lines.append(["most lines of a call", "", *most])
    title = f"{result['machine']}, {result['members']:,} members, {result['each']:,} iterations each: time/limit"
    return f"{title}\n\n" + table(["loop", "limit", *(f"`{name}`" for name in schedules)], lines, left=1)


def run(options, places):
    directory = places.kernels("bench_scale")
    if options.here:
        options.json = options.json or places.work / "scale-here.json"
        return scale_here.run(options, directory, places, figures)
    program = directory / "scale-replay"
    results = [replay(program, machine, members, each, options)
               for machine in options.machines.split(",") for members in members_of(machine, options)
               for each in numbers(options.each, "each")]
    progress("")
    return {"title": "Schedules in the virtual time of machines, accesses to shared lines charged",
            "text": "\n\n".join(show(result) for result in results), "results": results}
