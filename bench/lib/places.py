# SPDX-License-Identifier: Apache-2.0
"""Where the drop-in and the programs are; builds what is missing."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .runs import Failure

TOP = Path(__file__).resolve().parents[2]
BENCH = TOP / "bench"
SHIM = "libsteelyard-openmp.so"
# Programs that also run on a machine whose C++ library is another one.
STATIC = "-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++ -static-libgcc"
MICRO_FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-O2", "-g", "-fopenmp", "-Wall", "-Wextra"]


def call(command, log):
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a", encoding="utf-8") as file:
        print("$", *command, file=file, flush=True)
        try:
            status = subprocess.run([str(word) for word in command], stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                                    check=False).returncode
        except FileNotFoundError as error:
            raise Failure(f"{command[0]}: not found; ci/install-packages installs what is needed") from error
    if status != 0:
        raise Failure(f"{' '.join(str(word) for word in command[:3])} … failed; its output: {log}")


def newest(*directories):
    return max(path.stat().st_mtime for directory in directories for path in directory.rglob("*") if path.is_file())


class Places:
    """Files of one build, or of a directory of programs built elsewhere (`--prebuilt`)."""

    def __init__(self, build, prebuilt=None):
        self.build = Path(build).resolve()
        self.prebuilt = Path(prebuilt).resolve() if prebuilt else None
        self.work = self.build / "bench"
        self.log = self.work / "build.log"
        self.work.mkdir(parents=True, exist_ok=True)
        self._shim = None

    def shim(self):
        self._shim = self._shim or self._find_shim()
        return self._shim

    def _find_shim(self):
        if self.prebuilt:
            return self._needed(self.prebuilt / SHIM)
        path = self.build / "lib" / SHIM
        if not path.exists():
            self._build_shim()
        elif newest(TOP / "src") > path.stat().st_mtime:
            print(f"bench: {path} is older than src/; cmake --build {self.build} renews it", file=sys.stderr)
        return self._needed(path)

    def library_flags(self):
        """For a compiler: headers and libsteelyard of the build."""
        library = self.build / "lib/libsteelyard.so"
        if not library.exists():
            raise Failure(f"{library}: not there; cmake --build {self.build} makes it")
        directory = library.parent
        return [f"-I{TOP / 'include'}", f"-I{self.build / 'include'}", f"-L{directory}", "-lsteelyard",
                f"-Wl,-rpath,{directory}"]

    def programs(self):
        """The directory of the examples, built by gcc with their own clauses."""
        if self.prebuilt:
            return self.prebuilt
        directory = self.work / "examples"
        if not (directory / "CMakeCache.txt").exists():
            call(["cmake", "-S", TOP / "examples/openmp", "-B", directory, "-DCMAKE_C_COMPILER=gcc",
                  "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", STATIC], self.log)
        call(["cmake", "--build", directory, "-j", str(os.cpu_count())], self.log)
        return directory

    def micro(self, source, compiler):
        """A program of bench/micro by `gcc` or `clang`."""
        output = (self.prebuilt or self.work) / f"{compiler}-{source}"
        if self.prebuilt:
            return self._needed(output)
        sources = [BENCH / "micro" / f"{source}.c", BENCH / "micro/passing.h"]
        if not output.exists() or output.stat().st_mtime < max(path.stat().st_mtime for path in sources):
            command = {"gcc": "gcc", "clang": "clang-19"}[compiler]
            call([command, *MICRO_FLAGS, "-o", output, sources[0], "-ldl"], self.log)
        return output

    def kernels(self, target):
        """The directory of the programs of bench/kernels that `target` stands for (`bench_idws`: a program for each kernel and
        runtime; `bench_cows`, with the command `steelyard`)."""
        if self.prebuilt:
            return self.prebuilt
        fresh = [] if (self.build / "CMakeCache.txt").exists() else ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        call(["cmake", "-S", TOP, "-B", self.build, "-DSTEELYARD_BENCH=ON", *fresh], self.log)
        call(["cmake", "--build", self.build, "-j", str(os.cpu_count()), "--target", target, "steelyard_tool"], self.log)
        own = {"bench_idws": self.work / "idws", "bench_tasks": self.work / "tasks",
               "bench_dataflow": self.work / "dataflow", "bench_bzip2": self.work / "bzip2",
               "bench_scale": self.work / "scale", "bench_selection": self.work / "selection",
               "bench_jit_replay": self.build / "bench/kernels/jit/programs"}
        return own.get(target, self.build / "bin")

    def jit(self, compiler):
        """The directory of the programs of bench/kernels/jit by `gcc`, those on oneTBB among them, or `clang`."""
        names = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}[compiler]
        directory = self.work / "jit" / compiler
        if not (directory / "CMakeCache.txt").exists():
            call(["cmake", "-S", BENCH / "kernels/jit", "-B", directory, f"-DCMAKE_C_COMPILER={names[0]}",
                  f"-DCMAKE_CXX_COMPILER={names[1]}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                  f"-DCMAKE_DISABLE_FIND_PACKAGE_TBB={'OFF' if compiler == 'gcc' else 'ON'}"], self.log)
        call(["cmake", "--build", directory, "-j", str(os.cpu_count())], self.log)
        return directory / "programs"

    def libraries(self):
        """LD_LIBRARY_PATH for programs that bring their OpenMP runtime along."""
        if self.prebuilt and (self.prebuilt / "libgomp.so.1").exists():
            return {"LD_LIBRARY_PATH": str(self.prebuilt)}
        return {}

    def intel(self, directory):
        """LD_LIBRARY_PATH under which programs built by Clang find Intel's runtime in `directory`."""
        target = Path(directory).resolve() / "libiomp5.so"
        self._needed(target)
        link = self.work / "intel/libomp.so.5"
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        return {"LD_LIBRARY_PATH": str(link.parent)}

    def debian_graph(self):
        """The machine's own package graph as an edge list, or None."""
        output = (self.prebuilt or self.work) / "debian.snap"
        if output.exists() or self.prebuilt or not shutil.which("apt-cache"):
            return output if output.exists() else None
        index = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=False).stdout
        made = subprocess.run([self.programs() / "debian-graph"], input=index, capture_output=True, check=False)
        if made.returncode != 0:
            return None
        output.write_bytes(made.stdout)
        return output

    def _build_shim(self):
        print(f"bench: builds the project into {self.build}", file=sys.stderr)
        call(["cmake", "-S", TOP, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"], self.log)
        call(["cmake", "--build", self.build, "--target", "steelyard_shim"], self.log)

    @staticmethod
    def _needed(path):
        if not path.exists():
            raise Failure(f"{path}: not there")
        return path
