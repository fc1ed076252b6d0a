# SPDX-License-Identifier: Apache-2.0
"""The cost expression of the paper's Fig. 1, and the flags of its Fig. 11, for its seven kernels as plain OpenMP."""
import pathlib
import unittest

from costs import loops_of

KERNELS = pathlib.Path(__file__).parent / "kernels"

# Loops, those that are equal, Opt1, Opt2, Opt3. CC: the paper gives Opt2 as F beside one uniform loop, a misprint.
FIGURE_11 = {
    "KC": (6, 2, False, True, False),
    "LE": (3, 2, True, True, False),
    "BFS": (2, 1, True, True, True),
    "BF": (3, 1, False, True, False),
    "DS": (12, 4, False, True, False),
    "PR": (2, 1, True, True, False),
    "CC": (2, 1, False, True, False),
}

FIGURE_1 = """
typedef struct node { double data; int degree; struct node* neighbors; } node;
typedef struct { int N; node* vertices; } graph;
static node* elem_at(node** list, int i) { return *list + i; }
void work(graph* g, double* out) {
#line 1
#pragma omp parallel
  {
    #pragma omp for schedule(runtime)
    for (int i = 0; i < g->N; i++) {
      node* cur = elem_at(&g->vertices, i);
      double p = cur->data;
      for (int j = 0; j < cur->degree; j++) {
        node* neighbor = elem_at(&cur->neighbors, j);
        double neighbor_p = neighbor->data;
        out[i] += p * neighbor_p; }}
  }
}
"""


class Kernels(unittest.TestCase):
    def test_golden_expression(self):
        (loop,) = loops_of(FIGURE_1)
        self.assertEqual(loop["formula"], "C5 + C6 + C7_1 + cur->degree * (C7_2 + C8 + C9 + C10 + C7_3)")
        self.assertEqual((loop["class"], loop["fill"], loop["opt3"]), ("exact", "all", False))

    def test_flags(self):
        types = (KERNELS / "graph.h").read_text()
        for name, expected in FIGURE_11.items():
            with self.subTest(kernel=name):
                loops = loops_of(types + (KERNELS / f"{name}.c").read_text().replace('#include "graph.h"', ""))
                uniform = sum(loop["class"] == "equal" for loop in loops)
                flags = [any(loop[opt] for loop in loops) for opt in ("opt1", "opt2", "opt3")]
                self.assertEqual((len(loops), uniform, *flags), expected)

    def test_unequal_loops_get_the_degree(self):
        types = (KERNELS / "graph.h").read_text()
        for name in FIGURE_11:
            text = types + (KERNELS / f"{name}.c").read_text().replace('#include "graph.h"', "")
            for loop in loops_of(text):
                if loop["class"] not in ("equal", "guarded"):
                    self.assertIn("degree", loop["slice"], (name, loop))
                    self.assertEqual((loop["class"], loop["fill"]), ("exact", "all"), (name, loop))


if __name__ == "__main__":
    unittest.main()
