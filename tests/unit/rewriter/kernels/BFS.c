/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Breadth first search, level by level over all nodes. */
void breadth_first(graph* g, int root) {
  int i, level, more = 1;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) g->nodes[i].distance = i == root ? 0 : -1;
  for (level = 0; more; level++) {
    more = 0;
#pragma omp parallel for reduction(| : more) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      if (g->nodes[i].distance == level) {
        for (int j = 0; j < g->nodes[i].degree; j++) {
          node* next = &g->nodes[g->nodes[i].neighbors[j]];
          if (next->distance < 0) {
            next->distance = level + 1;
            more = 1;
          }
        }
      }
    }
  }
}
