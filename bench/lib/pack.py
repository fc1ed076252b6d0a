# SPDX-License-Identifier: Apache-2.0
"""pack: puts programs, drop-in and runtime into one directory, to measure on a machine without a compiler."""
import os
import shutil
import subprocess
from pathlib import Path

from . import meshes
from .places import SHIM
from .programs import NAMES


def add_arguments(parser):
    parser.add_argument("directory", type=Path)
    parser.add_argument("--idws", action="store_true", help="also what `bench/run idws` needs")


def runtime():
    """libgomp as gcc links it; the programs bring the C++ library inside themselves."""
    said = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True).stdout
    return Path(said.strip()).resolve()


def of_idws(places):
    """The kernels, the library, oneTBB if it is a runtime of theirs, and gmsh's mesh if there is one."""
    copies = {path.name: path for path in places.kernels("bench_idws").iterdir() if path.is_file()}
    library = places.build / "lib/libsteelyard.so"
    copies[f"{library.name}.{library.resolve().name.split('.')[2]}"] = library.resolve()
    tbb = places.kernels("bench_idws") / "synthetic-tbb"
    if tbb.exists():
        said = subprocess.run(["ldd", tbb], capture_output=True, text=True, check=True).stdout
        copies |= {line.split()[0]: Path(line.split()[2]) for line in said.splitlines() if "libtbb" in line}
    if mesh := meshes.made_by_gmsh(places):
        copies[mesh.name] = mesh
    return copies


def run(options, places):
    options.directory.mkdir(parents=True, exist_ok=True)
    copies = {name: places.programs() / name for name in NAMES}
    copies |= {SHIM: places.shim(), "libgomp.so.1": runtime(), "gcc-chunks": places.micro("chunks", "gcc")}
    if debian := places.debian_graph():
        copies["debian.snap"] = debian
    if options.idws:
        copies |= of_idws(places)
    for name, source in copies.items():
        shutil.copy2(source, options.directory / name)
    size = sum(os.path.getsize(options.directory / name) for name in copies)
    text = f"{len(copies)} files, {size / 2**20:.1f} MiB: bench/run scaling --prebuilt {options.directory}"
    return {"title": f"Packed into {options.directory}", "text": text, "results": sorted(copies)}
