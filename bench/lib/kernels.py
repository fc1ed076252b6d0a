# SPDX-License-Identifier: Apache-2.0
"""The kernels of `idws`, the strategies they run under, and what their programs print."""
import re
import subprocess
from typing import NamedTuple

from .runs import Failure, Variant, clean_environment, execute, measured, openmp_environment

SYNTHETIC = {"regular": "Regular", "random": "Random", "dense_end": "Dense End", "dense_begin": "Dense Begin",
             "periodic": "Periodic"}
FINE = "regular5ns"
MESH = {"coarsen": "Coarsen", "refine": "Refine", "swap": "Swap", "smooth": "Smooth"}
TITLES = {**SYNTHETIC, FINE: "regular, 5 ns", **MESH}

SERIAL, DEFAULT, STATIC, TBB = "serial", "default", "OMP static", "oneTBB"
AT_ONCE = "serial, one on each core"
OPENMP = ("static", "static,1", "dynamic", "guided")
OURS = ("steal", "idws", "idws,1", "wsri", "adaptive", "random")
BOUNDED = (DEFAULT, "steal", "idws", "wsri")

SECONDS = re.compile(r"^kernel: median ([0-9.]+) s", re.M)
LIMIT = re.compile(r"^limit: median ([0-9.]+) s on \d+ members, ([0-9.]+) s", re.M)
CHECKSUM = re.compile(r"^checksum: ([0-9a-f]{16})$", re.M)


class Kernel(NamedTuple):
    name: str
    program: str
    arguments: list


class Sample(NamedTuple):
    seconds: float
    limit: float  # None but from the serial program
    divisible: float  # the part of the limit that is work/members


def chosen(names, states, period, mesh):
    for name in names:
        if name in SYNTHETIC:
            yield Kernel(name, "synthetic", ["--distribution", name, "--states", states, "--period", period])
        elif name == FINE:
            yield Kernel(name, name, ["--states", states])
        elif name in MESH:
            yield Kernel(name, name, mesh.arguments)
        else:
            raise Failure(f"--kernels {name}: no such kernel; there are {', '.join(TITLES)}")


def number(pattern, run, group=1):
    found = pattern.search(run.output)
    return float(found.group(group)) if found else None


def checksum_of(run):
    return measured(CHECKSUM, run, "checksum").group(1)


class Programs:
    """Makes the variants of a kernel."""

    def __init__(self, places, bind, repeat):
        self.directory = places.kernels("bench_idws")
        self.libraries = places.libraries()
        self.bind = bind
        self.repeat = repeat
        self.known = self._schedules()

    def _schedules(self):
        """Those that the library knows."""
        command = [self.directory / "synthetic-steelyard", "--schedules"]
        try:
            said = subprocess.run(command, env={**clean_environment(), **self.libraries}, capture_output=True,
                                  text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise Failure(f"{command[0]}: cannot be run: {error}") from error
        return said.split()

    def strategies(self):
        """Label → (runtime, schedule), in the order of the tables."""
        found = {f"OMP {clause}": ("openmp", clause) for clause in OPENMP}
        if (self.directory / "synthetic-tbb").exists():
            found[TBB] = ("tbb", None)
        found[DEFAULT] = ("steelyard", None)
        return found | {name: ("steelyard", name) for name in OURS if name.split(",")[0] in self.known}

    def variant(self, kernel, label, runtime, schedule, threads, repeat=None, verify=False):
        command = [self.directory / f"{kernel.program}-{runtime}", *kernel.arguments, "--threads", threads,
                   "--repeat", repeat or self.repeat, *(["--schedule", schedule] if schedule else []),
                   *([] if verify else ["--no-verify"])]
        environment = {**openmp_environment(threads, self.bind), **self.libraries,
                       "STEELYARD_NUM_THREADS": str(threads)}
        return Variant(label, command, environment)

    def serial(self, kernel, threads, verify=False):
        return self.variant(kernel, SERIAL, "serial", None, threads, verify=verify)

    def at_once(self, kernel, threads):
        """As many serial programs as threads, all at once: what cores that are all busy are worth."""
        alone = self.serial(kernel, threads)
        script = 'for i in $(seq "$1"); do "${@:2}" & done; wait'
        return Variant(AT_ONCE, ["bash", "-c", script, "bash", threads, *alone.command], alone.environment)

    def sampler(self, kernel, threads):
        """What makes a sample of a run, and refuses a result that is not the serial one."""
        expected = checksum_of(execute(self.serial(kernel, threads, verify=True)))

        def sample(run):
            if checksum_of(run) != expected:
                raise Failure(f"{kernel.name}: a program's result differs from the serial one ({expected})")
            if run.label == AT_ONCE:
                seconds = [float(word) for word in SECONDS.findall(run.output)]
                if len(seconds) != threads:
                    raise Failure(f"{kernel.name}: {len(seconds)} of {threads} serial programs at once have ended well")
                return Sample(sum(seconds) / len(seconds) / threads, None, None)
            return Sample(number(SECONDS, run), number(LIMIT, run), number(LIMIT, run, 2))

        return sample

    def state_costs(self):
        """Nanoseconds of an iteration in each state."""
        states = 1 << 20
        costs = []
        for state in range(4):
            kernel = Kernel(str(state), "synthetic", ["--distribution", state, "--states", states])
            run = execute(self.variant(kernel, f"state {state}", "serial", None, 1, repeat=9))
            costs.append(1e9 * number(SECONDS, run) / states)
        return costs
