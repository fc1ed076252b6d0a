# SPDX-License-Identifier: Apache-2.0
"""jit --replay: the figures of nuStatic's paper, from what it says of its kernels' costs, in virtual time."""
import re
from typing import NamedTuple

from .output import table
from .runs import Failure, Variant, execute, progress

MEMBERS = (2, 4, 8)
SIZES = {"matmul": 1024, "gauss-jordan": 1024, "adjoint": 102400, "adjoint-increasing": 102400}
TRAININGS = {"gauss-jordan": 3}  # how often the paper learnt shares; else once
EACH = 64  # as many loops are replayed
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
SHARES, LEARNT_SHARES = (re.compile(rf"^{what} (.+)$", re.M) for what in ("shares", "learnt shares"))
ALIKE, AHEAD = 1.05, 1.03  # two times are alike within the one, one is better from the other on
LITTLE = 1.15  # a little more than another; comparable with it: within a tenth
COMPARABLE = 1.10
OFTEN, LEARNT = "nustatic, trained each time", "nustatic, as we learn"
INSTANCES = {"gauss-jordan": 1024}  # else as many as the paper ran
USUAL_INSTANCES = 50
NEAR = 1.03  # of the limit; nustatic on adjoint convolution is not to be further away


def charge_of(schedule, members):
    """What a call of this schedule cost the paper."""
    name = schedule.split(",")[0]
    kind = "static" if name in ("static", NUSTATIC, "cyclic") else "dynamic" if name == "dynamic" else "guided"
    return PAPER[kind][MEMBERS.index(members)]


def parse(output):
    return {name: {"makespan_us": float(makespan), "limit_us": float(limit), "chunks": int(chunks)}
            for name, makespan, limit, chunks in LINE.findall(output)}


def shares_of(pattern, output):
    return [[float(word) for word in line.split()] for line in pattern.findall(output)]


def replay(program, kernel, members, charges):
    """charges: "paper" or "ours"."""
    progress(f"replay {kernel} {members} {charges}")

    def said(names, trainings, call, transfer, *further):
        command = [program, "--kernel", kernel, "--size", SIZES[kernel], "--members", members, "--schedules", ";".join(names),
                   "--trainings", trainings, "--call", call, "--transfer", transfer, *further]
        return execute(Variant("jit-replay", command, {}), timeout=3600).output

    trainings = TRAININGS.get(kernel, 1)
    calls = {}
    for name in SCHEDULES:
        calls.setdefault(OURS if charges == "ours" else (charge_of(name, members), 0), []).append(name)
    outputs = [said(names, trainings, *call) for call, names in calls.items()]
    times = {name: of for output in outputs for name, of in parse(output).items()}
    of_nustatic = OURS if charges == "ours" else (charge_of(NUSTATIC, members), 0)
    learnt = said([NUSTATIC], EACH if trainings > 1 else 1, *of_nustatic, "--learn", INSTANCES.get(kernel, USUAL_INSTANCES))
    found = parse(learnt)
    times[LEARNT] = found["learnt"]
    if trainings > 1:
        times[OFTEN] = found[NUSTATIC]
    if missing := set(SCHEDULES) - set(times):
        raise Failure(f"jit-replay printed no figures of {', '.join(missing)}")
    progress("")
    return {"kernel": kernel, "members": members, "charges": charges, "shares": shares_of(SHARES, outputs[0]),
            "learnt_shares": shares_of(LEARNT_SHARES, learnt)[0], "times": times}


def of_limit(row, name):
    return row["times"][name]["makespan_us"] / row["times"][name]["limit_us"]


class Claim(NamedTuple):
    """What the paper says of a figure, with what is so here."""

    text: str
    holds: bool
    must: bool = False  # else it is explained in docs/measured.md


def claims_of(row):
    """Of one figure at one number of members."""
    of = {name: of_limit(row, name) for name in row["times"]}
    mine, trapezoid = of[NUSTATIC], of[TRAPEZOID]
    rest = {name: of[name] for name in RIVALS if name != TRAPEZOID}
    others = ", ".join(f"`{name}` {value:.2f}" for name, value in rest.items())
    if row["kernel"] == "matmul":
        all_of_them = (mine, trapezoid, *rest.values())
        yield Claim(f"all alike: `nustatic` {mine:.2f}, `trapezoid` {trapezoid:.2f}, {others}",
                    max(all_of_them) <= ALIKE * min(all_of_them))
    if row["kernel"] == "gauss-jordan":
        yield Claim(f"`trapezoid` {trapezoid:.2f} is a little better than `nustatic` {mine:.2f}",
                    trapezoid < mine <= LITTLE * trapezoid)
        yield Claim(f"more trainings would close it: {of[OFTEN]:.2f}", of[OFTEN] <= trapezoid)
        yield Claim(f"so does our learning: {of[LEARNT]:.2f}", of[LEARNT] <= NEAR)
        yield Claim(f"`nustatic` {mine:.2f} is well ahead of {others}", AHEAD * mine <= min(rest.values()))
    if row["kernel"] == "adjoint":
        yield Claim(f"`nustatic` {mine:.2f} is no worse than `trapezoid` {trapezoid:.2f}", mine <= trapezoid)
        yield Claim(f"`trapezoid` {trapezoid:.2f} is ahead of {others}", AHEAD * trapezoid <= min(rest.values()))
        equal = row["members"] == 2
        yield Claim(f"`dynamic` {of['dynamic']:.2f} {'is comparable with' if equal else 'loses to'} `nustatic` {mine:.2f}",
                    (of["dynamic"] <= COMPARABLE * mine) == equal)
    if row["kernel"] == "adjoint-increasing":
        yield Claim(f"`trapezoid` {trapezoid:.2f} loses to `nustatic` {mine:.2f}", AHEAD * mine <= trapezoid)
    if row["kernel"].startswith("adjoint"):
        worst = max(mine, of[LEARNT])
        yield Claim(f"`nustatic` delivers near-optimal speed-up: {mine:.2f}, as we learn {of[LEARNT]:.2f}", worst <= NEAR, must=True)
    for found, vector in zip(row["shares"], VECTORS.get(row["kernel"], {}).get(row["members"], ())):
        wanted = 1 if row["kernel"] == "adjoint" else 2.5  # Gauss-Jordan's are multiples of five there
        yield Claim(f"shares are {' '.join(map(str, vector))}: {text_of_shares(found)}", points(found, vector) <= wanted, must=True)
    if row["kernel"].startswith("adjoint"):
        apart = points(row["learnt_shares"], row["shares"][0])
        yield Claim(f"our learning finds these shares: {text_of_shares(row['learnt_shares'])}", apart <= 1, must=True)


def points(found, vector):
    return max(abs(one - other) for one, other in zip(found, vector))


def text_of_shares(shares):
    return " ".join(f"{share:.1f}" for share in shares)


def figures(rows):
    names = list(dict.fromkeys(name for row in rows for name in row["times"]))
    lines = [[row["kernel"], row["members"], *(f"{of_limit(row, name):.3f}" if name in row["times"] else "" for name in names)]
             for row in rows]
    return table(["kernel", "threads", *(f"`{name}`" for name in names)], lines)


def claims_table(claims):
    lines = [[kernel, members, claim.text, "so it is" if claim.holds else "**otherwise**"] for kernel, members, claim in claims]
    return table(["kernel", "threads", "claim", "here"], lines, left=4)


def text_of(rows, claims):
    charged, own = ([row for row in rows if row["charges"] == charges] for charges in ("paper", "ours"))
    return "\n\n".join(["Calls cost what the paper measured; makespan/limit:", figures(charged), claims_table(claims),
                        "docs/measured.md explains what is otherwise.",
                        "The same with a call at 20 ns and a line from another member at 50 ns:", figures(own)])


def run(places):
    program = places.kernels("bench_jit_replay") / "jit-replay"
    rows = [replay(program, kernel, members, charges)
            for charges in ("paper", "ours") for kernel in SIZES for members in MEMBERS]
    claims = [(row["kernel"], row["members"], claim) for row in rows if row["charges"] == "paper" for claim in claims_of(row)]
    return {"title": "nuStatic's paper in virtual time", "text": text_of(rows, claims), "results": rows, "claims": claims,
            "failed": any(claim.must and not claim.holds for _, _, claim in claims)}
