# SPDX-License-Identifier: Apache-2.0
"""Runs programs in interleaved rounds, in a clean and stated environment."""
import os
import random
import subprocess
import sys
import time
from typing import NamedTuple

FOREIGN = ("OMP_", "GOMP_", "KMP_", "STEELYARD_", "LD_PRELOAD")


class Failure(Exception):
    """One line for the user."""


def chosen_kernels(names, known):
    """What `--kernels` names, separated by commas."""
    chosen = names.split(",")
    for kernel in chosen:
        if kernel not in known:
            raise Failure(f"--kernels {kernel}: no such kernel; there are {', '.join(known)}")
    return chosen


class Variant(NamedTuple):
    """One of the things compared: a command and what is added to the environment."""

    label: str
    command: list
    environment: dict


class Run(NamedTuple):
    output: str
    seconds: float
    label: str = ""  # of its variant


def clean_environment():
    """Ours without anything that steers OpenMP or the drop-in."""
    return {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}


def openmp_environment(threads, bind="true"):
    """What every measured program gets. OMP_WAIT_POLICY stays at the runtime's default: threads spin, as users' do."""
    environment = {"OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false"}
    if bind != "false":
        environment.update(OMP_PROC_BIND=bind, OMP_PLACES="cores")
    return environment


def execute(variant, timeout=600):
    command = [str(word) for word in variant.command]
    began = time.perf_counter()
    try:
        done = subprocess.run(command, env={**clean_environment(), **variant.environment}, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{variant.label}: {' '.join(command)}: still running after {timeout} s") from error
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
        raise Failure(f"{variant.label}: {' '.join(command)}: status {done.returncode}: {said}")
    return Run(done.stdout, seconds, variant.label)


def measured(pattern, run, what):
    """What the pattern finds in the run's output."""
    found = pattern.search(run.output)
    if not found:
        raise Failure(f"{run.label}: a program printed no {what}")
    return found


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def interleave(variants, rounds, measure, name="", until=None):
    """Runs every variant once a round, each round in a new random order. `measure` makes a sample of a Run. Stops early
    at the monotonic time `until`, after at least one whole round. Returns label → samples, one for each round."""
    samples = {variant.label: [] for variant in variants}
    shuffle = random.Random(len(variants))
    for done in range(rounds):
        if until is not None and done >= 1 and time.monotonic() > until:
            break
        order = list(variants)
        shuffle.shuffle(order)
        for variant in order:
            progress(f"{name} round {done + 1}/{rounds} {variant.label}")
            samples[variant.label].append(measure(execute(variant)))
    progress("")
    return samples


def interleave_until_decided(variants, rounds, most, measure, contenders, name=""):
    """`interleave`, and then as many rounds again, and again, up to `most` in all, of the labels that `contenders(samples)`
    returns: none once all is decided. Those that have dropped out have fewer samples."""
    samples = interleave(variants, rounds, measure, name)
    done = rounds
    while done < most and (labels := contenders(samples)):
        further = min(rounds, most - done)
        # None comes back: the n-th sample is that of round n.
        variants = [variant for variant in variants if variant.label in labels]
        for label, of in interleave(variants, further, measure, name).items():
            samples[label] += of
        done += further
    return samples
