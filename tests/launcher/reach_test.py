#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each loop of reach.cpp is in the reach that the comment above its directive says, for the reason that it gives."""
import itertools
import re

from launching import CXX_COMPILERS, HERE, TOOL, Case, main


class Reach(Case):
    def test_every_loop(self):
        text = (HERE / "reach.cpp").read_text()
        expected = {}
        for found in re.finditer(r"// (any|free|written|shares|left)\b ?(.*)\n(#pragma steelyard.*\n)?#pragma omp", text):
            expected[text.count("\n", 0, found.end()) + 1] = (found.group(1), found.group(2))
        self.assertGreater(len(expected), 25)
        for compiler, standard in itertools.product(CXX_COMPILERS, ("17", "20")):
            self.succeeds(self.launched(compiler, f"-std=c++{standard}", "-fopenmp", "-w", "-c", HERE / "reach.cpp", "-o", "reach.o"))
            self.assertEqual(self.remarks(), "")
            loops = {loop["line"]: ("free" if loop.get("needs") else loop["reach"], loop.get("reason", "")) for loop in self.reported("reach.o")}
            self.maxDiff = None
            self.assertEqual(loops, expected)


if __name__ == "__main__":
    main()
