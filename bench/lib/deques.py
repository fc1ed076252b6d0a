# SPDX-License-Identifier: Apache-2.0
"""deques: what a push and a pop cost the owner of a deque, under the synchronisation that each design needs."""
from statistics import median

from . import stats
from .output import table
from .places import BENCH, call
from .runs import Variant, interleave

MEANING = {
    "plain": "two stores, two loads; thieves ask, or take under membarrier: ours",
    "answered": "one load less; thieves ask only, or tasks run at least once, or most of the deque is private",
    "fence": "a full fence in pop: Chase & Lev, T.H.E. as published",
    "exchange": "a compare-and-swap in pop: Arora, Blumofe & Plaxton",
    "lock": "a lock around both",
    "padded": "plain, a thief that counts its looks in a line of its own",
    "unpadded": "plain, a thief that counts them in the owner's line",
}


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=20)


def run(options, places):
    program = places.work / "deques"
    call(["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-pthread", "-o", program, BENCH / "micro/deques.cpp"],
         places.log)
    samples = interleave([Variant(kind, [program, kind], {}) for kind in MEANING], options.rounds,
                         lambda one: float(one.output), "deques")
    ratios = {kind: stats.paired_ratio(of, samples["plain"]) for kind, of in samples.items()}
    lines = [[f"`{kind}`", MEANING[kind], f"{median(of):.2f}", ratios[kind].text()] for kind, of in samples.items()]
    return {"title": f"A push and a pop, {options.rounds} rounds",
            "text": table(["", "what", "ns", "of plain"], lines, left=2), "results": samples, "ratios": ratios}
