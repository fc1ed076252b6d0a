# SPDX-License-Identifier: Apache-2.0
"""The mesh of the mesh kernels: a file that was given, gmsh's, or the one that the programs have built in."""
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from .places import BENCH, call
from .runs import Failure

GEOMETRY = BENCH / "kernels/idws/mesh/front.geo"
PACKED = "idws.msh"


class Mesh(NamedTuple):
    arguments: list
    says: str


def of(options, places):
    if options.mesh:
        if not Path(options.mesh).is_file():
            raise Failure(f"--mesh {options.mesh}: no such file")
        return Mesh(["--mesh", str(Path(options.mesh).resolve())], f"the mesh {Path(options.mesh).name}")
    made = made_by_gmsh(places)
    if made:
        return Mesh(["--mesh", str(made)], f"a mesh of gmsh ({GEOMETRY.name})")
    print("bench: gmsh is not installed: the mesh kernels use their built-in mesh; ci/install-packages bench installs "
          "it", file=sys.stderr)
    return Mesh([], "the built-in mesh (gmsh is not installed)")


def made_by_gmsh(places):
    """Its mesh, made anew when the geometry has changed; None without gmsh."""
    path = (places.prebuilt or places.work) / PACKED
    if places.prebuilt:
        return path if path.exists() else None
    if path.exists() and path.stat().st_mtime > GEOMETRY.stat().st_mtime:
        return path
    if not shutil.which("gmsh"):
        return None
    print(f"bench: gmsh makes {path}", file=sys.stderr)
    unfinished = path.with_name("unfinished.msh")
    call(["gmsh", "-2", "-v", "2", "-format", "msh41", "-o", unfinished, GEOMETRY], places.log)
    unfinished.rename(path)
    return path
