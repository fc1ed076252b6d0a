#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds known suites of OpenMP programs by `steelyard cc`, as their users build them, runs their own checks, and counts in what reach
of the drop-in their loops are. It fetches nothing: get the suites yourself and name the folder of each, which stays as it is.

usage: suites.py [--compilers gcc,clang] [--work FOLDER] [--list] STEELYARD SUITE=FOLDER…     SUITE: gapbs, lulesh, npb, rodinia

  gapbs    the GAP Benchmark Suite, at its top
  lulesh   LULESH 2.0
  npb      NPB-CPP, at its top; its folder NPB-OMP is built
  rodinia  Rodinia 3.1; its folder openmp is built, and nothing of it is run: its data are another download
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}


class Build:
    """A folder with a copy of one suite, and compilers in PATH that the launcher stands before."""

    def __init__(self, steelyard, compilers, source, work):
        self.steelyard = steelyard
        self.tree = work / "tree"
        shutil.copytree(source, self.tree, symlinks=True)
        self.log = work / "log"
        bin_folder = work / "bin"
        bin_folder.mkdir()
        for names, real in ((("gcc", "cc"), compilers[0]), (("g++", "c++"), compilers[1])):
            for name in names:
                script = bin_folder / name
                script.write_text(f'#!/bin/sh\nexec "{steelyard}" cc {shutil.which(real)} -w "$@"\n')
                script.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", STEELYARD_CC_LOG=str(self.log))

    def make(self, folder, *words):
        where = self.tree / folder
        done = subprocess.run(["make", *words], cwd=where, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"  make {' '.join(words)} in {folder or '.'}: {done.stderr.strip().splitlines()[-1:]}")
        return done.returncode == 0

    def run(self, folder, *command):
        environment = dict(os.environ, OMP_NUM_THREADS="3")
        done = subprocess.run(command, cwd=self.tree / folder, env=environment, capture_output=True, text=True, check=False, timeout=600)
        return done.stdout if done.returncode == 0 else f"exit status {done.returncode}"

    def loops(self, folder):
        """What is said of each loop by whatever was built in a folder; of one that several programs have, once."""
        found = {}
        for path in sorted((self.tree / folder).rglob("*")):
            if not path.is_file() or path.is_symlink():
                continue
            with open(path, "rb") as file:
                if file.read(4) != b"\x7fELF":
                    continue
            done = subprocess.run([self.steelyard, "cc", "--json", "--report", path], capture_output=True, text=True, check=False)
            for line in done.stdout.splitlines() if done.returncode == 0 else []:
                loop = json.loads(line)
                name = (path.parent, os.path.normpath(loop["file"]), loop["line"])
                if name not in found or "no instantiation" in found[name].get("reason", ""):
                    found[name] = loop
        return list(found.values())


def gapbs(build):
    kernels = ("bc", "bfs", "cc", "cc_sv", "pr", "pr_spmv", "sssp", "tc")
    for kernel in kernels:
        if build.make("", kernel):
            said = build.run("", f"./{kernel}", *(("-u10",) if kernel == "tc" else ("-g10",)), "-n2", "-v")
            yield kernel, "PASS" in said and "FAIL" not in said


def lulesh(build):
    if build.make("", "CXX=g++ -DUSE_MPI=0"):
        said = build.run("", "./lulesh2.0", "-s", "10", "-i", "50")
        worst = [float(each) for each in re.findall(r"(?:Max|Total)AbsDiff\s*=\s*(\S+)", said)]
        yield "lulesh", bool(worst) and max(worst) < 1e-8


def npb(build):
    (build.tree / "NPB-OMP/bin").mkdir(exist_ok=True)
    for name in ("BT", "CG", "EP", "FT", "IS", "LU", "MG", "SP"):
        if build.make("NPB-OMP", name, "CLASS=S"):
            said = build.run("NPB-OMP/bin", f"./{name.lower()}.S")
            yield name, bool(re.search(r"Verification\s*=\s*SUCCESSFUL", said))


def rodinia(build):
    for makefile in sorted((build.tree / "openmp").rglob("[Mm]akefile")):
        build.make(makefile.parent.relative_to(build.tree), "-k")
    return iter(())


SUITES = {"gapbs": (gapbs, ""), "lulesh": (lulesh, ""), "npb": (npb, "NPB-OMP/bin"), "rodinia": (rodinia, "openmp")}


def summary(loops):
    counts = collections.Counter(loop["reach"] for loop in loops)
    free = sum("needs" in loop for loop in loops)
    reached = counts["any"] + counts["written"]
    together = [loop for loop in loops if loop["combined"]]
    combined = sum(loop["reach"] in ("any", "written") for loop in together)
    return (f"{len(loops)} loops: {counts['any']} by any schedule (of these {free} by --free-reductions), {counts['written']} as written, {counts['shares']} by learnt shares, "
            f"{counts['left']} left; combined ones by any: {combined} of {len(together)}; all at least by shares: "
            f"{reached + counts['shares']} of {len(loops)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("steelyard", type=pathlib.Path)
    parser.add_argument("suites", nargs="+")
    asked = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = asked.work or pathlib.Path(temporary)
        for compiler in asked.compilers.split(","):
            for suite, folder in (each.split("=", 1) for each in asked.suites):
                here = work / compiler / suite
                here.mkdir(parents=True)
                build = Build(asked.steelyard.resolve(), COMPILERS[compiler], folder, here)
                check, built = SUITES[suite]
                checks = dict(check(build))
                failures += list(checks.values()).count(False)
                loops = build.loops(built)
                print(f"{suite}, {compiler}: {summary(loops)}; checks passed: {list(checks.values()).count(True)} of {len(checks)}")
                for name in (name for name, passed in checks.items() if not passed):
                    print(f"  {name} does not pass its check")
                for line in build.log.read_text().splitlines() if build.log.exists() else []:
                    print(f"  {line}")
                for loop in loops if asked.list else []:
                    if loop["reach"] not in ("any", "written"):
                        print(f"  {loop['file']}:{loop['line']} {loop['reach']}: {loop.get('reason', '')}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
