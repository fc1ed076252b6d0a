#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a file of wrong uses, each by itself, and reads what the compiler says.

    refused.py COMPILER FILE INCLUDE_DIRECTORY...

The file has its wrong uses behind lines of one of the forms

    #if CASE == 1  // the sentence that the compiler has to say
    #if CASE == 1  // what g++ has to say | what clang++ has to say
    #if CASE == 1  // -std=c++17: the same, with that option

(or #elif); "-" stands for a compiler that says nothing. With CASE 0, where none of them is left, the file has to compile without a
word. With each of the others the first error has to hold that sentence, or the first warning where that is turned into one by
-Werror, and at most MOST_LINES lines may follow. The headers that the file includes ahead of its cases are compiled once for all cases
without options of their own."""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_LINES = 20
SECONDS = 600  # only a compiler that hangs takes so long
CASE = re.compile(r"^#(?:el)?if CASE == ([1-9]\d*)\s+// (.+)$", re.MULTILINE)


def cases_of(text, compiler):
    """Number, options, and sentence; None: this compiler says nothing."""
    for number, said in CASE.findall(text):
        options, sentence = re.fullmatch(r"((?:-\S+ )*-\S+: )?(.+)", said.strip()).groups(default="")
        of_gcc, _, of_clang = sentence.partition(" | ")
        sentence = of_clang if of_clang and "clang" in compiler else of_gcc
        yield number, options.rstrip(": ").split(), None if sentence == "-" else sentence


class Compilations:
    """Compiles the cases of one file."""

    def __init__(self, compiler, file, includes, folder):
        self.command = [compiler, "-std=c++20", "-Wall", "-Wextra", *(f"-I{include}" for include in includes)]
        self.file = file
        self.clang = "clang" in compiler
        self.headers = pathlib.Path(folder, "headers.hpp")

    def said(self, *options):
        """The exit status, and the lines that the compiler wrote."""
        done = subprocess.run([*self.command, *map(str, options)], capture_output=True, text=True, timeout=SECONDS, check=False,
                              env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
        return done.returncode, done.stderr.splitlines()

    def precompile(self, text):
        """The headers that `text` includes ahead of its first case."""
        ahead = text[:text.index("#if CASE == ")]
        self.headers.write_text("".join(re.findall(r"^#include .*\n", ahead, re.MULTILINE)))
        status, said = self.said("-x", "c++-header", self.headers, "-o", f"{self.headers}.gch")
        if status != 0 or said:
            sys.exit("\n".join(["its headers have to compile without a word", *said]))

    def case(self, number, options=()):
        """What the compiler says to one case."""
        known = ["-include-pch", f"{self.headers}.gch"] if self.clang else ["-Winvalid-pch", "-include", self.headers]
        return self.said("-fsyntax-only", f"-DCASE={number}", *(options or known), self.file)


def fault(status, said, sentence):
    """What is wrong with that answer to a wrong use; None: nothing."""
    if sentence is None:
        return None if status == 0 else "it does not compile"
    if status == 0:
        return "it compiles"
    errors = [number for number, line in enumerate(said) if re.search(r"\berror: ", line)]
    if not errors:
        return "it fails without an error"
    first = errors[0]
    if sentence not in said[first]:
        return f"the first error is not '{sentence}'"
    if len(said) - first - 1 > MOST_LINES:
        return f"{len(said) - first - 1} lines follow the first error, more than {MOST_LINES}"
    return None


def main(arguments):
    compiler, file, *includes = arguments
    with open(file, encoding="utf-8") as text:
        written = text.read()
    cases = list(cases_of(written, compiler))
    if [number for number, *_ in cases] != [str(i + 1) for i in range(written.count("if CASE == "))] or not cases:
        sys.exit(f"{file}: its cases are not numbered from 1 on; write '#if CASE == 1  // sentence'")
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        compilations = Compilations(compiler, file, includes, folder)
        compilations.precompile(written)
        status, said = compilations.case(0)
        if status != 0 or said:
            faults.append("\n".join(["CASE 0: it has to compile without a word", *said]))
        for number, options, sentence in cases:
            status, said = compilations.case(number, options)
            wrong = fault(status, said, sentence)
            if wrong is not None:
                faults.append("\n".join([f"CASE {number}: {wrong}", *said]))
    print(f"{len(cases)} wrong uses, {len(faults)} faults")
    sys.exit("\n\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
