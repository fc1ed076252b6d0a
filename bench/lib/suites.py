# SPDX-License-Identifier: Apache-2.0
"""Known suites of OpenMP programs, built in copies as their users build them. Nothing is fetched."""
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Callable, NamedTuple

from .runs import Failure, clean_environment

COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}


class Program(NamedTuple):
    name: str
    target: tuple  # of make, in the suite's folder
    command: tuple = ()  # none: it is only built, its data are another download
    smaller: tuple = ()  # that computes less: callgrind takes fifty times as long
    passes: Callable = None  # what it has said
    larger: tuple = ()  # that takes some tenths of a second; none: as `command`


class Suite(NamedTuple):
    folder: str  # where make is called
    runs_in: str
    programs: Callable  # of the folder of the sources


def passes_gap(said):
    return "PASS" in said and "FAIL" not in said


def passes_lulesh(said):
    worst = [float(each) for each in re.findall(r"(?:Max|Total)AbsDiff\s*=\s*(\S+)", said)]
    return bool(worst) and max(worst) < 1e-8


def passes_npb(said):
    return bool(re.search(r"Verification\s*=\s*SUCCESSFUL", said))


def gap(kernel):
    graph = ("-u10",) if kernel == "tc" else ("-g10",)
    command = (f"./{kernel}", *graph, "-n2", "-v")
    return Program(kernel, (kernel,), command, (f"./{kernel}", *graph, "-n1"), passes_gap,
                   (f"./{kernel}", "-u15" if kernel in ("tc", "sssp") else "-g16", "-n3"))


def npb(name):
    command = (f"./{name.lower()}.S",)
    return Program(name, (name, "CLASS=S"), command, command, passes_npb)


def gapbs(_):
    return [gap(kernel) for kernel in ("bc", "bfs", "cc", "cc_sv", "pr", "pr_spmv", "sssp", "tc")]


def lulesh(_):
    command, smaller, larger = (("./lulesh2.0", "-s", size, "-i", steps) for size, steps in (("10", "50"), ("8", "10"), ("20", "60")))
    return [Program("lulesh", ("CXX=g++ -DUSE_MPI=0",), command, smaller, passes_lulesh, larger)]


def npb_cpp(_):
    return [npb(name) for name in ("BT", "CG", "EP", "FT", "IS", "LU", "MG", "SP")]


def rodinia(sources):
    folders = sorted({path.parent.relative_to(sources / "openmp") for path in (sources / "openmp").rglob("[Mm]akefile")})
    return [Program(str(folder), ("-C", str(folder))) for folder in folders]


SUITES = {
    "gapbs": Suite("", "", gapbs),  # the GAP Benchmark Suite, at its top
    "lulesh": Suite("", "", lulesh),  # LULESH 2.0
    "npb": Suite("NPB-OMP", "NPB-OMP/bin", npb_cpp),  # NPB-CPP, at its top
    "rodinia": Suite("openmp", "openmp", rodinia),  # Rodinia 3.1, at its top
}


class Tree:
    """A copy of one suite, with compilers in PATH that stand for the one asked for, behind the launcher or not."""

    def __init__(self, suite, source, work, compiler, steelyard=None):
        self.suite = suite
        self.top = work / "tree"
        self.log = work / "log"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            shutil.copytree(source, self.top, symlinks=True)
        except OSError as error:
            raise Failure(f"{source}: cannot be copied: {error.strerror or error}") from error
        (self.top / suite.runs_in).mkdir(exist_ok=True)
        self.environment = {**clean_environment(), "PATH": f"{self.compilers(work / 'bin', compiler, steelyard)}:{os.environ['PATH']}",
                            "STEELYARD_CC_LOG": str(self.log)}

    @staticmethod
    def compilers(folder, compiler, steelyard):
        folder.mkdir()
        before = f'"{steelyard}" cc ' if steelyard else ""
        for names, real in zip((("gcc", "cc"), ("g++", "c++")), COMPILERS[compiler]):
            path = shutil.which(real)
            if path is None:
                raise Failure(f"{real}: not found; ci/install-packages installs it")
            for name in names:
                script = folder / name
                script.write_text(f'#!/bin/sh\nexec {before}{path} -w "$@"\n')
                script.chmod(0o755)
        return folder

    def build(self, program):
        """Seconds that it takes from the sources alone."""
        where = self.top / self.suite.folder
        folder = program.target[:2] if program.target[0] == "-C" else ()
        subprocess.run(["make", *folder, "clean"], cwd=where, env=self.environment, capture_output=True, check=False)
        began = time.perf_counter()
        done = subprocess.run(["make", *program.target], cwd=where, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
            raise Failure(f"make {' '.join(program.target)} in {where}: {last}")
        return time.perf_counter() - began

    def keep(self, program, folder):
        """What was just built, where no `make clean` finds it: the program, or all that there are."""
        folder.mkdir(parents=True, exist_ok=True)
        if program.command:
            return [Path(shutil.copy2(self.top / self.suite.runs_in / program.command[0], folder / program.command[0]))]
        found = [path for path in sorted((self.top / self.suite.folder / program.name).rglob("*")) if is_program(path)]
        return [Path(shutil.copy2(path, folder / f"{number}-{path.name}")) for number, path in enumerate(found)]


def is_program(path):
    if path.is_symlink() or not path.is_file() or not os.access(path, os.X_OK):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"
