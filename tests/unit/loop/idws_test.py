# SPDX-License-Identifier: Apache-2.0
"""<steelyard/idws.h> and <steelyard/steelyard.h> as programs include them: every language standard, both compilers with
their OpenMP runtimes, every delivery."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCES = Path(__file__).parent / "programs"
WORK = Path(os.environ["STEELYARD_TEST_PROGRAMS"])
LIBRARY = Path(os.environ["STEELYARD_TEST_LIBRARY"]).parent
INCLUDE = os.environ["STEELYARD_TEST_INCLUDE"].split(":")
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
DELIVERIES = ("signal", "hybrid", "membarrier", "poll")
COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]
SECONDS = 600  # only a command that hangs takes so long


def built_by(compiler, *arguments, output):
    WORK.mkdir(parents=True, exist_ok=True)
    command = [compiler, *arguments, *(f"-I{folder}" for folder in INCLUDE), "-o", str(WORK / output)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{' '.join(command)}\n{done.stderr}")
    return WORK / output


def program(compiler, standard, name="idws", *further):
    return built_by(compiler, f"-std={standard}", "-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp", *further,
                    str(SOURCES / f"{name}.cpp"), f"-L{LIBRARY}", "-lsteelyard", f"-Wl,-rpath,{LIBRARY}",
                    output="-".join([name, compiler, standard, *further]))


def outcome(path, *arguments, **variables):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("OMP_", "GOMP_", "KMP_", "STEELYARD_"))}
    done = subprocess.run([str(path), *arguments], capture_output=True, text=True, timeout=SECONDS, check=False,
                          env={**kept, "OMP_WAIT_POLICY": "passive", **variables})
    return done.returncode, done.stdout, done.stderr


class Idws(unittest.TestCase):
    def right(self, path, **variables):
        with self.subTest(program=path.name, **variables):
            self.assertEqual(outcome(path, **variables), (0, "0 wrong\n", ""))

    def test_every_standard_and_compiler(self):
        for compiler in COMPILERS:
            for standard in ("c++11", "c++14", "c++17", "c++20", "c++2b"):
                self.right(program(compiler, standard), OMP_NUM_THREADS="4")

    def test_deliveries_and_teams(self):
        for compiler in COMPILERS:
            path = program(compiler, "c++20")
            for delivery in DELIVERIES:
                for threads in ("1", "2", "8"):
                    self.right(path, STEELYARD_DELIVERY=delivery, OMP_NUM_THREADS=threads)

    def test_the_papers_header_and_its_rule_for_thieves(self):
        for compiler in COMPILERS:
            self.right(program(compiler, "c++11", "paper", "-DIDWS_ONE_TRY"), STEELYARD_DELIVERY="poll")
            self.right(program(compiler, "c++11", "paper"), STEELYARD_DELIVERY="poll", STEELYARD_ONE_TRY="1")

    def test_a_rule_that_is_neither_on_nor_off_is_said(self):
        _, _, said = outcome(program("g++", "c++20"), STEELYARD_ONE_TRY="maybe", OMP_NUM_THREADS="2")
        self.assertEqual(said, "steelyard: STEELYARD_ONE_TRY='maybe' is ignored; give 0 or 1\n")

    def test_a_pool_of_one(self):
        self.right(program("g++", "c++20"), STEELYARD_NUM_THREADS="1", OMP_NUM_THREADS="2")


class Region(unittest.TestCase):
    def test_loops_in_a_region(self):
        for compiler in COMPILERS:
            self.assertEqual(outcome(program(compiler, "c++20", "region")), (0, "0 wrong\n", ""), compiler)


class MainThread(unittest.TestCase):
    def test_it_may_end_first(self):
        path = program("g++", "c++20", "main_ends")
        for threads in ("1", "2", "5"):
            self.assertEqual(outcome(path, STEELYARD_NUM_THREADS=threads), (0, "ended\n", ""), threads)


class Bound(unittest.TestCase):
    """The pool has the process's processors, whatever the OpenMP runtime has bound the calling thread to."""

    def sizes(self, compiler, *arguments, **variables):
        status, out, errors = outcome(program(compiler, "c++20", "bound"), *arguments, **variables)
        self.assertEqual((status, errors), (0, ""))
        return tuple(map(int, out.split()))

    def test_runtimes_that_bind(self):
        processors = len(os.sched_getaffinity(0))
        if processors < 2:
            self.skipTest("one processor")
        for compiler in COMPILERS:
            whole = self.sizes(compiler)
            for variables in ({"OMP_PROC_BIND": "true"}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
                              {"OMP_PROC_BIND": "spread", "OMP_PLACES": "threads"}):
                for region in ((), ("region",)):
                    with self.subTest(compiler=compiler, region=region, **variables):
                        self.assertEqual(self.sizes(compiler, *region, **variables), whole)
                        self.assertEqual(whole[1], processors)

    def test_taskset_counts(self):
        everything = os.sched_getaffinity(0)
        try:
            os.sched_setaffinity(0, {min(everything)})
            for variables in ({}, {"OMP_PROC_BIND": "true"}):
                with self.subTest(**variables):
                    self.assertEqual(self.sizes("g++", **variables)[0], 1)
        finally:
            os.sched_setaffinity(0, everything)


class Headers(unittest.TestCase):
    def test_plain_c(self):
        source = WORK / "interface.c"
        WORK.mkdir(parents=True, exist_ok=True)
        source.write_text("#include <steelyard/steelyard.h>\nint main(void) { return steelyard_version() == 0; }\n")
        for compiler in ("gcc", "clang-19"):
            for standard in ("c99", "c11", "c17"):
                if shutil.which(compiler):
                    path = built_by(compiler, f"-std={standard}", *STRICT, str(source), f"-L{LIBRARY}", "-lsteelyard",
                                    f"-Wl,-rpath,{LIBRARY}", output=f"interface-{compiler}-{standard}")
                    self.assertEqual(outcome(path)[0], 0)

    def test_each_header_alone(self):
        for header, standard in (("steelyard.h", "c++11"), ("idws.h", "c++11"), ("schedule.hpp", "c++17"),
                                 ("cost.hpp", "c++20"), ("pool.hpp", "c++20"), ("reduce.hpp", "c++20"),
                                 ("loop.hpp", "c++20"), ("loop.hpp", "c++2b")):
            source = WORK / f"{header}.cpp"
            WORK.mkdir(parents=True, exist_ok=True)
            source.write_text(f"#include <steelyard/{header}>\n")
            for compiler in COMPILERS:
                with self.subTest(header=header, compiler=compiler):
                    built_by(compiler, f"-std={standard}", *STRICT, "-Wshadow", "-Wconversion", "-fopenmp", "-c",
                             str(source), output=f"{header}.o")


if __name__ == "__main__":
    unittest.main()
