/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Page rank: pulls from neighbours until the ranks settle. */
void page_rank(graph* g, int rounds) {
  int round, i, j;
  for (round = 0; round < rounds; round++) {
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      double sum = 0;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* from = &g->nodes[g->nodes[i].neighbors[j]];
        sum += from->rank / from->degree;
      }
      g->nodes[i].next_rank = 0.15 / g->count + 0.85 * sum;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].rank = g->nodes[i].next_rank;
  }
}
