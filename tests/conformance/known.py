# SPDX-License-Identifier: Apache-2.0
"""The table of cases in which a compiler or its runtime is itself wrong."""
import fnmatch
from dataclasses import dataclass

NOT_MONOTONIC = {"steal", "wsr", "wsri", "wsrw", "binlpt", "idws", "adaptive", "random"}

@dataclass
class Entry:
    toolchains: list
    pattern: str
    scope: str
    reason: str


class Table:
    def __init__(self, path):
        lines = [line.split(None, 3) for line in path.read_text().splitlines()]
        self.entries = [Entry(f[0].split(","), *f[1:]) for f in lines if f and not f[0].startswith("#")]
        for entry in self.entries:
            if entry.scope not in ("native", "passed", "always", "none"):
                raise SystemExit(f"{path}: unknown scope of {entry.pattern}: {entry.scope}")

    def excused(self, toolchain, cases, schedule):
        """The cases not to be run, in the order of the program; schedule None is native."""
        return [case for case in cases if self.entry(toolchain, case, schedule)]

    def entry(self, toolchain, case, schedule):
        for entry in self.entries:
            if toolchain in entry.toolchains and fnmatch.fnmatchcase(case, entry.pattern):
                return entry if excuses(entry.scope, schedule) else None
        return None


def excuses(scope, schedule):
    if schedule is None:
        return scope != "none"
    passed = scope == "passed" and schedule.split(",")[0].split(":")[0] in NOT_MONOTONIC
    return passed or scope == "always"


def report(options, table):
    """Runs each known native failure alone, so that the table can be kept honest."""
    import running

    print("\nknown native failures, run alone:")
    for toolchain in options.toolchains:
        setting = running.Setting(options, toolchain, None, options.threads[-1])
        for program in running.programs(setting):
            for case in table.excused(toolchain, running.case_names(setting, program), None):
                outcome = running.run_alone(setting, program, case)
                print(f"  {toolchain:6} {case:36} {outcome}")
