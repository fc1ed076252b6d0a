/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_OWN_SCHEDULE_H
#define STEELYARD_OWN_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include <steelyard/steelyard.h>

/**
 * @file
 * A schedule of your own, as a table of functions. In C++ `own_schedule.hpp` makes the table of a class, or of a rule of some twenty
 * lines.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup c
 * @{ */

/** The form of steelyard_schedule that this header describes. */
#define STEELYARD_SCHEDULE_VERSION 1u

/** A loop as a schedule sees it: iterations 0 … iterations-1. */
typedef struct steelyard_shape {
  uint64_t iterations; /**< any 64-bit number */
  uint64_t chunk;      /**< the chunk parameter; 0: not given */
  uint64_t seed;       /**< of schedules that draw at random */
  uint32_t members;    /**< of the team, 1 … 65536 */
} steelyard_shape;

/** What a member runs next: iterations first, first + stride, …, so many. count 0: nothing is left for it, now and later. */
typedef struct steelyard_step {
  uint64_t first;  /**< the first one */
  uint64_t count;  /**< how many */
  uint64_t stride; /**< from one to the next; 1: neighbours */
} steelyard_step;

/**
 * A schedule. It hands out the iterations of a loop to the members of a team, each once, in whatever order the members call. Members may
 * never come: the others have to get all. No function waits, throws or allocates memory.
 */
typedef struct steelyard_schedule {
  uint32_t version;    /**< STEELYARD_SCHEDULE_VERSION */
  uint32_t ascending;  /**< not 0: each member receives increasing iterations */
  const char* name;    /**< as users type it: letters, digits, `_` and `-`, at most 31 */
  const char* summary; /**< one line */
  const char* chunk;   /**< what the chunk parameter is; NULL: none is taken */
  /** Size of the state of that loop, from 1 byte on. */
  size_t (*bytes)(const steelyard_shape* loop);
  /** Makes the state in memory of that size, aligned to 128 bytes. Called once, before any member calls. */
  void (*open)(void* memory, const steelyard_shape* loop);
  /** By member number `member` only, and never twice at once. Other members call at the same time. */
  steelyard_step (*next)(void* memory, uint32_t member);
  /** What the member has not taken yet, or all of them together: a hint, which anybody may ask for at any time. */
  uint64_t (*remaining)(const void* memory, uint32_t member);
} steelyard_schedule;

/**
 * Adds a schedule to those that loops may name. It stays for as long as the process; at most 16 are added. O(schedules).
 * @param added what the table says is kept, the functions and strings are not copied. One that is there already may be added again.
 * @return NULL when it was added; otherwise why it was not, in words that continue the sentence "This schedule …".
 */
STEELYARD_API const char* steelyard_schedule_add(const steelyard_schedule* added) STEELYARD_NOEXCEPT;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
