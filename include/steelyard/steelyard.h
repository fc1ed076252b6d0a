/* SPDX-License-Identifier: Apache-2.0 */
/* long: the C interface, which is one promise. */
#ifndef STEELYARD_STEELYARD_H
#define STEELYARD_STEELYARD_H

#include <stddef.h>
#include <stdint.h>

#include <steelyard/version.h>

/**
 * @file
 * The C interface. Every function may be called from any thread at any time, sets no errno, and never fails other than
 * as its comment says. Strings are in UTF-8, end with a zero byte and live as long as the library. O(1) where nothing
 * else is said.
 */

#ifdef __cplusplus
extern "C" {
#define STEELYARD_NOEXCEPT noexcept
#else
#define STEELYARD_NOEXCEPT
#endif

/** @cond */
/* Hidden in libsteelyard.a: a program that links it must not lend its copy to plug-ins that bring another. */
#ifdef STEELYARD_BUILDS_STATIC
#define STEELYARD_VISIBILITY "hidden"
#else
#define STEELYARD_VISIBILITY "default"
#endif
/** @endcond */
#define STEELYARD_API __attribute__((visibility(STEELYARD_VISIBILITY)))

/** @addtogroup c
 * @{ */

/**
 * Version of the library that is running; that of the headers is STEELYARD_VERSION.
 * @return "major.minor.patch".
 */
STEELYARD_API const char* steelyard_version(void) STEELYARD_NOEXCEPT;

/**
 * How many schedules there are.
 * @return a number n: schedules are 0 … n-1, in the order users see them. Later versions may add some.
 */
STEELYARD_API size_t steelyard_schedule_count(void) STEELYARD_NOEXCEPT;

/**
 * Name of a schedule, as users type it.
 * @param index its number.
 * @return the name; NULL when there is no such number.
 */
STEELYARD_API const char* steelyard_schedule_name(size_t index) STEELYARD_NOEXCEPT;

/**
 * What a schedule does.
 * @param index its number.
 * @return one line; NULL when there is no such number.
 */
STEELYARD_API const char* steelyard_schedule_summary(size_t index) STEELYARD_NOEXCEPT;

/**
 * What the chunk parameter of a schedule is.
 * @param index its number.
 * @return one line; NULL when it takes none, or when there is no such number.
 */
STEELYARD_API const char* steelyard_schedule_chunk(size_t index) STEELYARD_NOEXCEPT;

/**
 * The schedule of a name. O(schedules).
 * @param name in upper or lower case.
 * @return its number; steelyard_schedule_count() when there is none.
 */
STEELYARD_API size_t steelyard_schedule_find(const char* name) STEELYARD_NOEXCEPT;

/** A schedule and its chunk, which users write as "name" or "name,chunk". */
typedef struct steelyard_choice {
  size_t schedule; /**< its number */
  uint64_t chunk;  /**< 0: not given, the schedule's own default */
} steelyard_choice;

/**
 * Reads a schedule and its chunk.
 * @param text "name[:form][,chunk]": names case-insensitive, spaces around both ignored, chunk a whole number of iterations
 *   from 1 to 2^63-1.
 * @param[out] choice what it says; left as it was when the text is wrong.
 * @return NULL when the text is right; otherwise what is wrong, in words that continue the sentence "TEXT …".
 */
STEELYARD_API const char* steelyard_schedule_parse(const char* text, steelyard_choice* choice) STEELYARD_NOEXCEPT;

/**
 * Threads that run loops. A pool of n threads is n-1 workers and whoever calls. NULL stands for the pool of the caller: the
 * one whose worker it is, or that it is in (steelyard_pool_run()), else the process's own. That begins with the first loop,
 * and has STEELYARD_NUM_THREADS threads, or as many as the process may use cores (affinity and control groups).
 */
typedef struct steelyard_pool steelyard_pool;

/**
 * Makes a pool, whose workers begin at once.
 * @param threads from 1 to 32768, the caller included. The system may grant fewer: steelyard_pool_threads() tells.
 * @return the pool; NULL: no memory, or another number of threads.
 */
STEELYARD_API steelyard_pool* steelyard_pool_create(uint32_t threads) STEELYARD_NOEXCEPT;

/**
 * Ends the workers of a pool, and waits for that.
 * @param pool none of its loops may be running; NULL: nothing happens.
 */
STEELYARD_API void steelyard_pool_destroy(steelyard_pool* pool) STEELYARD_NOEXCEPT;

/**
 * How many threads a pool has.
 * @param pool NULL: the caller's.
 * @return their number, the caller's included.
 */
STEELYARD_API uint32_t steelyard_pool_threads(const steelyard_pool* pool) STEELYARD_NOEXCEPT;

/**
 * How many ranges of iterations members of a pool's loops have taken from others since it was created.
 * @param pool NULL: the caller's.
 * @return the number; exact while no loop runs.
 */
STEELYARD_API uint64_t steelyard_pool_steals(const steelyard_pool* pool) STEELYARD_NOEXCEPT;

/**
 * Calls call(context) on this thread; loops in it that name no pool are this one's. Waits first for tasks of dataflow that the
 * running task has forked in another pool.
 * @param pool the pool; NULL: the caller's.
 * @param call the function.
 * @param context passed on to it.
 */
STEELYARD_API void steelyard_pool_run(steelyard_pool* pool, void (*call)(void* context), void* context);

/** A thread that takes part in a loop, in the calls that run its iterations. */
typedef struct steelyard_member steelyard_member;

/**
 * The number of a member in its loop.
 * @param self the member.
 * @return 0 for the caller of the loop; less than steelyard_member_count().
 */
STEELYARD_API uint32_t steelyard_member_number(const steelyard_member* self) STEELYARD_NOEXCEPT;

/**
 * How many members a loop may have.
 * @param self one of them.
 * @return what all their numbers are below.
 */
STEELYARD_API uint32_t steelyard_member_count(const steelyard_member* self) STEELYARD_NOEXCEPT;

/**
 * The rest of the loop is not to run: every member stops before the next iterations it would take.
 * @param self a member of the loop.
 */
STEELYARD_API void steelyard_member_stop(steelyard_member* self) STEELYARD_NOEXCEPT;

/**
 * Whether a loop was stopped.
 * @param self a member of the loop.
 * @return 1 if it was, else 0.
 */
STEELYARD_API int steelyard_member_stopped(const steelyard_member* self) STEELYARD_NOEXCEPT;

/**
 * The member's open range, in the call of run_open (Rokos, Gorman & Kelly, section 3). The member claims [at, at+n), n from 1
 * to 2^62, by storing at+n to *head and then loading *end. Both are volatile and relaxed, with a sequentially consistent fence
 * between them if `fence` is set. If at+n <= *end the claim holds, and it goes on from at+n; else what steelyard_member_claim(self, at, n) returns
 * holds: fewer, and if none, run_open returns. It also returns, having claimed and run what it has, when it has come to
 * `until`, and is called again with another step. Claiming [a, b) means running iterations base+a … base+b-1.
 */
typedef struct steelyard_range {
  volatile uint64_t* head;      /**< where a claim is stored */
  const volatile uint64_t* end; /**< what a claim is compared with; others change it */
  uint64_t base;                /**< iterations are counted from here */
  uint64_t at;                  /**< where it begins */
  uint64_t until;               /**< where to look at the clock again */
  uint64_t step; /**< how many to claim at once so that claiming costs less than one percent; at least 1 */
  int fence;     /**< not 0: a sequentially consistent fence lies between the two moves */
} steelyard_range;

/**
 * The open range of a member: see steelyard_range.
 * @param self the member.
 * @return where to claim; asked for once in each call of run_open.
 */
STEELYARD_API steelyard_range steelyard_member_range(steelyard_member* self) STEELYARD_NOEXCEPT;

/** Iterations first … first+count-1. */
typedef struct steelyard_piece {
  uint64_t first; /**< the first of them */
  uint64_t count; /**< how many; may be 0 */
} steelyard_piece;

/**
 * What holds of a claim whose end lies behind that of the range: the member answers whoever asks it for iterations.
 * @param self the member.
 * @param first where the claim begins, as stored: steelyard_range::at.
 * @param count its number of iterations.
 * @return the part that holds; count 0: the range is used up.
 */
STEELYARD_API steelyard_piece steelyard_member_claim(steelyard_member* self, uint64_t first,
                                                     uint64_t count) STEELYARD_NOEXCEPT;

/**
 * What the iterations of a loop cost, and what has been computed from that: a loop that comes again with unchanged costs
 * does not read them again. In any unit; a cost that is negative or not a number counts as 0, and where all are 0, or one
 * is infinite, the loop runs as if it had none. An iteration that does nothing still costs something: say so. How they are
 * used is COWS, Mishra & Nandivada 2023.
 */
typedef struct steelyard_costs steelyard_costs;

/**
 * Writes the costs of iterations first … first+count-1 to out[0] … out[count-1], in any unit. Called before the loop, by its
 * caller. Where the loop says how (`read_costs`), other threads call it too, at the same time. It is called where that pays: in
 * the first two loops of a body that have costs, and then whenever loops have run 250 times as long as that took the last
 * time. Others are balanced by numbers of iterations, or by what kept costs said when they were read.
 */
typedef void (*steelyard_cost_function)(void* context, uint64_t first, uint64_t count, double* out);

/** All iterations cost the same: none is asked for, and nothing is balanced. */
#define STEELYARD_EQUAL_COSTS 1u
/** Most of a body stands under a condition that the costs do not know: the loop is balanced by numbers of iterations. */
#define STEELYARD_GUARDED_COSTS 2u

/**
 * Makes costs that loops keep.
 * @param evaluate says what iterations cost; may be NULL with STEELYARD_EQUAL_COSTS.
 * @param context passed on to it.
 * @param flags 0, STEELYARD_EQUAL_COSTS or STEELYARD_GUARDED_COSTS.
 * @return the costs; NULL: no memory.
 */
STEELYARD_API steelyard_costs* steelyard_costs_create(steelyard_cost_function evaluate, void* context,
                                                      uint32_t flags) STEELYARD_NOEXCEPT;

/**
 * What `evaluate` says may have changed: the next loop reads it again, where that pays.
 * @param costs no loop with them may be running.
 */
STEELYARD_API void steelyard_costs_changed(steelyard_costs* costs) STEELYARD_NOEXCEPT;

/**
 * What reading the costs and adding them up has taken so far.
 * @param costs the costs.
 * @return its time, divided by that of the loops that were shared under a schedule that asks about costs, that included:
 *   0 to 1; 0: they were not read.
 */
STEELYARD_API double steelyard_costs_overhead(const steelyard_costs* costs) STEELYARD_NOEXCEPT;

/**
 * How many of its loops knew these costs, of those that were shared under a schedule that asks about them. Equal and guarded
 * costs do not count.
 * @param costs the costs.
 * @return that number divided by the number of such loops: 0 to 1; 0: there was none.
 */
STEELYARD_API double steelyard_costs_known(const steelyard_costs* costs) STEELYARD_NOEXCEPT;

/**
 * Frees costs.
 * @param costs no loop with them may be running; NULL: nothing happens.
 */
STEELYARD_API void steelyard_costs_destroy(steelyard_costs* costs) STEELYARD_NOEXCEPT;

/** A loop over the iterations 0 … iterations-1. Set everything you do not need to zero. */
typedef struct steelyard_loop {
  size_t size;         /**< sizeof(steelyard_loop): later versions may know more */
  uint64_t iterations; /**< how many; 0: nothing is called */
  void* body;          /**< passed on to the calls */
  /** Runs iterations first, first+stride, … (count of them). Called by any member, any number of times. Not NULL. */
  void (*run)(void* body, steelyard_member* self, uint64_t first, uint64_t count, uint64_t stride);
  /** Runs the member's open range, see steelyard_range. NULL: schedules that have one hand out chunks instead. */
  void (*run_open)(void* body, steelyard_member* self);
  /** "name[:form][,chunk]"; NULL: STEELYARD_SCHEDULE, else `wsrw` where there are costs, else `automatic`. */
  const char* schedule;
  uint64_t chunk;       /**< not 0: goes before that in `schedule` */
  steelyard_pool* pool; /**< NULL: the caller's, see steelyard_pool */
  uint32_t members;     /**< at most so many; 0: as many as the pool has threads */
  uint32_t flags;       /**< STEELYARD_ALWAYS_PARALLEL, STEELYARD_ONE_TRY */
  /** Calls evaluate(context, first, count, out), on any member's thread, and catches what has to be caught there. NULL: the costs
   * are read by the caller alone. */
  void (*read_costs)(void* body, steelyard_cost_function evaluate, void* context, uint64_t first, uint64_t count,
                     double* out);
  const volatile int*
      stop; /**< the loop stops when this becomes other than 0, by an atomic store or in a signal handler; NULL: never */
  /** Called now and then by the caller's thread, with how many iterations have been taken: never fewer than before. */
  void (*progress)(void* context, uint64_t taken);
  void* progress_context; /**< passed on to `progress` */
  steelyard_costs* costs; /**< NULL: unknown. Of loops that run at the same time with the same costs one uses them */
  /** The percentage of the iterations that each member gets, in order, which add up to 100: the schedule is `nustatic` then. Where
   * there are other than `share_count` members it uses learnt ones. NULL: none. */
  const double* shares;
  uint32_t share_count; /**< at most 65,536 */
} steelyard_loop;

/** Shared also where it would be faster on the caller alone. */
#define STEELYARD_ALWAYS_PARALLEL 1u
/** Schedule `idws`: a thief that is refused leaves the loop, as in the paper, instead of turning to the next victim. */
#define STEELYARD_ONE_TRY 2u

/** What became of a loop. */
typedef enum steelyard_result {
  STEELYARD_DONE = 0,    /**< every iteration has run */
  STEELYARD_STOPPED = 1, /**< some iterations may not have run */
  STEELYARD_INVALID =
      2 /**< no `run`, a `size` that is none, shares that do not add up to 100, or no such schedule: steelyard_schedule_parse says why. Nothing ran */
} steelyard_result;

/**
 * Runs a loop on the caller and on workers of the pool that have nothing else to do; returns when it is done. May be
 * called anywhere, in a loop too. The calls must not throw or jump out. O(members) beside the iterations; O(1) where the
 * loop is too short to share. Where `automatic` chooses, the caller foretells schedules now and then, in a hundredth of the loops' time.
 * @param loop what to run.
 * @return what became of it.
 */
STEELYARD_API steelyard_result steelyard_loop_run(const steelyard_loop* loop);

/**
 * A member of an IDWS loop, for those who bring the macros of idws.h to another language: a loop that the threads of a team share without being called. Each thread
 * of the team enters every such loop, in the same order; it may leave one and enter the next before others have come. It
 * claims from `range` as steelyard_range says, until that is used up.
 */
typedef struct steelyard_idws {
  steelyard_range range; /**< the member's own; empty in the beginning, when at == until */
  void* loop;            /**< the library's */
} steelyard_idws;

/**
 * A thread of a team enters a loop. Who finds no memory for the loop waits for it. O(members) for the first that comes, O(1)
 * for the others; no lock, and no heap once as many loops of a team have been open at the same time before.
 * @param[out] self the member that it becomes.
 * @param team tells apart teams that are active at the same time.
 * @param members how many threads the team has.
 * @param number of this thread, from 0. One that is not below `members` gets no iterations.
 * @param iterations the loop is 0 … iterations-1.
 * @param flags 0 or STEELYARD_ONE_TRY, the same of all members.
 */
STEELYARD_API void steelyard_idws_enter(steelyard_idws* self, uint64_t team, uint32_t members, uint32_t number,
                                        uint64_t iterations, uint32_t flags) STEELYARD_NOEXCEPT;

/**
 * The member's next iterations, where self->range has come to `until`, or a claim from it met its end; the range is renewed.
 * @param self the member.
 * @return what it is to run; count 0: none is left.
 */
STEELYARD_API steelyard_piece steelyard_idws_claim(steelyard_idws* self) STEELYARD_NOEXCEPT;

/**
 * The member leaves, whatever it has not claimed.
 * @param self the member.
 */
STEELYARD_API void steelyard_idws_leave(steelyard_idws* self) STEELYARD_NOEXCEPT;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
