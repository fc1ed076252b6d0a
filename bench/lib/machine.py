# SPDX-License-Identifier: Apache-2.0
"""Facts of the machine a figure was measured on, and how much else it was doing."""
import os
import platform
import resource
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

BUSY = 0.3  # load per core from which figures are suspect


def _read(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def cpu_model():
    for line in _read("/proc/cpuinfo").splitlines():
        if line.startswith(("model name", "Model")):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def quota():
    """Cores by cgroup quota, or None; the innermost group with one that can be read."""
    for path in ("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"):
        words = _read(path).split()
        if not words or words[0] in ("max", "-1"):
            continue
        period = words[1] if len(words) > 1 else _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us") or "100000"
        return int(words[0]) / int(period)
    return None


def cores():
    return len(os.sched_getaffinity(0))


def facts():
    loads = os.getloadavg()
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": cpu_model(),
        "cores": cores(),
        "quota": quota(),
        "kernel": platform.release(),
        "libc": "-".join(platform.libc_ver()),
        "load": [round(load, 2) for load in loads],
    }


def warn_if_busy():
    load = os.getloadavg()[0]
    if load > BUSY * cores():
        print(f"bench: the load is {load:.1f} on {cores()} cores: other work disturbs these figures; "
              "measure when it is below 0.3 per core", file=sys.stderr)


class Watch:
    """How many cores other work, and the hypervisor, took while we measured."""

    def __init__(self):
        self.began = time.monotonic()
        self.busy, self.stolen = self._machine()
        self.own = self._own()

    @staticmethod
    def _machine():
        fields = [int(word) for word in _read("/proc/stat").split("\n", 1)[0].split()[1:]] or [0] * 10
        tick = os.sysconf("SC_CLK_TCK")
        return sum(fields[:3] + fields[5:7]) / tick, fields[7] / tick

    @staticmethod
    def _own():
        uses = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
        return sum(use.ru_utime + use.ru_stime for use in uses)

    def facts(self):
        elapsed = max(time.monotonic() - self.began, 1e-9)
        busy, stolen = self._machine()
        others = max(0.0, (busy - self.busy) - (self._own() - self.own))
        return {
            "seconds": round(elapsed, 1),
            "cores_taken_by_others": round(others / elapsed, 3),
            "cores_stolen": round((stolen - self.stolen) / elapsed, 3),
        }
