# SPDX-License-Identifier: Apache-2.0
"""The example programs: each must verify, and its non-static loops must all be taken."""
import os
import re
import subprocess
from functools import partial

import building
import running

# Sizes that take a fraction of a second; an example not named here runs as it is.
GRAPH = ["--rmat", "12", "--repeat", "1"]
ARGUMENTS = {
    "adjoint": ["--size", "6000", "--repeat", "1"],
    "mandelbrot": ["--size", "128", "--limit", "500", "--repeat", "1"],
    "triangular": ["2000"],
    **dict.fromkeys(["pagerank", "bfs", "components", "triangles", "kcore", "betweenness"], GRAPH),
}
NOT_PROGRAMS = {"debian-graph"}  # a converter: it has no result to verify
RUNTIMES = {"gcc": b"libgomp.so.1\0", "clang": b"libomp.so.5\0"}


def prepare(options):
    """Finds the executables of each compiler; a CMake project is built first."""
    options.example_programs = {}
    if options.examples is None:
        return
    for compiler in sorted({building.compiler_of(t) for t in options.toolchains}):
        folder = options.examples
        if (folder / "CMakeLists.txt").exists():
            folder = build_project(options, compiler)
        found = sorted(p for p in executables(folder) if RUNTIMES[compiler] in p.read_bytes())
        options.example_programs[compiler] = found
        if not found:
            raise SystemExit(f"{folder}: no example built by {compiler}")


def executables(folder):
    for path, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f not in ("CMakeFiles", "tests")]
        for name in names:
            program = running.Path(path) / name
            plain = name not in NOT_PROGRAMS and not re.search(r"\.(so|a|o)(\.|$)", name)
            if plain and os.access(program, os.X_OK) and program.read_bytes()[:4] == b"\x7fELF":
                yield program


def build_project(options, compiler):
    folder = options.build / f"examples-{compiler}"
    names = building.COMPILERS[compiler]
    environment = dict(os.environ, CC=names["c"][0], CXX=names["c++"][0])
    for command in (["cmake", "-S", str(options.examples), "-B", str(folder)],
                    ["cmake", "--build", str(folder), "-j2"]):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
        if result.returncode != 0:
            raise SystemExit(f"cannot build the examples with {compiler}:\n{result.stdout}{result.stderr}")
    return folder


def jobs(setting):
    programs = setting.options.example_programs.get(setting.compiler, [])
    return [partial(run_example, setting, program) for program in programs]


def run_example(setting, program):
    outcome = running.Outcome(setting, "examples", program.name)
    result, reports = running.launch(setting, [str(program), *ARGUMENTS.get(program.name, [])])
    if result is None:
        outcome.failures.append(f"{program.name}: timed out")
    elif result.returncode != 0 or "verified" not in result.stdout.split():
        outcome.failures.append(f"{program.name}: status {result.returncode}: {last_line(result)}")
    elif setting.schedule:
        outcome.failures += taken_failures(program.name, reports)
    outcome.passed = 0 if outcome.failures else 1
    return outcome


def last_line(result):
    lines = (result.stderr.strip() or result.stdout.strip() or "no output").splitlines()
    return lines[-1][:200]


def taken_failures(name, reports):
    sites = [s for report in reports for s in report.get("sites", []) if s.get("clause") != "static"]
    if not sites:
        return [f"{name}: no report shows a non-static loop"]
    return [f"{name}: {s.get('clause')} loop at {s.get('offset')} {s.get('decision')}: {s.get('reason')}"
            for s in sites if s.get("decision") != "taken"]
