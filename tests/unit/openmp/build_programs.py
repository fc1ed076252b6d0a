# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of the process-level tests into PROGRAMS: one folder per compiler, as a user's programs would be
built. What cannot be built on a machine (Clang is absent, no 32-bit code) is absent afterwards, and its tests say so."""
import shutil
import subprocess
import sys
from pathlib import Path

import build_compiled
from drop_in import CLANG_FOLDERS, PROGRAMS, SOURCES

COMPILERS = {"gcc": "gcc", "clang": "clang-19"}
CLANGS = {folder: COMPILERS["clang"] if folder == "clang" else folder for folder in CLANG_FOLDERS}
PATTERNS = ("main", "run_named", "chains", "values", "bounds", "teams", "libraries")
FLAGS = ["-O2", "-g", "-Wall", "-Wextra"]
RAW_32 = r"""
.globl _start
_start:
    movl $4, %eax
    movl $1, %ebx
    movl $text, %ecx
    movl $6, %edx
    int $0x80
    movl $1, %eax
    movl $5, %ebx
    int $0x80
text: .ascii "plain\n"
"""


def compile_one(compiler, output, *arguments, needed=True):
    target = PROGRAMS / output
    target.parent.mkdir(parents=True, exist_ok=True)
    result = subprocess.run([compiler, *FLAGS, *map(str, arguments), "-o", str(target)], capture_output=True, text=True)
    if result.returncode == 0 and not (needed and result.stderr):
        print(f"built {output}")
    elif needed:
        sys.exit(f"cannot build {output} without warnings:\n{result.stderr}")
    else:
        target.unlink(missing_ok=True)
        print(f"not built: {output}")


def file_of(compiler, name):
    return subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()


def build_others(gcc):
    """Programs that do not differ between compilers."""
    compile_one(gcc, "plugin.so", "-fopenmp", "-shared", "-fPIC", SOURCES / "plugin.c")
    # A library that uses OpenMP and is not linked with it; another one brings the runtime.
    compile_one(gcc, "part.o", "-fopenmp", "-fPIC", "-c", SOURCES / "plugin.c")
    compile_one(gcc, "part.so", "-shared", PROGRAMS / "part.o")
    compile_one(gcc, "whole.so", "-shared", "-Wl,--no-as-needed", PROGRAMS / "part.so", "-lgomp", f"-Wl,-rpath,{PROGRAMS}")
    compile_one(gcc, "counter.so", "-shared", "-fPIC", SOURCES / "counter.c")
    compile_one(gcc, "memory", "-fopenmp", SOURCES / "memory.c", PROGRAMS / "counter.so",
                f"-Wl,-rpath,{PROGRAMS}")
    compile_one(gcc, "own-files", "-fopenmp", "-rdynamic", SOURCES / "own_files.c")
    compile_one(gcc, "passed", "-fopenmp", SOURCES / "passed.c")
    compile_one(gcc, "plain", SOURCES / "plain.c")
    compile_one(gcc, "barriers", SOURCES / "barriers.c")
    compile_one(gcc, "one-body", "-fopenmp", SOURCES / "one_body.c")
    compile_one(gcc, "within", "-fopenmp", SOURCES / "within.c")
    compile_one(gcc, "tracer.so", "-shared", "-fPIC", SOURCES / "tracer.c")
    compile_one(gcc, "stranger.so", "-shared", "-fPIC", "-DLIBRARY", SOURCES / "stranger.c")
    compile_one(gcc, "stranger", SOURCES / "stranger.c", PROGRAMS / "stranger.so", f"-Wl,-rpath,{PROGRAMS}")
    compile_one(gcc, "remembered", "-fopenmp", SOURCES / "remembered.c")
    compile_one(gcc, "remembered-nameless", "-fopenmp", "-Wl,--build-id=none", SOURCES / "remembered.c")
    compile_one(gcc, "remembered.so", "-fopenmp", "-shared", "-fPIC", "-DIS_LIBRARY", SOURCES / "remembered.c")
    compile_one(gcc, "remembered-elsewhere", "-DELSEWHERE", SOURCES / "remembered.c", PROGRAMS / "remembered.so", f"-Wl,-rpath,{PROGRAMS}")
    compile_one(gcc, "plain-static", "-static", SOURCES / "plain.c", needed=False)
    compile_one(gcc, "app-static", "-fopenmp", "-static", SOURCES / "app.c", needed=False)
    compile_one(gcc, "app.o", "-fopenmp", "-c", SOURCES / "app.c")
    compile_one(gcc, "app-own-runtime", PROGRAMS / "app.o", file_of(gcc, "libgomp.a"), "-lpthread", "-ldl", needed=False)
    raw = PROGRAMS / "plain-32.s"
    raw.write_text(RAW_32)
    compile_one(gcc, "plain-32", "-m32", "-nostdlib", "-static", "-Wa,--noexecstack", raw, needed=False)


def build_mixed(gcc, clang):
    """Compiled by GCC, run by libomp."""
    for name in ("app", "passing", "regions", "unseen"):
        compile_one(gcc, f"mixed/{name}.o", "-fopenmp", "-c", SOURCES / f"{name}.c")
        if shutil.which(clang) is not None:
            compile_one(clang, f"mixed/{name}", "-fopenmp", "-rdynamic", PROGRAMS / f"mixed/{name}.o", needed=False)


def with_openmp(compiler):
    """Options for one whose own OpenMP is not installed: another version's, which is the same for programs."""
    other = COMPILERS["clang"]
    if compiler == other or shutil.which(other) is None:
        return []
    header = PROGRAMS / "include/omp.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file_of(other, "include/omp.h"), header)
    return [f"-I{header.parent}", f"-L{Path(file_of(other, 'libomp.so')).parent}"]


def build_patterns(folder, options):
    """The programs about static loops, by one version of Clang."""
    version = folder.removeprefix("clang-") if folder != "clang" else "19"
    sources = SOURCES / "patterns"
    compile_one(f"clang-{version}", f"{folder}/static", "-fopenmp", *options, SOURCES / "static.c", needed=False)

    def build(output, *arguments):
        compile_one(f"clang++-{version}", f"{folder}/{output}", "-fopenmp", "-std=c++17", "-Wno-pass-failed", "-Wno-sign-compare",
                    *options, *arguments, needed=False)

    build("patterns", *(sources / f"{name}.cpp" for name in PATTERNS), "-ldl")
    for kind in ("1", "2"):
        build(f"library-{kind}.so", "-shared", "-fPIC", f"-DKIND={kind}", sources / "library.cpp")
    state = [sources / "state.cpp", sources / "run_named.cpp"]
    build("state", *state)
    build("state-of-runtime", "-fnoopenmp-use-tls", *state)
    build("libstate.so", "-shared", "-fPIC", "-DDATA_ONLY", sources / "state.cpp")
    build("state-elsewhere", "-DELSEWHERE", *state, PROGRAMS / folder / "libstate.so", "-Wl,-rpath,$ORIGIN")


def main():
    shutil.rmtree(PROGRAMS, ignore_errors=True)
    for name, command in COMPILERS.items():
        if shutil.which(command) is None:
            print(f"not built: programs of {command}")
            continue
        compile_one(command, f"{name}/app", "-fopenmp", SOURCES / "app.c", needed=name == "gcc")
        compile_one(command, f"{name}/regions", "-fopenmp", "-rdynamic", SOURCES / "regions.c", needed=name == "gcc")
        compile_one(command, f"{name}/limit", "-fopenmp", "-rdynamic", SOURCES / "limit.c", needed=name == "gcc")
        compile_one(command, f"{name}/unseen", "-fopenmp", SOURCES / "unseen.c", needed=name == "gcc")
        compile_one(command, f"{name}/own-parts", "-fopenmp", SOURCES / "own_parts.c", needed=name == "gcc")
        compile_one(command, f"{name}/passing", "-fopenmp", SOURCES / "passing.c", needed=name == "gcc")
        for kind in (1, 2):
            compile_one(command, f"{name}/passing-{kind}.so", "-fopenmp", "-shared", "-fPIC", "-DPLUGIN", f"-DKIND={kind}",
                        SOURCES / "passing.c", needed=name == "gcc")
    if shutil.which(COMPILERS["clang"]) is not None:
        compile_one(COMPILERS["clang"], "clang-4.5/app", "-fopenmp", "-fopenmp-version=45", SOURCES / "app.c",
                    needed=False)
    for folder, command in CLANGS.items():
        if shutil.which(command) is not None:
            build_patterns(folder, with_openmp(command))
    build_others(COMPILERS["gcc"])
    build_mixed(**COMPILERS)
    build_compiled.build_all()


main()
