/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Leader election: the largest number known in the neighbourhood, as long as the graph is wide. */
void elect(graph* g, int diameter) {
  int i, j, round;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) g->nodes[i].leader = i;
  for (round = 0; round < diameter; round++) {
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int best = g->nodes[i].leader;
      for (j = 0; j < g->nodes[i].degree; j++) {
        int there = g->nodes[g->nodes[i].neighbors[j]].leader;
        if (there > best) best = there;
      }
      g->nodes[i].next_leader = best;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].leader = g->nodes[i].next_leader;
  }
}
