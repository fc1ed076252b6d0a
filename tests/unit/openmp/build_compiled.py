# SPDX-License-Identifier: Apache-2.0
"""Builds programs as the compile launcher does: preprocessed, the prelude put in front, compiled. `NAME` is what the rewriter would
make of the source, `NAME-plain` the source itself."""
import shutil
import subprocess
import sys

from drop_in import PROGRAMS, SOURCES

PRELUDE = SOURCES.parents[3] / "tools/rewriter/prelude.h"
FOLDER = PROGRAMS / "compiled"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic")
GCC = {"c": "gcc", "c++": "g++"}
CLANG = {"c": "clang-19", "c++": "clang++-19"}
# Name: compilers, language, options of both steps and of the link.
VARIANTS = {
    "gcc": (GCC, "c", ("-O2", "-g"), ()),
    "gcc-O0": (GCC, "c", ("-O0", "-std=gnu89", "-Wno-long-long"), ()),
    "gcc-c23": (GCC, "c", ("-O3", "-std=c2x", "-fvisibility=hidden"), ("-Wl,--gc-sections", "-s")),
    "gcc-no-pie": (GCC, "c", ("-O2", "-fno-pie"), ("-no-pie",)),
    "gcc-gold": (GCC, "c", ("-O2", "-fno-pie"), ("-no-pie", "-fuse-ld=gold", "-Wl,--gc-sections")),
    "gcc-gold-pie": (GCC, "c", ("-O2", "-fpie"), ("-pie", "-fuse-ld=gold", "-Wl,-z,now")),
    "gcc-lld": (GCC, "c", ("-O2", "-fno-pie"), ("-no-pie", "-fuse-ld=lld", "-Wl,--gc-sections")),
    "gcc-lto": (GCC, "c", ("-O2", "-flto"), ()),
    "gcc-static": (GCC, "c", ("-O2",), ("-static",)),
    "g++": (GCC, "c++", ("-O2", "-std=c++98", "-Wno-long-long"), ()),
    "g++-23": (GCC, "c++", ("-O2", "-std=c++23", "-fvisibility=hidden"), ()),
    "clang": (CLANG, "c", ("-O2", "-g"), ()),
    "clang-O0": (CLANG, "c", ("-O0", "-std=gnu89", "-Wno-long-long"), ()),
    "clang-no-pie": (CLANG, "c", ("-O2", "-fno-pie"), ("-no-pie",)),
    "clang-lld": (CLANG, "c", ("-O2", "-fno-pie"), ("-no-pie", "-fuse-ld=lld", "-Wl,--gc-sections")),
    "clang-lto": (CLANG, "c", ("-O2", "-flto"), ("-fuse-ld=lld",)),
    "clang++": (CLANG, "c++", ("-O2", "-std=c++98"), ()),
    "clang++-23": (CLANG, "c++", ("-O2", "-std=c++23", "-fvisibility=hidden"), ()),
}


def call(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def rewritten_text(compiler, language, options, source, target):
    """What the second step compiles."""
    text = call([compiler, "-x", language, "-E", "-fopenmp", "-DREWRITTEN", *options, source])
    if text.returncode != 0:
        sys.exit(f"cannot preprocess {source}:\n{text.stderr}")
    target.write_text('# 1 "steelyard" 3\n' + PRELUDE.read_text() + text.stdout)


def build(name, source, compilers, language, options, links, needed=False, plain=True):
    """Both forms; a warning in either is an error, and what cannot be linked here is left out."""
    compiler = compilers[language]
    if shutil.which(compiler) is None:
        return print(f"not built: programs of {compiler}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = FOLDER / f"{name}.i"
    rewritten_text(compiler, language, options, SOURCES / source, text)
    preprocessed = "cpp-output" if language == "c" else "c++-cpp-output"
    warnings = [*WARNINGS, "-Wno-gnu-line-marker"] if compilers is CLANG else WARNINGS  # which Clang itself has written
    forms = [(name, preprocessed, text)] + ([(f"{name}-plain", language, SOURCES / source)] if plain else [])
    for output, kind, file in forms:
        result = call([compiler, "-x", kind, "-fopenmp", *warnings, *options, file, "-o", FOLDER / output, *links])
        if "[-W" in result.stderr or needed and result.returncode != 0:
            sys.exit(f"cannot build {output} without warnings:\n{result.stderr}")
        print(f"built compiled/{output}" if result.returncode == 0 else f"not built: compiled/{output}")


def build_all():
    for name, how in VARIANTS.items():
        build(f"forms-{name}", "compiled/forms.c", *how, needed=name == "gcc")
    for name in ("gcc", "gcc-O0", "gcc-lto", "gcc-no-pie", "clang"):
        compilers, language, options, links = VARIANTS[name]
        build(f"shares-{name}", "compiled/shares.c", compilers, language, options, (*links, "-ldl"), plain=False)
        build(f"library-{name}.so", "compiled/shares.c", compilers, language, (*options, "-DLIBRARY", "-fPIC"), ("-shared",), plain=False)
    for name in ("gcc", "gcc-no-pie", "g++", "clang", "clang++"):
        build(f"costs-{name}", "compiled/costs.c", *VARIANTS[name], plain=False)
