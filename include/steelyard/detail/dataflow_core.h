/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_DETAIL_DATAFLOW_CORE_H
#define STEELYARD_DETAIL_DATAFLOW_CORE_H

#include <stdint.h>

#include <steelyard/detail/task_core.h>
#include <steelyard/steelyard.h>

/*
 * What <steelyard/dataflow.hpp> and the library know of each other, for those who bring dataflow to another language.
 *
 * A frame has the tasks that one task has forked, in the order of the program, as records that lie behind each other. Its
 * owner runs them in that order. Which of them may run earlier, and elsewhere, is found out from what they say they access, when
 * a thread is idle.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How a task uses what it accesses: one of these, or the address of something that stands for an operation. Tasks with the same
 * operation may use it in any order. */
#define STEELYARD_READ UINT64_C(0)
#define STEELYARD_WRITE UINT64_C(1)

/**
 * What a task accesses: of the object or array at `of`, so many elements from (row, column) on, or none; STEELYARD_WHOLE: all of an
 * object that has no parts. Two accesses of one array have the same `of`; what has another one is something else.
 */
#define STEELYARD_WHOLE UINT64_MAX
typedef struct steelyard_access {
  const void* of;
  uintptr_t how;
  uint64_t row, column, rows, columns;
} steelyard_access;

#define STEELYARD_MOST_ACCESSES 32
#define STEELYARD_MOST_BYTES 4096

typedef struct steelyard_record steelyard_record;

/** What records have in common that call one function. */
typedef struct steelyard_task_kind {
  /**
   * Moves the arguments out of the record, which may be used for something else from then on, and calls. Returns NULL; or what
   * was thrown, an std::exception_ptr made by new.
   */
  void* (*run)(steelyard_record* self);
  void (*drop)(steelyard_record* self); /**< instead: the arguments go */
  /** As `run`, but the arguments stay; NULL: they cannot. */
  void* (*run_again)(const steelyard_record* self);
  void (*accesses)(const steelyard_record* self, steelyard_access* into); /**< also when `run` has been called */
  uint32_t bytes; /**< of a record: a multiple of 16, at most STEELYARD_MOST_BYTES */
  uint32_t count; /**< of accesses, at most STEELYARD_MOST_ACCESSES */
} steelyard_task_kind;

/** A task that has been forked; its arguments follow. Records are aligned to 16 bytes. */
struct steelyard_record {
  const steelyard_task_kind* kind;
  uint32_t waiting_for; /**< the library's */
  uint32_t number;      /**< the library's */
  void* after;          /**< the library's */
};

/**
 * The words of a frame that its owner works with. To fork: write a record at `tail`, whose bytes are there; store its end
 * there (release); store NULL to steelyard_forks, so that a join waits; if the end is above `limit`, loaded after it, call
 * steelyard_frame_look. Between store and load the compiler must not reorder; no fence.
 */
typedef struct steelyard_frame {
  steelyard_record* tail; /**< NULL: see steelyard_frame_open */
  steelyard_record* limit;
} steelyard_frame;

/** Of the task that the calling thread runs. NULL, or one without a tail: see steelyard_frame_open. */
extern STEELYARD_THREAD steelyard_frame* steelyard_frame_here;

/** How often the calling thread has waited for tasks that it had forked: what was pending before may have ended. */
extern STEELYARD_THREAD uint64_t steelyard_frame_waits;

/** The frame of the running task; NULL: the calling thread should call what it would fork. */
STEELYARD_API steelyard_frame* steelyard_frame_open(void) STEELYARD_NOEXCEPT;

STEELYARD_API void steelyard_frame_look(void) STEELYARD_NOEXCEPT;

/** Returns when all tasks forked by the running task have ended: NULL, or the first of what they threw, as from `run`. */
STEELYARD_API void* steelyard_frame_sync(void) STEELYARD_NOEXCEPT;

/** The calling thread, which has forked nothing that it has not waited for, calls what it would fork, until steelyard_frame_here
 * is what this returns. */
STEELYARD_API steelyard_frame* steelyard_frame_call(void) STEELYARD_NOEXCEPT;

/** Tasks that are noted once and run many times. */
typedef struct steelyard_recording steelyard_recording;

/**
 * From now on what the calling thread forks is noted, and does not run, until steelyard_recording_end. That returns 0 if one cannot
 * run again, another recording was run, or there was no memory for all, and the recording can only be destroyed. NULL: there is no memory at all.
 */
STEELYARD_API steelyard_recording* steelyard_recording_begin(void) STEELYARD_NOEXCEPT;
STEELYARD_API int steelyard_recording_end(steelyard_recording* recording) STEELYARD_NOEXCEPT;

/** When steelyard_recording_end has returned 0: 1 if there was no memory for all. */
STEELYARD_API int steelyard_recording_is_full(const steelyard_recording* recording) STEELYARD_NOEXCEPT;

/** As if all were forked now and waited for; see steelyard_frame_sync. Not by several at once. */
STEELYARD_API void* steelyard_recording_run(steelyard_recording* recording) STEELYARD_NOEXCEPT;
STEELYARD_API void steelyard_recording_destroy(steelyard_recording* recording) STEELYARD_NOEXCEPT;

/** Between the two, nobody else is between the two with this address; others may have to wait. */
STEELYARD_API void steelyard_cumulate_begin(const void* object) STEELYARD_NOEXCEPT;
STEELYARD_API void steelyard_cumulate_end(const void* object) STEELYARD_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
