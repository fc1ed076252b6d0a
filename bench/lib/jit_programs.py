# SPDX-License-Identifier: Apache-2.0
"""The kernels of `jit`, their sizes, and what they run under: natively, by the drop-in, and on oneTBB."""
import re
import sys
from pathlib import Path
from typing import NamedTuple

from .places import TOP
from .programs import known_schedules
from .runs import Failure, Variant, execute, measured, openmp_environment

RESULT = re.compile(r"^checksum: ([0-9a-f]{16})$", re.M)
TOTAL = re.compile(r"^kernel: total ([0-9.]+) s,", re.M)
SERIAL = "serial"
NUSTATIC = "nustatic"
STATIC_LOOPS = ", static loops"  # of a binary by Clang, as it is
LEARNERS = (NUSTATIC, "jit")  # in all their forms; these take static loops, too
SWEPT = "dynamic"
NATIVE = {"gcc": "libgomp", "clang": "Intel"}
CLAUSES = ("dynamic", "dynamic,64", "guided", "auto")  # of the program's own runtime, by OMP_SCHEDULE
PARTITIONERS = ("auto", "affinity", "simple")


class Kernel(NamedTuple):
    """A program, its own options, (size, instances) of each scale, and the chunks that are tried."""

    program: str
    options: tuple
    usual: tuple
    paper: tuple
    quick: tuple
    chunks: tuple


COARSE, FINE = (4, 16), (16, 64, 256)
KERNELS = {
    "matmul": Kernel("matmul", (), (320, 50), (1024, 50), (96, 10), COARSE),
    "gauss-jordan": Kernel("gauss_jordan", (), (1024, 2), (1024, 10), (192, 2), FINE),
    "adjoint": Kernel("adjoint", (), (10240, 50), (102400, 50), (3000, 10), FINE),
    "adjoint-increasing": Kernel("adjoint", ("--increasing",), (10240, 50), (102400, 50), (3000, 10), FINE),
    "lattice-boltzmann": Kernel("lattice_boltzmann", (), (50, 50), (109, 50), (24, 10), (16, 40, 64, 256, 1024, 4096)),
    "multigrid": Kernel("multigrid", (), (9, 20), (10, 50), (7, 5), COARSE),
    "n-body": Kernel("n_body", (), (8000, 50), (20000, 50), (2000, 20), COARSE),
    "triangular-solve": Kernel("triangular_solve", (), (80000, 50), (200000, 50), (5000, 10), FINE),
    "arrowhead": Kernel("matvec", ("--matrix", "arrowhead"), (40000, 50), (100000, 50), (3000, 10), FINE),
    "power-law": Kernel("matvec", ("--matrix", "power-law"), (80000, 50), (400000, 50), (3000, 10), FINE),
}


class Choice(NamedTuple):
    """Who runs the loops: one row of a table."""

    label: str
    program: str  # what follows the kernel's name
    environment: dict = {}


def is_learner(label):
    return re.split("[:,]", label)[0] in LEARNERS


def is_native(label):
    return label.startswith((*NATIVE.values(), "oneTBB"))


class Programs:
    """Makes the variants of a kernel, by one compiler."""

    def __init__(self, places, compiler, options, libraries):
        self.directory = places.jit(compiler)
        self.compiler = compiler
        self.scale = "paper" if options.paper else "quick" if options.quick else "usual"
        self.instances = options.instances
        self.known = [name for name in known_schedules(places.kernels("steelyard_tool")) if ":" not in name or is_learner(name)]
        self.drop_in = {"LD_PRELOAD": str(places.shim())}
        self.environment = {**openmp_environment(options.threads, options.bind), **libraries}

    def choices(self, kernel):
        """The rows: the program's own runtime, every schedule of ours, and oneTBB."""
        native = NATIVE[self.compiler]
        found = [Choice(f"{native} static", "static")]
        found += [Choice(f"{native} {clause}", "runtime", {"OMP_SCHEDULE": clause}) for clause in CLAUSES]
        names = [name for known in self.known for name in self._with_chunks(kernel, known)]
        found += [Choice(name, "runtime", {**self.drop_in, "OMP_SCHEDULE": name}) for name in names]
        if self.compiler == "clang":
            found += [Choice(name + STATIC_LOOPS, "static", {**self.drop_in, "STEELYARD_SCHEDULE": name})
                      for name in filter(is_learner, self.known)]
        if self.compiler == "gcc" and (self.directory / "matmul-tbb").exists():
            found += [Choice(f"oneTBB {name}", "tbb", {"JIT_PARTITIONER": name}) for name in PARTITIONERS]
        return found

    @staticmethod
    def _with_chunks(kernel, schedule):
        chunks = KERNELS[kernel].chunks if schedule == SWEPT else ()
        return [schedule, *(f"{schedule},{chunk}" for chunk in chunks)]

    def variant(self, kernel, choice, verify=False):
        of = KERNELS[kernel]
        size, instances = getattr(of, self.scale)
        command = [self.directory / f"{of.program}-{choice.program}", *of.options, "--size", size,
                   "--instances", self.instances or instances, *(["--verify"] if verify else [])]
        return Variant(choice.label, command, {**self.environment, **choice.environment})

    def variants(self, kernel):
        return [self.variant(kernel, choice) for choice in (Choice(SERIAL, "serial"), *self.choices(kernel))]

    def sampler(self, kernel):
        """Makes a sample of a run: the seconds of all instances. Refuses a result that is not the serial one, to the bit; that is
        checked by its mathematics."""
        serial = execute(self.variant(kernel, Choice(SERIAL, "serial"), verify=True), timeout=3600)
        expected = measured(RESULT, serial, "checksum").group(1)

        def sample(run):
            if (result := measured(RESULT, run, "checksum").group(1)) != expected:
                raise Failure(f"{kernel}, {self.compiler}, {run.label}: the result is {result}, the serial one {expected}")
            return float(measured(TOTAL, run, "time").group(1))

        return sample


def intel_runtime(options, places):
    """LD_LIBRARY_PATH for Intel's runtime; nothing where it is not there."""
    own = (places.build / "python/lib", TOP / "build/python/lib")
    directory = Path(options.iomp) if options.iomp else next((each for each in own if (each / "libiomp5.so").exists()), None)
    if directory is None:
        print("bench: no libiomp5.so, goes on without Clang; `ci/python-env` installs it, --iomp says where it is", file=sys.stderr)
        return None
    return places.intel(directory)
