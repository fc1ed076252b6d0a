/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Bellman-Ford: every node takes the cheapest way over a neighbour, then looks whether a neighbour still has a cheaper one. */
void bellman_ford(graph* g, int root) {
  int i, j, more = 1;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) g->nodes[i].cost = i == root ? 0 : 1e30;
  while (more) {
    more = 0;
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      double best = g->nodes[i].cost;
      for (j = 0; j < g->nodes[i].degree; j++) {
        double over = g->nodes[g->nodes[i].neighbors[j]].cost + g->nodes[i].weights[j];
        best = over < best ? over : best;
      }
      g->nodes[i].next_cost = best;
    }
#pragma omp parallel for private(j) reduction(| : more) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      for (j = 0; j < g->nodes[i].degree; j++)
        more |= g->nodes[g->nodes[i].neighbors[j]].next_cost + g->nodes[i].weights[j] < g->nodes[i].next_cost;
      g->nodes[i].cost = g->nodes[i].next_cost;
    }
  }
}
