# SPDX-License-Identifier: Apache-2.0
"""passing: instructions that the drop-in adds to a call which only passes through (nothing is set)."""
from . import callgrind
from .output import table
from .places import SHIM
from .runs import openmp_environment

CALLS = 1000
BOUND = 25

CHUNKED = ("dynamic", "guided", "nonmonotonic_dynamic", "nonmonotonic_guided")
RUNTIME = ("runtime", "nonmonotonic_runtime", "maybe_nonmonotonic_runtime")


def libgomp_entries():
    """(kind, entry point) of everything the drop-in stands before, in the terms of micro/passing_gomp.c."""
    entries = [("parallel", "GOMP_parallel"), ("reductions", "GOMP_parallel_reductions")]
    for suffix, ways in (("chunked", CHUNKED), ("runtime", RUNTIME)):
        for way in ways:
            entries.append((f"parallel_{suffix}", f"GOMP_parallel_loop_{way}"))
            for ull, infix in (("", ""), ("ull_", "ull_")):
                entries.append((f"{ull}start_{suffix}", f"GOMP_loop_{infix}{way}_start"))
                entries.append((f"{ull}next", f"GOMP_loop_{infix}{way}_next"))
    for way in ("static_", "dynamic_", "guided_", "runtime_", ""):
        suffix = {"runtime_": "runtime", "": "general"}.get(way, "chunked")
        for ull in ("", "ull_"):
            entries.append((f"{ull}start_{suffix}", f"GOMP_loop_{ull}ordered_{way}start"))
            entries.append((f"{ull}doacross_{suffix}", f"GOMP_loop_{ull}doacross_{way}start"))
    entries += [("start_general", "GOMP_loop_start"), ("ull_start_general", "GOMP_loop_ull_start")]
    entries += [("end", f"GOMP_loop_{end}") for end in ("end", "end_nowait", "end_cancel")]
    entries += [("wait", f"GOMP_{wait}") for wait in ("barrier", "barrier_cancel")]
    entries += [("single_copy", "GOMP_single_copy_start")]
    entries += [("sections", f"GOMP_sections_{end}") for end in ("end", "end_cancel")]
    return entries + [("dlclose", "dlclose")]


def libomp_entries():
    entries = [("fork_4", "__kmpc_fork_call"), ("fork_if", "__kmpc_fork_call_if"),
               ("serialized", "__kmpc_serialized_parallel"), ("end_serialized", "__kmpc_end_serialized_parallel")]
    for width in ("4", "4u", "8", "8u"):
        for kind, stem in (("init", "__kmpc_dispatch_init"), ("next", "__kmpc_dispatch_next"),
                           ("static", "__kmpc_for_static_init")):
            entries.append((f"{kind}_{width[0]}", f"{stem}_{width}"))
    return entries + [("deinit", "__kmpc_dispatch_deinit"), ("doacross_init", "__kmpc_doacross_init"),
                      ("doacross_fini", "__kmpc_doacross_fini"), ("wait", "__kmpc_barrier"),
                      ("wait", "__kmpc_cancel_barrier"), ("copyprivate", "__kmpc_copyprivate"),
                      ("reduce", "__kmpc_reduce"), ("reduce_nowait", "__kmpc_reduce_nowait"),
                      ("end_reduce", "__kmpc_end_reduce")]


# The same entry again: a region that shares 12 variables instead of 4, or none.
VARIADIC = (("fork_0", "__kmpc_fork_call"), ("fork_12", "__kmpc_fork_call"))


# Static loops of Clang in a team of two, by what makes them pass: (what it is, kind, what is set).
EVEN = {"STEELYARD_SCHEDULE": "nustatic"}  # of loops that are balanced
DEALT = {"STEELYARD_SCHEDULE": "nustatic:10,90"}  # of loops that are dealt
STATIC = (("nothing is set", "loops", {}), ("`STEELYARD_STATIC=0` is", "loops", {**DEALT, "STEELYARD_STATIC": "0"}),
          ("another schedule", "loops", {"STEELYARD_SCHEDULE": "steal"}), ("equal blocks are known", "loops", EVEN),
          ("the region asks for its number", "asking", DEALT), ("of chunks, beside dealt ones", "chunked", DEALT),
          ("sections, beside dealt loops", "sections", DEALT))
# Regions that need nothing of the drop-in, which has something to do for others.
SHORT, FORK = {"STEELYARD_SCHEDULE": "steal"}, "__kmpc_fork_call"
STATIC_INIT, STATIC_FINI = "__kmpc_for_static_init_4", "__kmpc_for_static_fini"


def add_arguments(parser):
    parser.add_argument("--iomp", metavar="DIR", help="Intel's runtime, the libiomp5.so in DIR, instead of LLVM's")
    parser.add_argument("--explain", action="store_true", help="show in which functions the instructions are")


def count(program, entries, environment, shim):
    command = [program, CALLS, *(f"{kind}:{entry}" for kind, entry in entries)]
    native = callgrind.dumps(command, environment, "native")
    loaded = callgrind.dumps(command, {**environment, "LD_PRELOAD": str(shim)}, "loaded")
    return [row_of(kind, entry, native, loaded) for kind, entry in entries]


def count_static(program, environment, shim):
    """In a team of two, whose threads sleep while they wait."""
    environment = {**environment, "OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
    rows = []
    for what, kind, more in STATIC:
        rows += [{**row, "what": what} for row in count(program, [(kind, STATIC_INIT)], {**environment, **more}, shim)]
    rows += count(program, [("fini", STATIC_FINI)], {**environment, **EVEN}, shim)
    return rows


def count_regions(program, environment, shim):
    """In a team of one; one of 256 is seen. Nothing is held against them: the bound is for calls that have nothing to do."""
    rows = count(program, [("fork_4", FORK)], {**environment, **SHORT}, shim)
    return [{**row, "what": "a team of one", "bound": None, "verdict": None} for row in rows]


def row_of(kind, entry, native, loaded):
    before = callgrind.per_call(native, entry, CALLS)
    after = callgrind.per_call(loaded, entry, CALLS)
    ours = callgrind.own_per_call(loaded, entry, CALLS, SHIM)
    entered = max(1.0, callgrind.entered_per_call(loaded, entry, CALLS, SHIM))
    each = (after - before) / entered
    label = f"{entry}, {kind[5:]} variables" if kind.startswith("fork_") and kind != "fork_if" else entry
    bound = BOUND if entry != "dlclose" else None  # libc's, not a call of OpenMP
    return {"entry": label, "native": before, "loaded": after, "extra": after - before, "entered": entered,
            "each": each, "bound": bound, "verdict": ("pass" if each <= bound else "fail") if bound else None,
            "functions": {name: round(own, 2) for name, own in ours.items() if own >= 0.05}}


def show(title, rows, explain):
    head = [title, "native", "extra", "calls", "per call", f"≤ {BOUND}"] + (["where"] if explain else [])
    lines = []
    for row in rows:
        figures = [f"{row[key]:.1f}" for key in ("native", "extra", "entered", "each")]
        line = [row.get("what", f"`{row['entry']}`"), *figures, row["verdict"] or ""]
        if explain:
            line.append(", ".join(f"{name} {own:g}" for name, own in row["functions"].items()))
        lines.append(line)
    return table(head, lines)


def counted(places, options):
    """Title → rows."""
    shim = places.shim()
    environment = {**openmp_environment(1, "false"), "OMP_SCHEDULE": "dynamic,1"}
    gomp = count(places.micro("passing_gomp", "gcc"), libgomp_entries(), {**environment, **places.libraries()}, shim)
    program = places.micro("passing_kmp", "clang")
    runtime = {**environment, **(places.intel(options.iomp) if options.iomp else {})}
    kmp = count(program, libomp_entries(), runtime, shim)
    for again in VARIADIC:
        kmp += count(program, [again], runtime, shim)
    return {"libgomp": gomp, "Intel's runtime" if options.iomp else "libomp": kmp,
            f"`{STATIC_INIT}`": count_static(program, runtime, shim),
            "short regions under `steal`": count_regions(program, runtime, shim)}


def run(options, places):
    results = counted(places, options)
    text = "\n\n".join(show(title, rows, options.explain) for title, rows in results.items())
    failed = any(row["verdict"] == "fail" for rows in results.values() for row in rows)
    return {"title": "Instructions added to a call that passes through, one thread", "text": text, "results": results,
            "failed": failed}
