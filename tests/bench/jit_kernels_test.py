#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels of bench/run jit small, on every runtime and under schedules of ours: results are those of the serial program, to the
bit, and that is right by its mathematics.

usage: jit_kernels_test.py PROGRAMS KERNEL [DROP-IN]     PROGRAMS: the directory of the programs of one compiler
"""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import jit_programs  # noqa: E402
from lib.runs import Variant, execute, measured  # noqa: E402

SMALL = {"matmul": 40, "gauss-jordan": 60, "adjoint": 700, "adjoint-increasing": 700, "lattice-boltzmann": 14, "multigrid": 5,
         "n-body": 700, "triangular-solve": 2000, "arrowhead": 500, "power-law": 900}
INSTANCES = 8  # enough for shares to be learnt
SCHEDULES = ("nustatic", "steal", "dynamic,3", "adaptive", "wsrw")
WAITING = {"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"}  # there may be fewer processors


class Kernel(unittest.TestCase):
    directory, name, drop_in = Path(), "", None

    def checksum(self, program, verify=False, **environment):
        of = jit_programs.KERNELS[self.name]
        command = [self.directory / f"{of.program}-{program}", *of.options, "--size", SMALL[self.name], "--instances", INSTANCES,
                   *(["--verify"] if verify else [])]
        run = execute(Variant(program, command, {**WAITING, **environment}))
        self.assertIn("\nverified\n" if verify else "\nnot verified\n", run.output)
        return measured(jit_programs.RESULT, run, "checksum").group(1)

    def setUp(self):
        self.serial = self.checksum("serial", verify=True)

    def test_by_the_clauses_of_openmp(self):
        self.assertEqual(self.checksum("static", verify=True), self.serial)
        for clause in ("static,2", "dynamic,3", "guided"):
            self.assertEqual(self.checksum("runtime", OMP_SCHEDULE=clause), self.serial, clause)

    def test_by_the_partitioners_of_onetbb(self):
        if not (self.directory / "matmul-tbb").exists():
            self.skipTest("no oneTBB")
        for name in jit_programs.PARTITIONERS:
            self.assertEqual(self.checksum("tbb", JIT_PARTITIONER=name), self.serial, name)

    def test_by_the_drop_in(self):
        if not self.drop_in:
            self.skipTest("no drop-in")
        for name in SCHEDULES:
            found = self.checksum("runtime", LD_PRELOAD=self.drop_in, OMP_SCHEDULE=name)
            self.assertEqual(found, self.serial, name)
        self.assertEqual(self.checksum("static", LD_PRELOAD=self.drop_in, STEELYARD_SCHEDULE="nustatic"), self.serial)


if __name__ == "__main__":
    Kernel.directory, Kernel.name, Kernel.drop_in = Path(sys.argv[1]), sys.argv[2], (sys.argv[3:] or [None])[0]
    unittest.main(argv=sys.argv[:1])
