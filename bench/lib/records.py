# SPDX-License-Identifier: Apache-2.0
"""records: what the memory of a task costs, by malloc, mimalloc and in an arena."""
import ctypes.util
from statistics import median

from . import stats
from .output import table
from .places import BENCH, call
from .runs import Variant, interleave

IN_FLIGHT = (100, 10_000, 1_000_000)
KINDS = {"arena": "behind each other, used again from the beginning: ours", "malloc": "each by itself",
         "elsewhere": "each by itself, given back by another thread"}


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=20)


def variants(program):
    mimalloc = ctypes.util.find_library("mimalloc")
    all_of_them = []
    for count in IN_FLIGHT:
        for kind in KINDS:
            all_of_them.append((count, kind, "glibc", Variant(f"{kind} {count}", [program, kind, count], {})))
            if kind != "arena" and mimalloc:
                all_of_them.append((count, kind, "mimalloc", Variant(f"{kind} {count} mimalloc", [program, kind, count],
                                                                     {"LD_PRELOAD": mimalloc})))
    return all_of_them


def run(options, places):
    program = places.work / "records"
    call(["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-pthread", "-o", program, BENCH / "micro/records.cpp"],
         places.log)
    rows = variants(program)
    samples = interleave([row[3] for row in rows], options.rounds, lambda one: float(one.output), "records")
    lines, results = [], []
    for count, kind, allocator, variant in rows:
        its = samples[variant.label]
        ratio = stats.paired_ratio(its, samples[f"arena {count}"])
        lines.append([f"{count:,}", f"`{kind}`", KINDS[kind], allocator if kind != "arena" else "–",
                      f"{median(its):.2f}", ratio.text()])
        results.append({"in_flight": count, "kind": kind, "allocator": allocator, "ns": median(its), "to_arena": ratio,
                        "samples": its})
    head = ["in flight", "", "what", "malloc of", "ns", "of the arena"]
    return {"title": f"A record of 48 bytes, made, filled, read and given back, {options.rounds} rounds",
            "text": table(head, lines, left=4), "results": results}
