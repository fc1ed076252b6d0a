# SPDX-License-Identifier: Apache-2.0
"""What the public headers say to who misuses them: each sentence is expected by a test, and explained in docs/mistakes.md."""
import re

MISTAKES = "docs/mistakes.md"
LITERAL = r'"(?:\\.|[^"\\\n])*"'
REFUSED = (  # by the compiler, with the string behind
    re.compile(rf"\bstatic_assert\s*\([^;]*?,\s*((?:{LITERAL}\s*)+)\)\s*;"),
    re.compile(rf"^#error[\s\\]+({LITERAL})", re.M),
)
THROWN = re.compile(rf"\bthrow std::\w+\(\s*((?:{LITERAL}\s*)+)")
CASE = re.compile(r"^#(?:el)?if CASE == \d+\s+// (?:(?:-\S+ )*-\S+: )?(.+)$", re.M)


def plain(literals):
    """What one or more string literals in a row stand for."""
    return "".join(re.findall(rf"{LITERAL}", literals)).replace('""', "").strip('"').replace('\\"', '"')


def expected(text):
    """(position, sentence) of each compiler's sentence in a file of wrong uses, see tests/compile_fail/refused.py."""
    for case in CASE.finditer(text):
        for sentence in case.group(1).split(" | "):
            if sentence != "-":
                yield case.start(), sentence


def findings(tree, without_comments):
    """(path, position in its text, message)."""
    explained = tree.text(MISTAKES) if MISTAKES in tree.paths else ""
    sentences = []
    for path in tree.sources("tests/compile_fail/"):
        for position, sentence in expected(tree.text(path)):
            sentences.append(sentence)
            if sentence not in explained:
                yield path, position, f"'{sentence}' does not stand in {MISTAKES}"
    for path in tree.sources("include/"):
        text = without_comments(tree.text(path))
        for pattern in REFUSED:
            for found in pattern.finditer(text):
                said = plain(found.group(1))
                if not any(sentence in said for sentence in sentences):
                    yield path, found.start(), f"no case of tests/compile_fail expects '{said}'"
        for found in THROWN.finditer(text):
            if plain(found.group(1)) not in explained:
                yield path, found.start(), f"'{plain(found.group(1))}' does not stand in {MISTAKES}"
