/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_LOOP_COST_H
#define STEELYARD_LOOP_COST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Tells the drop-in what the iterations of an OpenMP loop cost; for compilers and tools that know, and for programs. Call it
 * right before the loop, or before the parallel region that begins with it, on the thread that meets it:
 *
 *     STEELYARD_LOOP_COST(&here, 0, n, 1, degree_of, graph);
 *     #pragma omp parallel for schedule(runtime)
 *     for (long v = 0; v < n; ++v) visit(graph, v);
 *
 * The loop is first, first + stride, … before last (behind it, for a negative stride), and takes cost(context, index) for
 * each, in any unit; what is negative or no number counts as 0. All are evaluated in the call, once: O(iterations), on the
 * calling thread, when the drop-in is loaded and active; what `cost` throws comes out of it. What is kept is the cost of
 * each 1,024th of the loop.
 *
 * The loop opened next belongs to `site` from then on, an address of your choice: it keeps these costs until the next call
 * for the same site, so a call may stand outside an outer loop that does not change them (Mishra & Nandivada 2023, section
 * 4.1). Costs are used by the schedule `wsrw`, for loops of so many iterations. Wrong costs cost time, nothing else.
 *
 * Where the drop-in is not loaded the name has no address; STEELYARD_LOOP_COST looks first.
 */
__attribute__((weak)) void steelyard_loop_cost(const void* site, int64_t first, int64_t last, int64_t stride,
                                               double (*cost)(void* context, int64_t index), void* context);

#define STEELYARD_LOOP_COST(site, first, last, stride, cost, context)                             \
  do {                                                                                            \
    if (&steelyard_loop_cost != 0) steelyard_loop_cost(site, first, last, stride, cost, context); \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif
