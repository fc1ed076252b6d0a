# SPDX-License-Identifier: Apache-2.0
"""Counts instructions with callgrind, and reads the dumps it leaves."""
import re
import tempfile
from collections import defaultdict
from pathlib import Path

from .runs import Failure, Variant, execute

TRIGGER = re.compile(r"^desc: Trigger: Client Request: (.*)$", re.M)
SUMMARY = re.compile(r"^summary: (\d+)", re.M)
NAMED = re.compile(r"^(c?)(ob|fn)=\((\d+)\)(?: (.*))?$")


class Dump:
    """One part: all instructions since the last, and each function's own."""

    def __init__(self, text):
        self.name = TRIGGER.search(text).group(1)
        self.own = defaultdict(int)  # (object, function) → instructions
        self.entered = defaultdict(int)  # object → calls from other objects
        self._read(text.split("\n"))
        self.total = sum(self.own.values())

    def _read(self, lines):
        names = {"ob": {}, "fn": {}}
        here = {"ob": "", "fn": ""}
        callee = None  # the object called, where it is another one
        inclusive = False  # the next cost line is that of a call, which its callee has already
        for line in lines:
            named = NAMED.match(line)
            if named:
                called, what, number, name = named.groups()
                if name is not None:
                    names[what][number] = name
                if not called:
                    here[what] = names[what][number]
                elif what == "ob":
                    callee = names[what][number]
            elif line.startswith("calls="):
                inclusive = True
                if callee not in (None, here["ob"]):
                    self.entered[callee] += int(line[6:].split()[0])
                callee = None
            elif line[:1] in "0123456789+-*" and line[:1]:
                if not inclusive:
                    self.own[here["ob"], here["fn"]] += int(line.split()[1])
                inclusive = False


def counted(command, environment, label, file, timeout=600):
    """Runs `command` under callgrind, which writes `file`, and its dumps beside it."""
    execute(Variant(label, ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", *command], environment), timeout)


def total(command, environment, label):
    """All instructions that `command` executes."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "all"
        counted(command, environment, label, file)
        found = SUMMARY.search(file.read_text(errors="replace"))
    if found is None:
        raise Failure(f"{label}: callgrind has counted nothing")
    return int(found[1])


def dumps(command, environment, label):
    """Runs `command` under callgrind; its dumps by name."""
    with tempfile.TemporaryDirectory() as directory:
        counted(command, environment, label, f"{directory}/part")
        texts = [path.read_text(errors="replace") for path in Path(directory).glob("part.*")]
    found = [Dump(text) for text in texts if TRIGGER.search(text)]
    return {dump.name: dump for dump in found}


def per_call(parts, entry, calls):
    """Instructions of one call and what surrounds it: the second dump has `calls` calls more than the first."""
    return (parts[f"{entry} 2"].total - parts[f"{entry} 1"].total) / calls


def entered_per_call(parts, entry, calls, library):
    """How often one call enters `library`: a runtime may call its own entry points through what is preloaded."""
    first, second = parts[f"{entry} 1"].entered, parts[f"{entry} 2"].entered
    return sum(second[where] - first.get(where, 0) for where in second if where.endswith(library)) / calls


def own_per_call(parts, entry, calls, library):
    """The functions of `library`: instructions of their own in one call."""
    first, second = parts[f"{entry} 1"].own, parts[f"{entry} 2"].own
    return {function: (second[where, function] - first.get((where, function), 0)) / calls
            for where, function in second if where.endswith(library)}
