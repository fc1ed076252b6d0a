# SPDX-License-Identifier: Apache-2.0
"""`steelyard info`: what it says of the machine is what the system says."""
import json
import os
from pathlib import Path

from command import Case, main

INDEX = Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1024, "M": 1024 * 1024}


def bytes_of(text):
    return int(text[:-1]) * UNITS[text[-1]]


def data_caches():
    """(bytes, line) of the first processor's, by level."""
    found = {}
    for index in INDEX.glob("index*"):
        read = {name: (index / name).read_text().strip() for name in ("level", "type", "size", "coherency_line_size")}
        if read["type"] != "Instruction":
            found[int(read["level"])] = (bytes_of(read["size"]), int(read["coherency_line_size"]))
    return found


class Info(Case):
    def said(self):
        result = self.steelyard("info", "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_the_machine_is_that_of_the_system(self):
        info = self.said()
        machine = info["machine"]
        self.assertEqual(info["cores"]["affinity"], len(os.sched_getaffinity(0)))
        self.assertGreaterEqual(info["cores"]["online"], machine["processors"])
        self.assertGreaterEqual(machine["processors"], machine["cores"])
        self.assertGreaterEqual(machine["cores"], machine["packages"])
        self.assertGreaterEqual(machine["memory_nodes"], 1)
        for cache in machine["caches"]:
            self.assertLessEqual(cache["processors"], machine["processors"])

    def test_caches(self):
        system = data_caches()
        if not system:
            self.skipTest("the system does not tell")
        told = {int(cache["name"][1:]): (cache["bytes"], cache["line"]) for cache in self.said()["machine"]["caches"]}
        self.assertEqual(told, system)

    def test_in_words(self):
        result = self.steelyard("info", OMP_PROC_BIND="true")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^cores: \d+ online, \d+ in this process's mask, cgroup quota .*; effective \d+$")
        self.assertRegex(lines[1], r"^machine: \d+ packages?, \d+ memory nodes?, \d+ cores?, \d+ processors?$")
        self.assertRegex(lines[2], r"^caches: (L\d [\d.]+ [KM]iB for \d+ processors?(, )?)+$|^caches: not told by the system$")
        self.assertIn("  OMP_PROC_BIND=true", lines)
        self.assertRegex(result.stdout, r"(?m)^futex +[\d.]+ [num]s")


if __name__ == "__main__":
    main()
