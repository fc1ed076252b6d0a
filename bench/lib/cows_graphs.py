# SPDX-License-Identifier: Apache-2.0
"""The graphs of the COWS experiment, kept in build/bench/cows as the programs load them."""
import zlib
from pathlib import Path
from typing import NamedTuple

from .runs import Failure, Variant, execute

POWER_LAW = ("youtube", "livejournal", "orkut")
ROADS = ("road-ca", "road-pa")
NAMES = (*POWER_LAW, *ROADS, "debian")
ORDERS = ("degree", "levels")  # beside the one that a graph comes in


class Graph(NamedTuple):
    name: str
    order: str
    kind: str  # power law, road, other
    file: Path
    facts: str  # vertices, edges, maximum degree

    @property
    def title(self):
        return self.name + ("" if self.order in ("random", "given") else f" by {self.order}")


class Maker:
    """Makes what is not there yet."""

    def __init__(self, places, program, scale, road_scale):
        self.program = program
        self.places = places
        self.scale = {"power law": scale, "road": road_scale}
        self.directory = places.work / "cows"
        self.directory.mkdir(exist_ok=True)

    def _made(self, name, order, kind, arguments, source=None):
        which = f"-{zlib.crc32(bytes(source)):08x}" if source else ""  # files of the same name
        file = self.directory / f"{name.replace('/', '-')}{which}-{order}.graph"
        note = file.with_suffix(".txt")
        newest = max(path.stat().st_mtime for path in (self.program, source) if path)
        if not (file.exists() and note.exists() and note.stat().st_mtime > newest):
            command = [self.program, *arguments, "--name", name, "--order", order, "--output", file]
            said = execute(Variant(f"graph {name}", command, {}), timeout=3600).output
            note.write_text(said, encoding="utf-8")
        return Graph(name, order, kind, file, note.read_text(encoding="utf-8").strip().split(": ", 1)[1])

    def _data_set(self, name, order):
        kind = "power law" if name in POWER_LAW else "road"
        scale = self.scale[kind]
        title = f"{name}/{scale}" if scale > 1 else name
        return self._made(title, order or "random", kind, ["--dataset", name, "--scale", scale])

    def _file(self, path, order, name=None):
        option = "--mtx" if path.suffix == ".mtx" else "--snap"
        return self._made(name or path.stem, order or "given", "other", [option, path], path)

    def make(self, name, order=None):
        """A data set by name, the Debian graph (None where there is no package index), or a file."""
        if name in (*POWER_LAW, *ROADS):
            return self._data_set(name, order)
        if name == "debian":
            debian = self.places.debian_graph()
            return self._file(debian, order, "debian") if debian else None
        if not Path(name).exists():
            raise Failure(f"--graphs {name}: no such file, and no data set; there are {', '.join(NAMES)}")
        return self._file(Path(name).resolve(), order)

    def all(self, names, orders):
        graphs = [self.make(name, order) for name in names for order in orders]
        return [graph for graph in graphs if graph]
