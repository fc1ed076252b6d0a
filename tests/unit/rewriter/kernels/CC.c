/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

/* Connected components: nodes of a list take the least label around them; the next list holds those that changed. */
void components(graph* g, int* list, int length) {
  int i, j;
#pragma omp parallel for schedule(runtime)
  for (i = 0; i < g->count; i++) g->nodes[i].label = i;
  while (length > 0) {
    int kept = 0;
#pragma omp parallel for private(j) schedule(runtime)
    for (i = 0; i < length; i++) {
      node* here = &g->nodes[list[i]];
      int least = here->label;
      for (j = 0; j < here->degree; j++) {
        int there = g->nodes[here->neighbors[j]].label;
        if (there < least) least = there;
      }
      here->next_label = least;
    }
    for (i = 0; i < length; i++) {
      node* here = &g->nodes[list[i]];
      if (here->next_label < here->label) list[kept++] = list[i];
      here->label = here->next_label;
    }
    length = kept;
  }
}
