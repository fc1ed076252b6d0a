# SPDX-License-Identifier: Apache-2.0
"""jit --replay: the figures of nuStatic's paper, from what it says of its kernels' costs, in virtual time."""
import re

from .output import table
from .runs import Failure, Variant, execute, progress

MEMBERS = (2, 4, 8)
SIZES = {"matmul": 1024, "gauss-jordan": 1024, "adjoint": 102400, "adjoint-increasing": 102400}
TRAININGS = {"gauss-jordan": 3}  # how often the paper learnt shares; else once
NUSTATIC, TRAPEZOID = "nustatic", "trapezoid"
RIVALS = ("dynamic", "guided", "trapezoid", "factoring")  # the paper's
SCHEDULES = ("static", NUSTATIC, *RIVALS, "dynamic,64", "cyclic", "wsri", "idws", "adaptive", "steal")
# Nanoseconds of a call by the number of members, as the paper measured them with EPCC: it gives those of 2 and 8, and
# between them is their geometric mean. Trapezoid and factoring are not given, and get what guided does: they take few chunks, too.
PAPER = {"static": (250, 250, 3000), "dynamic": (250, 2060, 17000), "guided": (250, 1060, 4500)}
OURS = (20, 50)  # ns of a call, and of a line from another member
VECTORS = {"adjoint": {2: [(30, 70)], 4: [(13, 16, 21, 50)], 8: [(6, 7, 8, 8, 9, 11, 15, 36)]},
           "gauss-jordan": {4: [(25, 25, 25, 25), (15, 20, 25, 40)]}}  # its third sums to 95
LINE = re.compile(r"^(\S+) makespan ([0-9.]+) limit ([0-9.]+) chunks (\d+)$", re.M)
SHARES = re.compile(r"^shares (.+)$", re.M)
ALIKE, AHEAD = 0.02, 0.03  # two times are alike within the one, one is better from the other on


def charge_of(schedule, members):
    """What a call of this schedule cost the paper."""
    name = schedule.split(",")[0]
    kind = "static" if name in ("static", NUSTATIC, "cyclic") else "dynamic" if name == "dynamic" else "guided"
    return PAPER[kind][MEMBERS.index(members)]


def parse(output):
    return {name: {"makespan_us": float(makespan), "limit_us": float(limit), "chunks": int(chunks)}
            for name, makespan, limit, chunks in LINE.findall(output)}


def replay(program, kernel, members, charges):
    """charges: "paper" or "ours"."""
    progress(f"replay {kernel} {members} {charges}")
    calls = {}
    for name in SCHEDULES:
        calls.setdefault(OURS if charges == "ours" else (charge_of(name, members), 0), []).append(name)
    found, shares = {}, []
    for (call, transfer), names in calls.items():
        command = [program, "--kernel", kernel, "--size", SIZES[kernel], "--members", members, "--schedules", ";".join(names),
                   "--trainings", TRAININGS.get(kernel, 1), "--call", call, "--transfer", transfer]
        said = execute(Variant("jit-replay", command, {}), timeout=3600).output
        found |= parse(said)
        shares = [[float(word) for word in line.split()] for line in SHARES.findall(said)]
    if len(found) != len(SCHEDULES):
        raise Failure("jit-replay did not print the figures of all schedules")
    progress("")
    return {"kernel": kernel, "members": members, "charges": charges, "shares": shares,
            "times": {name: found[name] for name in SCHEDULES}}


def of_limit(row, name):
    return row["times"][name]["makespan_us"] / row["times"][name]["limit_us"]


def claims_of(row):
    """(what the paper says, whether it is so here) of one figure at one number of members."""
    of = {name: of_limit(row, name) for name in row["times"]}
    mine, trapezoid = of[NUSTATIC], of[TRAPEZOID]
    rest = {name: of[name] for name in RIVALS if name != TRAPEZOID}
    others = ", ".join(f"`{name}` {value:.2f}" for name, value in rest.items())
    if row["kernel"] == "matmul":
        yield f"all alike: `nustatic` {mine:.2f}, `trapezoid` {trapezoid:.2f}, {others}", \
            max(mine, trapezoid, *rest.values()) <= (1 + ALIKE) * min(mine, trapezoid, *rest.values())
    if row["kernel"] == "gauss-jordan":
        yield f"`trapezoid` {trapezoid:.2f} is a little better than `nustatic` {mine:.2f}", trapezoid < mine <= 1.1 * trapezoid
        yield f"`nustatic` {mine:.2f} is well ahead of {others}", all((1 + AHEAD) * mine <= value for value in rest.values())
    if row["kernel"] == "adjoint":
        yield f"`nustatic` {mine:.2f} is no worse than `trapezoid` {trapezoid:.2f}", mine <= (1 + ALIKE) * trapezoid
        yield f"`trapezoid` {trapezoid:.2f} is ahead of {others}", all((1 + AHEAD) * trapezoid <= value for value in rest.values())
        equal = row["members"] == 2
        yield (f"`dynamic` {of['dynamic']:.2f} {'equals' if equal else 'loses to'} `nustatic` {mine:.2f}",
               (of["dynamic"] < (1 + AHEAD) * mine) == equal)
    if row["kernel"] == "adjoint-increasing":
        yield f"`trapezoid` {trapezoid:.2f} loses to `nustatic` {mine:.2f}", (1 + AHEAD) * mine <= trapezoid
    for found, vector in zip(row["shares"], VECTORS.get(row["kernel"], {}).get(row["members"], ())):
        points = max(abs(one - other) for one, other in zip(found, vector))
        wanted = 1 if row["kernel"] == "adjoint" else 2.5  # the paper's other ones are multiples of five
        text = " ".join(f"{share:.1f}" for share in found)
        yield f"shares {text} are those of the paper, {' '.join(map(str, vector))}", points <= wanted


def figures(rows):
    names = list(rows[0]["times"])
    lines = [[row["kernel"], row["members"], *(f"{of_limit(row, name):.3f}" for name in names)] for row in rows]
    return table(["kernel", "threads", *(f"`{name}`" for name in names)], lines)


def claims_table(rows):
    lines = [[row["kernel"], row["members"], text, "as there" if holds else "**otherwise**"]
             for row in rows for text, holds in claims_of(row)]
    return table(["kernel", "threads", "the paper says", "here"], lines, left=4)


def text_of(rows):
    parts = []
    for charges, title in (("paper", "Calls cost what the paper measured"),
                           ("ours", "A call at 20 ns, a line from another member at 50 ns")):
        of = [row for row in rows if row["charges"] == charges]
        parts += [f"{title}; makespan/limit:", figures(of), claims_table(of)]
    return "\n\n".join([*parts, "docs/measured.md explains what is otherwise."])


def run(places):
    program = places.kernels("bench_jit_replay") / "jit-replay"
    rows = [replay(program, kernel, members, charges)
            for charges in ("paper", "ours") for kernel in SIZES for members in MEMBERS]
    claims = [{"kernel": row["kernel"], "members": row["members"], "charges": row["charges"], "says": text, "holds": holds}
              for row in rows for text, holds in claims_of(row)]
    return {"title": "nuStatic's paper in virtual time", "text": text_of(rows), "results": rows, "claims": claims,
            "failed": any(not claim["holds"] for claim in claims if claim["says"].startswith("shares"))}
