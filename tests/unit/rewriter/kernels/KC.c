/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* K-committee: in each of k rounds the least active number spreads, and committees form around it. */
void committees(graph* g, int k) {
  int i, j, round;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) {
    g->nodes[i].active = i;
    g->nodes[i].committee = -1;
  }
  for (round = 0; round < k; round++) {
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int least = g->nodes[i].active;
      for (j = 0; j < g->nodes[i].degree; j++) {
        int there = g->nodes[g->nodes[i].neighbors[j]].active;
        least = there < least ? there : least;
      }
      g->nodes[i].leader = least;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int invited = 0;
      for (j = 0; j < g->nodes[i].degree; j++) invited += g->nodes[g->nodes[i].neighbors[j]].leader == i;
      g->nodes[i].support = invited;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int joined = g->nodes[i].committee;
      for (j = 0; j < g->nodes[i].degree; j++) {
        if (g->nodes[g->nodes[i].neighbors[j]].support > round) joined = g->nodes[i].leader;
      }
      g->nodes[i].committee = joined;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int others = 0;
      for (j = 0; j < g->nodes[i].degree; j++)
        others += g->nodes[g->nodes[i].neighbors[j]].committee != g->nodes[i].committee;
      g->nodes[i].span = others;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].active = g->nodes[i].span > 0 ? g->nodes[i].leader : i;
  }
}
