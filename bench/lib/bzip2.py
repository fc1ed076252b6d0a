# SPDX-License-Identifier: Apache-2.0
"""bzip2: a parallel compressor on OpenMP, oneTBB, a master with workers, and ours."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from statistics import median

from . import stats
from .output import table
from .runs import Failure, Variant, interleave, measured, openmp_environment, progress
from .tasks import COUNTER, OURS, PEAK, SERIAL

PEERS = ("openmp", "tbb", "queue")
SECONDS = re.compile(r"^kernel: ([0-9.]+) s$", re.M)
SIZES = re.compile(r"^bzip2: (\d+) bytes in (\d+) blocks, (\d+) compressed$", re.M)
SPEEDUP = 1.9
USUAL = 210  # MB
WHERE = ("bin", "include", "lib", "share")  # of /usr, as much from each


def add_arguments(parser):
    parser.add_argument("--input", metavar="FILE", help="default: files of this machine, from /usr")
    parser.add_argument("--size", type=int, default=USUAL, metavar="MB", help="of these (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of the parallel runs (default 2)")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--window", type=int, default=16, help="blocks that are in memory (default %(default)s)")
    parser.add_argument("--ours-only", action="store_true", help="only ours and serial")


def files_below(directory):
    for where, below, names in os.walk(directory):
        below.sort()
        for name in sorted(names):
            path = Path(where, name)
            if path.is_file() and not path.is_symlink():
                yield path


def is_compressed(start):
    return len(zlib.compress(start, 1)) > 0.9 * len(start)


def gather(directory, count, into):
    """Files below `directory`, `count` bytes of them; less if there are no more."""
    for path in files_below(directory):
        if count == 0:
            return
        try:
            content = path.read_bytes()[:count]
        except OSError:
            continue
        if content and not is_compressed(content[:1 << 16]):
            into.write(content)
            count -= len(content)


def input_of(options, places):
    """A file to compress, and what it is."""
    if options.input:
        if not Path(options.input).is_file() or Path(options.input).stat().st_size == 0:
            raise Failure(f"--input {options.input}: no file with something in it")
        return Path(options.input), Path(options.input).name
    path = (places.prebuilt or places.work) / f"usr-{options.size}.corpus"
    if not path.exists():
        print(f"bench: gathers {options.size} MB of files of /usr", file=sys.stderr)
        unfinished = path.with_suffix(".unfinished")
        with open(unfinished, "wb") as file:
            for each in WHERE:
                gather(f"/usr/{each}", options.size * 1_000_000 // len(WHERE), file)
        unfinished.rename(path)
    return path, f"files of /usr/{{{','.join(WHERE)}}}"


class Samples:
    """Makes samples of runs that have written `packed`; all of them must write the same bytes."""

    def __init__(self, plain, packed):
        self.plain, self.packed = plain, packed
        self.digest = None

    def __call__(self, run):
        seconds, sizes = measured(SECONDS, run, "time"), measured(SIZES, run, "sizes")
        digest = hashlib.sha256(self.packed.read_bytes()).hexdigest()
        if self.digest is None:
            self._check()
            self.digest = digest
        if digest != self.digest:
            raise Failure("two compressors, or two runs, write different bytes")
        counter = COUNTER.search(run.output)
        return {"seconds": float(seconds[1]), "steals": int(counter[1]) if counter else None,
                "kib": int(PEAK.search(run.output)[1]), "bytes": int(sizes[1]), "compressed": int(sizes[3])}

    def _check(self):
        """bunzip2 makes the input of it, to the byte."""
        progress("bunzip2")
        with subprocess.Popen(["bunzip2", "-c", self.packed], stdout=subprocess.PIPE) as unpacks:
            compares = subprocess.run(["cmp", "-s", "-", self.plain], stdin=unpacks.stdout, check=False)
        if unpacks.returncode != 0 or compares.returncode != 0:
            raise Failure("bunzip2 does not make the input of what was written")


def measure(directory, plain, packed, options):
    names = [OURS] + ([] if options.ours_only else [peer for peer in PEERS if (directory / f"bzip2-{peer}").exists()])
    variants = []
    for name in [SERIAL, *names]:
        threads = 1 if name == SERIAL else options.threads
        command = [directory / f"bzip2-{name}", "--input", plain, "--output", packed, "--threads", threads,
                   "--window", options.window]
        environment = openmp_environment(threads, options.bind) if name == "openmp" else {}
        variants.append(Variant(name, command, environment))
    return interleave(variants, options.rounds, Samples(plain, packed), "bzip2")


def rows_of(taken):
    seconds = {name: [one["seconds"] for one in of] for name, of in taken.items()}
    for name, of in taken.items():
        yield name, {"seconds": median(seconds[name]), "kib": median(one["kib"] for one in of),
                     "Tseq/T": stats.paired_ratio(seconds[SERIAL], seconds[name]),
                     "of ours": stats.paired_ratio(seconds[name], seconds[OURS]),
                     "steals": None if of[0]["steals"] is None else median(one["steals"] for one in of)}


def text_of(rows, bound, threads):
    lines = [[f"`{name}`", f"{row['seconds']:.2f}", row["Tseq/T"].text(), row["of ours"].text(),
              "" if row["steals"] is None else f"{row['steals']:.0f}", f"{row['kib'] / 1024:.1f}"]
             for name, row in rows.items()]
    what, ratio, verdict = bound
    return "\n\n".join([
        table(["runtime", "s", f"Tseq/T{threads}", "time/ours", "steals", "peak, MiB"], lines),
        table(["bound", "measured", "verdict"], [[f"`{what}`", ratio.text(), verdict]], left=1)])


def run(options, places):
    if options.rounds < 2 or options.threads < 2 or options.size < 1 or options.window < 1:
        raise Failure("--rounds and --threads: give at least 2; --size and --window: at least 1")
    if not shutil.which("bunzip2"):
        raise Failure("bunzip2 is missing; `ci/install-packages bench` installs it")
    directory = places.kernels("bench_bzip2")
    if not (directory / f"bzip2-{SERIAL}").exists():
        raise Failure("the programs were not built: libbz2 is missing; `ci/install-packages bench` installs it")
    plain, says = input_of(options, places)
    with tempfile.TemporaryDirectory() as scratch:
        taken = measure(directory, plain, Path(scratch, "packed.bz2"), options)
    rows = dict(rows_of(taken))
    ratio = rows[OURS]["Tseq/T"]
    bound = (f"Tseq/T{options.threads} ≥ {SPEEDUP}", ratio, stats.above(ratio, SPEEDUP))
    one = taken[SERIAL][0]
    return {"title": f"bzip2: {one['bytes'] / 1e6:.0f} MB, {says}, to {one['compressed'] / 1e6:.0f} MB; "
                     f"{options.threads} threads, a window of {options.window} blocks, {options.rounds} rounds; "
                     "checked with bunzip2",
            "text": text_of(rows, bound, options.threads), "rows": rows, "samples": taken, "bounds": [bound],
            "failed": bound[-1] == "fail"}
