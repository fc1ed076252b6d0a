# SPDX-License-Identifier: Apache-2.0
"""epsilon: how exactly the costs of the kernels of nuStatic's paper are learnt, as published and by blocks."""
import re
from statistics import median

from .output import table
from .places import BENCH, TOP, call
from .runs import Failure, Variant, interleave

BOUND = 2  # percent
PAPER = {"matmul": 0.04, "gauss-jordan": 0.03, "adjoint": 1.9}
SOURCES = ("serial_costs.cpp", "shares.cpp", "density.cpp")
LINE = re.compile(r"^(\S+) ([0-9.]+) ([0-9.]+) ([0-9.]+)$", re.M)


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=1024, help="of matrices; vectors are 100 times as long; default %(default)s")
    parser.add_argument("--members", type=int, default=4, help="blocks; they run one by one; default %(default)s")


def sample(run):
    """kernel → what the program measured."""
    found = {name: {"published": float(published), "blocks": float(blocks), "apart": float(apart)}
             for name, published, blocks, apart in LINE.findall(run.output)}
    if set(found) != set(PAPER):
        raise Failure(f"learning printed {run.output!r}")
    return found


def summarise(samples):
    """Medians and the largest of each kernel; what breaks the bound."""
    rows = {kernel: {what: {"median": median(of[kernel][what] for of in samples), "most": max(of[kernel][what] for of in samples)}
                     for what in ("published", "blocks", "apart")} for kernel in PAPER}
    broken = [f"{kernel}, {what}" for kernel, row in rows.items() for what in ("published", "blocks")
              if row[what]["median"] >= BOUND]
    return rows, broken


def text_of(rows):
    def shown(of):
        return f"{of['median']:.2f} ({of['most']:.2f})"
    return table(["kernel", "the paper's ε, %", "as published, %", "by blocks, %", "boundaries apart, %"],
                 [[kernel, f"{PAPER[kernel]:.2f}", *(shown(row[what]) for what in ("published", "blocks", "apart"))]
                  for kernel, row in rows.items()])


def run(options, places):
    program = places.work / "learning"
    call(["g++", "-std=c++20", "-O2", f"-I{TOP / 'src'}", "-o", program, BENCH / "micro/learning.cpp",
          *(TOP / "src/learn" / each for each in SOURCES)], places.log)
    variant = Variant("learning", [program, str(options.size), str(options.members)], {})
    samples = interleave([variant], options.rounds, sample, "epsilon")["learning"]
    rows, broken = summarise(samples)
    text = text_of(rows) + (f"\n\nNot below {BOUND} %: {'; '.join(broken)}." if broken else "")
    return {"title": f"Error of what is learnt, median (largest) of {options.rounds} runs, sizes {options.size} and "
                     f"{100 * options.size}, {options.members} blocks",
            "text": text, "results": rows, "samples": samples, "failed": broken}
