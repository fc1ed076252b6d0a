# SPDX-License-Identifier: Apache-2.0
"""What list_costs says of the loops of a unit."""
import json
import os
import subprocess

TOOL = os.environ["STEELYARD_TEST_COSTS"]
CC = os.environ.get("CC", "gcc")
CXX = os.environ.get("CXX", "g++")
LANGUAGE = {"c": ["-xc", "-std=gnu11"], "c++": ["-xc++", "-std=c++17"]}


def preprocessed(text, language):
    """What a launcher hands over."""
    compiler = CC if language == "c" else CXX
    done = subprocess.run([compiler, "-E", "-fopenmp", *LANGUAGE[language], "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loops_of(text, language="c", only_calls_of=None):
    """The loops of a source, in its order."""
    counting = ["--only-calls-of", only_calls_of] if only_calls_of else []
    done = subprocess.run([TOOL, *counting, *LANGUAGE[language]], input=preprocessed(text, language), capture_output=True,
                          text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]
