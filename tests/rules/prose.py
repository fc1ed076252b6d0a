#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain English: how long the sentences of the documents are, and phrases that have a plainer one.

usage: prose.py [DIRECTORY | FILE…]     prints one line per finding; exit status 0 when there is none
"""
import re
import sys
from pathlib import Path
from statistics import median

LONGEST = 35  # words
MEDIAN = 20
BANNED = {
    r"nobody has nothing": "no thread is idle",
    r"in order to": "to",
    r"due to the fact": "because",
    r"at this point in time": "now",
    r"utili[sz]e": "use",
    r"it should be noted": "(say it)",
    r"prior to": "before",
    r"\blot of tasks\b|\blots of tasks\b": "deque",
}


def blank(found):
    return re.sub(r"[^\n]", " ", found.group())


def paragraphs(text):
    """(line, words as one string) of each paragraph, list item and heading; code, tables, links' targets and comments left out."""
    text = re.sub(r"```.*?```|<!--.*?-->|^---\n.*?\n---$", blank, text, flags=re.S | re.M)
    text = re.sub(r"(?<=\n\n)(?: {4}[^\n]*\n|\n)+", blank, text)  # code that is indented
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    gathered, start = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        stripped = line.strip()
        begins = re.match(r"([-*+]|\d+\.|#+|>)\s", stripped)
        if (not stripped or begins or stripped.startswith("|")) and gathered:
            yield start, " ".join(gathered)
            gathered = []
        if stripped and not stripped.startswith("|"):
            if not gathered:
                start = number
            gathered.append(stripped[begins.end():] if begins else stripped)
            if stripped.startswith("#"):
                yield start, gathered.pop()


def sentences(text):
    """(line, words) of each sentence. What stands in backquotes is one word."""
    for line, paragraph in paragraphs(text):
        plain = re.sub(r"`[^`]*`", "code", paragraph)
        plain = re.sub(r"\b(e\.g|i\.e|vs|cf|et al|Fig|Sec|No)\.", r"\1", plain)
        for sentence in re.split(r"(?<=[.!?])[)\"*_]*\s+(?=[\"*(\[]*[A-Z0-9a-z])|:\s+(?=[A-Z])", plain):
            words = re.findall(r"[^\W_][\w'’.,/-]*", sentence)
            if words:
                yield line, words


def comments(source):
    """What the comments for Doxygen say (`///`, and blocks that begin with `/**`), as a document with the same lines. Each comment
    is an item of a list, and so is what explains a parameter."""
    said, in_block, goes_on = [], False, False
    for line in source.split("\n"):
        mark = re.search(r"(///|/\*\*)<? ?", line) or (in_block and re.match(r"()\s*(?:\*(?!/))? ?", line))
        text = line[mark.end():].split("*/")[0].rstrip() if mark else ""
        in_block = bool(mark) and mark.group(1) != "///" and "*/" not in line
        begins = text and (not goes_on or re.match(r"[@\\]\w", text))
        said.append("- " + re.sub(r"^[@\\]\w+(?:\[\w+\])?\s*", "", text) if begins else text)
        goes_on = in_block or bool(mark) and line.strip().startswith("///")
    return "\n".join(said)


def findings(text):
    """(line, what is wrong there)."""
    lengths = []
    for line, words in sentences(text):
        lengths.append(len(words))
        if len(words) > LONGEST:
            yield line, f"a sentence of {len(words)} words, more than {LONGEST}: {' '.join(words[:6])} …"
    if len(lengths) > 20 and median(lengths) > MEDIAN:
        yield 1, f"median sentence of {median(lengths):g} words, more than {MEDIAN}"
    for phrase, better in BANNED.items():
        for found in re.finditer(phrase, text, re.I):
            yield text.count("\n", 0, found.start()) + 1, f"'{found.group()}': {better}"


def main(arguments):
    places = [Path(word) for word in arguments or ["."]]
    files = [file for place in places for file in (sorted(place.rglob("*.md")) if place.is_dir() else [place])]
    count = 0
    for file in files:
        for line, what in findings(file.read_text(encoding="utf-8")):
            print(f"{file}:{line}: {what}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
