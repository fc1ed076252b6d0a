# SPDX-License-Identifier: Apache-2.0
"""cows --replay: what the iterations cost, recorded in serial runs and replayed in virtual time on large teams."""
import re
from statistics import geometric_mean

from .output import table
from .runs import Failure, Variant, execute, progress

SCHEDULES = ("cyclic", "static", "dynamic", "guided", "wsr", "wsri", "wsrw", "wsr:paper", "wsri:paper", "wsrw:paper", "idws",
             "adaptive", "steal")
CHARGES = {"charged": (20, 50), "free": (0, 0)}  # ns of a call, and of a line from another member
GUARDED = ("bfs",)  # their costs are an upper bound, so wsrw leaves them out (Opt3)
TOLD, REFINED = "wsrw, told", "wsrw, refined"  # costs as `steelyard cc` has the program tell them; constants: seeds, or learnt
POINTS = 0.02  # so near the limit is wsrw to be
LINE = re.compile(r"^(\S+) makespan ([0-9.]+) limit ([0-9.]+) steals (\d+) attempts (\d+) chunks (\d+)$", re.M)


def replay(bench, kernel, graph, members, known, launched):
    """A row for each of `members`. With `launched` also wsrw as the drop-in has it: costs as a compiled program tells them."""
    progress(f"replay {kernel} {graph.title}")
    costs = graph.file.with_suffix(f".{kernel}.costs")
    bench.run("cows-serial", kernel, graph, "--record", costs)
    files = {"costs": costs}
    if launched:
        files["told"] = graph.file.with_suffix(f".{kernel}.told")
        bench.run("cows-launched", kernel, graph, "--told", files["told"])
    names = [name for name in SCHEDULES if name in known]
    rows = [{"kernel": kernel, "graph": graph.title, "facts": graph.facts, "members": count,
             **{charges: _replayed(bench, files, count, names, *CHARGES[charges]) for charges in CHARGES}} for count in members]
    for file in files.values():
        file.unlink()
    progress("")
    return rows


def _replayed(bench, files, members, names, call, transfer):
    command = [bench.directory / "cows-replay", "--costs", files["costs"], "--members", members, "--call", call,
               "--transfer", transfer]
    found = _figures([*command, "--schedules", ",".join(names)])
    if "told" in files and "wsrw" in names:
        told = [*command, "--schedules", "wsrw", "--told", files["told"]]
        found[TOLD] = _figures(told)["wsrw"]
        found[REFINED] = _figures([*told, "--refined"])["wsrw"]
    return found


def _figures(command):
    said = execute(Variant("cows-replay", command, {}), timeout=3600).output
    found = {name: {"makespan_us": float(makespan), "limit_us": float(limit), "steals": int(steals),
                    "attempts": int(attempts), "chunks": int(chunks)}
             for name, makespan, limit, steals, attempts, chunks in LINE.findall(said)}
    if not found:
        raise Failure("cows-replay printed no figures")
    return found


def _gain(of, name):
    return of["cyclic"]["makespan_us"] / of[name]["makespan_us"]


def _of_limit(of, name):
    return of[name]["makespan_us"] / of[name]["limit_us"]


def _table(rows, charges):
    names = list(rows[0][charges])
    lines = []
    for row in rows:
        cells = [f"{_of_limit(row[charges], name):.2f}, {_gain(row[charges], name):.2f}"
                 + (f", {of['steals']}" if of["attempts"] else "") for name, of in row[charges].items()]
        lines.append([row["kernel"], row["graph"], *cells])
    for what, figure in (("of the gains", _gain), ("of makespan/limit", _of_limit)):
        means = [f"{geometric_mean(figure(row[charges], name) for row in rows):.3f}" for name in names]
        lines.append(["geometric mean", what, *means])
    return table(["kernel", "graph", *(f"`{name}`" for name in names)], lines, left=2)


def judge(rows):
    """What the paper's claims come to where calls are free: wsrw gains over cyclic all that there is to gain where it knows
    costs, and who knows more steals less often. Nothing where one of them is missing. Where a compiled program tells costs, it is
    what that makes of them."""
    if not all(name in row["free"] for row in rows for name in ("cyclic", "wsr", "wsri", "wsrw")):
        return {}
    knowing = TOLD if all(TOLD in row["free"] for row in rows) else "wsrw"
    told = [row["free"] for row in rows if row["kernel"] not in GUARDED]
    distance = geometric_mean(_of_limit(of, "cyclic") for of in told) if told else 1
    gain = geometric_mean(_gain(of, knowing) for of in told) if told else 1
    near = sum(_of_limit(of, "cyclic") - _gain(of, knowing) <= POINTS for of in told)
    steals = {name: geometric_mean(1 + row["free"][name]["steals"] for row in rows) for name in (knowing, "wsri", "wsr")}
    worst = max((_of_limit(of, knowing) - 1 for of in told), default=0)
    return {"knowing": knowing, "distance": distance, "gain": gain, "rows": len(told), "near": near, "worst": worst,
            "gains_all": distance - gain <= POINTS, "steals": steals,
            "steals_less": steals[knowing] < steals["wsri"] < steals["wsr"]}


def _claims(rows):
    found = judge(rows)
    if not found:
        return ""
    steals = ", ".join(f"`{name}` {count:.0f}" for name, count in found["steals"].items())
    return (f"\n\n**`cyclic` takes {found['distance']:.3f} of the limit, and {found['gain']:.3f} of the time of `{found['knowing']}`**, "
            f"geometric means over the rows in which that knows costs (all but {' and '.join(GUARDED)}). In {found['near']} of "
            f"{found['rows']} rows they agree within two points; in the worst it is {100 * found['worst']:.1f} % from the "
            f"limit: {'pass' if found['gains_all'] else 'fail'}.\n\n"
            f"**Steals: {steals}**, geometric means of one more: {'pass' if found['steals_less'] else 'fail'}.")


def text_of(rows):
    """Of rows of the same number of members."""
    return (f"**{rows[0]['members']} members.** makespan/limit, gain over cyclic (above 1 is faster), steals of those that steal; summed "
            "over up to eight runs of each loop.\n\nCalls, and lines from other members, free:\n\n" + _table(rows, "free")
            + _claims(rows) + "\n\nA call at 20 ns, a line from another member at 50 ns:\n\n" + _table(rows, "charged"))


def report(rows):
    """What `bench/run` wants: a part for each number of members."""
    parts = {row["members"]: [each for each in rows if each["members"] == row["members"]] for row in rows}
    claims = {members: judge(of) for members, of in parts.items()}
    return {"text": "\n\n".join(text_of(of) for of in parts.values()), "results": rows, "claims": claims,
            "failed": any(claim and not (claim["gains_all"] and claim["steals_less"]) for claim in claims.values())}
