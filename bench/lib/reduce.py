# SPDX-License-Identifier: Apache-2.0
"""reduce: what adding doubles costs by `parallel_reduce`, against the C++ library's `std::reduce` on oneTBB."""
from statistics import median

from . import stats
from .output import table
from .places import BENCH, call
from .runs import Variant, interleave

SIZES = {1_000: 2_000, 100_000: 500, 1_000_000: 200, 10_000_000: 20}  # doubles: sums a process makes
MEANING = {"any": "`parallel_reduce`", "fixed": "`parallel_reduce`, `order::fixed`", "par": "`std::reduce`, `par`",
           "par_unseq": "`std::reduce`, `par_unseq`", "serial": "`std::accumulate`"}
BOUND = 1.05


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)


def row(size, program, options):
    environment = {"STEELYARD_NUM_THREADS": str(options.threads)}
    variants = [Variant(kind, [program, kind, size, options.threads, SIZES[size]], environment) for kind in MEANING]
    samples = interleave(variants, options.rounds, lambda one: float(one.output), f"reduce {size}")
    ratio = stats.paired_ratio(samples["any"], samples["par"])
    return {"doubles": size, "us": {kind: median(of) for kind, of in samples.items()}, "to_par": ratio,
            "verdict": stats.verdict(ratio, BOUND), "samples": samples}


def run(options, places):
    program = places.work / "reduce"
    call(["g++", "-std=c++20", "-O3", "-Wall", "-Wextra", "-pthread", "-o", program, BENCH / "micro/reduce.cpp",
          *places.library_flags(), "-ltbb"], places.log)
    rows = [row(size, program, options) for size in SIZES]
    lines = [[f"{one['doubles']:,}", *(f"{us:.4g}" for us in one["us"].values()), one["to_par"].text(3), one["verdict"]]
             for one in rows]
    head = ["doubles", *(f"{meaning}, us" for meaning in MEANING.values()), "ours of `par`", f"bound {BOUND}"]
    return {"title": f"Adding doubles, {options.threads} threads, {options.rounds} rounds", "text": table(head, lines, left=1),
            "results": rows, "failed": any(one["verdict"] == "fail" for one in rows)}
