# SPDX-License-Identifier: Apache-2.0
"""selection: who chooses the schedules of loops well that run again and again, in virtual time."""
import re
from statistics import mean

from .output import table
from .runs import Failure, Variant, execute, progress
from .scale import numbers

LINE = re.compile(r"^(.+); (\S+); first (-?[0-9.]+); then (-?[0-9.]+); best (.+)$", re.M)


def add_arguments(parser):
    parser.add_argument("--members", default="8,32,128", help="of the team (default %(default)s)")
    parser.add_argument("--each", type=int, default=2048, help="iterations for each member (default %(default)s)")
    parser.add_argument("--instances", type=int, default=200, help="of each loop (default %(default)s)")
    parser.add_argument("--first", type=int, default=20, help="instances that count by themselves (default %(default)s)")
    parser.add_argument("--unit", default="25,2500", help="ns of a unit of cost; an iteration costs 0.3 to 5 (default %(default)s)")


def figures(said):
    """Loop → method → what it has lost in the first instances and in the others, and what was best."""
    found = {}
    for loop, method, first, then, best in LINE.findall(said):
        found.setdefault(loop, {})[method] = {"first": float(first), "then": float(then), "best": best}
    if not found:
        raise Failure("selection-replay printed no figures")
    return found


def replay(program, members, unit, phase, options):
    progress(f"selection {members} members, units of {unit} ns" + (f", phases of {phase} instances" if phase else ""))
    command = [program, "--members", members, "--each", options.each, "--instances", options.instances, "--first", options.first,
               "--unit", unit, "--phase", phase]
    loops = figures(execute(Variant("selection-replay", command, {}), timeout=7200).output)
    return {"members": members, "unit": unit, "phase": phase, "loops": loops}


def summed(result, method, when):
    """The mean over the loops: each counts as much."""
    return mean(of[method][when] for of in result["loops"].values())


def methods_of(result):
    return list(next(iter(result["loops"].values())))


def is_ahead(result, method="automatic"):
    return all(summed(result, method, when) <= summed(result, other, when)
               for other in methods_of(result) if other != method for when in ("first", "then"))


def percent(part):
    return f"{100 * part:.1f} %"


def title_of(result):
    kind = f"costs of another kind each {result['phase']} instances" if result["phase"] else "costs of one kind"
    return f"{result['members']} members, units of {result['unit']} ns, {kind}"


def show(result, options):
    lines = []
    for method in methods_of(result):
        thens = [of[method]["then"] for of in result["loops"].values()]
        lines.append([f"`{method}`", percent(summed(result, method, "first")), percent(summed(result, method, "then")), percent(max(thens))])
    columns = ["method", f"first {options.first}", f"the other {options.instances - options.first}", "worst loop of these"]
    return f"{title_of(result)}\n\n" + table(columns, lines, left=1)


def run(options, places):
    program = places.kernels("bench_selection") / "selection-replay"
    results = [replay(program, members, unit, phase, options)
               for phase in (0, 10) for unit in numbers(options.unit, "unit") for members in numbers(options.members, "members")]
    progress("")
    return verdict(results, options)


def total(results, method, when):
    return mean(summed(result, method, when) for result in results)


def verdict(results, options):
    """Each loop counts as much, and each setting."""
    methods = methods_of(results[0])
    lines = [[f"`{method}`", percent(total(results, method, "first")), percent(total(results, method, "then"))] for method in methods]
    columns = ["method", f"first {options.first}", f"the other {options.instances - options.first}"]
    ours = {when: total(results, "automatic", when) for when in ("first", "then")}
    failed = any(ours[when] > total(results, method, when) for method in methods for when in ours)
    behind = [title_of(result) for result in results if not is_ahead(result)]
    text = "\n\n".join(show(result, options) for result in results) + "\n\nAll of these\n\n" + table(columns, lines, left=1)
    if behind:
        text += "\n\n`automatic` has not lost the least: " + "; ".join(behind) + "."
    return {"title": "What methods to choose schedules have lost against the best of the catalogue, in virtual time", "text": text,
            "results": results, "failed": failed}
