/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Dominating set: nodes whose rounded span is the largest within two steps are candidates; those with enough support join. */
void dominate(graph* g, int rounds) {
  int i, j, round;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) g->nodes[i].covered = g->nodes[i].chosen = 0;
  for (round = 0; round < rounds; round++) {
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = !g->nodes[i].covered;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all += !there->covered;
      }
      g->nodes[i].span = all;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].rounded = g->nodes[i].span & -g->nodes[i].span;
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].rounded;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        if (there->rounded > all) all = there->rounded;
      }
      g->nodes[i].widest = all;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].widest;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        if (there->widest > all) all = there->widest;
      }
      g->nodes[i].leader = all;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].active = g->nodes[i].rounded >= g->nodes[i].leader;
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].active;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all += there->active;
      }
      g->nodes[i].support = all;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].support;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all = there->support < all ? there->support : all;
      }
      g->nodes[i].distance = all;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].active && !g->nodes[i].covered;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all += there->active && there->distance <= round;
      }
      g->nodes[i].committee = all;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].chosen;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all |= there->committee > 0;
      }
      g->nodes[i].label = all;
    }
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < g->count; i++) {
      int all = g->nodes[i].label;
      for (j = 0; j < g->nodes[i].degree; j++) {
        const node* there = &g->nodes[g->nodes[i].neighbors[j]];
        all &= there->label | 1;
      }
      g->nodes[i].next_label = all;
    }
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < g->count; i++) g->nodes[i].covered |= g->nodes[i].next_label;
  }
}
