#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs every ```c and ```cpp block of the documents.

A block that is no whole program stands behind a comment that is not shown: `<!-- around`, then code with a line `@@` where the
block goes. Lines that include something move to the top. A program with a `main` has to end with status 0.

usage: snippets.py C-COMPILER C++-COMPILER INCLUDE[:INCLUDE…] LIBRARY-DIRECTORY DOCUMENT…
"""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BLOCK = re.compile(r"(?:<!-- around\n(?P<around>.*?)\n-->\n)?^```(?P<language>c|cpp)\n(?P<code>.*?)^```", re.S | re.M)
FLAGS = ("-O1", "-fopenmp", "-pthread", "-Wall", "-Wextra", "-Werror")
OF_LANGUAGE = {"c": ("-std=c11",), "cpp": ("-std=c++20", "-Wno-vexing-parse")}


def programs(document):
    """(line, language, source) of each block."""
    text = document.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        code = (found["around"] or "@@").replace("@@", found["code"], 1)
        lines = code.split("\n")
        includes = [line for line in lines if line.startswith("#include")]
        rest = [line for line in lines if not line.startswith("#include")]
        yield text.count("\n", 0, found.start("code")), found["language"], "\n".join([*includes, *rest, ""])


def wrong_with(language, source, compiler, includes, libraries):
    """None, or what the compiler or the program says."""
    with tempfile.TemporaryDirectory() as directory:
        file, program = Path(directory) / f"snippet.{language}", Path(directory) / "snippet"
        file.write_text(source, encoding="utf-8")
        whole = re.search(r"\bint main\(", source) is not None
        command = [compiler, *FLAGS, *OF_LANGUAGE[language], *(f"-I{include}" for include in includes), file]
        command += ["-o", program, f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lsteelyard", "-lm"] if whole else ["-fsyntax-only"]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return built.stderr
        if not whole:
            return None
        ran = subprocess.run([program], cwd=directory, capture_output=True, text=True, timeout=600, check=False)
        return None if ran.returncode == 0 else f"status {ran.returncode}\n{ran.stdout}{ran.stderr}"


def main():
    compilers = dict(zip(OF_LANGUAGE, sys.argv[1:3]))
    includes, libraries = sys.argv[3].split(":"), sys.argv[4]
    blocks = [(name, *block) for name in sys.argv[5:] for block in programs(Path(name))]
    if not blocks:
        sys.exit("no ```c or ```cpp block in these documents")
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda block: wrong_with(block[2], block[3], compilers[block[2]], includes, libraries), blocks))
    failed = 0
    for (name, line, _, _), wrong in zip(blocks, said):
        if wrong is not None:
            failed += 1
            print(f"{name}:{line}: {wrong}")
    print(f"{len(blocks) - failed} of {len(blocks)} blocks compile and run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
