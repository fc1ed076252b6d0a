/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERNELS_GRAPH_H
#define KERNELS_GRAPH_H

/* What the seven kernels work on, as in IMSuite: nodes that know their neighbours. */
typedef struct {
  int degree;
  int* neighbors;
  double* weights;
  int leader, next_leader, distance, active, committee, span, rounded, widest, support, covered, chosen, label,
      next_label;
  double rank, next_rank, cost, next_cost;
} node;

typedef struct {
  int count;
  node* nodes;
} graph;

#endif
