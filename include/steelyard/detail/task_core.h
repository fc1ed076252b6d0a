/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_DETAIL_TASK_CORE_H
#define STEELYARD_DETAIL_TASK_CORE_H

#include <stdint.h>

#include <steelyard/steelyard.h>

/*
 * What <steelyard/task.hpp> and the library know of each other, for those who bring tasks to another language. A thread
 * that is in a pool has two deques of tasks, and pushes and pops the youngest of each in a few moves, written out there:
 *
 * forks: the second halves of joins. A task that a thief has taken leaves its result in its slot, where the join waits for it.
 * spawned: tasks of groups, nobody waits for a single one. `payload` begins with the address of the steelyard_group.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define STEELYARD_PAYLOAD 48

/** A task in its slot: 64 bytes, on a line of its own. */
typedef struct steelyard_task {
  /** 0; or 1: it threw, and the payload tells what. Must not throw. Ends with steelyard_frame_sync if it has forked. */
  int (*run)(struct steelyard_task* self);
  uint32_t state; /**< the library's */
  uint32_t thief; /**< the library's */
  unsigned char payload[STEELYARD_PAYLOAD] __attribute__((aligned(16)));
} __attribute__((aligned(64))) steelyard_task;

/**
 * The words of a deque that its owner works with. To push: fill *tail; store tail + 1 (release); if that is above
 * `limit`, loaded after it, call steelyard_task_pushed. To pop: store tail - 1; if that is below `bound`, loaded after it, call
 * steelyard_task_popped. Between store and load the compiler must not reorder; no fence.
 */
typedef struct steelyard_tasks {
  steelyard_task* tail;
  steelyard_task* limit;
  steelyard_task* bound;
} steelyard_tasks;

/** The calling thread's; NULL: it is in no pool, see steelyard_tasks_enter. */
#define STEELYARD_THREAD __thread __attribute__((visibility(STEELYARD_VISIBILITY), tls_model("initial-exec")))
/** NULL also when the running task has forked tasks of dataflow that it has not waited for: steelyard_tasks_enter waits. */
extern STEELYARD_THREAD steelyard_tasks* steelyard_forks;
extern STEELYARD_THREAD steelyard_tasks* steelyard_spawned;

/**
 * Waits as steelyard_frame_sync does, but for exceptions, and makes the calling thread one that has tasks, in the pool that its
 * loops would use. Returns 1, and steelyard_tasks_leave is
 * due when all tasks pushed since have ended; or 0: it was already, or there is no room, and everything may run at once.
 */
STEELYARD_API int steelyard_tasks_enter(void) STEELYARD_NOEXCEPT;
STEELYARD_API void steelyard_tasks_leave(void) STEELYARD_NOEXCEPT;

/** 1; or 0: there is no room, and the task has been taken back. */
STEELYARD_API int steelyard_task_pushed(steelyard_tasks* own) STEELYARD_NOEXCEPT;

/** How many more forks have room; at least so many may be written before `tail` is stored once for all of them. */
STEELYARD_API uint64_t steelyard_forks_left(const steelyard_tasks* own) STEELYARD_NOEXCEPT;

/**
 * What has become of a fork whose pop read a higher bound. 0: it is the caller's. Else a thief had it and it has ended; what
 * it left is in its payload until the next push: 1 its result, 2 what it threw. Helps meanwhile, with tasks that descend from
 * this one only, and sleeps when there are none.
 */
STEELYARD_API int steelyard_task_popped(steelyard_tasks* own, steelyard_task* task) STEELYARD_NOEXCEPT;

/** Tasks that are waited for together. */
typedef struct steelyard_group {
  int64_t elsewhere;      /**< ended less pushed by other threads, twice; 1 is added while the owner sleeps */
  int64_t here;           /**< pushed less ended by the owner */
  steelyard_tasks* owner; /**< the deque of the thread that made it; NULL: it is in no pool */
  steelyard_task* start;  /**< its tail then */
} steelyard_group;

/** Counts a task of the group that the calling thread is about to push. */
STEELYARD_API void steelyard_group_push(steelyard_group* group) STEELYARD_NOEXCEPT;

/**
 * On the thread that made it: returns when all tasks of the group have ended. Meanwhile it runs tasks that it has pushed since
 * it made the group, and helps with those that descend from the group; it sleeps when there are none.
 */
STEELYARD_API void steelyard_group_wait(steelyard_group* group) STEELYARD_NOEXCEPT;

/** The same, but it also returns as soon as enough(context) is not 0, which it asks often; the group goes on then. Who has made that so
 * calls steelyard_group_nudge. */
STEELYARD_API void steelyard_group_wait_until(steelyard_group* group, int (*enough)(const void* context),
                                              const void* context) STEELYARD_NOEXCEPT;

/** If the owner waits like that, it asks again. By a task of the group. */
STEELYARD_API void steelyard_group_nudge(steelyard_group* group) STEELYARD_NOEXCEPT;

/** Counts a task of the group that has ended and was run by hand, not from a deque. The group may be gone afterwards. */
STEELYARD_API void steelyard_group_end(steelyard_group* group) STEELYARD_NOEXCEPT;

/** A task that may have to wait for others, any number of them, before somebody pushes it. src/runtime/node.md. */
typedef struct steelyard_node {
  uint32_t waiting_for; /**< the library's */
  void* after;          /**< the library's */
} steelyard_node;

/** That a node waits for another: lives until that has ended. */
typedef struct steelyard_link {
  steelyard_node* to;
  void* next; /**< the library's */
} steelyard_link;

STEELYARD_API void steelyard_node_begin(steelyard_node* node) STEELYARD_NOEXCEPT;

/** link->to, which has begun, is to wait for `before`. Returns 0 when that has ended already. */
STEELYARD_API int steelyard_node_precede(steelyard_node* before, steelyard_link* link) STEELYARD_NOEXCEPT;

/** After `count` times steelyard_node_precede that returned 1: 1 when all those have ended by now; else who ends the last is told. */
STEELYARD_API int steelyard_node_is_ready(steelyard_node* node, uint32_t count) STEELYARD_NOEXCEPT;

/** It has ended: calls ready(node) for each that waited for nothing else. */
STEELYARD_API void steelyard_node_end(steelyard_node* node, void (*ready)(steelyard_node* node)) STEELYARD_NOEXCEPT;
STEELYARD_API int steelyard_node_has_ended(const steelyard_node* node) STEELYARD_NOEXCEPT;

/** What has happened to the tasks of a pool since it began; a snapshot, exact when nothing runs. */
typedef struct steelyard_task_counts {
  uint64_t stolen;   /**< given to thieves, by whomever */
  uint64_t refused;  /**< requests of thieves that got none */
  uint64_t analysed; /**< tasks of dataflow whose dependencies were found: none while nobody comes to help */
} steelyard_task_counts;

/** `pool`: NULL for the caller's. */
STEELYARD_API void steelyard_pool_task_counts(const steelyard_pool* pool,
                                              steelyard_task_counts* counts) STEELYARD_NOEXCEPT;

/** The same of one of its threads: 0 stands for all that are no workers of it, 1 … for its workers; beyond them all is 0. The requests
 * of a thief are stolen + refused: with victims at random O(T_inf) each, T_inf the critical path (Blumofe & Leiserson 1999). */
STEELYARD_API void steelyard_pool_thread_task_counts(const steelyard_pool* pool, uint32_t thread,
                                                     steelyard_task_counts* counts) STEELYARD_NOEXCEPT;

/**
 * What the tasks of a run take, in nanoseconds on a processor. Of joins, groups, futures and dataflow; a loop counts as a task of its
 * own that is not parallel. What the runtime itself does, and what threads wait for each other's locks, is in neither.
 */
typedef struct steelyard_work_span {
  uint64_t work; /**< T1: all of it */
  uint64_t span; /**< T-infinity: the critical path. On p threads no less than span, and than work / p */
} steelyard_work_span;

/**
 * Calls call(context) on this thread alone, in a pool of its own, and measures. Tasks run in an order in which the thread alone might
 * have run them, but the second half of a join as if a thief had it. 1; or 0: it could not be measured, because another thread has used
 * the pool or there was no memory, and `into` is all 0.
 */
STEELYARD_API int steelyard_measure_work_span(void (*call)(void* context), void* context, steelyard_work_span* into);

/** The same of what a pool of one thread has run so far, between the first and the last task each time, if STEELYARD_SPAN=1 is set in
 * the environment; while nothing runs. */
STEELYARD_API int steelyard_pool_work_span(const steelyard_pool* pool, steelyard_work_span* into) STEELYARD_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
