/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the drop-in what a loop costs, in every way; without it nothing is told, and nothing needs to be linked. */
#include <stdio.h>
#include <steelyard/loop_cost.h>

static double ascending(void* context, int64_t index) {
  (void)context;
  return (double)index;
}

int main(void) {
  static int here;
  steelyard_loop_cost_part part;
  STEELYARD_LOOP_COST(&here, 0, 100, 1, ascending, 0);
  STEELYARD_LOOP_COST_KNOWN(&here, 0, 100, 1, STEELYARD_LOOP_COST_EQUAL);
  STEELYARD_LOOP_COST_KNOWN(&here, 0, 100, 1, STEELYARD_LOOP_COST_GUARDED);
  if (STEELYARD_LOOP_COST_BEGIN(&part, &here, 0, 100, 1, 0, 1)) {
    while (part.at != part.behind) steelyard_loop_cost_put(&part, (double)part.at);
    steelyard_loop_cost_end(&part);
  }
  puts("told");
  return 0;
}
