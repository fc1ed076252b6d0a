/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STEELYARD_STEELYARD_H
#define STEELYARD_STEELYARD_H

#include <stddef.h>
#include <stdint.h>

#include <steelyard/version.h>

/*
 * The C interface. Every function may be called from any thread at any time, sets no errno, and never fails other than
 * as its comment says. Strings are in UTF-8, end with a zero byte and live as long as the library.
 */

#ifdef __cplusplus
extern "C" {
#define STEELYARD_NOEXCEPT noexcept
#else
#define STEELYARD_NOEXCEPT
#endif

#define STEELYARD_API __attribute__((visibility("default")))

/** Version of the library that is running, "major.minor.patch". */
STEELYARD_API const char* steelyard_version(void) STEELYARD_NOEXCEPT;

/** How many schedules there are. They are numbered from 0, in the order users see them; later versions may add some. */
STEELYARD_API size_t steelyard_schedule_count(void) STEELYARD_NOEXCEPT;

/** Name of a schedule, as users type it; NULL when there is no such number. */
STEELYARD_API const char* steelyard_schedule_name(size_t index) STEELYARD_NOEXCEPT;

/** What the schedule does, in one line; NULL when there is no such number. */
STEELYARD_API const char* steelyard_schedule_summary(size_t index) STEELYARD_NOEXCEPT;

/** What its chunk parameter is; NULL when it takes none, or when there is no such number. */
STEELYARD_API const char* steelyard_schedule_chunk(size_t index) STEELYARD_NOEXCEPT;

/** Number of the schedule of that name (case-insensitive); steelyard_schedule_count() when there is none. */
STEELYARD_API size_t steelyard_schedule_find(const char* name) STEELYARD_NOEXCEPT;

/** A schedule and its chunk as users write them: "name" or "name,chunk". */
typedef struct steelyard_choice {
  size_t schedule; /**< its number */
  uint64_t chunk;  /**< 0: not given, the schedule's own default */
} steelyard_choice;

/**
 * Reads "name[,chunk]": names case-insensitive, spaces around both ignored, chunk a whole number from 1 to 2^63-1.
 * Returns NULL when the text is right. Otherwise leaves *choice as it was and returns what is wrong, in words that
 * continue the sentence "TEXT …".
 */
STEELYARD_API const char* steelyard_schedule_parse(const char* text, steelyard_choice* choice) STEELYARD_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
