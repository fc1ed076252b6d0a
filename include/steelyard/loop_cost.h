/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_LOOP_COST_H
#define STEELYARD_LOOP_COST_H

#include <stdint.h>

/**
 * @file
 * What the iterations of OpenMP loops cost, for the drop-in.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup loop_cost
 * @{ */

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
 * The loop opened next belongs to `site` from then on, an address of your choice. It keeps these costs until the next call
 * for the same site. So a call may stand outside an outer loop that does not change them (Mishra & Nandivada 2023, section
 * 4.1). Costs are used by the schedules `wsrw` and `binlpt`, for loops of so many iterations. Wrong costs cost time, nothing else.
 *
 * Where the drop-in is not loaded the name has no address; STEELYARD_LOOP_COST() looks first.
 *
 * @param site an address that stands for the loop.
 * @param first index of the first iteration.
 * @param last the index behind the last, as in `i < last`, or `i > last` for a negative stride.
 * @param stride from one index to the next; not 0.
 * @param cost what the iteration of an index costs.
 * @param context passed on to it.
 */
__attribute__((weak)) void steelyard_loop_cost(const void* site, int64_t first, int64_t last, int64_t stride,
                                               double (*cost)(void* context, int64_t index), void* context);

/** Calls steelyard_loop_cost() with these arguments where the drop-in is loaded. */
#define STEELYARD_LOOP_COST(site, first, last, stride, cost, context)                             \
  do {                                                                                            \
    if (&steelyard_loop_cost != 0) steelyard_loop_cost(site, first, last, stride, cost, context); \
  } while (0)

/** Every iteration costs the same: nothing is balanced (COWS, Opt2), but what a member that has not come would run. */
#define STEELYARD_LOOP_COST_EQUAL 1u
/** Most of the body stands under a condition that nobody knows beforehand: balanced by the number of iterations (COWS, Opt3). */
#define STEELYARD_LOOP_COST_GUARDED 2u

/**
 * What is known without a cost for each iteration; else as steelyard_loop_cost(). O(1).
 * @param site an address that stands for the loop.
 * @param first index of the first iteration.
 * @param last the index behind the last.
 * @param stride from one index to the next; not 0.
 * @param flags STEELYARD_LOOP_COST_EQUAL or STEELYARD_LOOP_COST_GUARDED; 0: nothing happens.
 */
__attribute__((weak)) void steelyard_loop_cost_known(const void* site, int64_t first, int64_t last, int64_t stride,
                                                     uint32_t flags);

/** Calls steelyard_loop_cost_known() with these arguments where the drop-in is loaded. */
#define STEELYARD_LOOP_COST_KNOWN(site, first, last, stride, flags)                                   \
  do {                                                                                                \
    if (&steelyard_loop_cost_known != 0) steelyard_loop_cost_known(site, first, last, stride, flags); \
  } while (0)

/**
 * The part of a loop whose costs one member of a team states, inside the parallel region and before the loop. It states the
 * costs of iterations at, at + 1, … behind - 1, in this order; iteration i has the index first + i * stride.
 *
 *     steelyard_loop_cost_part part;
 *     if (STEELYARD_LOOP_COST_BEGIN(&part, &here, 0, n, 1, omp_get_thread_num(), omp_get_num_threads())) {
 *       while (part.at != part.behind) steelyard_loop_cost_put(&part, degree(graph, (long)part.at));
 *       steelyard_loop_cost_end(&part);
 *     }
 *     #pragma omp barrier
 *     #pragma omp for schedule(runtime)
 *
 * Every member of the team does so, with numbers 0 … members-1. The costs are known to loops that are opened after the last of
 * them has ended; between two of these for the same site lies a barrier, the loop's own for example. O(iterations / members)
 * for each.
 */
typedef struct steelyard_loop_cost_part {
  uint64_t at;         /**< the iteration whose cost is stated next */
  uint64_t behind;     /**< behind the last of them */
  uint64_t bin_end;    /**< private */
  double work;         /**< private */
  void* known;         /**< private */
  uint32_t bin;        /**< private */
  uint32_t bin_behind; /**< private */
  uint32_t members;    /**< private */
} steelyard_loop_cost_part;

/**
 * Begins with a member's part; STEELYARD_LOOP_COST_BEGIN() looks first whether the drop-in is loaded. O(1).
 * @param[out] part the member's.
 * @param site an address that stands for the loop.
 * @param first index of the first iteration.
 * @param last the index behind the last.
 * @param stride from one index to the next; not 0.
 * @param member its number, from 0.
 * @param members how many the team has.
 * @return 1; or 0: costs are of no use, the drop-in is not active, and nothing is to be stated.
 */
__attribute__((weak)) int steelyard_loop_cost_begin(steelyard_loop_cost_part* part, const void* site, int64_t first,
                                                    int64_t last, int64_t stride, uint32_t member, uint32_t members);
/** @cond */
__attribute__((weak)) void steelyard_loop_cost_next_bin(steelyard_loop_cost_part* part);
/** @endcond */

/**
 * The member has stated all of its part. O(1).
 * @param part the member's.
 */
__attribute__((weak)) void steelyard_loop_cost_end(steelyard_loop_cost_part* part);

/** Calls steelyard_loop_cost_begin() with these arguments where the drop-in is loaded; else 0. */
#define STEELYARD_LOOP_COST_BEGIN(part, site, first, last, stride, member, members) \
  (&steelyard_loop_cost_begin != 0 &&                                               \
   steelyard_loop_cost_begin(part, site, first, last, stride, (uint32_t)(member), (uint32_t)(members)) != 0)

/**
 * States what the next iteration costs.
 * @param part the member's.
 * @param cost in any unit, the same for all; negative or no number: 0.
 */
static inline void steelyard_loop_cost_put(steelyard_loop_cost_part* part, double cost) {
  if (cost > 0) part->work += cost;
  if (++part->at == part->bin_end) steelyard_loop_cost_next_bin(part);
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif
