# SPDX-License-Identifier: Apache-2.0
"""Builds the conformance programs, once per compiler, into BUILD/<compiler>."""
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WARNINGS = ["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = {
    "gcc": {"c": ["gcc"], "c++": ["g++"], "fortran": ["gfortran"]},
    "clang": {"c": ["clang-19"], "c++": ["clang++-19"], "fortran": None},
}

# output: (language, sources, options)
OPENMP = ["-fopenmp"]
PROGRAMS = {
    "loops": ("c", ["loops.c", "harness.c"], OPENMP),
    "teams": ("c", ["teams.c", "harness.c"], OPENMP),
    "chunks": ("c", ["chunks.c", "harness.c"], OPENMP),
    "values": ("c", ["values.c", "harness.c"], OPENMP),
    "order": ("c", ["order.c", "harness.c"], OPENMP),
    "tasks": ("c", ["tasks.c", "harness.c"], OPENMP),
    "cancel": ("c", ["cancel.c", "harness.c"], OPENMP),
    "process": ("c", ["process.c", "harness.c"], OPENMP + ["-pthread", "-ldl"]),
    "bare_host": ("c", ["bare_host.c", "harness.c"], ["-pthread", "-ldl"]),
    "templates": ("c++", ["templates.cpp", "harness.o"], OPENMP),
    "fortran": ("fortran", ["fortran.f90"], OPENMP + ["-cpp"]),
}
PARTS = {
    "harness.o": ("c", ["harness.c"], ["-c"]),
    "plugin_a.so": ("c", ["plugin.c"], OPENMP + ["-shared", "-fPIC", "-DPLUGIN_STEP=1"]),
    "plugin_b.so": ("c", ["plugin.c"], OPENMP + ["-shared", "-fPIC", "-DPLUGIN_STEP=3"]),
    "plugin_at_load.so": ("c", ["plugin.c"], OPENMP + ["-shared", "-fPIC", "-DPLUGIN_AT_LOAD"]),
}
STANDARD = {"c": ["-std=c11"], "c++": ["-std=c++17"], "fortran": []}


def compiler_of(toolchain):
    return "clang" if toolchain == "iomp" else toolchain


def build(options, here, jobs):
    compilers = sorted({compiler_of(t) for t in options.toolchains})
    for kind in (PARTS, PROGRAMS):
        tasks = [(c, name, kind[name]) for c in compilers for name in kind]
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda task: build_one(options.build, here, *task), tasks))
    if "iomp" in options.toolchains:
        link_iomp(options)


def build_one(build_folder, here, compiler, name, recipe):
    language, sources, flags = recipe
    command = COMPILERS[compiler][language]
    if command is None:
        return
    folder = build_folder / compiler
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / name
    if is_fresh(output, here):
        return
    inputs = [str(folder / s if s.endswith(".o") else here / s) for s in sources]
    modules = ["-J", str(folder)] if language == "fortran" else []
    libraries = [f for f in flags if f.startswith("-l")]
    others = [f for f in flags if not f.startswith("-l")]
    result = subprocess.run(
        [*command, *STANDARD[language], *WARNINGS, *others, *modules, *inputs, "-o", str(output), *libraries],
        capture_output=True, text=True, timeout=300)
    if result.returncode != 0 or result.stderr.strip():
        raise SystemExit(f"{compiler}: cannot build {name} without warnings:\n{result.stderr}")


def is_fresh(output, here):
    sources = (p for p in here.iterdir() if p.suffix in (".c", ".h", ".cpp", ".f90", ".inc"))
    newest = max(p.stat().st_mtime for p in sources)
    return output.exists() and output.stat().st_mtime > newest


def link_iomp(options):
    """The same programs find Intel's build under the name of Debian's."""
    link = options.build / "iomp" / "libomp.so.5"
    link.parent.mkdir(parents=True, exist_ok=True)
    target = (options.iomp / "libiomp5.so").resolve()
    if not link.is_symlink() or Path(os.readlink(link)) != target:
        link.unlink(missing_ok=True)
        link.symlink_to(target)
